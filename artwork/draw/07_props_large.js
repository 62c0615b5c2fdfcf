// Chairs, desks, beds, wardrobes, sofas.

function chair(p, cam, st, x, z, c = st.a) {
  const L = cam.at(x, 0, z);
  p.sprite('chair' + c[0], L, () => chair1(p, L, st, c));
}

function chair1(p, L, st, c) {
  // back towards us
  const leg = sink(st.wood, 0.12);
  p.line(L('M-17 0 L-13 44 M17 0 L13 44 M-12 4 L-9 44 M12 4 L9 44'), leg, 3.2 * L.k, 'stroke-linecap="round"');
  p.path(L('M-21 43 Q0 39 21 43 L20 50 L-20 50Z'), sink(c, 0.18));
  p.path(L('M-20 50 Q-24 82 -15 87 Q0 91 15 87 Q24 82 20 50 Q0 45 -20 50Z'), p.round(c));
}

function desk(p, cam, st, r, x0, x1, o = {}) {
  const { zb } = cam,
    z0 = zb - 0.62,
    lit = TIMES[st.time].lamps,
    top = o.tone || st.wood;
  const body = lift(mix(st.wall, st.paper, 0.7), 0.1);
  for (const x of [x0 + 0.03, x1 - 0.08]) box(p, cam, x, x + 0.05, 0, 0.72, z0 + 0.03, z0 + 0.08, sink(top, 0.15), { thin: 2 });
  if (o.drawers !== false) {
    box(p, cam, x1 - 0.44, x1 - 0.02, 0.06, 0.71, z0 + 0.05, zb, body);
    const P = cam.P;
    for (const y of [0.1, 0.31, 0.52]) {
      p.path(foot2(cam, x1 - 0.42, x1 - 0.04, y, y + 0.18, z0 + 0.045), lift(body, 0.25));
      const [hx, hy] = P(x1 - 0.23, y + 0.13, z0 + 0.04);
      p.rect(hx - 9, hy, 18, 3, st.metal);
    }
  }
  box(p, cam, x0, x1, 0.71, 0.75, z0, zb, top);
  const L = (u, dz = 0.3) => cam.at(x0 + (x1 - x0) * u, 0.75, zb - dz);
  const flip = r.chance(0.5);
  books(p, L(0.62, 0.2), st, r, 26, 22);
  deskLamp(p, L(0.14, 0.25), st, lit);
  laptop(p, L(0.42, 0.38));
  mug(p, L(0.62, 0.48), flip ? st.b : st.c);
  if (x1 - x0 > 1.3) plant(p, L(0.93, 0.25), st, r, 26, 'fern');
  if (o.chair !== false) chair(p, cam, st, x0 * 0.58 + x1 * 0.42, z0 - 0.12, o.chairTone || st.b);
}

function cloth(p, cam, st, quads, c, kind) {
  // pattern on cloth given as (u,v)->point
  if (kind === 'plain') return;
  const tone = lift(c, 0.42);
  let d = '';
  for (const q of quads) {
    const at = (u, v) => q(u, v).map(n).join(' ');
    if (kind === 'stripe' || kind === 'check') for (const u of [0.1, 0.28, 0.46, 0.64, 0.82]) d += `M${at(u, 0)}L${at(u, 1)}`;
    if (kind === 'check') for (const v of [0.2, 0.5, 0.8]) d += `M${at(0, v)}L${at(1, v)}`;
    if (kind === 'dots') for (let j = 0; j < 3; j++) d += `M${at(0.03 + (j % 2) * 0.045, (j + 0.5) / 3)}L${at(0.98, (j + 0.5) / 3)}`;
  }
  p.line(
    d,
    tone,
    kind === 'dots' ? 9 : kind === 'stripe' ? 7 : 3,
    `opacity=".75" stroke-linecap="round"${kind === 'dots' ? ' stroke-dasharray=".1 28"' : ''}`,
  );
}

const place = (L, sx, sy, tilt) => {
  const a = (tilt * Math.PI) / 180,
    c = Math.cos(a),
    d = Math.sin(a);
  return `transform="matrix(${[c * sx, d * sx, -d * sy, c * sy].map(n2).join(' ')} ${n(L.ox)} ${n(L.oy)})"`;
};

