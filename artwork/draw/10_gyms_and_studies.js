// Rooms: gym, study.

function gym(p, st, r) {
  const cam = camera({ scale: 172, vy: 322, eye: 1.36, wd: 5.3, ht: 2.75 }),
    { P, zb, wd } = cam,
    lit = isLit(st),
    back = r.pick(['window', 'mirror', 'stripe']),
    dark = lch(0.33, 0.015, 262),
    steel = lch(0.8, 0.01, 250);
  shell(p, cam, st, { floor: 'tiles', floorTone: r.pick([lch(0.56, 0.022, 255), lch(0.66, 0.02, 240), lch(0.78, 0.04, 72)]) });
  p.path(
    [1.3, 2.65, 4]
      .map((x) => polyPath([P(x - 0.45, 2.75, zb - 0.7), P(x + 0.45, 2.75, zb - 0.7), P(x + 0.45, 2.75, zb - 0.95), P(x - 0.45, 2.75, zb - 0.95)]))
      .join(''),
    lit ? '#fff3d2' : lch(0.995, 0.004, 90),
  );
  if (back === 'window') window_(p, cam, st, r, { x: 0.55, y: 0.5, w: 4.2, h: 1.75, kind: 'tall', dressing: 'none', low: 0.68 });
  else {
    if (back === 'stripe') {
      p.path(foot2(cam, 0, wd, 0, 1.0), st.b);
      p.path(foot2(cam, 0, wd, 1.0, 1.12), st.a);
      p.path(foot2(cam, 0, wd, 1.18, 1.23), st.c);
    }
    p.path(foot2(cam, 1.9, 4.3, 0.34, 2.2), lift(st.wall, 0.6));
    for (const i of [0, 1])
      p.path(
        foot2(cam, 1.94 + i * 1.17, 3.07 + i * 1.17, 0.38, 2.16),
        p.linear('d', [
          [0, lch(0.95, 0.015, 225)],
          [0.45, lch(0.84, 0.035, 228)],
          [0.46, lch(0.9, 0.025, 225)],
          [1, lch(0.8, 0.04, 232)],
        ]),
      );
  }
  if (back !== 'window')
    p.path(
      foot2(cam, 0.2, 1.75, 0, 0) &&
        polyPath([P(0.1, 2.6, zb), P(0.55, 2.6, zb), P(1.75, 1.26, zb), P(1.75, 0.76, zb)]) +
          polyPath([P(0.85, 2.6, zb), P(1.1, 2.6, zb), P(1.75, 1.87, zb), P(1.75, 1.58, zb)]),
      mix(st.a, st.wall, 0.25),
      'opacity=".8"',
    );
  shadows(
    p,
    cam,
    [
      [0.35, 1.75, zb - 1, zb - 0.3],
      [2.15, 3.95, zb - 0.55, zb - 0.1],
      [4.0, 5.2, zb - 1.35, zb - 0.9],
      [3.3, 4.4, zb - 1.9, zb - 1.45],
      [0.6, 2.6, zb - 2.2, zb - 1.6],
    ],
    0.36,
  );
  beamOnFloor(p, cam, st, 1.4, 2.2, 0.8, 2.2, 0.8);
  // dumbbell rack
  for (const x of [2.15, 3.9]) box(p, cam, x, x + 0.06, 0, 0.95, zb - 0.5, zb - 0.15, dark);
  for (const y of [0.26, 0.58, 0.9]) {
    box(p, cam, 2.15, 3.96, y - 0.05, y, zb - 0.5, zb - 0.2, sink(steel, 0.3));
    let a = '',
      b = '';
    for (let i = 0; i < 6; i++) {
      const L = cam.at(2.34 + i * 0.29, y, zb - 0.42),
        k = 7.4 - (i % 3) * 0.7;
      a += L(`M-11 0 L-5 0 L-5 ${k * 2} L-11 ${k * 2}Z M5 0 L11 0 L11 ${k * 2} L5 ${k * 2}Z`);
      b += L(`M-5 ${k - 1.4} L5 ${k - 1.4} L5 ${k + 1.4} L-5 ${k + 1.4}Z`);
    }
    p.path(b, steel);
    p.path(a, y === 0.58 ? st.a : y > 0.8 ? st.c : dark);
  }
  // power rack with a loaded bar
  const z = zb - 0.75;
  for (const zz of [zb - 0.2, z]) for (const x of [0.42, 1.62]) box(p, cam, x, x + 0.07, 0, 2.1, zz, zz + 0.07, zz === z ? dark : sink(dark, 0.3));
  box(p, cam, 0.42, 1.69, 2.04, 2.12, z, z + 0.07, dark);
  const B = cam.at(1.055, 1.32, z - 0.04);
  p.line(B('M-88 0 L88 0'), steel, 3 * B.k, 'stroke-linecap="round"');
  for (const s of [-1, 1]) {
    p.path(B(`M${s * 66} -22 L${s * 72} -22 L${s * 72} 22 L${s * 66} 22Z`), st.a);
    p.path(B(`M${s * 74} -17 L${s * 79} -17 L${s * 79} 17 L${s * 74} 17Z`), st.b);
  }
  p.path(cam.at(1.055, 0.4, z - 0.3)('M-20 0 L20 0 Q24 6 20 12 L-20 12 Q-24 6 -20 0Z'), p.round(st.a));
  p.line(cam.at(1.055, 0, z - 0.3)('M-14 0 L-10 40 M14 0 L10 40'), dark, 4 * B.k);
  spinBike(p, cam.at(4.55, 0, zb - 1.05), st, st.a);
  spinBike(p, cam.at(3.85, 0, zb - 1.6), st, st.c);
  // floor kit
  const m0 = 0.7,
    m1 = 2.35;
  p.path(foot(cam, m0, m1, zb - 2.2, zb - 1.65), sink(st.b, 0.35));
  p.path(foot(cam, m0, m1, zb - 2.16, zb - 1.65), lift(st.b, 0.14));
  {
    const q = cam.at(m1 + 0.03, 0, zb - 1.9);
    p.path(ring([[...q.xy(2, 9), 9 * q.k]]), sink(st.b, 0.1));
    p.path(ring([[...q.xy(2, 9), 4.5 * q.k]]), lift(st.b, 0.3));
  }
  const G = cam.at(0.62, 0, zb - 1.35);
  p.dot(
    ...G.xy(0, 31),
    31 * G.k,
    p.radial(
      [
        [0, lift(st.c, 0.5)],
        [0.5, st.c],
        [1, sink(st.c, 0.3)],
      ],
      'cx=".36" cy=".32"',
    ),
  );
  for (const [x, zz, k, c] of [
    [2.75, 1.5, 1, st.a],
    [3.05, 1.55, 0.85, dark],
    [3.3, 1.5, 0.72, st.c],
  ])
    kettlebell(p, cam.at(x, 0, zb - zz), c, k, dark);
  plant(p, cam.at(5.05, 0, zb - 0.35), st, r, 130, r.pick(['palm', 'rubber', 'snake']));
}

