// Rooms: bathroom, lounge.

function bathroom(p, st, r) {
  const cam = camera({ scale: 222, vy: 322, eye: 1.38, wd: 3.9, ht: 2.55 }),
    { P, zb, wd } = cam,
    lit = isLit(st);
  const tile = r.pick([lift(st.b, 0.55), lift(st.a, 0.6), lch(0.94, 0.012, 85), lift(st.leaf, 0.5), st.dark ? lift(st.wall, 0.25) : st.wall]),
    upper = r.chance(0.5) ? tile : lift(mix(st.wall, st.paper, 0.5), 0.1),
    full = upper === tile,
    hgt = full ? 2.55 : 1.25;
  shell(p, cam, st, {
    wall: upper,
    side: upper,
    floor: 'tiles',
    floorTone: r.pick([lch(0.86, 0.012, 85), lch(0.5, 0.02, 240), lift(st.c, 0.4)]),
    skirt: false,
  });
  if (!full) p.path(foot2(cam, 0, wd, 0, hgt), tile);
  const kind = r.pick(['square', 'metro', 'stack']),
    tw = { square: 0.15, metro: 0.2, stack: 0.08 }[kind],
    th = { square: 0.15, metro: 0.1, stack: 0.24 }[kind];
  let d = '',
    glint = '';
  const x1p = n(P(wd, 0, zb)[0]);
  for (let y = th; y < hgt; y += th) {
    const a = P(0, y, zb);
    d += `M${n(a[0])} ${n(a[1])}H${x1p}`;
  }
  if (kind === 'metro')
    for (let y = 0, j = 0; y < hgt - 0.01; y += th * 2, j++)
      for (let x = tw; x < wd; x += tw) {
        const a = P(x, y, zb);
        d += `M${n(a[0])} ${n(a[1])}v${n(-th * cam.scale)}`;
      }
  else
    for (let x = tw; x < wd; x += tw) {
      const a = P(x, 0, zb),
        b = P(x, hgt, zb);
      d += `M${n(a[0])} ${n(a[1])}V${n(b[1])}`;
    }
  for (let i = 0; i < 14; i++) {
    const x = Math.floor(r.range(0, wd / tw)) * tw,
      y = Math.floor(r.range(0, hgt / th - 1)) * th;
    glint += foot2(cam, x, x + tw, y, y + th);
  }
  p.path(glint, lift(tile, 0.4), 'opacity=".6"');
  p.line(d, sink(tile, 0.22), 1.3, 'opacity=".5"');
  if (!full) p.path(foot2(cam, 0, wd, hgt, hgt + 0.035), sink(tile, 0.2));
  const metal = st.metal[0] > 0.9 ? lch(0.78, 0.008, 250) : st.metal;
  // window or niche, far right
  if (r.chance(0.6)) {
    window_(p, cam, st, r, { x: 2.85, y: 1.42, w: 0.72, h: 0.8, dressing: 'blind', kind: 'pair' });
    plant(p, cam.at(3.2, 1.39, zb - 0.06), st, r, 26, 'fern');
  } else {
    shelf(p, cam, st, r, 2.75, 1.75, 0.9, false);
    for (const [u, c] of [
      [2.95, st.a],
      [3.15, st.linen],
      [3.4, st.b],
    ])
      towelRoll(p, cam.at(u, 1.75, zb - 0.1), c);
    art(p, cam.at(2.95, 1.98, zb), st, r, 44, 34);
  }
  shadows(
    p,
    cam,
    [
      [1.35, 2.5, zb - 0.5, zb],
      [2.85, 3.3, zb - 0.7, zb],
      [0, 1.15, zb - 0.9, zb],
    ],
    0.28,
  );
  rug(p, cam, st, 1.3, 2.6, zb - 1.35, zb - 0.75, r.pick(['band', 'lines', 'border', 'oval']));
  // vanity, basin, mirror
  const van = r.pick([st.wood, st.b, st.a, lch(0.95, 0.008, 85)]);
  const M = cam.at(1.95, 1.62, zb),
    mr = r.chance(0.6);
  if (lit) glow(p, M.ox, M.oy, 120, 0.6);
  const face = p.linear('d', [
    [0, lch(0.97, 0.012, 220)],
    [0.5, lch(0.86, 0.03, 225)],
    [0.51, lch(0.9, 0.025, 225)],
    [1, lch(0.82, 0.035, 230)],
  ]);
  if (mr) {
    p.dot(M.ox + 5, M.oy + 6, 41 * M.k, sink(upper, 0.6), 'opacity=".25"');
    p.dot(M.ox, M.oy, 41 * M.k, metal);
    p.dot(M.ox, M.oy, 38 * M.k, face);
  } else {
    p.path(M('M-34 -38 L34 -38 L34 20 Q34 44 0 44 Q-34 44 -34 20Z'), metal);
    p.path(M('M-31 -35 L31 -35 L31 19 Q31 41 0 41 Q-31 41 -31 19Z'), face);
  }
  for (const s of [-1, 1]) {
    const S = cam.at(1.95 + s * 0.56, 1.62, zb);
    if (lit) glow(p, S.ox, S.oy, 60, 0.7);
    p.path(S('M-2 -14 L2 -14 L2 14 L-2 14Z'), metal);
    p.path(S('M-5 -9 L5 -9 L5 16 L-5 16Z'), lit ? '#fff1cf' : lch(0.98, 0.012, 90));
  }
  box(p, cam, 1.42, 2.48, 0.42, 0.8, zb - 0.5, zb, van, { front: p.fall(van) });
  p.path(foot2(cam, 1.45, 1.94, 0.45, 0.77, zb - 0.5) + foot2(cam, 1.96, 2.45, 0.45, 0.77, zb - 0.5), lift(van, 0.12));
  for (const x of [1.7, 2.2]) {
    const [a, b] = P(x, 0.7, zb - 0.5);
    p.rect(a - 16, b, 32, 4, metal, 'rx="2"');
  }
  box(p, cam, 1.38, 2.52, 0.8, 0.84, zb - 0.53, zb, lch(0.97, 0.005, 90));
  const B = cam.at(1.95, 0.84, zb - 0.28);
  p.path(B('M-28 13 Q-27 0 -14 0 L14 0 Q27 0 28 13Z'), p.round(lch(0.96, 0.006, 90)));
  p.oval(...B.xy(0, 13), 28 * B.k, 3.4 * B.k, lch(0.9, 0.01, 230));
  const T = cam.at(1.95, 0.84, zb - 0.06);
  p.line(T('M0 0 L0 30 Q0 33 -2 33 L-14 32'), metal, 4 * T.k, 'stroke-linecap="round"');
  bottle(p, cam.at(2.34, 0.84, zb - 0.25), st.a);
  bottle(p, cam.at(2.43, 0.84, zb - 0.2), st.c);
  const K = cam.at(1.52, 0.84, zb - 0.25);
  p.path(K('M-4 0 L4 0 L4.5 10 L-4.5 10Z'), st.b);
  p.line(K('M-2 9 L-4 19 M1 9 L3 20'), st.a, 1.6 * K.k, 'stroke-linecap="round"');
  // toilet
  const C = cam.at(3.1, 0, zb - 0.35),
    wc = lch(0.97, 0.005, 90);
  p.path(cam.at(3.1, 0, zb)('M-20 40 L20 40 L20 82 L-20 82Z'), p.round(wc));
  p.path(cam.at(3.1, 0, zb)('M-22 82 L22 82 L22 87 L-22 87Z'), wc);
  p.path(C('M-15 0 L15 0 Q16 16 20 30 Q20 38 0 38 Q-20 38 -20 30 Q-16 16 -15 0Z'), p.round(sink(wc, 0.03)));
  p.oval(...C.xy(0, 38), 21 * C.k, 6 * C.k, lift(wc, 0.3));
  p.oval(...C.xy(0, 38.5), 14 * C.k, 3.6 * C.k, lch(0.86, 0.01, 240));
  // shower, left: head, rail, glass
  const S = cam.at(0.5, 0, zb - 0.05);
  p.line(S('M0 105 L0 215 L24 215 L24 208'), metal, 3 * S.k, '');
  p.path(S('M8 203 L40 203 L40 207 L8 207Z'), metal);
  p.path(S('M-5 100 L5 100 L5 110 L-5 110Z'), metal);
  p.line([12, 20, 28, 36].map((u) => S(`M${u} 198 L${u - 1} 130`)).join(''), lch(0.98, 0.01, 220), 1.6, 'opacity=".5" stroke-dasharray="14 9"');
  p.path(foot2(cam, 0.72, 1.02, 1.15, 1.5), sink(tile, 0.3));
  bottle(p, cam.at(0.8, 1.16, zb), st.b, 0.8);
  bottle(p, cam.at(0.92, 1.16, zb), st.a, 0.8);
  box(p, cam, 0, 1.18, 0, 0.06, zb - 0.95, zb, lch(0.96, 0.005, 90));
  if (r.chance(0.6)) {
    p.poly([P(1.16, 0.06, zb), P(1.16, 0.06, zb - 0.95), P(1.16, 2.05, zb - 0.95), P(1.16, 2.05, zb)], lch(0.95, 0.02, 215), 'opacity=".5"');
    p.path(
      polyPath([P(0, 0.06, zb - 0.95), P(1.16, 0.06, zb - 0.95), P(1.16, 2.05, zb - 0.95), P(0, 2.05, zb - 0.95)]),
      lch(0.96, 0.02, 215),
      'opacity=".16"',
    );
    p.path(
      polyPath([P(0.2, 2.05, zb - 0.95), P(0.5, 2.05, zb - 0.95), P(-0.2, 0.4, zb - 0.95), P(-0.5, 0.4, zb - 0.95)]) +
        polyPath([P(1.0, 2.05, zb - 0.95), P(1.1, 2.05, zb - 0.95), P(0.6, 0.5, zb - 0.95), P(0.5, 0.5, zb - 0.95)]),
      LIGHT,
      'opacity=".16"',
    );
    const e = P(1.16, 2.05, zb - 0.95),
      g = P(1.16, 0.06, zb - 0.95),
      k = P(1.16, 2.05, zb);
    p.line(`M0 ${n(e[1])}H${n(e[0])}V${n(g[1])}M${bez(e)}L${bez(k)}`, metal, 5);
  } else {
    // a cloth curtain, half drawn
    const c = r.pick([lift(st.a, 0.25), lift(st.b, 0.3), st.linen, lift(st.c, 0.3)]),
      rod = P(0, 2.08, zb - 0.9),
      a = P(0.52, 2.05, zb - 0.9),
      b = P(1.2, 2.05, zb - 0.9),
      y = P(0, 0.1, zb - 0.9)[1],
      w = b[0] - a[0];
    let d = '',
      e = '';
    p.path(
      `M${bez(a)}H${n(b[0])}Q${n(b[0] - 6)} ${n((a[1] + y) / 2)} ${n(b[0] + 4)} ${n(y)}q${n(-w / 6)} 9 ${n(-w / 3)} 0t${n(-w / 3)} 0t${n(-w / 3 - 6)} 0Z`,
      p.linear('h', [
        [0, sink(c, 0.16)],
        [0.5, lift(c, 0.2)],
        [1, sink(c, 0.06)],
      ]),
    );
    for (let i = 1; i < 6; i++)
      d += `M${n(a[0] + (w * i) / 6)} ${n(a[1] + 4)}q${i % 2 ? 4 : -4} ${n((y - a[1]) * 0.5)} ${i % 2 ? -3 : 3} ${n(y - a[1] - 8)}`;
    p.line(d, sink(c, 0.32), 3, 'opacity=".4"');
    for (let i = 1; i < 5; i++) e += `M${n(a[0] + 2)} ${n(a[1] + ((y - a[1]) * i) / 5)}H${n(b[0] - 3)}`;
    if (st.cloth !== 'plain') p.line(e, lift(c, 0.6), 9, 'opacity=".5"');
    p.line(`M0 ${n(rod[1])}H${n(b[0] + 8)}`, metal, 5);
  }
  // towels on a ladder, plant
  const Ld = cam.at(3.72, 0, zb - 0.5);
  if (r.chance(0.7)) {
    p.line(Ld('M-22 0 L-17 165 M22 0 L17 165 M-20 40 L20 40 M-19 80 L19 80 M-18 120 L18 120'), st.wood, 4 * Ld.k, 'stroke-linecap="round"');
    p.path(Ld('M-15 122 L13 122 L13 84 L-15 86Z'), p.fall(st.a));
    p.path(Ld('M-13 82 L15 82 L15 40 L-13 44Z'), p.fall(st.linen));
    p.line(Ld('M-15 92 L13 90 M-13 50 L15 47'), st.c, 4);
  } else plant(p, Ld, st, r, 92, r.pick(['snake', 'palm', 'rubber']));
  const floorMat = cam.at(1.95, 0, zb - 0.3);
  basket(p, cam.at(2.62, 0, zb - 0.25), st);
}