function pillow(p, L, c, w = 60, h = 34, tilt = 0) {
  // one drawing for every pillow of the bed
  const id = p.symbol('pillow', () => {
    p.path('M-60 -6C-68 -28 -66 -64 -54 -72Q0 -62 54 -72C66 -64 68 -28 60 -6Q0 4 -60 -6Z', p.fall(c));
    p.line('M-48 -60Q-36 -50 -42 -36M44 -58Q30 -50 40 -36', sink(c, 0.25), 4, 'opacity=".5"');
  });
  p.raw(`<use href="#${id}" ${place(L, (w * L.k) / 120, (h * L.k) / 72, tilt)}/>`);
}

const bez = (...pts) => pts.map((q) => q.map(n).join(' ')).join(' ');

function headboard(p, cam, st, x0, x1, kind, c) {
  // against the back wall
  const { zb } = cam,
    z = zb - 0.06,
    top = kind === 'arch' ? 1.02 : 1.1,
    L = cam.at((x0 + x1) / 2, 0, z),
    w = (x1 - x0) * 50;
  p.path(L(`M${-w + 5} 8 L${w + 9} 8 L${w + 9} ${top * 100 - 5} L${-w + 5} ${top * 100 - 5}Z`), sink(st.wall, 0.6), 'opacity=".3"');
  if (kind === 'arch') {
    p.path(L(`M${-w} 0 L${-w} 66 Q${-w} 122 0 122 Q${w} 122 ${w} 66 L${w} 0Z`), p.fall(c));
    return;
  }
  p.path(
    L(
      `M${-w} 0 L${-w} ${top * 100 - 8} Q${-w} ${top * 100} ${-w + 8} ${top * 100} L${w - 8} ${top * 100} Q${w} ${top * 100} ${w} ${top * 100 - 8} L${w} 0Z`,
    ),
    p.fall(c),
  );
  let d = '';
  const m = kind === 'channel' ? 7 : 4;
  if (kind === 'channel') for (let i = 1; i < m; i++) d += L(`M${-w + (i * 2 * w) / m} 4 L${-w + (i * 2 * w) / m} ${top * 100 - 3}`);
  if (kind === 'slat') for (const y of [66, 82, 97]) d += L(`M${-w + 4} ${y} L${w - 4} ${y}`);
  if (d) p.line(d, sink(c, 0.35), 2.5, 'opacity=".5"');
}

function bedSide(p, cam, st, r, x0, x1, o = {}) {
  // long side towards us, head on the right
  const { P, zb } = cam,
    z0 = zb - 1.02,
    fr = o.frame || st.wood,
    duvet = o.duvet || st.a;
  if (o.panel) {
    p.path(foot2(cam, x0 + 0.04, x1 + 0.1, 0.2, 0.98), sink(st.wall, 0.6), 'opacity=".25"');
    box(p, cam, x0, x1, 0.3, 1.0, zb - 0.05, zb, o.panel, { round: 5 });
    const a = P(x0 + (x1 - x0) / 8, 1, zb - 0.05),
      b = P(x1 - 0.1, 0.5, zb - 0.05),
      g = (P(x1, 0, zb - 0.05)[0] - a[0]) / 7;
    p.line(`M${n(a[0])} ${n((a[1] + b[1]) / 2)}H${n(b[0])}`, sink(o.panel, 0.35), b[1] - a[1], `stroke-dasharray="2.5 ${n1(g - 2.5)}" opacity=".45"`);
  }
  box(p, cam, x1 - 0.02, x1 + 0.04, 0, 0.92, z0, zb, fr, { round: 4 });
  box(p, cam, x0, x1, 0.1, 0.3, z0, zb, fr, { round: 3 });
  for (const x of [x0 + 0.05, x1 - 0.12]) box(p, cam, x, x + 0.07, 0, 0.1, z0 + 0.02, z0 + 0.09, sink(fr, 0.3), { thin: 2 });
  if (o.drawers)
    for (const x of [x0 + 0.1, x0 + 1.02]) {
      p.path(foot2(cam, x, x + 0.86, 0.125, 0.275, z0), lift(fr, 0.2));
      const [hx, hy] = P(x + 0.43, 0.2, z0);
      p.rect(hx - 16, hy - 2, 32, 4, sink(fr, 0.5), 'rx="2"');
    }
  box(p, cam, x0 + 0.03, x1 - 0.05, 0.31, 0.5, z0 + 0.02, zb, sink(st.linen, 0.04), { round: 10 });
  pillow(p, cam.at(x1 - 0.34, 0.5, zb - 0.3), st.linen, 56, 38, 5);
  pillow(p, cam.at(x1 - 0.36, 0.49, zb - 0.6), st.linen, 58, 33, 4);
  cushion(p, cam.at(x1 - 0.66, 0.51, zb - 0.68), st.b, st, st.cloth, 42, 38, -8);
  const e = x1 - 0.68,
    y = 0.57,
    a = P(x0 + 0.02, y, zb - 0.04),
    b = P(e, y, zb - 0.04),
    c = P(e, y, z0 + 0.02),
    d = P(x0 + 0.02, y, z0 + 0.02),
    hem = P(x0, 0.19, z0 - 0.03)[1];
  quilt(p, st, r, a, b, c, d, hem, duvet, o);
}