function spinBike(p, L, st, c) {
  // side view
  const dark = lch(0.32, 0.015, 262),
    k = L.k,
    [wx, wy] = L.xy(24, 26);
  p.line(L('M-42 2 L46 2'), dark, 6 * k, 'stroke-linecap="round"');
  p.line(L('M-30 2 L-8 34 L24 26 L40 2 M-8 34 L-20 74 M24 26 L14 70 L30 84'), lch(0.78, 0.01, 250), 5.5 * k, 'stroke-linecap="round"');
  p.dot(wx, wy, 23 * k, dark);
  p.dot(wx, wy, 18 * k, c);
  p.dot(wx, wy, 6 * k, dark);
  p.line(L('M-8 34 L-14 20 M-18 20 L-8 20'), dark, 4 * k, 'stroke-linecap="round"');
  p.path(L('M-36 76 Q-22 70 -6 76 Q-8 82 -20 82 Q-34 84 -36 76Z'), dark);
  p.line(L('M14 90 L32 84 L42 92'), dark, 5 * k, 'stroke-linecap="round"');
  p.path(L('M24 94 L38 100 L34 112 L20 106Z'), lch(0.5, 0.06, 235));
}

function kettlebell(p, L, c, k, dark) {
  p.line(L(`M${-6 * k} ${18 * k} Q${-9 * k} ${31 * k} 0 ${31 * k} Q${9 * k} ${31 * k} ${6 * k} ${18 * k}`), dark, 3.2 * L.k * k);
  p.path(
    L(
      `M${-9 * k} 0 L${9 * k} 0 Q${15 * k} ${6 * k} ${12 * k} ${14 * k} Q${8 * k} ${20 * k} 0 ${20 * k} Q${-8 * k} ${20 * k} ${-12 * k} ${14 * k} Q${-15 * k} ${6 * k} ${-9 * k} 0Z`,
    ),
    p.round(c),
  );
}

