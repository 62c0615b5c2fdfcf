// Glass towers, courtyards, and what each city is known by.

const pts = (l, dx, dy) => l.map(([x, y, q]) => [x + dx, y + dy, q]);

function agave(p, x, y, s, st) {
  const g = mix(st.leaf, lch(0.62, 0.06, 175), 0.5),
    l = [-70, -46, -22, 0, 24, 48, 72].map((a) => [x, y, a, (62 - Math.abs(a) * 0.25) * s, 9 * s]);
  p.path(l.map((q) => leafPath(...q)).join(''), sink(g, 0.12));
  p.path(l.map(([a, b, c, d, e]) => halfLeaf(a, b, c, d, -e)).join(''), lift(g, 0.25));
}

function bistroSet(p, x, y, st) {
  const m = lch(0.3, 0.012, 255);
  p.line(`M${n(x)} ${y}v-36M${n(x - 44)} ${y}v-26h-22v26m0 -26v-28M${n(x + 44)} ${y}v-26h22v26m0 -26v-28`, m, 4, '');
  p.oval(x, y - 37, 30, 5, st.a);
  p.oval(x, y, 12, 3, m);
}

function glassTower(p, st, r, balconies) {
  const t = TIMES[st.time],
    frame = st.skin,
    vx = 1000,
    vy = 590,
    slim = balconies || r.chance(0.5),
    x0 = r.int(330, 400),
    cols = slim ? 5 : 7,
    rows = balconies ? 12 : 13,
    w = slim ? r.int(215, 250) : r.int(270, 310),
    top = r.int(56, 96),
    bottom = GROUND - 74,
    fh = (bottom - top) / rows,
    cw = w / cols,
    ga = lch(...t.glass[0]),
    gb = lch(...t.glass[1]);
  sky(p, st, r, { sunX: r.range(120, 260) });
  skyline(p, st, r, 600, [150, 330], 0.2, false);
  skyline(p, st, r, 604, [70, 190], 0.4, t.lamps);
  if (r.chance(0.6)) {
    const bx = x0 + w + r.int(150, 200),
      bt = r.int(200, 280),
      c = mix(mix(frame, ga, 0.5), skyLow(st), 0.35);
    p.rect(
      bx,
      bt,
      150,
      600 - bt,
      p.linear('h', [
        [0, lift(c, 0.15)],
        [1, sink(c, 0.06)],
      ]),
    );
    let d = '';
    for (let y = bt + 22; y < 560; y += 24) d += `M${bx + 8} ${y}h134`;
    p.line(d, sink(c, 0.25), 9, 'stroke-dasharray="18 7" opacity=".6"');
  }
  const q = sideFace(p, st, x0 + w, top, GROUND, vx, vy, 0.42, mix(frame, ga, 0.4), rows + 2, 4, {
    l: 0.12,
    r: 0.9,
    t: 0.14,
    b: 0.9,
    lit: () => r.chance(t.lamps ? 0.4 : 0.03),
  });
  p.rect(
    x0,
    top,
    w,
    GROUND - top,
    p.linear('d', [
      [0, lift(gb, 0.3)],
      [0.4, mix(ga, gb, 0.4)],
      [0.72, ga],
      [1, gb],
    ]),
  );
  p.path(`M${x0} ${n(top + 180)}L${x0 + w} ${n(top + 30)}V${n(top + 120)}L${x0} ${n(top + 300)}z`, LIGHT, 'opacity=".16"');
  const lit = [],
    shade = [];
  for (let j = 0; j < rows; j++)
    for (let i = 0; i < cols; i++) {
      const b = [x0 + i * cw + 4, top + j * fh + fh / 2 + 0.5, cw - 8];
      if (r.chance(t.lamps ? 0.36 : 0.05)) lit.push(b);
      else if (r.chance(0.24)) shade.push(b);
    }
  p.line(dashes(shade), sink(ga, 0.35), fh - 11, 'opacity=".42"');
  if (lit.length) p.line(dashes(lit), t.lamps ? '#ffd993' : lch(0.95, 0.04, 88), fh - 11);
  let d = '';
  for (let i = 0; i <= cols; i++) d += `M${n(x0 + i * cw)} ${top}V${GROUND}`;
  p.line(d, frame, balconies ? 3 : 5);
  d = '';
  for (let j = 0; j <= rows; j++) d += `M${x0} ${n(top + j * fh)}H${x0 + w}`;
  p.line(d, lift(frame, 0.1), 6);
  if (balconies) {
    const side = r.pick([0, cols - 2]),
      wide = r.chance(0.5);
    const a = [],
      b = [],
      c = [];
    for (let j = 1; j < rows; j++) {
      const y = top + j * fh,
        bx = x0 + side * cw - 10,
        ww = cw * 2 + 20;
      if (wide && j % 2) {
        a.push([x0 - 10, y - 2, w + 20, 7]);
        b.push([x0 - 8, y - fh * 0.42, w + 16, fh * 0.4]);
        c.push([x0, y + 5, w, 7]);
      } else {
        a.push([bx, y - 2, ww, 7]);
        b.push([bx + 2, y - fh * 0.42, ww - 4, fh * 0.4]);
        c.push([bx + 4, y + 5, ww - 8, 7]);
      }
    }
    p.path(scatter(c), SHADE, 'opacity=".3"');
    p.path(scatter(b), lift(gb, 0.2), 'opacity=".7"');
    p.path(scatter(a), lift(frame, 0.5));
  } else if (r.chance(0.7)) p.rect(x0 + r.int(1, cols - 2) * cw + 3, top, cw - 6, bottom - top, r.pick([st.a, st.b]), 'opacity=".88"');
  p.rect(x0 + w * 0.2, top - 24, w * 0.5, 24, p.round(mix(frame, lch(0.7, 0.01, 250), 0.4)));
  p.line(`M${n(x0 + w * 0.4)} ${top - 24}v-38`, lch(0.5, 0.01, 250), 3);
  p.rect(x0 - 6, top - 8, w + 12, 12, lift(frame, 0.4));
  snowOn(p, st, x0 - 4, top - 8, w + 8);
  const pod = r.pick([lch(0.62, 0.08, 44), lch(0.9, 0.015, 80), mix(st.b, lch(0.7, 0.02, 80), 0.3)]),
    px0 = x0 - r.int(120, 180),
    px1 = q(1, 0)[0] + r.int(30, 70);
  p.rect(
    px0,
    bottom - 10,
    px1 - px0,
    GROUND - bottom + 10,
    p.linear('h', [
      [0, lift(pod, 0.16)],
      [1, sink(pod, 0.08)],
    ]),
  );
  p.rect(px0 - 8, bottom - 22, px1 - px0 + 16, 14, lift(pod, 0.35));
  p.rect(px0, bottom - 8, px1 - px0, 9, SHADE, 'opacity=".25"');
  const ls = [];
  for (let x = px0 + 18; x + 60 < px1; x += 78) ls.push([x, bottom + 10, 60, GROUND - bottom - 10]);
  p.path(
    scatter(ls),
    t.lamps
      ? litFill(p)
      : p.linear('v', [
          [0, lch(0.9, 0.06, 85)],
          [1, gb],
        ]),
  );
  p.line(ls.map(([x]) => `M${n(x + 30)} ${n(bottom + 10)}V${GROUND}`).join(''), sink(pod, 0.5), 3);
  for (let x = px0 + 10; x < px1 - 40; x += 92) if (r.chance(0.8)) bush(p, st, x, bottom - 20, 54, 20);
  snowOn(p, st, px0, bottom - 22, x0 - px0 - 10);
  p.rect(x0 + 30, bottom - 2, 190, 12, st.a);
  p.rect(x0 + 30, bottom + 10, 190, 6, SHADE, 'opacity=".25"');
  street(p, st, r);
  const tk = CITY_TREE(st, r);
  tree(p, st, r, px0 - 56, GROUND + 30, 1.15, tk);
  tree(p, st, r, px1 + 80, GROUND + 36, 1.35, tk);
  if (px1 + 210 < 1060) tree(p, st, r, px1 + 210, GROUND + 26, 1.05, tk);
  if (px0 > 200) tree(p, st, r, px0 - 170, GROUND + 40, 1.4, tk === 'palm' ? 'palm' : 'round');
  lampPost(p, st, x0 + w + 30, GROUND + 46, 0.85);
  bush(p, st, x0 - 60, GROUND + 30, 100, 24);
  life(p, st, r, [x0 + 60, x0 + 160, x0 - 110]);
  if (r.chance(0.5)) bike(p, px1 - 110, GROUND + 42, 0.78, st.a);
}

