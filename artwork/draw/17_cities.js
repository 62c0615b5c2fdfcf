// A city in one picture.

function landmark(p, kind, x, b, c, s = 1) {
  // lit face, shaded face; x is the centre
  const stone = ['clock', 'dome', 'castle', 'spire', 'spires', 'deco', 'mill'].includes(kind);
  if (stone) c = mix(c, lch(c[0] + 0.06, 0.075, 62), 0.5);
  const lo = lift(c, 0.24),
    hi = sink(c, 0.16),
    q = (d) => d.replace(/(-?[\d.]+) (-?[\d.]+)/g, (m, u, v) => `${n(x + u * s)} ${n(b - v * s)}`),
    two = (l, d) => {
      p.path(q(l), lo);
      p.path(q(d), hi);
    };
  const D = {
    clock: () => {
      two(
        'M-26 0 L-26 272 L0 272 L0 0Z M-32 272 L-32 286 L-24 286 L0 356 L0 272Z',
        'M0 0 L0 272 L26 272 L26 0Z M0 272 L0 356 L24 286 L32 286 L32 272Z',
      );
      p.dot(x, b - 242 * s, 18 * s, lift(c, 0.8));
      p.line(q('M0 242 L0 254 M0 242 L7 238'), sink(c, 0.4), 3 * s);
      p.path(q('M-90 0 L-90 90 L-26 90 L-26 0Z M26 0 L26 90 L150 90 L150 0Z'), c);
    },
    dome: () => {
      p.path(q('M-92 0 L-92 116 L92 116 L92 0Z'), c);
      p.path(q('M-52 116 L-52 156 L52 156 L52 116Z'), lo);
      p.path(q('M-58 156 C-58 220 -26 240 0 244 C26 240 58 220 58 156Z'), p.round(c));
      p.path(q('M-8 244 L-8 268 L8 268 L8 244Z M-2 268 L-2 296 L2 296 L2 268Z'), hi);
      p.path(q('M-70 0 L-70 84 L-62 84 L-62 0Z M-46 0 L-46 84 L-38 84 L-38 0Z M38 0 L38 84 L46 84 L46 0Z M62 0 L62 84 L70 84 L70 0Z'), lo);
    },
    shard: () => two('M-52 0 L-8 392 L0 380 L0 0Z', 'M0 0 L0 380 L8 400 L52 0Z'),
    wheel: () => {
      p.line(ring([[x, b - 128 * s, 118 * s]]), c, 6 * s);
      let d = '';
      for (let i = 0; i < 8; i++) {
        const a = (i * Math.PI) / 8;
        d += `M${n(x - Math.cos(a) * 116 * s)} ${n(b - 128 * s - Math.sin(a) * 116 * s)}L${n(x + Math.cos(a) * 116 * s)} ${n(b - 128 * s + Math.sin(a) * 116 * s)}`;
      }
      p.line(d, c, 1.6, 'opacity=".8"');
      p.line(q('M-50 0 L0 128 L50 0'), hi, 6 * s);
      p.path(
        ring(
          Array.from({ length: 16 }, (_, i) => [
            x + Math.cos((i * Math.PI) / 8) * 124 * s,
            b - 128 * s + Math.sin((i * Math.PI) / 8) * 124 * s,
            6 * s,
          ]),
        ),
        lo,
      );
    },
    castle: () => {
      p.path(q('M-250 0 L-190 60 L-150 96 L-110 120 L90 126 L140 96 L190 40 L230 0Z'), sink(c, 0.1));
      p.path(q('M-110 118 L-60 60 L-20 118 L30 50 L90 126Z'), lift(c, 0.08), 'opacity=".6"');
      p.path(
        q(
          'M-116 112 L-116 168 L-104 168 L-104 178 L-92 178 L-92 168 L-80 168 L-80 178 L-68 178 L-68 168 L-50 168 L-50 200 L-42 212 L-34 200 L-34 168 L0 168 L0 190 L60 190 L60 168 L92 168 L92 120Z',
        ),
        lo,
      );
      p.path(q('M30 190 L30 222 L60 222 L60 190Z M60 168 L60 190 L92 168Z'), c);
    },
    spire: () => {
      two('M-22 0 L-22 170 L0 320 L0 0Z', 'M0 0 L0 320 L22 170 L22 0Z');
      p.path(q('M22 0 L22 90 L60 116 L98 90 L98 0Z'), c);
    },
    spires: () => {
      for (const [dx, h] of [
        [-66, 250],
        [66, 250],
        [-26, 320],
        [26, 330],
      ]) {
        p.path(q(`M${dx - 19} 0 C${dx - 18} ${h * 0.6} ${dx - 8} ${h * 0.9} ${dx} ${h} L${dx} 0Z`), lo);
        p.path(q(`M${dx} 0 L${dx} ${h} C${dx + 8} ${h * 0.9} ${dx + 18} ${h * 0.6} ${dx + 19} 0Z`), hi);
      }
      p.path(q('M-90 0 L-90 70 Q0 130 90 70 L90 0Z'), c);
    },
    bullet: () => p.path(q('M-34 0 C-38 150 -30 260 0 292 C30 260 38 150 34 0Z'), p.round(c)),
    deco: () =>
      two(
        'M-58 0 L-58 190 L-42 190 L-42 256 L-26 256 L-26 306 L-12 306 L-12 340 L-4 340 L-2 400 L0 400 L0 0Z',
        'M0 0 L0 400 L2 400 L4 340 L12 340 L12 306 L26 306 L26 256 L42 256 L42 190 L58 190 L58 0Z',
      ),
    steps: () => {
      two('M-48 0 L-48 300 L-16 300 L-16 0Z', 'M-16 0 L-16 340 L16 340 L16 0Z M16 0 L16 250 L46 250 L46 0Z');
      p.line(q('M-6 340 L-6 400 M6 340 L6 392'), hi, 4 * s);
    },
    slab: () => {
      two('M-40 0 L-40 262 L10 276 L10 0Z', 'M10 0 L10 276 L40 262 L40 0Z');
      p.line(q('M-30 40 L-30 240 M-16 40 L-16 246 M-2 40 L-2 250'), lift(c, 0.4), 5 * s, 'stroke-dasharray="7 7" opacity=".7"');
    },
    needle: () => {
      two('M-16 0 L-6 250 L-5 280 L0 420 L0 0Z', 'M0 0 L0 420 L5 280 L6 250 L16 0Z');
      p.path(q('M-26 250 Q-30 262 -20 274 L-12 284 L12 284 L20 274 Q30 262 26 250 Q0 238 -26 250Z'), p.round(c));
    },
    turret: () => {
      two('M-9 0 L-7 280 L0 280 L0 0Z', 'M0 0 L0 280 L7 280 L9 0Z');
      p.path(q('M-26 280 L-22 316 L22 316 L26 280 Q0 268 -26 280Z M-12 316 L-3 336 L0 372 L3 336 L12 316Z'), p.round(c));
    },
    needlethin: () => two('M-7 0 L0 400 L0 0Z', 'M0 0 L0 400 L7 0Z'),
    lattice: () => {
      two('M-50 0 L-50 70 L-12 90 L0 330 L0 0Z', 'M0 0 L0 330 L12 90 L50 70 L50 0Z');
      p.line(q('M-10 110 L10 150 M10 110 L-10 150 M-7 180 L7 220 M7 180 L-7 220'), lift(c, 0.5), 2);
    },
    mill: () => {
      p.path(q('M-110 0 L-110 130 L60 130 L60 0Z'), c);
      p.path(q('M84 0 L90 270 L112 270 L118 0Z'), p.round(c));
      p.path(q('M86 270 L116 270 L116 282 L86 282Z'), hi);
      let d = '';
      for (let j = 0; j < 3; j++)
        for (let i = 0; i < 7; i++)
          d += q(`M${-98 + i * 23} ${20 + j * 36} L${-98 + i * 23} ${44 + j * 36} L${-86 + i * 23} ${44 + j * 36} L${-86 + i * 23} ${20 + j * 36}Z`);
      p.path(d, lift(c, 0.45), 'opacity=".8"');
    },
    arch: () => {
      p.line(q('M-270 30 Q0 300 270 30'), c, 11 * s);
      p.line(q('M-270 30 Q0 236 270 30'), c, 6 * s);
      let d = '';
      for (let i = 1; i < 20; i++) {
        const t = i / 20,
          u = -270 + 540 * t,
          y = 2 * t * (1 - t) * 300 + 30 * ((1 - t) ** 2 + t * t);
        d += q(`M${n(u)} ${n(y)} L${n(u)} 52`);
      }
      p.line(d, c, 3 * s);
      p.path(q('M-400 46 L400 46 L400 58 L-400 58Z M-298 0 L-298 112 L-258 112 L-258 0Z M258 0 L258 112 L298 112 L298 0Z'), hi);
    },
    suspension: () => {
      for (const u of [-190, 190]) {
        p.path(
          q(
            `M${u - 17} 0 L${u - 13} 214 L${u - 4} 214 L${u - 4} 0Z M${u + 4} 0 L${u + 4} 214 L${u + 13} 214 L${u + 17} 0Z M${u - 17} 190 L${u + 17} 190 L${u + 17} 226 L${u - 17} 226Z M${u - 13} 110 L${u + 13} 110 L${u + 13} 124 L${u - 13} 124Z`,
          ),
          hi,
        );
      }
      p.line(q('M-460 60 Q-300 90 -190 222 Q0 -70 190 222 Q300 90 460 60'), c, 5 * s);
      let d = '';
      for (let i = 1; i < 14; i++) {
        const t = i / 14,
          u = -190 + 380 * t,
          y = (1 - t) ** 2 * 222 - 140 * t * (1 - t) + t * t * 222;
        d += q(`M${n(u)} ${n(Math.max(y, 62))} L${n(u)} 60`);
      }
      p.line(d, c, 2);
      p.path(q('M-560 48 L560 48 L560 62 L-560 62Z'), c);
    },
  };
  (D[kind] || D.slab)();
}

