// Windows, plants, shelves, lamps, rugs: local frames are in centimetres, y up.

function skyView(p, st, w, h, r, low = 0.62) {
  // what a window shows; the kind of view belongs to the property
  const t = TIMES[st.time],
    lowSky = lch(...t.sky[1]),
    far = mix(lowSky, lch(0.55, 0.05, 255), t.lamps ? 0.55 : 0.38),
    mid = mix(lowSky, lch(0.45, 0.06, 260), t.lamps ? 0.8 : 0.6);
  p.rect(
    0,
    0,
    w,
    h,
    p.linear(
      'v',
      t.sky[2]
        ? [
            [0, lch(...t.sky[0])],
            [0.5, lch(...t.sky[2])],
            [1, lowSky],
          ]
        : [
            [0, lch(...t.sky[0])],
            [1, lowSky],
          ],
    ),
  );
  if (!t.lamps && r.chance(0.6))
    p.path(
      ring(
        [
          [0.2, 0.2, 0.07],
          [0.29, 0.16, 0.09],
          [0.38, 0.2, 0.07],
        ].map(([u, v, q]) => [w * (u + 0.1), h * v, q * Math.min(w, h) * 0.8]),
      ) + `M${n(w * 0.22)} ${n(h * 0.19)}h${n(w * 0.34)}v${n(h * 0.07)}h${n(-w * 0.34)}z`,
      LIGHT,
      'opacity=".6"',
    );
  const lits = [];
  let x = -10,
    d = `M-10 ${n(h)}`;
  const band = (lo, hi, ws, gable, lit) => {
    d = `M-10 ${n(h)}`;
    x = -10;
    while (x < w + 10) {
      const bw = r.range(...ws) * w,
        top = h * (low - r.range(lo, hi));
      d += r.chance(gable) ? `V${n(top)}l${n(bw / 2)} ${n(-bw * 0.3)} ${n(bw / 2)} ${n(bw * 0.3)}` : `V${n(top)}h${n(bw)}`;
      if (lit) for (let i = 0; i < 3; i++) lits.push([x + r.range(0.1, 0.8) * bw, top + r.range(0.06, 0.4) * h, 4, 5]);
      x += bw;
    }
    return d + `V${n(h)}z`;
  };
  if (st.view === 'hills')
    p.path(`M-5 ${n(h)}V${n(h * 0.56)}Q${n(w * 0.25)} ${n(h * 0.34)} ${n(w * 0.5)} ${n(h * 0.52)}T${n(w + 5)} ${n(h * 0.44)}V${n(h)}z`, far);
  else if (st.view === 'towers') p.path(band(0, 0.34, [0.08, 0.17], 0, t.lamps), far);
  else if (st.view === 'roofs') p.path(band(0, 0.16, [0.1, 0.2], 0.3, t.lamps), far);
  else
    p.path(
      `M-5 ${n(h)}V${n(h * 0.6)}Q${n(w * 0.3)} ${n(h * 0.5)} ${n(w * 0.6)} ${n(h * 0.6)}T${n(w + 5)} ${n(h * 0.56)}V${n(h)}z`,
      mix(far, st.tree, 0.4),
    );
  if (lits.length) p.path(scatter(lits), lch(0.88, 0.11, 80));
  if (st.view === 'roofs') {
    const c = mix(st.skin, lowSky, 0.3);
    p.path(band(-0.14, -0.06, [0.24, 0.36], 0.7), mix(mid, c, 0.55));
  } else if (st.view !== 'garden') p.path(band(-0.16, -0.02, [0.14, 0.3], 0.4), mid);
  const snow = st.time === 'snow',
    g = mix(snow ? lch(0.9, 0.015, 240) : st.tree, lowSky, 0.12),
    near = st.view === 'garden';
  if (near)
    p.path(ring([0, 1, 2, 3].map((i) => [w * (i / 3 + r.range(-0.06, 0.06)), h * r.range(0.66, 0.74), h * r.range(0.14, 0.2)])), mix(g, lowSky, 0.2));
  p.path(
    ring([0, 1, 2, 3].map((i) => [w * (i / 3 + r.range(-0.08, 0.08)), h * (near ? 0.96 : 1.02), h * r.range(0.13, 0.22)])),
    near ? sink(g, 0.12) : g,
  );
}