function quilt(p, st, r, a, b, c, d, hem, duvet, o) {
  // a..d: top corners (far left, far right, near right, near left)
  const hx0 = d[0] - 5,
    w = c[0] - d[0] + 8,
    top = (u, v) => [a[0] + (b[0] - a[0]) * u + (d[0] - a[0]) * v * (1 - u) + (c[0] - b[0]) * v * u, a[1] + (d[1] - a[1]) * v],
    drape = (u, v) => [d[0] + (c[0] - d[0]) * u, d[1] + (hem - d[1]) * v];
  p.path(
    `M${n(hx0)} ${n(d[1])}Q${n(hx0 - 9)} ${n((d[1] + hem) / 2)} ${n(hx0 - 3)} ${n(hem)}q${n(w * 0.12)} 10 ${n(w * 0.25)} 1t${n(w * 0.25)} 2t${n(w * 0.25)} -2t${n(w * 0.25)} 0L${n(c[0] + 2)} ${n(c[1])}Z`,
    p.linear('v', [
      [0, duvet],
      [1, sink(duvet, 0.3)],
    ]),
  );
  p.path(
    `M${bez(a)}L${bez(b)}L${bez(c)}Q${n((c[0] + d[0]) / 2)} ${n(c[1] + 8)} ${bez(d)}Z`,
    lift(duvet, 0.24),
    `stroke="${p.paint(lift(duvet, 0.24))}" stroke-width="10"`,
  );
  cloth(p, null, st, [top, drape], duvet, o.cloth || st.cloth);
  p.line(
    [0.16, 0.45, 0.7]
      .map((u) => `M${bez(drape(u, 0.1))}q${n(r.range(-16, 16))} ${n((hem - d[1]) * 0.4)} ${n(r.range(-8, 8))} ${n((hem - d[1]) * 0.82)}`)
      .join('') + `M${bez(top(0.42, 0.5))}Q${bez(top(0.55, 0.72), top(0.62, 0.6))}M${bez(top(0.6, 0.3))}Q${bez(top(0.68, 0.44), top(0.78, 0.34))}`,
    sink(duvet, 0.4),
    3,
    'opacity=".3" stroke-linecap="round"',
  );
  const fold = lift(duvet, 0.66),
    ln = `stroke="${p.paint(fold)}" stroke-width="7"`;
  p.path(polyPath([top(0.84, 0), top(1.01, 0), top(1.01, 1), drape(1.01, 0.86), drape(0.86, 0.92), top(0.84, 1)]), fold, ln);
  p.line(`M${bez(top(0.84, 0))}L${bez(top(0.84, 1))}L${bez(drape(0.86, 0.92))}`, sink(duvet, 0.3), 3, 'opacity=".3"');
  if (o.throw === false) return;
  const t = o.throw || st.b;
  p.path(polyPath([top(0.09, 0), top(0.35, 0), top(0.34, 1), top(0.08, 1)]), lift(t, 0.2), `stroke="${p.paint(lift(t, 0.2))}" stroke-width="8"`);
  p.path(polyPath([drape(0.075, 0), drape(0.345, 0), drape(0.35, 0.74), drape(0.07, 0.7)]), sink(t, 0.06));
  p.line(
    `M${bez([drape(0.078, 0.72)[0], drape(0.078, 0.72)[1] + 5])}L${bez([drape(0.35, 0.74)[0], drape(0.35, 0.74)[1] + 5])}`,
    t,
    13,
    'stroke-dasharray="3.5 7"',
  );
  p.line(
    `M${bez(drape(0.075, 0.45))}L${bez(drape(0.345, 0.49))}M${bez(drape(0.075, 0.56))}L${bez(drape(0.345, 0.6))}M${bez(top(0.09, 0.5))}L${bez(top(0.35, 0.5))}`,
    lift(t, 0.6),
    3.5,
    'opacity=".65"',
  );
}