function study(p, st, r) {
  const cam = camera({ scale: 165, vy: 318, eye: 1.42, wd: 5.6, ht: 2.85 }),
    { P, zb, wd } = cam,
    lit = isLit(st),
    kind = r.pick(['shelves', 'windows', 'arch']);
  shell(p, cam, st);
  if (kind === 'windows') {
    for (const x of [0.5, 2.15, 3.8]) window_(p, cam, st, r, { x, y: 0.9, w: 1.3, h: 1.45, kind: 'grid', dressing: 'none' });
  } else {
    const x0 = 0.35,
      cols = kind === 'arch' ? 2 : 5,
      cw = 0.98;
    const cases =
      kind === 'arch'
        ? [
            [0.3, 2],
            [3.36, 2],
          ]
        : [[0.35, 5]];
    for (const [cx, m] of cases) {
      const tw = m * cw,
        bg = sink(st.wood, 0.35);
      box(p, cam, cx, cx + tw, 0, 2.3, zb - 0.05, zb, bg, { top: null });
      const q = (i, j) => cam.P(cx + i * cw, 0.12 + j * 0.43, zb - 0.1),
        o = { at: cam.at(0, 0, zb - 0.1) },
        [ox, oy] = [o.at.ox, o.at.oy],
        here = (u) => cam.at(u, 0, zb - 0.1);
      const row = [0, 1, 2].map((v) =>
        p.symbol('row' + v, () => {
          if (v === 0) books(p, here(0.08), st, r, 82, 33);
          if (v === 1) {
            books(p, here(0.08), st, r, 46, 32);
            p.path(here(0.74)('M-7 0 L7 0 Q11 10 4 17 L4 23 L-4 23 L-4 17 Q-11 10 -7 0Z'), st.c);
          }
          if (v === 2) {
            books2(p, here(0.26), st);
            books(p, here(0.46), st, r, 22, 28);
            plant(p, here(0.8), st, r, 30, 'fern');
          }
        }),
      );
      for (let j = 0; j < 5; j++)
        for (let i = 0; i < m; i++) {
          const [a, b] = q(i, j);
          p.use(row[(i * 2 + j * 5 + r.int(0, 1)) % 3], a - ox, b - oy);
        }
      let fr = '';
      for (let j = 0; j <= 5; j++) fr += foot2(cam, cx, cx + tw, 0.08 + j * 0.43, 0.12 + j * 0.43, zb - 0.28);
      for (let i = 0; i <= m; i++) fr += foot2(cam, cx + i * cw - 0.02, cx + i * cw + 0.02, 0, 2.3, zb - 0.28);
      p.path(fr, st.wood);
    }
    if (kind === 'arch') window_(p, cam, st, r, { x: 2.42, y: 0.8, w: 0.8, h: 1.55, kind: 'grid', dressing: 'none' });
  }
  shadows(
    p,
    cam,
    [
      [0.3, 5.3, zb - 0.35, zb],
      [1.15, 4.45, zb - 2.1, zb - 1.2],
    ],
    0.32,
  );
  rug(p, cam, st, 0.8, 4.8, zb - 2.4, zb - 0.95, st.rug === 'oval' ? 'border' : st.rug);
  beamOnFloor(p, cam, st, 1.6, 2, 0.6, 2.2, 0.9);
  const z0 = zb - 2.05,
    z1 = zb - 1.2;
  for (const x of [1.65, 2.4, 3.15, 3.9]) chairBack(p, cam, st, x, z1 + 0.1, st.b);
  for (const x of [1.22, 4.26])
    for (const z of [z1 - 0.1, z0 + 0.06]) box(p, cam, x, x + 0.08, 0, 0.72, z, z + 0.06, sink(st.wood, 0.25), { thin: 2 });
  box(p, cam, 1.1, 4.5, 0.72, 0.77, z0, z1, lift(st.wood, 0.06));
  for (const x of [1.7, 2.8, 3.9]) {
    const L = cam.at(x, 0.77, (z0 + z1) / 2);
    p.sprite('banker', L, () => bankerLamp(p, L, st, lit));
  }
  laptop(p, cam.at(2.25, 0.77, z1 - 0.25));
  laptop(p, cam.at(3.4, 0.77, z0 + 0.35));
  books2(p, cam.at(1.5, 0.77, z0 + 0.3), st);
  mug(p, cam.at(2.6, 0.77, z0 + 0.3), st.a);
  books2(p, cam.at(4.1, 0.77, z0 + 0.3), st);
  for (const x of [1.75, 2.8, 3.85]) chair(p, cam, st, x, z0 - 0.05, st.a);
  plant(p, cam.at(0.45, 0, zb - 1.2), st, r, 120, r.pick(['palm', 'rubber']));
  if (kind !== 'windows') plant(p, cam.at(5.2, 0, zb - 1.1), st, r, 100, 'snake');
  for (const x of [1.75, 2.8, 3.85]) pendant(p, cam, st, x, (z0 + z1) / 2, 0.7);
}

function bankerLamp(p, L, st, lit) {
  if (lit) glow(p, ...L.xy(0, 20), 60 * L.k, 0.6);
  const m = lch(0.7, 0.09, 82);
  p.path(L('M-8 0 L8 0 L7 3 L-7 3Z M-1 3 L1 3 L1 26 L-1 26Z'), m);
  p.path(L('M-17 24 Q-16 34 -6 34 L6 34 Q16 34 17 24Z'), p.round(st.leaf));
}
