// Façades: low-rise and towers.

Object.assign(EXTERIORS, {
  lowrise(p, st, r) {
    // Sydney / Brisbane: deep eaves, balconies, palms
    const skin = st.skin,
      timber = lch(0.62, 0.075, 58),
      x0 = r.int(110, 150),
      bays = 4,
      bw = 178,
      w = bays * bw,
      x1 = x0 + w,
      rows = r.pick([2, 3, 3]),
      fh = rows === 2 ? 120 : 108,
      g = GROUND - 4,
      top = g - rows * fh - 10,
      roof = r.pick([lch(0.45, 0.015, 250), lch(0.9, 0.008, 90)]),
      vx = 1310,
      vy = 540,
      stone = lch(0.76, 0.04, 75);
    sky(p, st, r, { sunX: r.range(160, 320), cloudLow: 240 });
    p.path(`M-20 560Q180 ${r.int(440, 480)} 420 500T860 470T1100 520V620H-20z`, mix(st.tree, skyLow(st), 0.55));
    skyline(p, st, r, 570, [20, 80], 0.2, TIMES[st.time].lamps, [30, 60]);
    p.path(ring(Array.from({ length: 15 }, (_, i) => [i * 80 - 10, 580 - (i % 2) * 16, r.range(34, 60)])), mix(sink(st.tree, 0.1), skyLow(st), 0.2));
    const q = sideFace(p, st, x1, top, g, vx, vy, 0.42, skin, rows, 3, {
      l: 0.25,
      r: 0.8,
      t: 0.3,
      b: 0.76,
      lit: () => r.chance(TIMES[st.time].lamps ? 0.5 : 0),
    });
    p.rect(
      x0,
      top,
      w,
      g - top,
      p.linear('h', [
        [0, lift(skin, 0.25)],
        [1, skin],
      ]),
    );
    for (let i = 0; i < bays; i++)
      if (i % 2 === 0)
        p.rect(
          x0 + i * bw,
          top,
          bw,
          g - top,
          i % 4
            ? p.round(stone)
            : p.linear('h', [
                [0, lift(timber, 0.1)],
                [1, sink(timber, 0.1)],
              ]),
        );
    {
      let d = '';
      for (let i = 0; i < bays; i += 4) for (let k = 1; k < 14; k++) d += `M${n(x0 + i * bw + (k * bw) / 14)} ${top}V${g}`;
      p.line(d, sink(timber, 0.3), 1.5, 'opacity=".45"');
    }
    const A = windowSet(
      p,
      st,
      'l',
      (f, v) => {
        p.rect(0, 0, 138, 84, lch(0.34, 0.012, 250));
        p.path('M5 5h61v79h-61zM72 5h61v79h-61z', f);
        if (v === 'b') p.path('M5 5h24v79h-24z', st.linen, 'opacity=".85"');
      },
      () => p.path('M0 0h138v14h-138z', SHADE, 'opacity=".4"'),
    );
    const slab = p.symbol('slab', () => {
        p.rect(8, 0, bw - 16, 8, lift(skin, 0.5));
        p.rect(14, 8, bw - 28, 12, SHADE, 'opacity=".28"');
      }),
      rail = p.symbol('rail', () => bars(p, 10, bw - 8, 0, 40, 10.5, timber, 3.5));
    stamp(p, st, r, A, gridOf(x0 + 20, top + 22, bw, fh, bays, rows));
    for (let j = 0; j < rows; j++)
      for (let i = 0; i < bays; i++) {
        const x = x0 + i * bw,
          y = top + (j + 1) * fh - 4;
        if (j === rows - 1) continue;
        p.use(slab, x, y);
        if ((i + j) % 2) p.use(rail, x, y);
        else p.rect(x + 10, y - 40, bw - 20, 40, lch(...TIMES[st.time].glass[1]), 'opacity=".62"');
        if (r.chance(0.65)) bush(p, st, x + r.int(20, 90), y - 2, 36, 20);
      }
    p.poly([[x0 - 46, top - 26], [x1 + 36, top - 26], q(1.12, top - 22), q(1.12, top - 4), [x1 + 30, top - 2], [x0 - 46, top - 2]], roof);
    p.poly(
      [
        [x0 - 46, top - 2],
        [x1 + 30, top - 2],
        [x1, top + 18],
        [x0, top + 18],
      ],
      sink(timber, 0.3),
    );
    p.rect(x0, top + 16, w, 16, SHADE, 'opacity=".2"');
    p.rect(x0 + bw + 30, g - 88, 118, 88, sink(timber, 0.4));
    p.path(
      scatter([
        [x0 + bw + 38, g - 80, 48, 80],
        [x0 + bw + 92, g - 80, 48, 80],
      ]),
      litFill(p),
    );
    p.rect(x0 + bw + 4, g - 106, 170, 10, roof);
    for (const x of [x0 + bw + 12, x0 + bw + 158]) p.rect(x, g - 96, 8, 96, timber);
    lawn(p, st, g);
    path_(p, st, x0 + bw * 1.5, g, 62, 190);
    if (sunny(st)) p.path(`M0 ${g}H90Q300 660 240 720H0z`, SHADE, 'opacity=".14"');
    for (const [x, s] of [
      [x0 - 70, 1.5],
      [x1 + 90, 1.25],
      [x1 + 160, 1.6],
      [x0 + bw * 3.05, 0.98],
    ])
      tree(p, st, r, x, g + 40 + s * 10, s, 'palm');
    for (const [x, k] of [
      [x0 + 12, 128],
      [x0 + bw * 2.1, 150],
      [x0 + bw * 3.2, 120],
    ]) {
      bush(p, st, x, g + 14, k, 30);
    }
    agave(p, x0 + 60, g + 66, 1, st);
    agave(p, x1 - 40, g + 72, 1.2, st);
    life(p, st, r, [x0 + bw * 1.5 - 30, x0 + bw * 1.5 + 50], g + 64);
  },
  tower(p, st, r) {
    glassTower(p, st, r, false);
  },
  pointtower(p, st, r) {
    glassTower(p, st, r, true);
  },
});