function bedFoot(p, cam, st, r, x0, x1, o = {}) {
  // foot towards us, headboard on the back wall
  const { P, zb, ex } = cam,
    zf = zb - 2,
    fr = o.frame || st.wood,
    duvet = o.duvet || st.a,
    ln = (c, w = 10) => `stroke="${p.paint(c)}" stroke-width="${w}"`;
  headboard(p, cam, st, x0 - 0.07, x1 + 0.07, o.head || 'channel', o.headTone || st.b);
  for (const x of [x0 + 0.04, x1 - 0.1]) box(p, cam, x, x + 0.06, 0, 0.12, zf + 0.04, zf + 0.1, sink(fr, 0.3), { thin: 2 });
  box(p, cam, x0, x1, 0.12, 0.3, zf + 0.02, zb - 0.06, fr, { round: 3 });
  box(p, cam, x0 + 0.02, x1 - 0.02, 0.3, 0.5, zf + 0.04, zb - 0.06, st.linen, { round: 10, top: lift(st.linen, 0.2) });
  const m = (x0 + x1) / 2,
    pw = Math.min(66, (x1 - x0) * 50);
  if (x1 - x0 > 1.15) {
    for (const s of [-1, 1]) pillow(p, cam.at(m + s * pw * 0.0054, 0.52, zb - 0.22), st.linen, pw, 40, s * 3);
    for (const s of [-1, 1]) pillow(p, cam.at(m + s * pw * 0.0053, 0.51, zb - 0.42), st.linen, pw * 0.96, 34, -s * 2);
  } else {
    pillow(p, cam.at(m, 0.52, zb - 0.22), st.linen, 74, 42);
    pillow(p, cam.at(m + 0.03, 0.51, zb - 0.42), st.linen, 70, 34, -2);
  }
  cushion(p, cam.at(m - 0.16, 0.51, zb - 0.6), st.b, st, st.cloth, 44, 38, -5);
  if (r.chance(0.6)) cushion(p, cam.at(m + 0.22, 0.51, zb - 0.66), st.c, st, 'plain', 38, 30, 6);
  const za = zb - 0.78,
    y = 0.57,
    q = (u, v) => P(x0 - 0.03 + (x1 - x0 + 0.06) * u, y, za + (zf - za) * v),
    low = 0.2,
    front = (u, v) => P(x0 - 0.03 + (x1 - x0 + 0.06) * u, y + (low - y) * v, zf - 0.02 * v);
  const a = q(0, 0),
    b = q(1, 0),
    c = q(1, 1),
    d = q(0, 1);
  if (x0 > ex) p.poly([a, d, P(x0 - 0.05, low, zf), P(x0 - 0.05, low + 0.02, za)], lift(duvet, 0.05));
  if (x1 < ex) p.poly([b, c, P(x1 + 0.05, low, zf), P(x1 + 0.05, low + 0.02, za)], sink(duvet, 0.3));
  const f0 = front(0, 1),
    f1 = front(1, 1),
    w = f1[0] - f0[0];
  p.path(
    `M${bez(d)}L${bez(c)}Q${n(f1[0] + 8)} ${n((c[1] + f1[1]) / 2)} ${bez(f1)}q${n(-w * 0.12)} 9 ${n(-w * 0.25)} 1t${n(-w * 0.25)} 2t${n(-w * 0.25)} -2t${n(-w * 0.25)} 0Q${n(f0[0] - 8)} ${n((d[1] + f0[1]) / 2)} ${bez(d)}Z`,
    p.linear('v', [
      [0, sink(duvet, 0.04)],
      [1, sink(duvet, 0.3)],
    ]),
  );
  p.path(
    polyPath([a, b, c, d]),
    p.linear('h', [
      [0, lift(duvet, 0.3)],
      [1, lift(duvet, 0.16)],
    ]),
    ln(lift(duvet, 0.22)),
  );
  cloth(p, null, st, [q, front], duvet, o.cloth || st.cloth);
  p.line(
    [0.15, 0.4, 0.62, 0.85].map((u) => `M${bez(front(u, 0.12))}q${n(r.range(-12, 12))} 26 ${n(r.range(-8, 8))} 58`).join('') +
      `M${bez(q(0.3, 0.5))}Q${bez(q(0.42, 0.62), q(0.5, 0.5))}M${bez(q(0.6, 0.36))}Q${bez(q(0.7, 0.46), q(0.8, 0.36))}`,
    sink(duvet, 0.4),
    3,
    'opacity=".3" stroke-linecap="round"',
  );
  const fold = lift(duvet, 0.66);
  p.path(polyPath([q(0, -0.02), q(1, -0.02), q(1.005, 0.2), q(-0.005, 0.2)]), fold, ln(fold, 8));
  p.line(`M${bez(q(0, 0.23))}L${bez(q(1, 0.23))}`, sink(duvet, 0.4), 3, 'opacity=".35"');
  if (o.throw === false) return;
  const t = o.throw || st.b,
    T = lift(t, 0.16);
  p.path(polyPath([q(-0.01, 0.66), q(1.01, 0.62), q(1.01, 0.88), q(-0.01, 0.92)]), T, ln(T, 8));
  p.line(`M${bez(q(0, 0.73))}L${bez(q(1, 0.69))}M${bez(q(0, 0.85))}L${bez(q(1, 0.81))}`, lift(t, 0.6), 4, 'opacity=".65"');
}

