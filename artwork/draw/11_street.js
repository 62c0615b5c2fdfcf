// Outdoors: sky, trees, people, windows, doors.

const GROUND = 604;

const skyLow = (st) => lch(...TIMES[st.time].sky[1]),
  skyTop = (st) => lch(...TIMES[st.time].sky[0]);

const sunny = (st) => TIMES[st.time].beam > 0.25;

const SHADE = lch(0.3, 0.07, 280);

function sky(p, st, r, o = {}) {
  const t = TIMES[st.time],
    low = skyLow(st);
  p.raw(
    `<rect width="1080" height="720" fill="${p.linear(
      'v',
      t.sky[2]
        ? [
            [0, skyTop(st)],
            [0.45, lch(...t.sky[2])],
            [0.76, low],
          ]
        : [
            [0, skyTop(st)],
            [o.horizon || 0.8, low],
          ],
    )}"/>`,
  );
  const setting = st.time === 'golden' || st.time === 'dusk',
    sx = o.sunX ?? r.range(130, 300),
    sy = setting ? (o.sunY ?? r.range(300, 400)) : r.range(100, 170);
  if (st.time === 'dusk') p.path(ring(Array.from({ length: 16 }, () => [r.range(0, W), r.range(10, 260), r.range(1, 2.2)])), LIGHT, 'opacity=".7"');
  if (st.time !== 'overcast') {
    p.dot(
      sx,
      sy,
      280,
      p.radial([
        [0, lch(...t.sun), 0.8],
        [0.35, lch(...t.sun), 0.28],
        [1, lch(...t.sun), 0],
      ]),
    );
    if (setting) p.dot(sx, sy, 40, lift(lch(...t.sun), 0.45), 'opacity=".95"');
  }
  const cloud = p.symbol('cloud', () =>
      p.path(
        'M0 0h190a22 22 0 0 0 -14 -42a34 34 0 0 0 -52 -24a46 46 0 0 0 -78 22a26 26 0 0 0 -46 44z',
        p.linear('v', [
          [0, lift(low, 0.85), 0.95],
          [1, lift(low, 0.6), 0.35],
        ]),
      ),
    ),
    many = st.time === 'overcast' ? 6 : 3;
  for (let i = 0; i < many; i++) {
    const s = r.range(0.55, 1.35);
    p.raw(
      `<use href="#${cloud}" opacity="${n2((t.lamps ? 0.25 : 0.8) * r.range(0.6, 1))}" transform="matrix(${n2(i % 2 ? s : -s)} 0 0 ${n2(s)} ${n(r.range(-120, 260) + (i % 3) * 360 + (i % 2 ? 0 : 200))} ${n(r.range(o.cloudTop || 80, o.cloudLow || 260))})"/>`,
    );
  }
}

function skyline(p, st, r, base, heights, k, lit, widths = [38, 92]) {
  // a band of far buildings, k = how near
  const low = haze(st),
    tone = mix(low, t0(st), k);
  let x = -20,
    d = `M-20 ${base}`;
  const win = [];
  while (x < W + 20) {
    const w = r.range(...widths),
      h = r.range(heights[0], heights[1]),
      roof = r.int(0, 5),
      y = base - h;
    d +=
      roof === 1
        ? `V${n(y + 14)}l${n(w / 2)} -18 ${n(w / 2)} 18`
        : roof === 2
          ? `V${n(y)}h${n(w * 0.4)}v-14h8v14h${n(w * 0.6 - 8)}`
          : roof === 3
            ? `V${n(y)}h${n(w * 0.5)}v12h${n(w * 0.5)}`
            : `V${n(y)}h${n(w)}`;
    if (lit) for (let i = 0; i < 2; i++) win.push([x + r.range(6, w - 10), y + r.range(16, h * 0.7), 5]);
    x += w;
  }
  p.path(
    d + `V${base}z`,
    p.linear('v', [
      [0, tone],
      [1, mix(tone, low, 0.5)],
    ]),
  );
  if (win.length) p.line(dashes(win), '#ffd58f', 7, 'opacity=".85"');
}