function courtyard(p, st, r) {
  // three wings round a garden, seen from the fourth
  const cam = camera({ scale: 43, vy: 318, eye: 3.6, wd: 15.5, ht: 8, f: 1250, ex: 7.75 + r.range(-1, 1) }),
    { P, zb, wd } = cam;
  const skin = st.skin[0] > 0.93 ? lch(0.88, 0.03, 75) : st.skin,
    t = TIMES[st.time],
    lit = t.lamps,
    snow = st.time === 'snow',
    near = 12.5,
    ht = 7.6,
    ga = lch(...t.glass[0]),
    white = lch(0.96, 0.008, 88);
  sky(p, st, r, { cloudLow: 130, cloudTop: 40, sunX: r.range(300, 700), horizon: 0.5, sunY: 110 });
  const wing = (x, c) => {
    // a side wing lies in the plane x
    p.poly(
      [P(x, 0, near), P(x, ht, near), P(x, ht, zb), P(x, 0, zb)],
      p.linear(
        'h',
        x
          ? [
              [0, sink(c, 0.02)],
              [1, lift(c, 0.2)],
            ]
          : [
              [0, sink(c, 0.36)],
              [1, sink(c, 0.24)],
            ],
      ),
    );
    let d = '',
      l = '',
      s = '';
    for (let j = 0; j < 2; j++)
      for (let i = 0; i < 6; i++) {
        const z0 = zb - 1.3 - i * 2.6,
          y0 = 1 + j * 3.4,
          q = polyPath([P(x, y0, z0), P(x, y0, z0 - 1.3), P(x, y0 + 1.95, z0 - 1.3), P(x, y0 + 1.95, z0)]);
        s += `M${bez(P(x, y0 - 0.1, z0 + 0.12))}L${bez(P(x, y0 - 0.1, z0 - 1.42))}`;
        if (r.chance(lit ? 0.5 : 0.04)) l += q;
        else d += q;
      }
    const fr = `stroke="${p.paint(white)}" stroke-width="3"`;
    p.path(d, x ? mix(ga, lch(...t.glass[1]), 0.35) : sink(ga, 0.25), fr);
    if (l) p.path(l, '#ffd48a', fr);
    p.line(s, x ? lift(c, 0.5) : sink(lift(c, 0.4), 0.2), 5);
    p.poly([P(x, ht, near), P(x, ht + 0.45, near), P(x, ht + 0.45, zb), P(x, ht, zb)], x ? lift(c, 0.45) : sink(c, 0.1));
    p.poly([P(x, 3.75, near), P(x, 3.95, near), P(x, 3.95, zb), P(x, 3.75, zb)], x ? lift(c, 0.35) : sink(lift(c, 0.25), 0.2));
  };
  const [bx0, by0] = P(0, ht, zb),
    [bx1, by1] = P(wd, 0, zb),
    bw = bx1 - bx0,
    cols = 7,
    cw = bw / cols;
  {
    let d = '';
    for (let i = 0; i < 9; i++) d += ring([[bx0 - 60 + (i * (bw + 120)) / 8, by0 - 6, r.range(24, 46)]]);
    p.path(d, mix(mix(st.tree, skyLow(st), 0.45), SHADE, 0.05));
  }
  p.rect(
    bx0,
    by0,
    bw,
    by1 - by0,
    p.linear('h', [
      [0, sink(skin, 0.12)],
      [1, lift(skin, 0.1)],
    ]),
  );
  p.rect(bx0, by0 - 17, bw, 19, lift(skin, 0.4));
  p.rect(bx0, by0 + 2, bw, 8, SHADE, 'opacity=".2"');
  snowOn(p, st, bx0, by0 - 17, bw);
  const A = windowSet(
    p,
    st,
    'q',
    (f, v) => {
      p.rect(0, 0, 46, 84, f);
      if (v === 'b') p.rect(0, 0, 46, 34, st.linen, 'opacity=".8"');
    },
    () => {
      p.path('M0 0h46v9h-38v75h-8z', SHADE, 'opacity=".28"');
      p.line('M0 0h46v84h-46zM23 0v84M0 28h46', white, 3);
      p.rect(-5, 85, 56, 6, lift(skin, 0.5));
    },
  );
  stamp(p, st, r, A, gridOf(bx0 + cw / 2 - 23, by0 + 32, cw, 0, cols, 1));
  p.rect(bx0, by1 - 170, bw, 9, lift(skin, 0.4));
  let ar = '';
  for (let i = 0; i < cols; i++) {
    const x = bx0 + i * cw + 14,
      w = cw - 28,
      y = by1 - 104;
    ar += `M${n(x)} ${n(by1)}V${n(y)}q${n(w / 2)} ${n(-w * 0.6)} ${n(w)} 0V${n(by1)}z`;
  }
  p.path(
    ar,
    lit
      ? litFill(p)
      : p.linear('v', [
          [0, lch(0.84, 0.08, 78)],
          [1, mix(skin, lch(0.62, 0.05, 70), 0.5)],
        ]),
  );
  p.path(ar, 'none', `stroke="${p.paint(lift(skin, 0.4))}" stroke-width="5"`);
  {
    const m = bx0 + 3 * cw + 14,
      w = cw - 28;
    p.path(`M${n(m + 8)} ${n(by1)}V${n(by1 - 92)}h${n(w - 16)}V${n(by1)}z`, st.b);
    p.path(
      `M${n(m + 14)} ${n(by1 - 50)}v-36h${n(w / 2 - 18)}v36zM${n(m + w / 2 + 4)} ${n(by1 - 50)}v-36h${n(w / 2 - 18)}v36z`,
      lit ? '#ffe0a0' : lch(0.88, 0.04, 215),
    );
  }
  const g = snow ? lch(0.96, 0.008, 235) : lch(0.74, 0.105, 128),
    pave = snow ? lch(0.93, 0.01, 240) : lch(0.87, 0.022, 76);
  p.poly(
    [P(0, 0, 9), P(wd, 0, 9), P(wd, 0, zb), P(0, 0, zb)],
    p.linear('v', [
      [0, sink(pave, 0.14)],
      [1, pave],
    ]),
  );
  {
    let d = '';
    for (let x = 1.2; x < wd; x += 2.2) d += `M${bez(P(x, 0, 10))}L${bez(P(x, 0, zb))}`;
    for (let z = 12; z < zb; z += 2.6) d += `M${bez(P(0, 0, z))}H${n(P(wd, 0, z)[0])}`;
    p.line(d, sink(pave, 0.22), 1.6, 'opacity=".45"');
  }
  const round = r.chance(0.5),
    lawnQ = (x0, x1, z0, z1) => foot(cam, x0, x1, z0, z1),
    lawnFill = p.linear('v', [
      [0, sink(g, 0.12)],
      [1, lift(g, 0.06)],
    ]);
  if (round) {
    const c = P(wd / 2, 0, 20),
      ya = P(0, 0, 15.5)[1],
      yb = P(0, 0, 27.5)[1],
      ry = (ya - yb) / 2,
      cy = (ya + yb) / 2,
      rx = P(wd / 2 + 5.3, 0, 20)[0] - c[0];
    p.oval(c[0], cy + 2, rx, ry, sink(pave, 0.3));
    p.oval(c[0], cy - 3, rx * 0.975, ry * 0.96, lawnFill);
  } else {
    p.path(lawnQ(2.2, 6.7, 13.6, 27.6) + lawnQ(8.8, 13.3, 13.6, 27.6), sink(pave, 0.3));
    p.path(lawnQ(2.3, 6.6, 13.9, 27.6) + lawnQ(8.9, 13.2, 13.9, 27.6), lawnFill);
  }
  wing(0, skin);
  wing(wd, skin);
  if (sunny(st)) p.path(polyPath([P(0, 0, zb), P(3.4, 0, zb), P(6, 0, 9), P(0, 0, 9)]), SHADE, 'opacity=".2"');
  p.path(foot(cam, 0, wd, zb - 1.5, zb), SHADE, 'opacity=".16"');
  const spot = (x, z) => [...P(x, 0, z), 1250 / z / 55];
  for (const [x, z] of [
    [0.8, 26.5],
    [wd - 3.6, 26.5],
    [0.6, 20.5],
    [wd - 3, 20.5],
  ]) {
    const [a, b, s] = spot(x, z);
    bush(p, st, a, b, 150 * s, 50 * s);
  }
  const kind = st.country === 'australia' || st.country === 'spain' ? r.pick(['palm', 'round']) : 'round',
    tx = round ? r.pick([6, 9.4]) : r.pick([4.4, 11.1]),
    far = round ? wd - tx : wd - tx;
  for (const [x, z, k] of [
    [far, 26, 0.92],
    [tx, 21.5, 0.95],
  ]) {
    const [a, b, s] = spot(x, z);
    tree(p, st, r, a, b, s * k, kind);
  }
  const festoon = (x0, z0, x1, z1, y) =>
    Array.from({ length: 11 }, (_, i) => {
      const u = i / 10;
      return P(x0 + (x1 - x0) * u, y - Math.sin(u * Math.PI) * 0.9, z0 + (z1 - z0) * u);
    });
  for (const l of [festoon(0, 26, wd, 24, 6.3), festoon(0, 19.5, wd, 18.5, 5.9)]) {
    p.line('M' + l.map((a) => a.map(n).join(' ')).join('L'), lch(0.35, 0.02, 270), 1.6, 'opacity=".7"');
    const b = l.slice(1, 10);
    if (lit) p.path(ring(b.map(([x, y]) => [x, y + 5, 15])), '#ffd27a', 'opacity=".32"');
    p.path(ring(b.map(([x, y]) => [x, y + 6, 5])), lit ? '#fff0c8' : lch(0.96, 0.06, 88));
  }
  const shade = p.symbol('parasol', () => {
      p.oval(14, 3, 66, 11, SHADE, 'opacity=".25"');
      p.line('M0 0V-150', lch(0.92, 0.01, 85), 4);
      p.line('M-66 -26h30M36 -26h30M-62 0v-26l-4 -28M-40 0v-26M62 0v-26l4 -28M40 0v-26M-14 0l6 -46M14 0l-6 -46', sink(st.wood, 0.25), 4);
      p.oval(0, -47, 40, 7, st.wood);
      p.raw('<path d="M-86-122q26-50 86-58 60 8 86 58-22-8-42 0-22-8-44 0-22-8-44 0-20-8-42 0z"/>');
      p.path(
        'M-44 -122Q-34 -168 0 -180Q-8 -150 0 -122Q-22 -130 -44 -122ZM44 -122Q40 -166 0 -180Q60 -172 86 -122Q64 -130 44 -122Z',
        LIGHT,
        'opacity=".4"',
      );
    }),
    parasol = (x, z, c) => {
      const [a, b, s] = spot(x, z);
      p.raw(`<use href="#${shade}" fill="${p.paint(c)}" transform="matrix(${n2(s * 0.74)} 0 0 ${n2(s * 0.74)} ${n(a)} ${n(b)})"/>`);
    };
  const side = tx > 7.7 ? 1 : -1,
    px = 7.75 - side * r.range(2.7, 3.3);
  if (!snow) {
    parasol(px, 19.5, st.a);
    if (r.chance(0.6)) parasol(px - side * 1.9, 15, st.b);
  } else {
    const [a, b, s] = spot(px, 18.5);
    bench(p, a - 60 * s, b, s * 0.8);
  }
  {
    const [a, b, s] = spot(7.75 + side * r.range(-0.4, 0.6), 16.2);
    walker(p, a, b, s * 0.78, st.c, lch(0.35, 0.03, 262), side);
    if (r.chance(0.6)) {
      const [c, e, k] = spot(7.75 + side * 1.8, 24.5);
      walker(p, c, e, k * 0.78, st.a, undefined, -side);
    }
  }
  // planters frame the bottom corners
  for (const [x0, x1] of [
    [0.9, 3.9],
    [11.9, 14.6],
  ]) {
    const z = 11.6,
      [a, b] = P(x0, 0.55, z),
      [c, e] = P(x1, 0, z);
    bush(p, st, a + 16, b + 10, c - a - 40, (c - a - 40) / 3);
    if (!snow)
      p.path(ring(Array.from({ length: 7 }, (_, i) => [a + 30 + (i * (c - a - 60)) / 6, b - 16 - ((i * 13) % 22), 7])), i0(x0) ? st.a : st.c);
    p.rect(
      a,
      b,
      c - a,
      e - b + 60,
      p.linear('v', [
        [0, lift(st.b, 0.12)],
        [1, sink(st.b, 0.3)],
      ]),
    );
    p.rect(a - 6, b - 4, c - a + 12, 12, lift(st.b, 0.25));
  }
}