function towelRoll(p, L, c) {
  p.path(ring([[...L.xy(0, 8), 8 * L.k]]), p.round(c));
  p.path(ring([[...L.xy(0, 8), 4 * L.k]]), sink(c, 0.2), 'opacity=".4"');
}

function bottle(p, L, c, k = 1) {
  p.path(
    L(
      `M${-3.5 * k} 0 L${3.5 * k} 0 L${3.5 * k} ${13 * k} L${1.5 * k} ${15 * k} L${1.5 * k} ${19 * k} L${-1.5 * k} ${19 * k} L${-1.5 * k} ${15 * k} L${-3.5 * k} ${13 * k}Z`,
    ),
    p.round(c),
  );
}

function basket(p, L, st) {
  const c = lift(st.wood, 0.15);
  p.path(L('M-11 0 L11 0 L14 30 L-14 30Z'), p.round(c));
  p.line(L('M-12 8 L12 8 M-13 16 L13 16 M-13.5 23 L13.5 23'), sink(c, 0.3), 2, 'opacity=".6"');
  p.path(L('M-12 30 Q-6 40 0 34 Q8 42 12 30Z'), st.linen);
}

function lounge(p, st, r) {
  const cam = camera({ scale: 168, vy: 328, eye: 1.34, wd: 5.4, ht: 2.8 }),
    { P, zb, wd } = cam,
    lit = isLit(st),
    kind = r.pick(['gallery', 'window', 'shelves', 'game', 'pool']);
  if (kind === 'pool') return poolRoom(p, st, r, camera({ scale: 168, vy: 300, eye: 1.72, wd: 5.4, ht: 2.8 }));
  shell(p, cam, st, { finish: kind === 'game' ? null : st.finish });
  if (kind === 'window') window_(p, cam, st, r, { x: 0.85, y: 0.62, w: 3.6, h: 1.75, kind: 'tall', dressing: r.pick(['curtain', 'none']), low: 0.7 });
  else {
    const mural = kind === 'game' && r.pick(['rainbow', 'hills', 'hills', 'circles']);
    if (mural) neonArch(p, cam, st, 2.2, 3.9, mural);
    window_(p, cam, st, r, { x: 0.35, y: 0.7, w: 1.1, h: 1.6 });
    beamOnWall(p, cam, st, 2.1, 1, 1.3, 1.2);
    if (kind === 'gallery') {
      art(p, cam.at(1.95, 1.3, zb), st, r, 52, 68);
      art(p, cam.at(2.58, 1.6, zb), st, r, 42, 38);
      art(p, cam.at(2.58, 1.16, zb), st, r, 42, 36);
      art(p, cam.at(3.1, 1.24, zb), st, r, 66, 76);
      art(p, cam.at(3.86, 1.4, zb), st, r, 42, 54);
    }
    if (kind === 'shelves') {
      shelf(p, cam, st, r, 1.9, 1.3, 2.5);
      shelf(p, cam, st, r, 2.2, 1.8, 1.9);
    }
  }
  shadows(p, cam, [
    [1.6, 4.05, zb - 1, zb - 0.1],
    [2.2, 3.4, zb - 2, zb - 1.5],
    [4.3, 5, zb - 1.6, zb - 1.1],
  ]);
  rug(p, cam, st, 1.3, 4.3, zb - 2.25, zb - 0.95);
  beamOnFloor(p, cam, st, kind === 'window' ? 1.2 : 0.4, kind === 'window' ? 2.4 : 1.1, 0.9, 2.3, 0.9);
  floorLamp(p, cam, st, 4.42, zb - 0.4, lit);
  plant(p, cam.at(1.2, 0, zb - 0.35), st, r, 125, r.pick(['rubber', 'palm', 'snake']));
  const c = r.pick([st.a, st.b, lift(st.a, 0.3)]);
  sofa(p, cam, st, 1.62, 4.06, zb - 1, zb - 0.1, c, r);
  const tz = zb - 1.75,
    c0 = P(2.8, 0.36, tz);
  if (r.chance(0.6)) {
    for (const x of [2.42, 3.2]) box(p, cam, x - 0.02, x + 0.02, 0, 0.36, tz - 0.02, tz + 0.02, sink(st.wood, 0.25), { thin: 2 });
    p.oval(c0[0], c0[1] + 6, (0.62 * cam.f) / tz, 24, sink(st.wood, 0.3));
    p.oval(c0[0], c0[1], (0.62 * cam.f) / tz, 24, p.round(st.wood));
  } else {
    box(p, cam, 2.2, 3.4, 0.1, 0.36, tz - 0.3, tz + 0.25, st.wood);
    box(p, cam, 2.26, 3.34, 0, 0.1, tz - 0.26, tz + 0.2, sink(st.wood, 0.5));
  }
  books2(p, cam.at(2.6, 0.37, tz), st);
  if (r.chance(0.5)) mug(p, cam.at(3, 0.37, tz), c === st.b ? st.a : st.b);
  else plant(p, cam.at(3.05, 0.37, tz), st, r, 26, 'fern');
  armchair(p, cam.at(4.7, 0, zb - 1.5), st, c === st.a ? st.c : st.c);
  pouf(p, cam.at(0.95, 0, zb - 1.6), st, c === st.b ? st.a : st.b);
  if (r.chance(0.7)) pendant(p, cam, st, 2.8, zb - 1.2, 0.6);
}