const haze = (st) => (TIMES[st.time].lamps ? lch(0.6, 0.075, 338) : skyLow(st)); // what distance fades into

const t0 = (st) => (TIMES[st.time].lamps ? lch(0.32, 0.055, 262) : lch(0.5, 0.055, 258));

function tree(p, st, r, x, y, s, kind = 'round') {
  // one drawing per kind and picture, placed, scaled and mirrored
  p.forest ||= {};
  const list = (p.forest[kind] ||= []),
    i = (list.count = (list.count || 0) + 1),
    k = 0;
  list[k] ||= p.symbol('tree' + kind, () => tree1(p, st, r, 0, 0, 1, kind));
  p.raw(`<use href="#${list[k]}" transform="matrix(${n2(i % 2 ? s : -s * 0.94)} 0 0 ${n2(s)} ${n(x)} ${n(y)})"/>`);
}

function tree1(p, st, r, x, y, s, kind) {
  const snow = st.time === 'snow',
    g = snow ? lch(0.6, 0.03, 190) : st.tree,
    trunk = lch(0.42, 0.035, 50);
  p.oval(x + 26 * s, y + 2, 62 * s, 8 * s, SHADE, 'opacity=".2"');
  if (kind === 'palm') {
    const lean = r.range(-30, 30) * s,
      tx = x + lean,
      ty = y - 250 * s,
      pg = lch(0.56, 0.09, 140);
    p.path(
      `M${n(x - 9 * s)} ${n(y)}Q${n(x - 3 * s)} ${n(y - 120 * s)} ${n(tx - 4 * s)} ${n(ty)}h${n(8 * s)}Q${n(x + 11 * s)} ${n(y - 120 * s)} ${n(x + 9 * s)} ${n(y)}z`,
      p.round(lch(0.58, 0.05, 62)),
    );
    const frond = ([a, l]) => {
      const q = (a * Math.PI) / 180,
        dx = Math.sin(q) * l,
        dy = -Math.cos(q) * l * 0.62 + l * 0.3;
      return `M${n(tx)} ${n(ty)}Q${n(tx + dx * 0.5)} ${n(ty + dy - l * 0.44)} ${n(tx + dx)} ${n(ty + dy + l * 0.12)}Q${n(tx + dx * 0.5)} ${n(ty + dy - l * 0.1)} ${n(tx)} ${n(ty)}`;
    };
    const set = [-116, -88, -60, -32, 0, 34, 60, 86, 114].map((a, i) => [a, (96 - Math.abs(a) * 0.14 + (i % 2) * 8) * s]);
    p.path(
      set
        .filter((_, i) => i % 2)
        .map(frond)
        .join(''),
      sink(pg, 0.24),
    );
    p.path(
      set
        .filter((_, i) => !(i % 2))
        .map(frond)
        .join(''),
      lift(pg, 0.06),
    );
    return;
  }
  if (kind === 'conifer') {
    p.rect(x - 6 * s, y - 34 * s, 12 * s, 34 * s, trunk);
    const dg = snow ? lch(0.5, 0.05, 170) : lch(0.45, 0.06, 158);
    let d = '',
      hi = '';
    for (let i = 0; i < 4; i++) {
      const w = (74 - i * 15) * s,
        b = y - (26 + i * 48) * s,
        t = b - 84 * s;
      d += `M${n(x - w)} ${n(b)}Q${n(x)} ${n(b + 14 * s)} ${n(x + w)} ${n(b)}L${n(x)} ${n(t)}z`;
      hi += `M${n(x - w)} ${n(b)}Q${n(x - w * 0.5)} ${n(b + 7 * s)} ${n(x - w * 0.3)} ${n(b + 6 * s)}L${n(x)} ${n(t)}z`;
    }
    p.path(d, dg);
    p.path(hi, snow ? lch(0.97, 0.008, 240) : lift(dg, 0.2), snow ? '' : 'opacity=".7"');
    return;
  }
  if (kind === 'cypress') {
    p.path(
      `M${n(x)} ${n(y)}Q${n(x - 40 * s)} ${n(y - 80 * s)} ${n(x)} ${n(y - 250 * s)}Q${n(x + 40 * s)} ${n(y - 80 * s)} ${n(x)} ${n(y)}`,
      p.round(lch(0.46, 0.06, 150)),
    );
    return;
  }
  p.line(
    `M${n(x)} ${n(y)}V${n(y - 150 * s)}M${n(x)} ${n(y - 86 * s)}l${n(26 * s)} ${n(-34 * s)}M${n(x)} ${n(y - 74 * s)}l${n(-24 * s)} ${n(-34 * s)}`,
    trunk,
    9 * s,
    'stroke-linecap="round"',
  );
  const blobs = [
    [-40, -128, 44],
    [36, -120, 46],
    [2, -180, 52],
    [-22, -150, 50],
    [30, -164, 44],
  ].map(([a, b, q]) => [a + r.range(-7, 7), b + r.range(-9, 6), q * r.range(0.88, 1.08)]);
  const at = (list, dx, dy, k) => ring(list.map(([u, v, q]) => [x + (u + dx) * s, y + (v + dy) * s, q * k * s]));
  const leaf = snow ? lch(0.86, 0.016, 235) : g;
  p.path(at(blobs, 0, 0, 1), snow ? lch(0.74, 0.025, 235) : sink(g, 0.26));
  p.path(at(blobs, -7, -9, 0.84), leaf);
  p.path(at(blobs.slice(0, 4), -17, -22, 0.46), lift(leaf, 0.22));
  p.path(at(blobs.slice(1, 4), 20, 22, 0.2), sink(leaf, 0.16));
}