const i0 = (x) => x < 5;

// Cities: far relief, three bands of buildings, landmarks, then a foreground. The whole town is mirrored in water.
const CITIES = {
  london: ['clock', 'shard', 'wheel', 'river'],
  edinburgh: ['castle', 'spire', 'clock', 'park'],
  manchester: ['mill', 'clock', 'slab', 'park'],
  glasgow: ['spire', 'dome', 'clock', 'river'],
  dublin: ['needlethin', 'dome', 'spire', 'bridge'],
  cork: ['spire', 'spire', 'dome', 'bridge'],
  galway: ['spire', 'dome', 'spire', 'harbour'],
  barcelona: ['spires', 'bullet', 'dome', 'harbour'],
  madrid: ['dome', 'slab', 'clock', 'park'],
  valencia: ['dome', 'spire', 'arch', 'park'],
  sydney: ['arch', 'turret', 'slab', 'harbour'],
  melbourne: ['slab', 'lattice', 'dome', 'river'],
  brisbane: ['arch', 'slab', 'clock', 'river'],
  'new-york': ['deco', 'slab', 'suspension', 'river'],
  boston: ['dome', 'slab', 'spire', 'harbour'],
  chicago: ['steps', 'deco', 'slab', 'river'],
  'los-angeles': ['slab', 'deco', 'dome', 'park'],
  toronto: ['needle', 'dome', 'slab', 'harbour'],
  vancouver: ['slab', 'slab', 'dome', 'harbour'],
  montreal: ['dome', 'spire', 'clock', 'river'],
};

const BY_COUNTRY = {
  uk: ['london', 'manchester', 'glasgow', 'edinburgh'],
  ireland: ['dublin', 'cork', 'galway'],
  spain: ['barcelona', 'madrid', 'valencia'],
  australia: ['sydney', 'melbourne', 'brisbane'],
  us: ['new-york', 'boston', 'chicago', 'los-angeles'],
  canada: ['toronto', 'vancouver', 'montreal'],
  germany: ['glasgow', 'madrid', 'dublin'],
};

const RELIEF = {
  edinburgh: 'crag',
  barcelona: 'hills',
  vancouver: 'peaks',
  'los-angeles': 'hills',
  montreal: 'hills',
  cork: 'hills',
  galway: 'hills',
  glasgow: 'hills',
};
