// Façades: terrace, georgian, tenement, modern.

const EXTERIORS = {
  terrace(p, st, r) {
    // London: brick houses over a stucco ground floor
    const brick = st.skin,
      stucco = lch(0.95, 0.013, 85),
      top = r.int(100, 128),
      hw = r.pick([300, 330, 360]),
      x0 = 540 - hw * 1.5 + r.int(-60, 60),
      doors = r.shuffle(DOORS),
      mansard = r.chance(0.4),
      n0 = -1,
      n9 = Math.ceil((W - x0) / hw);
    sky(p, st, r, { cloudLow: 120, sunY: 120 });
    const stack = p.symbol('stack', () => {
      p.rect(-34, -62, 68, 80, p.round(brick));
      p.rect(-40, -66, 80, 10, sink(brick, 0.15));
      for (const dx of [-26, -8, 10]) p.rect(dx, -84, 14, 20, lch(0.62, 0.09, 42));
    });
    for (let i = n0; i < n9; i++) p.use(stack, x0 + i * hw + hw - 6, top);
    if (mansard) {
      const sl = lch(0.5, 0.02, 255),
        dormer = p.symbol('dormer', () => {
          p.rect(-6, -44, 58, 38, stucco);
          p.rect(0, -38, 46, 32, glassFill(p, st));
          p.rect(21, -38, 4, 32, stucco);
        });
      p.path(
        `M0 ${top - 8}V${top - 46}H1080V${top - 8}z`,
        p.linear('v', [
          [0, sl],
          [1, sink(sl, 0.2)],
        ]),
      );
      for (let i = n0; i < n9; i++) for (const u of [90, 210]) p.use(dormer, x0 + i * hw + u, top);
      snowOn(p, st, 0, top - 44, W);
    }
    p.rect(
      0,
      top,
      W,
      GROUND - top,
      p.linear('v', [
        [0, lift(brick, 0.1)],
        [1, sink(brick, 0.05)],
      ]),
    );
    flecks(p, r, 0, top + 30, W, 300, brick, 44);
    const g0 = GROUND - 176;
    p.rect(
      0,
      g0,
      W,
      176,
      p.linear('v', [
        [0, lift(stucco, 0.3)],
        [1, sink(stucco, 0.08)],
      ]),
    );
    p.line([38, 76, 114, 150].map((v) => `M0 ${g0 + v}H1080`).join(''), sink(stucco, 0.16), 2, 'opacity=".6"');
    p.rect(0, g0 - 8, W, 14, lift(stucco, 0.4));
    p.rect(0, g0 + 6, W, 9, SHADE, 'opacity=".18"');
    p.rect(
      0,
      top - 12,
      W,
      22,
      p.linear('v', [
        [0, lift(stucco, 0.4)],
        [1, sink(stucco, 0.14)],
      ]),
    );
    p.rect(0, top + 10, W, 12, SHADE, 'opacity=".25"');
    const bars = r.chance(0.5),
      arch = r.chance(0.5),
      o = { lintel: arch ? null : stucco, arch, bars, sill: stucco },
      w1 = sash(p, st, 'w', 62, 100, o),
      w2 = sash(p, st, 'u', 62, 76, o),
      w3 = sash(p, st, 'v', 74, 104, { bars }),
      up = [],
      mid = [],
      low = [];
    for (let i = n0; i < n9; i++) {
      const hx = x0 + i * hw;
      for (const u of hw < 320 ? [50, 178] : [40, 134, 228]) {
        mid.push([hx + u, top + 168]);
        up.push([hx + u, top + 56]);
      }
      low.push([hx + hw - 140, GROUND - 138]);
    }
    const seen = (l) => l.filter(([x]) => x > -90 && x < W + 20);
    stamp(p, st, r, w2, seen(up));
    stamp(p, st, r, w1, seen(mid));
    stamp(p, st, r, w3, seen(low));
    for (let i = n0; i < n9; i++) {
      const hx = x0 + i * hw;
      p.rect(hx - 3, top + 10, 5, g0 - top - 18, SHADE, 'opacity=".22"');
      doorway(p, st, hx + 52, GROUND - 22, 68, 110, doors[(i + 8) % 8]);
    }
    diagonal(p, st, r, top, GROUND);
    street(p, st, r);
    const fence = p.symbol('fence', () => {
      railings(p, 160, hw, 0);
      railings(p, -4, 24, 0);
    });
    for (let i = n0; i < n9; i++) {
      const hx = x0 + i * hw;
      p.use(fence, hx, GROUND + 4);
      if (r.chance(0.7)) bush(p, st, hx + 196, GROUND + 2, 56, 26);
    }
    tree(p, st, r, r.pick([940, 140]), GROUND + 40, r.range(1.3, 1.55));
    lampPost(p, st, r.int(430, 640), GROUND + 44, 1.05);
    if (r.chance(0.6)) bike(p, r.int(640, 760), GROUND + 40, 0.8, r.pick([st.a, st.b]));
    life(p, st, r, [360, 480, 700]);
  },
  georgian(p, st, r) {
    // Dublin: flat brick, tall sashes, fanlit doors
    const brick = st.skin,
      top = r.int(84, 104),
      doors = r.shuffle(DOORS),
      stone = lch(0.9, 0.012, 80),
      hw = 360,
      off = r.int(-120, 0),
      A = sash(p, st, 'w', 64, 118, { bars: true, sill: stone }),
      B = sash(p, st, 'u', 64, 84, { bars: true, sill: stone }),
      hi = [],
      mid = [],
      low = [];
    sky(p, st, r, { cloudLow: 90, sunY: 90 });
    const stack = p.symbol('stack', () => {
        p.rect(-44, -56, 88, 60, p.round(brick));
        p.rect(-50, -60, 100, 10, sink(brick, 0.2));
        for (const dx of [-36, -12, 12]) p.rect(dx, -78, 16, 20, lch(0.68, 0.06, 55));
      }),
      jul = p.symbol('jul', () => railings(p, 0, 74, 0, 30));
    for (let i = 0; i < 5; i++) p.use(stack, off + i * hw - 6, top);
    p.rect(
      0,
      top,
      W,
      GROUND - top,
      p.linear('v', [
        [0, lift(brick, 0.1)],
        [1, sink(brick, 0.08)],
      ]),
    );
    flecks(p, r, 0, top + 20, W, 460, brick, 44);
    p.rect(0, top - 10, W, 16, stone);
    p.rect(0, top + 6, W, 10, SHADE, 'opacity=".25"');
    p.rect(
      0,
      GROUND - 30,
      W,
      30,
      p.linear('v', [
        [0, stone],
        [1, sink(stone, 0.2)],
      ]),
    );
    for (let i = 0; i < 4; i++) {
      const hx = off + i * hw;
      for (const u of [34, 148, 262]) {
        hi.push([hx + u, top + 40]);
        mid.push([hx + u, top + 176]);
      }
      low.push([hx + 188, GROUND - 172], [hx + 272, GROUND - 172]);
    }
    const seen = (l) => l.filter(([x]) => x > -70 && x < W + 10);
    const ivy = r.chance(0.5) ? r.int(0, 2) : -1;
    if (ivy >= 0) {
      const g = sink(st.tree, 0.1),
        hx = off + ivy * hw,
        pts = Array.from({ length: 20 }, () => [hx + r.range(150, 366), r.range(top + 130, GROUND - 30), r.range(16, 34)]);
      p.path(ring(pts), sink(g, 0.12));
      p.path(ring(pts.slice(0, 14).map(([x, y, q]) => [x - 5, y - 6, q * 0.7])), lift(g, 0.1));
    }
    stamp(p, st, r, B, seen(hi));
    stamp(p, st, r, A, seen(mid));
    stamp(p, st, r, A, seen(low));
    for (let i = 0; i < 4; i++) {
      const hx = off + i * hw;
      doorway(p, st, hx + 54, GROUND - 22, 74, 118, doors[i], { georgian: true });
      for (const u of [30, 144, 258]) p.use(jul, hx + u - 2, top + 296);
      p.rect(hx - 3, top + 10, 5, GROUND - top - 10, SHADE, 'opacity=".2"');
    }
    diagonal(p, st, r, top, GROUND);
    street(p, st, r);
    const fence = p.symbol('fence', () => railings(p, 166, 364, 0, 46));
    for (let i = 0; i < 4; i++) p.use(fence, off + i * hw, GROUND + 4);
    lampPost(p, st, off + r.int(1, 2) * hw + 180, GROUND + 44, 1.1);
    bike(p, r.int(560, 720), GROUND + 40, 0.85, doors[4]);
    life(p, st, r, [320, 430, 800]);
    if (r.chance(0.6)) tree(p, st, r, r.pick([1000, 70]), GROUND + 46, 1.35);
  },
  tenement(p, st, r) {
    // Edinburgh: sandstone, bay windows, slate roof, chimneys
    const stone = st.skin,
      slate = lch(0.46, 0.025, 255),
      x0 = r.int(90, 130),
      x1 = W - r.int(60, 110),
      top = 178,
      trim = lift(stone, 0.3),
      bays = 3,
      bw = (x1 - x0) / bays;
    sky(p, st, r);
    {
      const k = mix(skyLow(st), t0(st), 0.3);
      p.path('M-20 600V330l60 -26 40 -40h24v-26h40v20h30v-34h46v30h44l30 50 60 40 90 90V600z', k);
    }
    skyline(p, st, r, 600, [120, 210], 0.4, TIMES[st.time].lamps);
    p.path(
      `M${x0 - 14} ${top}L${x0 + 50} 98H${x1 - 50}L${x1 + 14} ${top}z`,
      p.linear('v', [
        [0, lift(slate, 0.12)],
        [1, sink(slate, 0.15)],
      ]),
    );
    snowOn(p, st, x0 + 40, 98, x1 - x0 - 80);
    for (let i = 0; i <= bays; i++) {
      const cx = x0 + 44 + ((x1 - x0 - 88) * i) / bays;
      p.rect(cx - 32, 58, 64, 72, p.round(stone));
      p.rect(cx - 38, 54, 76, 9, trim);
      for (const dx of [-24, -6, 12]) p.rect(cx + dx, 36, 12, 19, lch(0.7, 0.05, 60));
    }
    p.rect(
      x0,
      top,
      x1 - x0,
      GROUND - top,
      p.linear('h', [
        [0, lift(stone, 0.22)],
        [1, sink(stone, 0.06)],
      ]),
    );
    flecks(p, r, x0, top, x1 - x0, 420, stone, 44);
    p.rect(x0 - 10, top - 8, x1 - x0 + 20, 14, trim);
    p.rect(x0, top + 6, x1 - x0, 9, SHADE, 'opacity=".2"');
    const A = sash(p, st, 'w', 52, 78, { sill: trim, lintel: trim }),
      S = sash(p, st, 's', 28, 78, { sill: trim }),
      list = [],
      narrow = [],
      rows = [202, 312, 422];
    for (let i = 0; i < bays; i++) {
      const bx = x0 + i * bw + 26,
        w = 150;
      p.poly(
        [
          [bx, top + 8],
          [bx + 34, top + 2],
          [bx + 34, 524],
          [bx, 520],
        ],
        lift(stone, 0.3),
      );
      p.rect(bx + 34, top + 2, w - 68, 524 - top, lift(stone, 0.14));
      p.poly(
        [
          [bx + w - 34, top + 2],
          [bx + w, top + 8],
          [bx + w, 520],
          [bx + w - 34, 524],
        ],
        sink(stone, 0.2),
      );
      p.path(`M${n(bx - 6)} ${top + 10}l42 -9h${w - 72}l42 9v-9l-42 -8h${72 - w}l-42 8z`, trim);
      for (const y of rows) {
        list.push([bx + w / 2 - 26, y]);
        narrow.push([bx + 3, y + 2], [bx + w - 31, y + 2]);
      }
      if (bw > 230) for (const y of rows) list.push([bx + w + 34, y]);
    }
    stamp(p, st, r, S, narrow);
    stamp(p, st, r, A, list);
    for (const y of [296, 406]) p.rect(x0, y, x1 - x0, 5, trim, 'opacity=".7"');
    p.rect(x0, 524, x1 - x0, 80, sink(stone, 0.2));
    p.rect(x0 - 6, 518, x1 - x0 + 12, 9, trim);
    const shops = r.shuffle([st.a, st.b, DOORS[2], DOORS[0]]);
    for (let i = 0; i < bays; i++) {
      const bx = x0 + i * bw + 22;
      if (i === 1) {
        doorway(p, st, bx + 60, GROUND - 10, 54, 66, shops[3]);
        p.rect(bx + 130, 546, 54, 46, glassFill(p, st));
        continue;
      }
      p.rect(bx, 534, bw - 60, 70, sink(shops[i], 0.15));
      p.rect(bx, 532, bw - 60, 14, shops[i]);
      p.path(
        scatter([
          [bx + 10, 552, (bw - 100) / 2, 52],
          [bx + 20 + (bw - 100) / 2, 552, (bw - 100) / 2, 52],
        ]),
        TIMES[st.time].lamps || r.chance(0.5) ? litFill(p) : glassFill(p, st),
      );
    }
    diagonal(p, st, r, top, GROUND);
    street(p, st, r);
    lampPost(p, st, x0 + bw * r.int(1, 2) + 4, GROUND + 44, 1.05);
    life(p, st, r, [300, 540, 760]);
    if (r.chance(0.5)) bike(p, x0 + 60, GROUND + 40, 0.78, st.a);
    tree(p, st, r, r.pick([40, 1050]), GROUND + 44, 1.3);
  },
  modern(p, st, r) {
    // purpose-built block: panel rhythm, receding side, glazed lobby
    const skin = st.skin,
      accent = r.pick([st.a, st.b, st.c]),
      x0 = r.int(110, 160),
      cols = r.int(6, 8),
      rows = r.int(5, 7),
      cw = r.int(68, 76),
      w = cols * cw,
      x1 = x0 + w,
      g0 = GROUND - 92,
      fh = rows === 7 ? 56 : rows === 6 ? 64 : 74,
      top = g0 - rows * fh,
      vx = 1300,
      vy = 560,
      frame = lch(0.34, 0.012, 255);
    sky(p, st, r);
    skyline(p, st, r, 600, [120, 260], 0.24, TIMES[st.time].lamps);
    skyline(p, st, r, 604, [60, 150], 0.42, TIMES[st.time].lamps);
    const q = sideFace(p, st, x1, top, GROUND, vx, vy, 0.55, skin, rows + 1, 4, {
      l: 0.2,
      r: 0.72,
      t: 0.2,
      b: 0.82,
      lit: () => r.chance(TIMES[st.time].lamps ? 0.5 : 0.04),
    });
    p.rect(
      x0,
      top,
      w,
      GROUND - top,
      p.linear('h', [
        [0, lift(skin, 0.2)],
        [1, skin],
      ]),
    );
    const ww = cw - 22,
      wh = fh - 22,
      kind = r.pick(['panel', 'bay', 'fin']);
    const A = windowSet(
      p,
      st,
      'm',
      (fill, v) => {
        p.rect(0, 0, ww, wh, fill);
        if (v === 'b') p.rect(0, 0, ww, wh * 0.4, st.linen, 'opacity=".8"');
      },
      () => {
        p.path(`M0 0h${ww}v7h-${ww - 7}v${wh - 7}h-7z`, SHADE, 'opacity=".35"');
        p.line(`M0 0h${ww}v${wh}h-${ww}zM${n(ww * 0.62)} 0v${wh}`, frame, 3.5);
        if (kind === 'panel') p.rect(ww + 3, 0, 9, wh, accent);
      },
    );
    if (kind === 'bay') {
      let d = [];
      for (let i = 0; i < cols; i += 2) d.push([x0 + i * cw + 3, top + 10, cw - 6, rows * fh - 14]);
      p.path(scatter(d), accent, 'opacity=".9"');
      p.path(scatter(d.map(([x, y, a, b]) => [x + a, y + 6, 9, b])), SHADE, 'opacity=".22"');
    }
    if (kind === 'fin') {
      const d = [];
      for (let j = 0; j < rows; j++)
        for (let i = 0; i < cols; i++) if ((i * 3 + j * 5) % 4 === 0) d.push([x0 + i * cw + 5, top + j * fh + 5, cw - 10, fh - 10]);
      p.path(scatter(d), accent);
    }
    stamp(p, st, r, A, gridOf(x0 + 9, top + 12, cw, fh, cols, rows));
    let d = '';
    for (let j = 1; j <= rows; j++) d += `M${x0} ${top + j * fh}H${x1}`;
    p.line(d, sink(skin, 0.22), 3, 'opacity=".7"');
    d = '';
    for (let j = 1; j <= rows; j++) d += `M${x1} ${top + j * fh}L${bez(q(1, top + j * fh))}`;
    p.line(d, sink(skin, 0.5), 2, 'opacity=".6"');
    p.poly([[x0 - 4, top - 10], [x1 + 2, top - 10], q(1, top - 10), q(1, top), [x1 + 2, top + 2], [x0 - 4, top + 2]], lift(skin, 0.25));
    snowOn(p, st, x0, top - 10, w);
    for (let x = x0 + 30; x < x1 - 120; x += 130) if (r.chance(0.6)) bush(p, st, x, top - 8, 70, 22);
    p.rect(x0, g0, w, 92, sink(skin, 0.5));
    const ls = [];
    for (let i = 0; i < cols; i++) ls.push([x0 + i * cw + 5, g0 + 12, cw - 10, 80]);
    p.path(
      scatter(ls),
      TIMES[st.time].lamps
        ? litFill(p)
        : p.linear('v', [
            [0, lch(0.9, 0.06, 85)],
            [1, lch(...TIMES[st.time].glass[1])],
          ]),
    );
    const dx = x0 + Math.floor(cols / 2) * cw;
    p.rect(dx - 6, g0 + 20, cw * 1 + 12, 72, frame);
    p.path(
      scatter([
        [dx, g0 + 26, cw / 2 - 3, 66],
        [dx + cw / 2 + 3, g0 + 26, cw / 2 - 3, 66],
      ]),
      litFill(p),
    );
    p.rect(dx - 40, g0 + 8, cw + 80, 14, accent);
    p.rect(dx - 40, g0 + 22, cw + 80, 6, SHADE, 'opacity=".3"');
    street(p, st, r);
    const tk = CITY_TREE(st, r);
    tree(p, st, r, 52, GROUND + 36, 1.35, tk);
    tree(p, st, r, q(1, 0)[0] + 60, GROUND + 24, 1.1, tk);
    tree(p, st, r, q(1, 0)[0] + 170, GROUND + 40, 1.4, tk === 'palm' ? 'palm' : 'round');
    bush(p, st, x0 + 10, GROUND + 8, 150, 26);
    bush(p, st, x1 - 160, GROUND + 8, 130, 26);
    bike(p, x1 - 120, GROUND + 42, 0.8, accent);
    lampPost(p, st, x0 + w * 0.32, GROUND + 46, 0.9);
    life(p, st, r, [dx - 60, dx + 130]);
  },
};