function bush(p, st, x, y, w, h, tone = st.time === 'snow' ? lch(0.9, 0.012, 235) : mix(st.tree, st.leaf, 0.6)) {
  const k = Math.max(2, Math.round(w / (h * 0.9))),
    key = 'bush' + k;
  p.forest ||= {};
  p.forest[key] ||= p.symbol(key, () => {
    const c = Array.from({ length: k + 1 }, (_, i) => [36 * i, -40 * (0.3 + 0.14 * (i % 2)), 40 * (0.56 + 0.1 * ((i * 7) % 3))]);
    p.path(ring(c), sink(tone, 0.26));
    p.path(ring(c.map(([a, b, q]) => [a - 3, b - 4, q * 0.8])), lift(tone, 0.06));
  });
  p.raw(`<use href="#${p.forest[key]}" transform="matrix(${n2(w / (36 * k))} 0 0 ${n2(h / 40)} ${n(x)} ${n(y)})"/>`);
}

function bike(p, x, y, s, c) {
  const w = 26 * s;
  p.line(
    ring([
      [x, y - w, w],
      [x + 82 * s, y - w, w],
    ]),
    lch(0.32, 0.01, 260),
    4 * s,
  );
  p.line(
    `M${n(x)} ${n(y - w)}l${n(22 * s)} ${n(-42 * s)}h${n(42 * s)}l${n(-28 * s)} ${n(42 * s)}zm${n(82 * s)} 0l${n(-22 * s)} ${n(-56 * s)}h${n(12 * s)}M${n(x + 36 * s)} ${n(y - w)}l${n(-17 * s)} ${n(-50 * s)}h${n(-9 * s)}h${n(20 * s)}`,
    c,
    4 * s,
    'stroke-linecap="round"',
  );
}