function window_(p, cam, st, r, o) {
  // on the back wall: x,y in metres (lower left), w,h
  const { P, zb, scale: s } = cam,
    [x0, y1] = P(o.x, o.y + o.h, zb),
    w = o.w * s,
    h = o.h * s;
  const frame = st.metal[0] < 0.5 && !st.dark ? lch(0.36, 0.015, 250) : lch(0.97, 0.006, 90);
  p.rect(x0 - 9, y1 - 9, w + 18, h + 18, sink(st.wall, 0.2));
  p.inset(x0, y1, w, h, () => skyView(p, st, w, h, r, o.low));
  p.path(`M${n(x0 + w * 0.12)} ${n(y1)}h${n(w * 0.24)}l${n(-w * 0.36)} ${n(h * 0.62)}v${n(-h * 0.4)}z`, LIGHT, 'opacity=".2"');
  let d = `M${n(x0)} ${n(y1)}h${n(w)}v${n(h)}h${n(-w)}z`;
  const kind = o.kind || st.window;
  if (kind === 'grid') d += `M${n(x0 + w / 2)} ${n(y1)}v${n(h)}M${n(x0)} ${n(y1 + h * 0.36)}h${n(w)}`;
  if (kind === 'pair') d += `M${n(x0 + w / 2)} ${n(y1)}v${n(h)}`;
  if (kind === 'tall') d += `M${n(x0 + w / 3)} ${n(y1)}v${n(h)}M${n(x0 + (w * 2) / 3)} ${n(y1)}v${n(h)}`;
  p.line(d, sink(frame, 0.04), 9);
  const sill = sink(lift(st.wall, 0.6), 0.02);
  p.rect(x0 - 16, y1 + h + 4, w + 32, 11, sill);
  p.rect(x0 - 16, y1 + h + 15, w + 32, 9, sink(st.wall, 0.28), 'opacity=".55"');
  const dress = o.dressing || st.dressing,
    cloth = o.cloth || (st.dark ? st.linen : lift(st.a, 0.55));
  if (dress === 'curtain') {
    const rod = y1 - 26,
      len = h + 62;
    p.rect(x0 - 48, rod - 3, w + 96, 5, sink(st.metal, 0.1), 'rx="2"');
    const id = p.symbol('curtain', () => {
      const ax = x0 - 40,
        bx = ax + Math.min(58, w * 0.26),
        l = (u) => n(ax + (bx - ax) * u);
      p.path(
        `M${l(0)} ${n(rod)}L${l(1)} ${n(rod)}Q${n(bx - 10)} ${n(rod + len * 0.6)} ${n(bx + 5)} ${n(rod + len)}L${n(ax - 8)} ${n(rod + len)}Z`,
        p.linear('h', [
          [0, sink(cloth, 0.14)],
          [0.5, lift(cloth, 0.2)],
          [1, sink(cloth, 0.1)],
        ]),
      );
      p.line(
        [0.2, 0.42, 0.63, 0.84].map((u) => `M${l(u)} ${n(rod + 3)}q-3 ${n(len * 0.5)} ${n(-8 * (0.8 - u))} ${n(len - 4)}`).join(''),
        sink(cloth, 0.3),
        3,
        'opacity=".4"',
      );
    });
    p.use(id, 0, 0);
    p.raw(`<use href="#${id}" transform="matrix(-1 0 0 1 ${n(2 * x0 + w)} 0)"/>`);
  } else if (dress === 'blind') {
    const bh = h * 0.26;
    p.rect(x0 - 6, y1 - 12, w + 12, bh, sink(cloth, 0.04));
    p.rect(x0 - 6, y1 - 12 + bh, w + 12, 5, sink(cloth, 0.3));
  }
}