function poolRoom(p, st, r, cam) {
  const { P, zb, wd } = cam,
    lit = isLit(st),
    felt = r.pick([lch(0.5, 0.09, 160), lch(0.5, 0.09, 240), mix(st.b, lch(0.5, 0.08, 200), 0.4)]),
    wood = sink(st.wood, 0.12);
  shell(p, cam, st, { finish: st.finish === 'arch' ? null : st.finish });
  window_(p, cam, st, r, { x: 1.45, y: 0.85, w: 2.5, h: 1.45, kind: 'tall', low: 0.68 });
  {
    const L = cam.at(0.75, 1.0, zb);
    p.path(L('M-26 0 L26 0 L26 9 L-26 9Z M-26 96 L26 96 L26 103 L-26 103Z'), st.wood);
    p.line(L('M-16 4 L-16 118 M-5 4 L-5 118 M6 4 L6 118 M17 4 L17 118'), lift(st.wood, 0.35), 2.6 * L.k);
  }
  art(p, cam.at(4.3, 1.25, zb), st, r, 62, 78);
  shadows(
    p,
    cam,
    [
      [1.3, 4.1, zb - 2.15, zb - 0.85],
      [4.5, 5.2, zb - 0.8, zb - 0.3],
      [0.3, 0.9, zb - 0.7, zb - 0.2],
    ],
    0.4,
  );
  beamOnFloor(p, cam, st, 1.6, 2.2, 0.4, 1.7, 0.9);
  plant(p, cam.at(0.95, 0, zb - 0.3), st, r, 110, r.pick(['rubber', 'snake']));
  armchair(p, cam.at(4.75, 0, zb - 0.6), st, st.c);
  const x0 = 1.35,
    x1 = 4.05,
    z0 = zb - 2.1,
    z1 = zb - 0.9;
  for (const x of [x0 + 0.15, x1 - 0.35])
    for (const z of [z1 - 0.25, z0 + 0.1]) box(p, cam, x, x + 0.16, 0, 0.62, z, z + 0.16, sink(wood, 0.2), { thin: 1, top: null });
  box(p, cam, x0, x1, 0.6, 0.84, z0, z1, wood, { front: p.fall(wood), top: lift(wood, 0.2) });
  p.poly(
    [P(x0 + 0.13, 0.85, z0 + 0.12), P(x1 - 0.13, 0.85, z0 + 0.12), P(x1 - 0.13, 0.85, z1 - 0.1), P(x0 + 0.13, 0.85, z1 - 0.1)],
    p.linear('h', [
      [0, lift(felt, 0.2)],
      [1, felt],
    ]),
  );
  const spot = (x, z) => [...P(x, 0.87, z), (0.036 * cam.f) / z];
  p.path(
    [
      [x0 + 0.12, z0 + 0.1],
      [2.7, z0 + 0.1],
      [x1 - 0.12, z0 + 0.1],
      [x0 + 0.12, z1 - 0.08],
      [2.7, z1 - 0.08],
      [x1 - 0.12, z1 - 0.08],
    ]
      .map(([x, z]) => {
        const [a, b, q] = spot(x, z);
        return ring([[a, b + 3, q * 1.1]]);
      })
      .join(''),
    lch(0.2, 0.02, 260),
  );
  const rack = [];
  for (let i = 0; i < 3; i++) for (let j = 0; j <= i; j++) rack.push([3.1 + i * 0.08, zb - 1.5 + (j - i / 2) * 0.13]);
  const sets = [[], [], []];
  rack.forEach(([x, z], i) => sets[i % 3].push(spot(x, z)));
  p.path(ring(sets.flat().map(([a, b, q]) => [a + 3, b + 4, q])), SHADE, 'opacity=".35"');
  [st.a, st.c, lch(0.3, 0.03, 262)].forEach((c, i) => p.path(ring(sets[i]), c));
  p.path(ring([spot(2.0, zb - 1.45)]), LIGHT);
  const q0 = P(1.55, 0.9, zb - 1.75),
    q1 = P(2.3, 0.95, zb - 1.35);
  p.line(`M${bez(q0)}L${bez(q1)}`, lift(st.wood, 0.35), 5, 'stroke-linecap="round"');
  stool(p, cam, st, 0.85, zb - 1.9, st.a);
  for (const x of [2.0, 2.7, 3.4]) pendant(p, cam, st, x, zb - 1.5, 0.72, st.pendant === 'globe' ? 'dome' : st.pendant);
}