function lampPost(p, st, x, y, s) {
  const c = lch(0.32, 0.015, 220),
    lit = TIMES[st.time].lamps;
  if (lit) glow(p, x, y - 182 * s, 90 * s, 0.7);
  p.path(`M${n(x - 7 * s)} ${n(y)}h${n(14 * s)}l${n(-4 * s)} ${n(-26 * s)}v${n(-134 * s)}h${n(-6 * s)}v${n(134 * s)}z`, c);
  p.path(`M${n(x - 9 * s)} ${n(y - 162 * s)}h${n(18 * s)}l${n(6 * s)} ${n(-36 * s)}h${n(-30 * s)}z`, lit ? '#ffe6a8' : lch(0.93, 0.03, 90));
  p.path(`M${n(x - 17 * s)} ${n(y - 198 * s)}h${n(34 * s)}l${n(-12 * s)} ${n(-14 * s)}h${n(-10 * s)}z`, c);
}

function bench(p, x, y, s, c = lch(0.6, 0.07, 60)) {
  p.path(
    scatter([
      [x, y - 34 * s, 120 * s, 7 * s],
      [x, y - 48 * s, 120 * s, 7 * s],
      [x - 4 * s, y - 22 * s, 128 * s, 8 * s],
    ]),
    c,
  );
  p.path(
    scatter([
      [x + 8 * s, y - 48 * s, 5 * s, 48 * s],
      [x + 106 * s, y - 48 * s, 5 * s, 48 * s],
    ]),
    lch(0.32, 0.01, 260),
  );
}

function walker(p, x, y, s, c, legs, dir = 1) {
  // a small student with a backpack; the coat inherits its colour from <use>
  p.forest ||= {};
  p.forest.walker ||= p.symbol('walker', () => {
    p.oval(10, 1, 18, 3.5, SHADE, 'opacity=".25"');
    p.line('M-2 -34L-9 0M2 -34L10 -1', lch(0.34, 0.04, 262), 6, 'stroke-linecap="round"');
    p.raw('<path d="M-9-66q-1-4 4-5h10q5 1 4 7l-2 32h-14z"/>');
    p.path('M-8 -68Q-18 -66 -17 -54L-15 -42L-8 -42Z', lch(0.38, 0.03, 260));
    p.line('M3 -64Q8 -52 12 -46', SHADE, 4, 'stroke-linecap="round" opacity=".4"');
    p.dot(1, -80, 8, lch(0.72, 0.06, 58));
    p.path('M-8 -80Q-8 -90 2 -90Q10 -89 9 -83Q4 -86 -1 -84Q-3 -78 -5 -75Z', lch(0.3, 0.04, 45));
  });
  p.raw(`<use href="#${p.forest.walker}" fill="${p.paint(c)}" transform="matrix(${n2(s * dir)} 0 0 ${n2(s)} ${n(x)} ${n(y)})"/>`);
}

function street(p, st, r, o = {}) {
  const snow = st.time === 'snow',
    pave = snow ? lch(0.95, 0.01, 240) : lch(0.84, 0.015, 75),
    road = snow ? lch(0.84, 0.014, 250) : lch(0.58, 0.014, 262);
  p.rect(
    0,
    GROUND,
    W,
    46,
    p.linear('v', [
      [0, sink(pave, 0.12)],
      [0.6, pave],
    ]),
  );
  p.rect(0, GROUND + 44, W, 10, sink(pave, 0.22));
  p.rect(
    0,
    GROUND + 54,
    W,
    62,
    p.linear('v', [
      [0, sink(road, 0.18)],
      [1, road],
    ]),
  );
  p.line(`M-20 ${GROUND + 92}H1100`, lift(road, 0.6), 4, 'stroke-dasharray="64 52" opacity=".8"');
  let d = '';
  for (let x = 30; x < W; x += 96) d += `M${x} ${GROUND}l-14 44`;
  p.line(d, sink(pave, 0.22), 2, 'opacity=".5"');
}

function lawn(p, st, y) {
  const g = st.time === 'snow' ? lch(0.95, 0.01, 235) : lch(0.74, 0.1, 128);
  p.rect(
    0,
    y,
    W,
    H - y,
    p.linear('v', [
      [0, sink(g, 0.14)],
      [0.5, g],
      [1, lift(g, 0.12)],
    ]),
  );
  p.path(`M0 ${y + 30}Q300 ${y + 8} 620 ${y + 26}T1080 ${y + 22}V${y + 52}Q760 ${y + 40} 420 ${y + 60}T0 ${y + 56}z`, sink(g, 0.12), 'opacity=".5"');
}