// A window we do not see throws its panes on the back wall.
function beamOnWall(p, cam, st, x, y, w, h, slant = 0.34) {
  const k = TIMES[st.time].beam;
  if (!k) return;
  const { P, zb } = cam,
    q = (u, v) => P(x + u * w + (1 - v) * 0 - v * 0 + (1 - v) * slant, y + v * h - u * slant * 0.5, zb);
  const pane = (u0, u1, v0, v1) => polyPath([q(u0, v0), q(u1, v0), q(u1, v1), q(u0, v1)]);
  p.path(
    pane(0, 0.47, 0, 0.46) + pane(0.53, 1, 0, 0.46) + pane(0, 0.47, 0.54, 1) + pane(0.53, 1, 0.54, 1),
    lch(...TIMES[st.time].sun),
    `opacity="${n2(k * (st.dark ? 0.55 : 1.2))}"`,
  );
}

// Panes on the floor, from a window in the back wall.
function beamOnFloor(p, cam, st, x, w, z0 = 0.5, z1 = 1.9, drift = 0.9) {
  const k = TIMES[st.time].beam;
  if (!k) return;
  const { P, zb } = cam,
    q = (u, v) => P(x + u * w + v * drift, 0.005, zb - z0 - v * (z1 - z0));
  const pane = (u0, u1, v0, v1) => polyPath([q(u0, v0), q(u1, v0), q(u1, v1), q(u0, v1)]);
  p.path(
    pane(0, 0.47, 0, 0.46) + pane(0.53, 1, 0, 0.46) + pane(0, 0.47, 0.54, 1) + pane(0.53, 1, 0.54, 1),
    lch(...TIMES[st.time].sun),
    `opacity="${n2(k * 1.1)}"`,
  );
}

function glow(p, x, y, r, k = 0.5) {
  p.dot(
    x,
    y,
    r,
    p.radial([
      [0, '#ffe7b0', k],
      [1, '#ffd27a', 0],
    ]),
  );
}

function leafPath(x, y, ang, len, wid) {
  // pixels; ang 0 = up, clockwise
  const a = (ang * Math.PI) / 180,
    dx = Math.sin(a),
    dy = -Math.cos(a),
    px = -dy,
    py = dx;
  const m = [x + dx * len * 0.45, y + dy * len * 0.45],
    e = [x + dx * len, y + dy * len];
  return `M${n(x)} ${n(y)}Q${n(m[0] + px * wid)} ${n(m[1] + py * wid)} ${n(e[0])} ${n(e[1])}Q${n(m[0] - px * wid)} ${n(m[1] - py * wid)} ${n(x)} ${n(y)}`;
}

function halfLeaf(x, y, ang, len, wid) {
  const a = (ang * Math.PI) / 180,
    dx = Math.sin(a),
    dy = -Math.cos(a),
    px = -dy,
    py = dx;
  const m = [x + dx * len * 0.45, y + dy * len * 0.45],
    e = [x + dx * len, y + dy * len];
  return `M${n(x)} ${n(y)}Q${n(m[0] + px * wid)} ${n(m[1] + py * wid)} ${n(e[0])} ${n(e[1])}Z`;
}