function blocks(p, st, r, base, hs, k) {
  // near band: buildings with windows and two faces
  const low = haze(st),
    lit = TIMES[st.time].lamps,
    tones = [
      [0.62, 0.07, 45],
      [0.74, 0.05, 75],
      [0.66, 0.035, 250],
      [0.7, 0.06, 60],
      [0.6, 0.05, 210],
      [0.82, 0.03, 85],
    ].map((c) => mix(lch(...c), low, 1 - k)),
    lits = [];
  let rows = '',
    x = -30,
    i = r.int(0, 5);
  while (x < W + 20) {
    const w = r.range(58, 104),
      h = r.range(...hs),
      c = tones[i++ % 6],
      y = base - h,
      roof = r.int(0, 3);
    if (roof === 1) p.path(`M${n(x)} ${n(y)}l${n(w / 2)} ${n(-w * 0.34)} ${n(w / 2)} ${n(w * 0.34)}z`, sink(c, 0.3));
    if (roof === 2) p.rect(x + w * 0.3, y - 16, w * 0.2, 18, sink(c, 0.16));
    p.rect(x, y, w + 1, h, c);
    p.rect(x + w * 0.78, y, w * 0.22 + 1, h, sink(c, 0.16));
    p.rect(x, y, w, 5, lift(c, 0.35));
    const x1 = x + w * 0.72;
    for (let yy = y + 22; yy < base - 18; yy += 25) {
      rows += `M${n(x + 10)} ${n(yy)}H${n(x1)}`;
      if (r.chance(lit ? 0.9 : 0.25)) lits.push([x + 10 + 20 * r.int(0, Math.floor((x1 - x - 19) / 20)), yy - 6.5, 9, 13]);
    }
    x += w;
  }
  p.line(rows, lit ? lch(0.3, 0.05, 278) : mix(lch(...TIMES[st.time].glass[0]), low, 0.2), 13, 'stroke-dasharray="9 11" opacity=".75"');
  p.path(scatter(lits), lit ? '#ffd78f' : lch(0.97, 0.03, 90));
}