function path_(p, st, x, y, w0, w1) {
  const c = st.time === 'snow' ? lch(0.9, 0.012, 60) : lch(0.86, 0.025, 78);
  p.path(
    `M${n(x - w0)} ${n(y)}h${n(2 * w0)}L${n(x + w1)} 720H${n(x - w1)}Z`,
    p.linear('v', [
      [0, sink(c, 0.12)],
      [1, c],
    ]),
  );
}

// windows: each façade defines a symbol in three states (empty, curtained, lit) and stamps them
const glassFill = (p, st) => {
  const t = TIMES[st.time].glass,
    a = lch(...t[0]),
    b = lch(...t[1]);
  return p.linear('d', [
    [0, a],
    [0.5, mix(a, b, 0.5)],
    [0.5, mix(a, b, 0.22)],
    [1, b],
  ]);
};

const litFill = (p) =>
  p.linear('v', [
    [0, '#ffe3a3'],
    [1, '#f7b867'],
  ]);

// draw(glass, frame): glass(fill, variant) paints the pane, frame() everything in front of it; frame is stored once
function windowSet(p, st, name, glass, frame) {
  const f = p.symbol(name + 'f', frame);
  return ['a', 'b', 'c'].map((v) =>
    p.symbol(name + v, () => {
      glass(v === 'c' ? litFill(p) : glassFill(p, st), v);
      p.raw(`<use href="#${f}"/>`);
    }),
  );
}

function stamp(p, st, r, set, list) {
  const share = TIMES[st.time].lamps ? 0.55 : st.time === 'overcast' || st.time === 'snow' ? 0.2 : 0;
  for (const [x, y] of list) p.use(r.chance(share) ? set[2] : r.chance(0.28) ? set[1] : set[0], x, y);
}

const gridOf = (x, y, dx, dy, cols, rows) => {
  const out = [];
  for (let j = 0; j < rows; j++) for (let i = 0; i < cols; i++) out.push([x + i * dx, y + j * dy]);
  return out;
};

function flecks(p, r, x, y, w, h, c, count = 50) {
  // a few bricks, in clusters, never a full texture
  const a = [],
    b = [];
  for (let i = 0; i < count; i++) {
    const bx = x + Math.floor(r.range(0, w - 34) / 8) * 8,
      by = y + Math.floor(r.range(4, h - 12) / 7) * 7,
      q = i % 2 ? a : b;
    q.push([bx, by, 14]);
    if (i % 3 === 0) q.push([bx + 16, by + 7, 14]);
  }
  p.line(dashes(a), lift(c, 0.22), 5, 'opacity=".55"');
  p.line(dashes(b), sink(c, 0.2), 5, 'opacity=".45"');
}

function sash(p, st, name, w, h, o = {}) {
  const white = o.frame || lch(0.97, 0.006, 90),
    shape = o.arch ? `M0 ${h}V12Q${w / 2} -8 ${w} 12V${h}z` : `M0 0h${w}v${h}h-${w}z`;
  return windowSet(
    p,
    st,
    name,
    (fill, v) => {
      p.path(shape, fill);
      if (v === 'b')
        p.path(`M0 4h${w * 0.32}q-2 ${h * 0.5} -8 ${h - 6}H0zM${w} 4v${h - 2}h-${w * 0.16}q-8 -${h * 0.5} -8 -${h - 2}z`, st.linen, 'opacity=".8"');
    },
    () => {
      if (o.lintel) p.rect(-7, -15, w + 14, 13, o.lintel);
      p.path(`M0 0h${w}v9h-${w - 8}v${h - 9}h-8z`, SHADE, 'opacity=".32"');
      p.line(shape + `M0 ${h / 2}h${w}`, white, 4);
      p.line(`M${w / 2} 0v${h}` + (o.bars ? `M0 ${h / 4}h${w}M0 ${h * 0.75}h${w}` : ''), white, 2);
      p.rect(-5, h + 1, w + 10, 6, o.sill || white);
      p.rect(-5, h + 7, w + 10, 5, SHADE, 'opacity=".25"');
    },
  );
}