function plant(p, L, st, r, size = 90, kind = r.pick(['rubber', 'snake', 'palm', 'fern']), potTone) {
  const pot = potTone || r.pick([st.c, st.a, lch(0.93, 0.015, 80), st.b]),
    g = st.leaf,
    k = L.k,
    S = size;
  const pw = Math.min(17, S * 0.19),
    ph = pw * 1.75,
    [bx, by] = L.xy(0, ph),
    leaves = [];
  const add = (ang, len, wid, dx = 0, dy = 0) => leaves.push([bx + dx * k, by - dy * k, ang, len * k, wid * k]);
  const tall = S - ph;
  if (size < 24) kind = 'fern';
  if (kind === 'snake')
    for (const [a, l] of [
      [-16, 0.75],
      [14, 0.8],
      [-7, 1],
      [6, 0.92],
      [22, 0.6],
      [-24, 0.55],
    ])
      add(a, tall * l, pw * 0.34, a * 0.25);
  if (kind === 'palm')
    for (const a of [-78, -52, -28, -6, 18, 42, 66, 88]) add(a, tall * (0.85 + 0.15 * Math.cos(a / 20)) * (Math.abs(a) > 60 ? 0.75 : 1), pw * 0.5);
  if (kind === 'fern')
    for (const a of size < 40 ? [-92, -58, -24, 8, 40, 74, 102] : [-105, -80, -55, -30, -5, 20, 46, 72, 98]) add(a, tall * 0.8, pw * 0.42);
  if (kind === 'rubber') {
    p.line(`M${n(bx)} ${n(by)}q${n(3 * k)} ${n(-tall * 0.4 * k)} 0 ${n(-tall * 0.72 * k)}`, sink(st.wood, 0.3), 2.5 * k);
    for (const [v, a, l] of [
      [0.2, -66, 0.34],
      [0.26, 62, 0.36],
      [0.44, -50, 0.36],
      [0.5, 52, 0.34],
      [0.66, -32, 0.34],
      [0.7, 34, 0.33],
      [0.72, 2, 0.34],
    ])
      add(a, tall * l * 1.15, tall * 0.12, 0, tall * v);
  }
  p.path(
    leaves
      .filter((_, i) => i % 2)
      .map((l) => leafPath(...l))
      .join(''),
    sink(g, 0.16),
  );
  p.path(
    leaves
      .filter((_, i) => !(i % 2))
      .map((l) => leafPath(...l))
      .join(''),
    g,
  );
  if (size > 86) p.path(leaves.map(([x, y, a, l, w]) => halfLeaf(x, y, a, l, -w)).join(''), lift(g, 0.3), 'opacity=".55"');
  p.path(L(`M${-pw} ${ph} L${pw} ${ph} L${pw * 0.74} 0 L${-pw * 0.74} 0Z`), size > 60 ? p.round(pot) : pot);
  if (size > 60) p.path(L(`M${-pw * 1.08} ${ph + 2} L${pw * 1.08} ${ph + 2} L${pw} ${ph - 5} L${-pw} ${ph - 5}Z`), lift(pot, 0.12));
}

function books(p, L, st, r, width, maxh = 24) {
  // a row of spines standing on the frame's base, one path per tone
  const tones =
      width > 60
        ? [st.a, st.b, st.c, st.linen, sink(st.a, 0.25), lift(st.b, 0.35), st.leaf]
        : r.shuffle([st.a, st.b, st.c, st.linen, st.leaf]).slice(0, 3),
    d = tones.map(() => '');
  let x = 0,
    i = r.int(0, 6);
  while (x < width - 3) {
    const w = r.range(2.6, 5.2),
      h = maxh * r.range(0.66, 1),
      k = i++ % tones.length;
    if (x + w > width) break;
    if (width - x < 9 && r.chance(0.7)) {
      d[k] += L(`M${x} 0 L${x + w} 0 L${x + w + h * 0.3} ${h * 0.92} L${x + h * 0.3} ${h}Z`);
      break;
    }
    d[k] += L(`M${x} 0 L${x + w} 0 L${x + w} ${h} L${x} ${h}Z`);
    x += w + 0.3;
  }
  d.forEach((e, k) => p.path(e, tones[k]));
}

function shelf(p, cam, st, r, x, y, w, items = true) {
  const { P, zb } = cam,
    z = zb - 0.22;
  p.path(foot2(cam, x + 0.08, x + w + 0.12, y - 0.16, y), sink(st.wall, 0.5), 'opacity=".25"');
  if (items) {
    let u = x + 0.06;
    const L = (q) => cam.at(q, y, z + 0.1);
    const parts = r.shuffle(['books', 'plant', 'frame', 'books', 'vase']);
    for (const part of parts) {
      if (part === 'books' && x + w - u > 0.34) {
        books(p, L(u), st, r, 26);
        u += 0.34;
      }
      if (part === 'plant' && x + w - u > 0.22) {
        plant(p, L(u + 0.09), st, r, 30, r.pick(['fern', 'snake']));
        u += 0.25;
      }
      if (part === 'frame' && x + w - u > 0.24) {
        art(p, L(u), st, r, 18, 23);
        u += 0.25;
      }
      if (part === 'vase' && x + w - u > 0.2) {
        p.path(L(u + 0.07)('M-5 0 L5 0 Q9 8 3 15 L3 19 L-3 19 L-3 15 Q-9 8 -5 0Z'), st.c);
        u += 0.2;
      }
    }
  }
  box(p, cam, x, x + w, y - 0.035, y, z - 0.02, zb, st.wood);
}