function nightstand(p, cam, st, r, x, lit, o = {}) {
  const { P, zb } = cam,
    z0 = zb - 0.42,
    c = o.tone || st.wood;
  for (const u of [x + 0.03, x + 0.38]) box(p, cam, u, u + 0.04, 0, 0.14, z0 + 0.03, z0 + 0.07, sink(c, 0.3), { thin: 2 });
  box(p, cam, x, x + 0.44, 0.14, 0.52, z0, zb, c);
  p.path(foot2(cam, x + 0.03, x + 0.41, 0.17, 0.32, z0) + foot2(cam, x + 0.03, x + 0.41, 0.35, 0.49, z0), lift(c, 0.2));
  for (const y of [0.25, 0.42]) {
    const [a, b] = P(x + 0.22, y, z0);
    p.dot(a, b, 4, sink(st.metal, 0.05));
  }
  const L = cam.at(x + 0.22, 0.52, zb - 0.2),
    sh = lit ? lch(0.94, 0.06, 85) : lift(st.c, 0.55);
  if (lit) glow(p, ...L.xy(0, 34), 100 * L.k, 0.6);
  p.path(L('M-9 0 Q-12 10 -3 17 L-2 26 L2 26 L3 17 Q12 10 9 0Z'), st.b);
  p.path(L('M-17 25 L-11 46 L11 46 L17 25 Q0 22 -17 25Z'), p.round(sh));
  books2(p, cam.at(x + 0.1, 0.52, z0 + 0.12), st, 0.6);
}

function wardrobe(p, cam, st, x0, x1, c, h = 2.15) {
  const { P, zb } = cam,
    z0 = zb - 0.58,
    m = (x0 + x1) / 2;
  box(p, cam, x0, x1, 0.06, h, z0, zb, c);
  box(p, cam, x0 + 0.03, x1 - 0.03, 0, 0.06, z0 + 0.04, zb, sink(c, 0.5));
  p.path(
    foot2(cam, x0 + 0.03, m - 0.01, 0.1, h - 0.04, z0) + foot2(cam, m + 0.01, x1 - 0.03, 0.1, h - 0.04, z0),
    p.linear('v', [
      [0, lift(c, 0.22)],
      [1, lift(c, 0.05)],
    ]),
  );
  for (const u of [m - 0.06, m + 0.06]) {
    const a = P(u, 1.2, z0),
      b = P(u, 0.95, z0);
    p.line(`M${bez(a)}V${n(b[1])}`, sink(st.metal, 0.1), 4, 'stroke-linecap="round"');
  }
}