function doorway(p, st, x, y, w, h, c, o = {}) {
  // y = threshold; fanlight, panels, steps; the leaf inherits its colour from <use>
  const white = lch(0.96, 0.008, 88),
    lit = TIMES[st.time].lamps,
    glass = lit ? '#ffdd98' : glassFill(p, st);
  const id = p.symbol('door' + w, () => {
    if (o.georgian) {
      const R0 = w / 2 + 14,
        m = w / 2;
      p.rect(-24, -h - 12, 14, h + 12, white);
      p.rect(w + 10, -h - 12, 14, h + 12, sink(white, 0.1));
      p.path(`M-30 ${-h - 8}v-12h${w + 60}v12z`, white);
      p.path(`M-14 ${-h - 20}a${R0} ${R0} 0 0 1 ${2 * R0} 0z`, white);
      p.path(`M-4 ${-h - 22}a${R0 - 10} ${R0 - 10} 0 0 1 ${2 * R0 - 20} 0z`, glass);
      p.line(
        [-60, -30, 0, 30, 60]
          .map((a) => `M${m} ${-h - 22}l${n(Math.sin((a * Math.PI) / 180) * (R0 - 10))} ${n(-Math.cos((a * Math.PI) / 180) * (R0 - 10))}`)
          .join(''),
        white,
        3,
      );
    } else {
      p.rect(-8, -h - 34, w + 16, h + 34, white);
      p.rect(0, -h - 27, w, 22, glass);
    }
    p.raw(`<path d="M0 0v${-h}h${w}v${h}z"/>`);
    p.path(
      `M0 0v${-h}h${w}v8h${8 - w}v${h - 8}z` +
        scatter([
          [w * 0.14, -h + 14, w * 0.3, h * 0.34],
          [w * 0.56, -h + 14, w * 0.3, h * 0.34],
          [w * 0.14, -h * 0.46, w * 0.3, h * 0.36],
          [w * 0.56, -h * 0.46, w * 0.3, h * 0.36],
        ]),
      SHADE,
      'opacity=".28"',
    );
    p.dot(w / 2, -h * 0.53, 3.4, lch(0.82, 0.1, 85));
    if (o.steps !== false) {
      const s0 = lch(0.9, 0.01, 85);
      p.rect(-16, 0, w + 32, 8, s0);
      p.rect(-24, 8, w + 48, 9, sink(s0, 0.12));
      p.rect(-32, 17, w + 64, 9, sink(s0, 0.22));
    }
  });
  p.use(id, x, y, `fill="${p.paint(c)}"`);
}

function bars(p, x0, x1, y, h, gap, c, w = 2.5) {
  // upright bars are the dashes of one very thick line
  p.line(`M${n(x0)} ${n(y - h / 2)}H${n(x1)}`, c, h, `stroke-dasharray="${w} ${n1(gap - w)}"`);
  p.line(`M${n(x0)} ${n(y - h + 3)}H${n(x1)}M${n(x0)} ${n(y - 3)}H${n(x1)}`, c, w);
}

const railings = (p, x0, x1, y, h = 38) => bars(p, x0, x1, y, h, 11, lch(0.27, 0.012, 250));

const DOORS = [
  [0.42, 0.1, 258],
  [0.48, 0.13, 27],
  [0.45, 0.08, 158],
  [0.78, 0.13, 84],
  [0.36, 0.03, 250],
  [0.6, 0.09, 355],
  [0.55, 0.08, 200],
  [0.45, 0.09, 310],
].map((c) => lch(...c));