const foot2 = (cam, x0, x1, y0, y1, z = cam.zb) => polyPath([cam.P(x0, y0, z), cam.P(x1, y0, z), cam.P(x1, y1, z), cam.P(x0, y1, z)]);

function art(p, L, st, r, w, h, kind = r.pick(['sun', 'arches', 'leaf', 'shapes', 'waves', 'moon', 'stripes'])) {
  // frame, lower left at origin
  const q = (u, v) => `${u * w} ${v * h}`,
    fr = r.pick([st.wood, lch(0.3, 0.01, 260), lch(0.97, 0.005, 90)]);
  const bg = r.pick([st.linen, lift(st.c, 0.55), lift(st.a, 0.7), lift(st.b, 0.75)]);
  p.path(L(`M3 -4 L${w + 4} -4 L${w + 4} ${h - 3} L3 ${h - 3}Z`), sink(st.wall, 0.5), 'opacity=".25"');
  p.path(L(`M0 0 L${w} 0 L${w} ${h} L0 ${h}Z`), fr);
  p.path(L(`M${q(0.07, 0.06)} L${q(0.93, 0.06)} L${q(0.93, 0.94)} L${q(0.07, 0.94)}Z`), bg);
  if (kind === 'sun') {
    const [x, y] = L.xy(w * 0.56, h * 0.62);
    p.dot(x, y, w * 0.19 * L.k, st.a);
    p.path(L(`M${q(0.07, 0.34)} Q${q(0.3, 0.56)} ${q(0.55, 0.36)} Q${q(0.75, 0.22)} ${q(0.93, 0.4)} L${q(0.93, 0.06)} L${q(0.07, 0.06)}Z`), st.b);
    p.path(L(`M${q(0.07, 0.2)} Q${q(0.4, 0.34)} ${q(0.93, 0.16)} L${q(0.93, 0.06)} L${q(0.07, 0.06)}Z`), lift(st.b, 0.35));
  } else if (kind === 'arches') {
    for (const [k, c] of [
      [0.34, st.a],
      [0.24, st.c],
      [0.14, st.b],
    ])
      p.path(
        L(
          `M${q(0.5 - k, 0.14)} L${q(0.5 - k, 0.5)} Q${q(0.5 - k, 0.5 + k * 0.9)} ${q(0.5, 0.5 + k * 0.9)} Q${q(0.5 + k, 0.5 + k * 0.9)} ${q(0.5 + k, 0.5)} L${q(0.5 + k, 0.14)}Z`,
        ),
        c,
      );
  } else if (kind === 'leaf') {
    const [x, y] = L.xy(w * 0.5, h * 0.14),
      k = L.k;
    p.path([-48, -22, 4, 30, 54].map((a) => leafPath(x, y, a, h * 0.62 * k * (1 - Math.abs(a) / 160), w * 0.13 * k)).join(''), st.leaf);
  } else if (kind === 'shapes') {
    const [x, y] = L.xy(w * 0.38, h * 0.64),
      [x2, y2] = L.xy(w * 0.64, h * 0.4);
    p.dot(x, y, w * 0.22 * L.k, st.c);
    p.dot(x2, y2, w * 0.2 * L.k, st.a, 'opacity=".9"');
    p.path(L(`M${q(0.2, 0.14)} L${q(0.62, 0.14)} L${q(0.2, 0.44)}Z`), st.b);
  } else if (kind === 'waves') {
    [0.72, 0.5, 0.28].forEach((v, i) =>
      p.path(
        L(`M${q(0.07, v)} Q${q(0.28, v + 0.16)} ${q(0.5, v)} Q${q(0.72, v - 0.16)} ${q(0.93, v)} L${q(0.93, 0.06)} L${q(0.07, 0.06)}Z`),
        [lift(st.b, 0.4), st.b, st.a][i],
      ),
    );
  } else if (kind === 'moon') {
    const [x, y] = L.xy(w * 0.5, h * 0.56);
    p.path(L(`M${q(0.07, 0.06)} L${q(0.93, 0.06)} L${q(0.93, 0.94)} L${q(0.07, 0.94)}Z`), sink(st.b, 0.2));
    p.dot(x, y, w * 0.25 * L.k, st.c);
    p.dot(x + w * 0.1 * L.k, y - w * 0.06 * L.k, w * 0.2 * L.k, sink(st.b, 0.2));
  } else
    [0.16, 0.36, 0.56, 0.74].forEach((v, i) =>
      p.path(L(`M${q(0.16, v)} L${q(0.84, v)} L${q(0.84, v + 0.11)} L${q(0.16, v + 0.11)}Z`), [st.a, st.c, st.b, lift(st.a, 0.4)][i]),
    );
}