function city(p, st, r, name) {
  const key = CITIES[name] ? name : r.pick(BY_COUNTRY[st.country] || BY_COUNTRY.uk),
    [m1, m2, m3, front] = CITIES[key],
    base = 536,
    relief = RELIEF[key];
  if (st.time === 'overcast') st.time = 'morning';
  const t = TIMES[st.time],
    low = haze(st),
    lit = t.lamps;
  if (key === 'los-angeles') st.tree = lch(0.58, 0.095, 138);
  sky(p, st, r, { sunX: r.range(280, 520), horizon: 0.72, cloudLow: 240 });
  const tone = (k) => mix(low, t0(st), k);
  const town = p.symbol('town', () => {
    if (relief === 'peaks') {
      p.path(`M-20 ${base}L90 330 190 400 330 240 440 370 560 280 690 400 840 230 960 350 1100 270V${base}z`, tone(0.3));
      p.path(
        'M330 240l-46 53 30 -8 22 20 26 -22 24 10zM840 230l-44 54 30 -8 20 18 26 -20 22 6zM560 280l-34 42 26 -6 20 14 22 -16z',
        lift(low, lit ? 0.35 : 0.85),
        'opacity=".9"',
      );
    }
    if (relief === 'hills')
      p.path(`M-20 ${base}V${base - 120}Q120 ${base - 220} 300 ${base - 150}T620 ${base - 190}T1100 ${base - 110}V${base}z`, tone(0.24));
    if (relief === 'crag')
      p.path(
        `M560 ${base}L700 ${base - 90} 760 ${base - 150} 830 ${base - 190} 900 ${base - 176} 960 ${base - 120} 1100 ${base - 60}V${base}z`,
        tone(0.26),
      );
    skyline(p, st, r, base, [90, 250], 0.2, false, [44, 96]);
    const bridge = m1 === 'arch' || m3 === 'suspension';
    landmark(p, m3, m3 === 'suspension' ? 540 : r.int(820, 880), base, tone(m3 === 'suspension' ? 0.6 : 0.42), m3 === 'suspension' ? 1 : 0.82);
    landmark(p, m2, r.int(230, 300), base, tone(0.5), 0.9);
    skyline(p, st, r, base, [50, 130], 0.4, lit, [36, 80]);
    landmark(p, m1, m1 === 'arch' ? 600 : r.int(520, 600), base, tone(0.66), m1 === 'castle' ? 1.15 : 1);
    blocks(p, st, r, base, [34, 96], front === 'park' ? 0.86 : 0.8);
  });
  p.raw(`<use href="#${town}"/>`);
  if (front === 'park') {
    lawn(p, st, base - 2);
    path_(p, st, 600, base + 30, 26, 130);
    p.path(ring(Array.from({ length: 15 }, (_, i) => [i * 78 - 14, base + (i % 2) * 8, r.range(24, 42)])), mix(sink(st.tree, 0.14), low, 0.12));
    p.path(ring(Array.from({ length: 15 }, (_, i) => [i * 78 - 20, base - 8 + (i % 2) * 8, r.range(14, 26)])), mix(lift(st.tree, 0.06), low, 0.1));
    const tk = key === 'madrid' ? 'cypress' : st.country === 'spain' || key === 'los-angeles' ? 'palm' : 'round';
    for (const [x, y, s] of [
      [90, 690, 1.75],
      [1010, 670, 1.6],
      [250, 610, 0.95],
      [860, 604, 0.85],
    ])
      tree(p, st, r, x, y, s, tk);
    bench(p, 360, 672, 0.9);
    lampPost(p, st, 760, 680, 1);
    walker(p, 590, 664, 0.9, st.a);
    return;
  }
  const water = lit ? mix(skyTop(st), low, 0.3) : st.time === 'golden' ? mix(low, lch(0.57, 0.085, 278), 0.6) : mix(mix(low, lch(0.58, 0.07, 228), 0.6), skyTop(st), 0.3);
  p.rect(0, base, W, H - base, water);
  p.raw(`<use href="#${town}" transform="matrix(1 0 0 -.62 0 ${n(base * 1.62)})" opacity=".3"/>`);
  p.rect(
    0,
    base,
    W,
    H - base,
    p.linear('v', [
      [0, water, 0.1],
      [1, sink(water, 0.28), 0.9],
    ]),
  );
  let d = '';
  for (let i = 0; i < 22; i++) {
    const y = base + 16 + (i / 22) ** 1.4 * 170;
    d += `M${n(r.range(0, W))} ${n(y)}h${n(r.range(20, 60) + i * 3)}`;
  }
  p.line(d, lift(water, 0.65), 3, 'opacity=".5" stroke-linecap="round"');
  p.rect(0, base - 4, W, 14, mix(lch(0.66, 0.03, 70), low, 0.15));
  p.rect(0, base + 10, W, 6, sink(water, 0.3), 'opacity=".5"');
  p.path(
    ring(Array.from({ length: 20 }, (_, i) => [i * 58 - 10 + r.range(-12, 12), base - 10, r.range(11, 20)])),
    mix(sink(st.tree, 0.1), low, 0.15),
  );
  const boat = (x, y, s, sail) => {
    p.path(`M${n(x - 50 * s)} ${n(y)}h${n(100 * s)}l${n(-14 * s)} ${n(18 * s)}h${n(-72 * s)}z`, sail ? lch(0.96, 0.01, 85) : st.a);
    if (sail) {
      p.path(`M${n(x - 2 * s)} ${n(y - 4 * s)}V${n(y - 110 * s)}L${n(x - 42 * s)} ${n(y - 4 * s)}z`, lch(0.97, 0.012, 88));
      p.path(`M${n(x + 4 * s)} ${n(y - 4 * s)}V${n(y - 96 * s)}Q${n(x + 36 * s)} ${n(y - 40 * s)} ${n(x + 40 * s)} ${n(y - 4 * s)}z`, st.a);
    } else {
      p.rect(x - 30 * s, y - 18 * s, 56 * s, 18 * s, lch(0.96, 0.01, 88));
      p.path(scatter([0, 1, 2].map((i) => [x + (-24 + i * 17) * s, y - 14 * s, 11 * s, 8 * s])), lch(0.45, 0.05, 250));
    }
    p.oval(x, y + 22 * s, 54 * s, 4 * s, sink(water, 0.4), 'opacity=".4"');
  };
  if (front === 'harbour') {
    boat(r.int(230, 330), 628, 1.15, true);
    boat(r.int(740, 840), 588, 0.6, true);
    boat(r.int(560, 660), 666, 1.1, false);
  } else if (front === 'bridge') {
    const c = lch(0.93, 0.012, 85),
      y = 604;
    p.path(`M-10 ${y}Q540 ${y - 96} 1090 ${y}V${y + 34}Q1000 ${y + 8} 900 ${y + 46}H180Q80 ${y + 8} -10 ${y + 34}z`, p.fall(mix(c, low, 0.1)));
    p.path(`M190 ${y + 48}Q540 ${y - 96} 890 ${y + 48}z`, mix(water, sink(water, 0.3), 0.4));
    p.line(`M-10 ${y - 26}Q540 ${y - 122} 1090 ${y - 26}`, lch(0.94, 0.01, 88), 4);
    p.line(`M-10 ${y - 13}Q540 ${y - 109} 1090 ${y - 13}`, lch(0.94, 0.01, 88), 24, 'stroke-dasharray="3.5 22"');
    for (const x of [300, 540, 780]) {
      const u = (x + 10) / 1100,
        yy = y - 2 * u * (1 - u) * 96;
      lampPost(p, st, x, yy, 0.62);
    }
    walker(p, 430, 568, 0.62, st.a);
    walker(p, 640, 566, 0.62, st.b, undefined, -1);
  } else {
    boat(r.int(640, 800), 612, 1, false);
    const c = lch(0.8, 0.02, 75),
      y = 668;
    p.rect(
      0,
      y,
      W,
      52,
      p.linear('v', [
        [0, sink(c, 0.1)],
        [1, c],
      ]),
    );
    p.rect(0, y - 6, W, 8, lift(c, 0.3));
    railings(p, 0, W, y - 2, 30);
    lampPost(p, st, 200, y + 20, 1.15);
    lampPost(p, st, 900, y + 20, 1.15);
    tree(p, st, r, 60, y + 30, 1.5);
    bench(p, 330, y + 30, 0.95);
    walker(p, r.int(560, 700), y + 36, 0.95, st.a);
  }
}