function neonArch(p, cam, st, x0, x1, kind = 'rainbow') {
  // a painted mural over the sofa
  const L = cam.at((x0 + x1) / 2, 1.1, cam.zb),
    w = (x1 - x0) * 50;
  if (kind === 'rainbow') {
    for (const [k, c] of [
      [1, st.c],
      [0.74, st.a],
      [0.48, st.b],
    ])
      p.path(L(`M${-w * k} 0 L${-w * k} 8 Q${-w * k} ${w * k * 1.1} 0 ${w * k * 1.1} Q${w * k} ${w * k * 1.1} ${w * k} 8 L${w * k} 0Z`), c);
    return;
  }
  if (kind === 'circles') {
    for (const [u, v, q, c] of [
      [-0.7, 58, 0.5, st.c],
      [0.15, 74, 0.62, mix(st.a, st.wall, 0.2)],
      [0.86, 40, 0.36, st.b],
    ]) {
      const [a, b] = L.xy(u * w, v);
      p.dot(a, b, q * w * L.k, c);
    }
    return;
  }
  const { P, zb, wd } = cam,
    q = (x, y) => bez(P(x, y, zb));
  const [a, b] = P(3.5, 1.95, zb);
  p.dot(a, b, 0.42 * cam.scale, st.c); // a landscape across the whole wall
  p.path(`M${q(0, 0.1)}V${n(P(0, 1.5, zb)[1])}Q${q(1.1, 2.05)} ${q(2.4, 1.6)}T${q(wd, 1.75)}V${n(P(0, 0.1, zb)[1])}Z`, mix(st.b, st.wall, 0.45));
  p.path(`M${q(0, 0.1)}V${n(P(0, 1.15, zb)[1])}Q${q(1.6, 1.5)} ${q(3, 1.1)}T${q(wd, 1.2)}V${n(P(0, 0.1, zb)[1])}Z`, mix(st.a, st.wall, 0.45));
}