function pendant(p, cam, st, x, z, drop, kind = st.pendant, lit = TIMES[st.time].lamps) {
  const L = cam.at(x, cam.ht - drop, z);
  p.sprite('pendant', L, () => pendant1(p, cam.P(x, cam.ht, z), L, kind, lit, st.a));
}

function pendant1(p, top, L, kind, lit, c) {
  p.line(`M${n(top[0])} ${n(top[1])}V${n(L.oy - 20 * L.k)}`, lch(0.3, 0.01, 260), 2);
  p.oval(top[0], top[1] + 2, 6 * L.k, 2.2 * L.k, lch(0.9, 0.01, 85));
  if (lit) glow(p, L.ox, L.oy + 12 * L.k, 70 * L.k, 0.5);
  const bulb = lit ? '#fff0c4' : lch(0.97, 0.02, 90);
  if (kind === 'globe') {
    p.dot(
      L.ox,
      L.oy,
      15 * L.k,
      p.radial(
        [
          [0, lit ? '#fff6dc' : LIGHT],
          [1, lit ? '#ffdf98' : lch(0.87, 0.02, 85)],
        ],
        'cx=".35" cy=".35"',
      ),
    );
    return;
  }
  p.oval(L.ox, L.oy, 12 * L.k, 3.6 * L.k, bulb);
  const d = { dome: 'M-21 0 Q-20 20 -3 21 L3 21 Q20 20 21 0 Z', cone: 'M-21 0 L-4 22 L4 22 L21 0Z', drum: 'M-20 0 L-17 21 L17 21 L20 0Z' }[kind];
  p.path(L(d), p.round(c));
  p.oval(L.ox, L.oy, 20.5 * L.k, 3.4 * L.k, bulb, 'opacity=".8"');
}

function deskLamp(p, L, st, lit) {
  const c = st.a,
    m = sink(st.metal, 0.1);
  if (lit) glow(p, ...L.xy(20, 22), 62 * L.k, 0.55);
  p.path(L('M-8 0 L8 0 L8 2.5 L-8 2.5Z'), m);
  p.line(L('M0 2 L-6 22 L10 40'), m, 2.2 * L.k, 'stroke-linecap="round"');
  p.path(L('M6 42 L13 45 L27 34 L14 24Z'), p.round(c), '');
}

function laptop(p, L) {
  p.path(L('M-16 2 L16 2 L18 23 L-14 23Z'), lch(0.42, 0.01, 260));
  p.path(L('M-14 4 L14.6 4 L16.2 21.4 L-12.6 21.4Z'), lch(0.84, 0.06, 232));
  p.path(L('M-14 4 L6 4 L-12.6 21.4Z'), lch(0.92, 0.035, 228));
  p.path(L('M-19 0 L19 0 L16 2.4 L-16 2.4Z'), lch(0.8, 0.008, 260));
}

function mug(p, L, c) {
  p.line(L('M3 8 Q8 8 8 5 Q8 2 3 2.5'), c, 1.6 * L.k);
  p.path(L('M-4 0 L4 0 L4.6 10 L-4.6 10Z'), c);
}