function ensuiteDoor(p, cam, st, x, lit) {
  // a door ajar: the bathroom shows
  const { P, zb } = cam,
    w = 0.84,
    h = 2.05,
    tile = lch(0.93, 0.022, 205),
    [a, b] = P(x, h, zb),
    [c, d] = P(x + w, 0, zb),
    s = cam.scale;
  p.path(foot2(cam, x - 0.07, x + w + 0.07, 0, h + 0.07), lift(st.paper, 0.2));
  p.inset(a, b, c - a, d - b, (W0, H0) => {
    p.raw(
      `<rect width="${n(W0)}" height="${n(H0)}" fill="${p.linear('v', [
        [0, lift(tile, 0.4)],
        [1, sink(tile, 0.12)],
      ])}"/>`,
    );
    let g = '';
    for (let i = 1; i < 8; i++) g += `M0 ${n(i * 0.2 * s)}h${n(W0)}`;
    for (let i = 1; i < 5; i++) g += `M${n(i * 0.2 * s)} 0v${n(1.6 * s)}`;
    p.line(g, sink(tile, 0.16), 1.5, 'opacity=".6"');
    p.rect(0, 1.6 * s, W0, H0, lch(0.8, 0.02, 230));
    p.dot(0.36 * s, 0.62 * s, 0.25 * s, st.metal);
    p.dot(
      0.36 * s,
      0.62 * s,
      0.225 * s,
      p.linear('d', [
        [0, lch(0.97, 0.015, 220)],
        [1, lch(0.82, 0.04, 225)],
      ]),
    );
    p.rect(0.08 * s, 1.2 * s, 0.58 * s, 0.34 * s, st.wood);
    p.rect(0.04 * s, 1.12 * s, 0.66 * s, 0.1 * s, lch(0.98, 0.004, 90), 'rx="8"');
    p.rect(0.34 * s, 0.97 * s, 5, 0.15 * s, sink(st.metal, 0.2));
    p.rect(0.16 * s, 1.3 * s, 0.2 * s, 0.3 * s, st.a);
  });
  p.poly(
    [P(x + w, 0.01, zb), P(x + w + 0.18, 0.01, zb - 0.72), P(x + w + 0.18, h, zb - 0.72), P(x + w, h, zb)],
    p.linear('h', [
      [0, sink(lift(st.paper, 0.1), 0.14)],
      [1, sink(st.paper, 0.04)],
    ]),
  );
  const k = P(x + w + 0.16, 1, zb - 0.64);
  p.dot(k[0], k[1], 5, sink(st.metal, 0.2));
  p.poly([P(x, 0.002, zb), P(x + w, 0.002, zb), P(x + w - 0.1, 0.002, zb - 0.9), P(x - 0.35, 0.002, zb - 0.9)], lch(0.97, 0.05, 90), 'opacity=".22"');
}

function sofa(p, cam, st, x0, x1, z0, z1, c, r) {
  const { P } = cam,
    leg = sink(st.wood, 0.2);
  for (const x of [x0 + 0.08, x1 - 0.13]) box(p, cam, x, x + 0.05, 0, 0.14, z0 + 0.04, z0 + 0.09, leg, { thin: 2 });
  box(p, cam, x0 + 0.1, x1 - 0.1, 0.3, 0.82, z1 - 0.24, z1, sink(c, 0.1), { round: 16, thin: 1 });
  const s = (x1 - x0 - 0.3) / 2;
  for (const i of [0, 1]) box(p, cam, x0 + 0.17 + i * s, x0 + 0.13 + (i + 1) * s, 0.46, 0.8, z1 - 0.38, z1 - 0.22, c, { round: 16, thin: 2 });
  box(p, cam, x0 + 0.08, x1 - 0.08, 0.14, 0.3, z0 + 0.03, z1, sink(c, 0.2), { thin: 2 });
  for (const i of [0, 1])
    box(p, cam, x0 + 0.17 + i * s, x0 + 0.13 + (i + 1) * s, 0.32, 0.45, z0, z1 - 0.34, lift(c, 0.04), { round: 12, top: lift(c, 0.26), thin: 1 });
  box(p, cam, x0, x0 + 0.15, 0.14, 0.6, z0 + 0.02, z1, c, { round: 12 });
  box(p, cam, x1 - 0.15, x1, 0.14, 0.6, z0 + 0.02, z1, c, { round: 12 });
  cushion(p, cam.at(x0 + 0.42, 0.45, z1 - 0.5), st.b, st, st.cloth, 44, 40, -6);
  cushion(p, cam.at(x1 - 0.42, 0.45, z1 - 0.5), st.c, st, r.pick(['plain', 'stripe', 'dots']), 44, 40, 7);
  if (r.chance(0.6)) cushion(p, cam.at(x1 - 0.8, 0.45, z1 - 0.52), st.linen, st, 'check', 40, 34, -4);
}

function floorLamp(p, cam, st, x, z, lit) {
  const L = cam.at(x, 0, z),
    m = sink(st.metal, 0.15);
  if (lit) glow(p, ...L.xy(0, 148), 120 * L.k, 0.5);
  p.oval(L.ox, L.oy, 15 * L.k, 4 * L.k, m);
  p.line(L('M0 1 L0 140'), m, 2.4 * L.k);
  const sh = lit ? lch(0.93, 0.07, 85) : lift(st.c, 0.5);
  p.path(L('M-22 132 L-15 164 L15 164 L22 132 Q0 128 -22 132Z'), p.round(sh));
}