function books2(p, L, st, k = 1) {
  p.path(L(`M${-15 * k} 0 L${15 * k} 0 L${15 * k} 3.4 L${-15 * k} 3.4Z`), st.b);
  p.path(L(`M${-13 * k} 3.4 L${13 * k} 3.4 L${13 * k} 6.6 L${-13 * k} 6.6Z`), st.a);
  p.path(L(`M${-14 * k} 6.6 L${10 * k} 6.6 L${10 * k} 9 L${-14 * k} 9Z`), st.linen);
}

function pouf(p, L, st, c) {
  p.path(L('M-30 4 Q-36 22 -26 34 Q0 40 26 34 Q36 22 30 4 Q0 -3 -30 4Z'), p.round(c));
  p.line(L('M-26 34 Q-12 18 -14 1 M0 37 L0 0 M26 34 Q12 18 14 1'), sink(c, 0.3), 1.6, 'opacity=".5"');
}

function armchair(p, L, st, c) {
  p.line(L('M-26 0 L-22 22 M26 0 L22 22'), sink(st.wood, 0.2), 4 * L.k, 'stroke-linecap="round"');
  p.path(L('M-34 30 Q-40 88 -20 92 L22 92 Q42 88 34 30Z'), p.round(c));
  p.path(L('M-26 40 L26 40 Q30 54 24 56 L-24 56 Q-30 54 -26 40Z'), lift(c, 0.3));
  p.path(L('M-42 20 L-26 18 L-24 60 Q-34 66 -42 58Z'), lift(c, 0.22));
  p.path(L('M42 20 L26 18 L24 60 Q34 66 42 58Z'), sink(c, 0.2));
  p.path(L('M-30 18 L30 18 L28 42 L-28 42Z'), sink(c, 0.06));
}
