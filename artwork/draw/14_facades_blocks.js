// Façades: warehouse, campus, brownstone, balcony.

Object.assign(EXTERIORS, {
  warehouse(p, st, r) {
    // converted mill: red brick, arched steel windows
    const brick = st.skin,
      x0 = r.int(70, 110),
      cols = 6,
      cw = 118,
      w = cols * cw,
      x1 = x0 + w,
      rows = 3,
      fh = 132,
      top = GROUND - 34 - rows * fh,
      vx = 1290,
      vy = 560,
      stone = lch(0.82, 0.03, 75),
      steel = lch(0.32, 0.012, 250);
    sky(p, st, r);
    skyline(p, st, r, 604, [90, 230], 0.3, TIMES[st.time].lamps);
    p.path(`M860 604V${top - 60}h44V604z`, mix(brick, skyLow(st), 0.45));
    p.rect(852, top - 70, 60, 14, mix(sink(brick, 0.2), skyLow(st), 0.45));
    const q = sideFace(p, st, x1, top, GROUND, vx, vy, 0.5, brick, rows, 3, {
      l: 0.2,
      r: 0.75,
      t: 0.24,
      b: 0.86,
      lit: () => r.chance(TIMES[st.time].lamps ? 0.6 : 0),
    });
    p.rect(
      x0,
      top,
      w,
      GROUND - top,
      p.linear('h', [
        [0, lift(brick, 0.14)],
        [1, brick],
      ]),
    );
    flecks(p, r, x0, top, w, 420, brick, 46);
    const A = windowSet(
      p,
      st,
      'k',
      (fill, v) => {
        p.path('M0 92V22Q38 -14 76 22V92z', fill);
        if (v === 'b') p.path('M0 52H76V92H0z', st.linen, 'opacity=".4"');
      },
      () => {
        p.path('M-9 26Q38 -32 85 26L76 26Q38 -14 0 22z', lift(brick, 0.24));
        p.line('M0 92V22Q38 -14 76 22V92z' + 'M0 40H76M0 66H76M25 10V92M51 10V92', steel, 3.2);
        p.rect(-6, 92, 88, 8, stone);
        p.rect(-6, 100, 88, 6, SHADE, 'opacity=".28"');
      },
    );
    stamp(
      p,
      st,
      r,
      A,
      gridOf(x0 + 21, top + 30, cw, fh, cols, rows).filter((_, i) => !(i >= (rows - 1) * cols && (i % cols === 2 || i % cols === 3))),
    );
    for (let i = 0; i <= cols; i++) {
      p.rect(x0 + i * cw - 8, top, 16, GROUND - top, lift(brick, 0.06));
      p.rect(x0 + i * cw + 8, top, 5, GROUND - top, SHADE, 'opacity=".22"');
    }
    for (const y of [top - 14, top + fh - 4, top + 2 * fh - 4]) {
      p.rect(x0 - 8, y, w + 14, 12, y < top ? stone : sink(brick, 0.1));
      p.rect(x0, y + 12, w, 6, SHADE, 'opacity=".2"');
    }
    p.poly([[x1 + 6, top - 14], q(1, top - 12), q(1, top), [x1 + 6, top - 2]], sink(stone, 0.3));
    snowOn(p, st, x0, top - 14, w);
    const ex = x0 + 2 * cw + 14,
      eh = 132;
    p.path(`M${ex} ${GROUND}v${-eh + 50}q${cw - 14} -84 ${cw * 2 - 28} 0V${GROUND}z`, stone);
    p.path(
      `M${ex + 14} ${GROUND}v${-eh + 58}q${cw - 28} -72 ${cw * 2 - 56} 0V${GROUND}z`,
      TIMES[st.time].lamps
        ? litFill(p)
        : p.linear('v', [
            [0, lch(0.88, 0.07, 82)],
            [1, lch(...TIMES[st.time].glass[1])],
          ]),
    );
    p.line(
      `M${ex + 14} ${GROUND - 74}h${cw * 2 - 56}M${ex + cw - 14} ${GROUND - 108}V${GROUND}M${ex + 60} ${GROUND - 100}V${GROUND}M${ex + cw * 2 - 88} ${GROUND - 100}V${GROUND}`,
      steel,
      4,
    );
    p.rect(x0, GROUND - 16, w, 16, sink(brick, 0.3));
    diagonal(p, st, r, top, GROUND);
    street(p, st, r);
    for (const x of [x0 + 40, x1 - 180]) {
      p.rect(x, GROUND - 6, 130, 34, p.fall(st.b));
      bush(p, st, x + 16, GROUND - 4, 100, 28);
    }
    tree(p, st, r, q(1, 0)[0] + 90, GROUND + 36, 1.4);
    if (r.chance(0.6)) tree(p, st, r, 30, GROUND + 40, 1.25);
    bike(p, x0 + 200, GROUND + 42, 0.82, st.a);
    lampPost(p, st, x1 - 20, GROUND + 46, 0.95);
    life(p, st, r, [ex + 60, ex + 260]);
  },
  campus(p, st, r) {
    // US campus hall: brick wings, portico, cupola, lawn
    const brick = st.skin,
      white = lch(0.97, 0.006, 88),
      slate = lch(0.5, 0.022, 250),
      top = 288,
      x0 = 110,
      x1 = 970,
      m = 540,
      gy = 560,
      pw = r.int(120, 140);
    sky(p, st, r, { cloudLow: 220 });
    skyline(p, st, r, 560, [60, 120], 0.16, false);
    p.path(ring(Array.from({ length: 16 }, (_, i) => [i * 74 - 20, 520 - (i % 3) * 14, r.range(44, 70)])), mix(st.tree, skyLow(st), 0.55));
    p.path(
      `M${x0 - 18} ${top}L${x0 + 46} 208H${x1 - 46}L${x1 + 18} ${top}z`,
      p.linear('v', [
        [0, lift(slate, 0.16)],
        [1, sink(slate, 0.1)],
      ]),
    );
    snowOn(p, st, x0 + 44, 208, x1 - x0 - 88);
    const dm = p.symbol('dormer', () => {
      p.path('M-28 262v-26l28 -22 28 22v26z', white);
      p.path('M-16 262v-24q16 -14 32 0v24z', glassFill(p, st));
      p.path('M-34 240l34 -30 34 30z', sink(slate, 0.1));
    });
    for (const x of [250, 390, 690, 830]) p.use(dm, x, 0);
    for (const x of [x0 + 80, x1 - 80]) {
      p.rect(x - 22, 168, 44, 70, p.round(brick));
      p.rect(x - 27, 162, 54, 9, white);
    }
    p.rect(m - 36, 146, 72, 66, p.round(white));
    p.path(
      scatter([
        [m - 24, 156, 14, 42],
        [m - 7, 156, 14, 42],
        [m + 10, 156, 14, 42],
      ]),
      TIMES[st.time].lamps ? '#ffdd98' : lch(0.6, 0.05, 245),
    );
    p.rect(m - 44, 138, 88, 10, white);
    p.path(`M${m - 36} 138q0 -44 36 -52q36 8 36 52z`, p.round(mix(st.b, slate, 0.4)));
    p.line(`M${m} 88V58`, lch(0.75, 0.09, 85), 4);
    p.rect(
      x0,
      top,
      x1 - x0,
      gy - top,
      p.linear('h', [
        [0, lift(brick, 0.16)],
        [1, sink(brick, 0.04)],
      ]),
    );
    flecks(p, r, x0, top, x1 - x0, 270, brick, 36);
    p.rect(x0 - 14, top - 6, x1 - x0 + 28, 14, white);
    p.rect(x0, top + 8, x1 - x0, 8, SHADE, 'opacity=".25"');
    const A = sash(p, st, 'w', 46, 74, { bars: true, lintel: white, sill: white });
    const L0 = gridOf(x0 + 30, top + 36, 78, 112, 4, 2).concat(gridOf(x1 - 30 - 46 - 234, top + 36, 78, 112, 4, 2));
    stamp(p, st, r, A, L0);
    p.rect(x0, top + 130, x1 - x0, 7, white, 'opacity=".85"');
    p.rect(x0, gy - 26, x1 - x0, 26, sink(white, 0.16));
    p.path(`M${m - pw - 26} ${top}L${m} ${top - 78} ${m + pw + 26} ${top}z`, white);
    p.path(`M${m - pw + 6} ${top - 10}L${m} ${top - 60} ${m + pw - 6} ${top - 10}z`, sink(white, 0.12));
    p.dot(m, top - 30, 15, glassFill(p, st));
    p.rect(m - pw - 22, top, 2 * pw + 44, 20, p.fall(white));
    p.rect(m - pw - 4, top + 20, 2 * pw + 8, gy - top - 20, sink(brick, 0.3));
    stamp(p, st, r, A, [
      [m - 92, top + 46],
      [m - 23, top + 46],
      [m + 46, top + 46],
    ]);
    doorway(p, st, m - 34, gy - 8, 68, 86, st.b, {});
    const col = p.symbol('column', () => {
      p.rect(-11, top + 20, 22, gy - top - 30, p.round(white));
      p.rect(-15, top + 18, 30, 9, white);
      p.rect(-15, gy - 16, 30, 9, sink(white, 0.1));
    });
    for (let i = 0; i < 4; i++) p.use(col, m - pw + 8 + (i * (2 * pw - 16)) / 3, 0);
    for (let i = 0; i < 3; i++) p.rect(m - pw - 20 - i * 12, gy - 8 + i * 10, 2 * pw + 40 + i * 24, 11, sink(white, 0.04 + i * 0.07));
    diagonal(p, st, r, top, gy);
    lawn(p, st, gy + 18);
    path_(p, st, m, gy + 20, pw * 0.7, 270);
    if (sunny(st)) p.path(`M0 640Q200 610 420 650T760 720H0z`, SHADE, 'opacity=".12"');
    for (let x = x0; x < x1; x += 62) if (Math.abs(x - m + 20) > pw + 30) bush(p, st, x, gy + 22, 44, 24);
    tree(p, st, r, 70, 640, 1.7);
    tree(p, st, r, 1010, 632, 1.6);
    tree(p, st, r, 236, 604, 0.9);
    bench(p, 760, 650, 0.9);
    lampPost(p, st, 380, 650, 0.85);
    life(p, st, r, [480, 600], 670);
  },
  brownstone(p, st, r) {
    // US / Canada row: stoops, cornices, fire escapes
    const hw = 270,
      off = r.int(-130, 0),
      base = st.skin,
      tones = [base, mix(base, lch(0.58, 0.08, 38), 0.6), sink(base, 0.1), lift(base, 0.12), mix(base, lch(0.66, 0.03, 70), 0.55)],
      doors = r.shuffle(DOORS);
    sky(p, st, r, { cloudLow: 100, sunY: 100 });
    const A = sash(p, st, 'w', 50, 92, { sill: lch(0.8, 0.03, 70), lintel: lch(0.8, 0.03, 70) }),
      list = [];
    for (let i = 0; i < 5; i++) {
      const x = off + i * hw,
        c = tones[(i * 2) % 5],
        top = 104 + (i % 3) * 16,
        cor = sink(c, 0.28);
      p.rect(
        x,
        top,
        hw,
        GROUND - top,
        p.linear('h', [
          [0, lift(c, 0.14)],
          [1, c],
        ]),
      );
      p.rect(x + hw - 5, top, 5, GROUND - top, SHADE, 'opacity=".22"');
      p.rect(x - 2, top - 18, hw + 4, 26, cor);
      p.rect(x - 4, top - 24, hw + 8, 9, lift(cor, 0.2));
      const br = [];
      for (let k = 0; k < 7; k++) br.push([x + 10 + k * 38, top + 2, 12, 20]);
      p.path(scatter(br), cor);
      p.rect(x, top + 8, hw, 10, SHADE, 'opacity=".22"');
      snowOn(p, st, x, top - 24, hw);
      for (let j = 0; j < 3; j++)
        for (const u of [32, 110, 188]) {
          if (j === 2 && u === 188) continue;
          list.push([x + u, top + 46 + j * 128]);
        }
    }
    flecks(p, r, 0, 140, W, 360, base, 36);
    stamp(
      p,
      st,
      r,
      A,
      list.filter(([x]) => x > -60 && x < W),
    );
    for (let i = 0; i < 5; i++) {
      const x = off + i * hw,
        dx = x + 178,
        lvl = GROUND - 84,
        stone = sink(lch(0.8, 0.025, 70), 0.06);
      p.rect(x, lvl - 6, hw, 8, stone);
      const BW = windowSet(
        p,
        st,
        'g',
        (f) => p.rect(0, 0, 56, 52, f),
        () => {
          p.line('M0 0h56v52h-56zM28 0v52', lch(0.3, 0.012, 250), 4);
        },
      );
      stamp(p, st, r, BW, [[x + 36, GROUND - 68]]);
      const stoop = p.symbol('stoop', () => {
        p.rect(-8, -140, 78, 140, stone);
        p.path('M-18 -138h98l-10 -16h-78z', lift(stone, 0.2));
        p.raw('<path d="M4 0v-118h54V0z"/>');
        p.path(
          'M4 0v-118h54v8h-46v110z' +
            scatter([
              [14, -102, 16, 42],
              [35, -102, 16, 42],
              [14, -50, 16, 40],
              [35, -50, 16, 40],
            ]),
          SHADE,
          'opacity=".28"',
        );
        p.rect(4, -132, 54, 12, TIMES[st.time].lamps ? '#ffdd98' : glassFill(p, st));
        for (let k = 0; k < 6; k++) p.rect(-12 - k * 1.5, k * 17, 86 + k * 3, 17, sink(stone, 0.02 + (k % 2) * 0.12 + k * 0.02));
        p.line('M-16 100L-10 -34M80 100L72 -34', lch(0.27, 0.012, 250), 5);
      });
      p.use(stoop, dx, lvl, `fill="${p.paint(doors[i])}"`);
      if (i === 1 || i === 3) {
        const fx = x + 18,
          iron = lch(0.28, 0.015, 250),
          esc = p.symbol('esc', () => {
            bars(p, 0, 150, 262, 36, 12, iron);
            bars(p, 0, 150, 390, 36, 12, iron);
            p.line('M26 388L102 262M42 388L118 262', iron, 3);
          });
        p.use(esc, fx, 0);
      }
    }
    diagonal(p, st, r, 110, GROUND);
    street(p, st, r);
    tree(p, st, r, off + hw * 1 - 20, GROUND + 38, 1.5);
    tree(p, st, r, off + hw * 3 + 10, GROUND + 38, 1.4);
    lampPost(p, st, off + hw * 2 + 30, GROUND + 46, 1);
    life(p, st, r, [420, 560]);
    if (r.chance(0.6)) bike(p, off + hw * 2 + 60, GROUND + 42, 0.8, st.a);
  },
  balcony(p, st, r) {
    // Barcelona: tall French doors, iron balconies, cornice, awnings
    const skin = st.skin,
      x0 = r.int(110, 150),
      w = 1080 - 2 * x0,
      cols = 5,
      cw = w / cols,
      top = 112,
      rows = 4,
      fh = 98,
      g0 = top + 24 + rows * fh,
      trim = lift(skin, 0.45),
      shutter = r.pick([lch(0.5, 0.07, 170), lch(0.52, 0.06, 235), lch(0.5, 0.07, 50), st.b]),
      iron = lch(0.28, 0.012, 255);
    sky(p, st, r, { cloudLow: 190 });
    for (const [x, ww, t, c] of [
      [-20, x0 + 22, top + 70, 0.6],
      [x0 + w, x0 + 40, top + 40, 0.5],
    ]) {
      const nb = mix(mix(skin, lch(0.78, 0.06, 50), c), skyLow(st), 0.14);
      p.rect(x, t, ww, GROUND - t, nb);
      p.rect(x - 4, t - 10, ww + 8, 12, lift(nb, 0.3));
      const l = [];
      for (let j = 0; j < 4; j++) for (let i = 0; i < 2; i++) l.push([x + 18 + i * 64, t + 30 + j * 98, 34, 60]);
      p.path(scatter(l), sink(lch(...TIMES[st.time].glass[0]), 0.2), 'opacity=".8"');
    }
    p.rect(
      x0,
      top,
      w,
      GROUND - top,
      p.linear('h', [
        [0, lift(skin, 0.2)],
        [1, sink(skin, 0.04)],
      ]),
    );
    const crown = r.chance(0.5);
    if (crown) {
      p.path(`M${x0 + w / 2 - 130} ${top - 16}q10 -40 60 -42q20 -34 70 -34t70 34q50 2 60 42z`, p.fall(trim));
      p.dot(x0 + w / 2, top - 48, 20, st.a);
      p.dot(x0 + w / 2, top - 48, 12, lift(st.c, 0.2));
    } else {
      const b = [];
      for (let x = x0; x < x0 + w; x += 20) b.push([x + 5, top - 40, 9, 24]);
      p.path(scatter(b), trim);
      p.rect(x0 - 8, top - 46, w + 16, 8, trim);
    }
    p.rect(x0 - 14, top - 18, w + 28, 16, p.fall(trim));
    p.rect(x0, top - 2, w, 12, SHADE, 'opacity=".22"');
    const orn = r.pick(['garland', 'tile', 'plain']);
    if (orn !== 'plain') {
      let d = '';
      for (let j = 0; j < rows; j++)
        for (let i = 0; i <= cols; i++) {
          const x = x0 + i * cw,
            y = top + 60 + j * fh;
          if (i && i < cols) d += orn === 'tile' ? `M${n(x)} ${n(y - 16)}l12 16 -12 16 -12 -16z` : `M${n(x)} ${n(y - 20)}q10 20 0 40q-10 -20 0 -40z`;
        }
      p.path(d, mix(skin, st.a, 0.45), 'opacity=".7"');
    }
    const A = windowSet(
      p,
      st,
      'f',
      (f, v) => {
        p.rect(0, 0, 54, 80, f);
        if (v === 'b') p.path('M0 0h54v36h-54z', lift(st.c, 0.3));
      },
      () => {
        p.path('M-8 -4h70v-7h-70z', trim);
        p.path('M0 0h54v9h-46v71h-8z', SHADE, 'opacity=".3"');
        p.line('M0 0h54v80h-54zM27 0v80M0 24h54', lch(0.96, 0.01, 88), 3);
        p.path('M-26 0h24v80h-24zM56 0h24v80h-24z', shutter);
        let l = '';
        for (let y = 7; y < 80; y += 9) l += `M-23 ${y}h18M59 ${y}h18`;
        p.line(l, sink(shutter, 0.4), 2.5, 'opacity=".5"');
        p.path('M-34 79h122v7h-122z', trim);
        p.path('M-30 86h114v9h-114z', SHADE, 'opacity=".25"');
        bars(p, -32, 88, 78, 36, 8.5, iron, 2);
      },
    );
    stamp(p, st, r, A, gridOf(x0 + cw / 2 - 27, top + 17, cw, fh, cols, rows));
    let pots = [];
    for (let j = 0; j < rows; j++)
      for (let i = 0; i < cols; i++)
        if (r.chance(0.42)) {
          const x = x0 + cw * (i + 0.5) + r.pick([-36, -14, 14, 34]),
            y = top + 17 + j * fh + 74;
          pots.push([x, y, 9], [x + 10, y - 3, 8], [x + 5, y - 9, 7]);
        }
    p.path(ring(pts(pots, 0, 0)), mix(st.tree, st.leaf, 0.5));
    p.path(ring(pots.filter((_, i) => i % 3 === 1).map(([x, y]) => [x, y - 2, 3])), st.a);
    p.rect(x0, g0, w, GROUND - g0, p.fall(sink(lch(0.8, 0.025, 78), 0.1)));
    p.rect(x0 - 6, g0 - 4, w + 12, 10, trim);
    const gh = GROUND - g0;
    for (let i = 0; i < cols; i++) {
      const x = x0 + i * cw + 16,
        ww = cw - 32,
        mid = i === 2;
      p.path(
        `M${n(x)} ${GROUND}V${n(g0 + 34)}q${n(ww / 2)} -34 ${n(ww)} 0V${GROUND}z`,
        mid ? p.round(shutter) : TIMES[st.time].lamps || i % 2 ? litFill(p) : glassFill(p, st),
      );
      if (mid) p.line(`M${n(x + ww / 2)} ${n(g0 + 18)}V${GROUND}M${n(x)} ${n(g0 + 44)}h${n(ww)}`, sink(shutter, 0.4), 4);
      else {
        const c = i % 2 ? st.a : st.b;
        p.path(`M${n(x - 6)} ${n(g0 + 16)}h${n(ww + 12)}l12 34h${n(-ww - 36)}z`, p.fall(lift(c, 0.1)));
        let d = '';
        for (let k = 0; k < 4; k++) d += `M${n(x + ((k + 0.25) * ww) / 4)} ${n(g0 + 16)}h${n(ww / 8)}l${n((k - 1.5) * 3)} 34h${n(-ww / 8)}z`;
        p.path(d, lift(c, 0.75), 'opacity=".85"');
      }
    }
    diagonal(p, st, r, top, GROUND);
    street(p, st, r);
    const tk = r.pick(['palm', 'round', 'palm']);
    tree(p, st, r, 70, GROUND + 40, 1.35, tk);
    tree(p, st, r, 1000, GROUND + 40, 1.4, tk);
    if (tk === 'palm') tree(p, st, r, 900, GROUND + 44, 1, 'palm');
    bistroSet(p, x0 + cw * 3.3, GROUND + 40, st);
    lampPost(p, st, x0 + cw * 2 - 8, GROUND + 46, 1);
    life(p, st, r, [x0 + cw * 1.4, x0 + cw * 2.6]);
  },
});