function cushion(p, L, c, st, kind = 'plain', w = 42, h = 38, tilt = 0) {
  // one drawing; the cloth takes the colour of its use, the pattern lies on top
  const id = p.symbol('cushion', () => {
    const d = 'M-42 -6Q-36 -38 -44 -74Q0 -68 44 -74Q36 -38 42 -6Q0 2 -42 -6Z';
    p.raw(`<path d="${tight(d)}"/>`);
    p.path(
      d,
      p.linear('d', [
        [0, LIGHT, 0.3],
        [0.5, LIGHT, 0],
        [1, CAST, 0.3],
      ]),
    );
  });
  const use = `<use href="#${id}" fill="${p.paint(c)}"`,
    at = place(L, (w * L.k) / 84, (h * L.k) / 76, tilt);
  if (kind === 'plain') return p.raw(`${use} ${at}/>`);
  p.raw(`<g ${at}>${use}/>`);
  if (kind === 'stripe') p.line('M-38 -22H38M-37 -38H37M-38 -54H38', LIGHT, 7, 'opacity=".4"');
  if (kind === 'check') p.line('M-18 -6V-68M0 -4V-66M18 -6V-68M-38 -20H38M-37 -38H37M-38 -55H38', LIGHT, 3, 'opacity=".45"');
  if (kind === 'dots') p.line('M-24 -20H30M-32 -38H34M-24 -56H30', LIGHT, 8, 'opacity=".5" stroke-linecap="round" stroke-dasharray=".1 22"');
  p.raw('</g>');
}

function rug(p, cam, st, x0, x1, z0, z1, kind = st.rug) {
  const { P } = cam,
    base = mix(st.linen, st.c, 0.25),
    mid = (x0 + x1) / 2;
  if (kind === 'oval') {
    const a = P(mid, 0, (z0 + z1) / 2),
      ry = (P(mid, 0, z0)[1] - P(mid, 0, z1)[1]) / 2,
      cy = (P(mid, 0, z0)[1] + P(mid, 0, z1)[1]) / 2,
      rx = (P(x1, 0, (z0 + z1) / 2)[0] - P(x0, 0, (z0 + z1) / 2)[0]) / 2;
    p.oval(a[0], cy + 3, rx, ry, sink(base, 0.35));
    p.oval(a[0], cy, rx, ry, lift(st.a, 0.35));
    p.oval(a[0], cy, rx * 0.86, ry * 0.84, base);
    p.oval(a[0], cy, rx * 0.7, ry * 0.66, lift(st.b, 0.55), 'opacity=".7"');
    return;
  }
  const Q = (u0, u1, v0, v1) => foot(cam, x0 + (x1 - x0) * u0, x0 + (x1 - x0) * u1, z0 + (z1 - z0) * v0, z0 + (z1 - z0) * v1);
  p.path(foot(cam, x0, x1, z0 - 0.025, z1), sink(base, 0.35));
  p.path(Q(0, 1, 0, 1), base);
  if (kind === 'border') {
    p.path(Q(0.05, 0.95, 0.06, 0.94), lift(st.a, 0.25));
    p.path(Q(0.1, 0.9, 0.13, 0.87), base);
    p.path(Q(0.14, 0.86, 0.18, 0.82), lift(st.b, 0.6));
  }
  if (kind === 'band') p.path(Q(0, 1, 0.08, 0.2) + Q(0, 1, 0.8, 0.92), st.a) || p.path(Q(0, 1, 0.26, 0.3) + Q(0, 1, 0.7, 0.74), st.b);
  if (kind === 'lines') p.path([0.06, 0.25, 0.44, 0.63, 0.82].map((u) => Q(u, u + 0.09, 0, 1)).join(''), lift(st.b, 0.3));
  if (kind === 'check') {
    let d = '';
    for (let i = 0; i < 7; i++) for (let j = 0; j < 4; j++) if ((i + j) % 2) d += Q(i / 7, (i + 1) / 7, j / 4, (j + 1) / 4);
    p.path(d, lift(st.a, 0.42));
  }
}
