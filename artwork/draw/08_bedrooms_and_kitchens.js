// Rooms: bedroom, studio, kitchen.

const isLit = (st) => TIMES[st.time].lamps;

function wallDecor(p, cam, st, r, x, w, base = 1.3, kinds) {
  // a composed group of pictures or a shelf, w metres wide, centred in it
  const L = (u, y) => cam.at(x + u, y, cam.zb),
    kind = r.pick(kinds || (w > 1.5 ? ['pair', 'trio', 'shelf', 'one', 'lights'] : w > 1 ? ['pair', 'one', 'shelf'] : ['single', 'stack']));
  const c = w / 2;
  if (kind === 'pair') {
    art(p, L(c - 0.55, base), st, r, 48, 62);
    art(p, L(c + 0.07, base), st, r, 48, 62);
  }
  if (kind === 'one') art(p, L(c - 0.5, base), st, r, 100, 66, r.pick(['sun', 'waves', 'shapes', 'hills']));
  if (kind === 'single') art(p, L(c - 0.26, base), st, r, 52, 68);
  if (kind === 'stack') {
    art(p, L(c - 0.2, base + 0.36), st, r, 40, 40);
    art(p, L(c - 0.2, base - 0.1), st, r, 40, 40);
  }
  if (kind === 'trio') {
    art(p, L(c - 0.7, base), st, r, 44, 58);
    art(p, L(c - 0.19, base + 0.28), st, r, 38, 36);
    art(p, L(c - 0.19, base - 0.06), st, r, 38, 28);
    art(p, L(c + 0.26, base), st, r, 44, 58);
  }
  if (kind === 'shelf' || kind === 'shelf1') {
    const sw = kind === 'shelf' ? Math.min(1.4, w) : 0.9;
    shelf(p, cam, st, r, x + c - sw / 2, base + 0.12, sw);
  }
  if (kind === 'lights') {
    art(p, L(c - 0.3, base - 0.04), st, r, 60, 54);
    const q = (u) => cam.P(x + u * w, base + 0.82 - Math.sin(u * Math.PI * 2) ** 2 * 0.15, cam.zb - 0.02),
      pts = Array.from({ length: 13 }, (_, i) => q(i / 12));
    p.line('M' + pts.map((a) => a.map(n).join(' ')).join('L'), sink(st.wall, 0.5), 1.5);
    if (isLit(st)) p.path(ring(pts.map(([a, b]) => [a, b + 5, 13])), '#ffd27a', 'opacity=".3"');
    p.path(ring(pts.map(([a, b]) => [a, b + 5, 4])), '#ffedc0');
  }
}

function bedroom(p, st, r) {
  const layout = r.pick(['side', 'foot', 'foot', 'window', 'ensuite', 'corner', 'alcove', 'desk']),
    lit = isLit(st),
    white = lch(0.95, 0.01, 85);
  const cam = camera({ scale: layout === 'alcove' ? 206 : r.range(196, 212), vy: 330, eye: 1.26, wd: 4.4, ht: 2.6 }),
    { P, zb } = cam,
    frame = r.chance(0.3) ? white : st.wood,
    headTone = r.pick([st.b, st.c, st.wood]),
    head = headTone === st.wood ? r.pick(['slat', 'plain']) : r.pick(['channel', 'arch', 'plain']);
  const duvet = r.pick([st.a, st.a, st.b, lift(st.a, 0.35), st.c, lch(0.93, 0.012, 85)]),
    throw_ = duvet === st.b ? st.a : st.b,
    bed = { frame, head, headTone: headTone === duvet ? st.c : headTone, duvet, throw: r.chance(0.75) ? throw_ : false };
  shell(p, cam, st, { finish: layout === 'alcove' || (st.finish === 'arch' && layout !== 'foot') ? null : st.finish });
  if (layout === 'side') {
    window_(p, cam, st, r, { x: 0.45, y: 0.98, w: 1.2, h: 1.22 });
    beamOnWall(p, cam, st, 2.2, 1.05, 1.1, 1);
    wallDecor(p, cam, st, r, 2.2, 1.9, 1.3);
    shadows(p, cam, [
      [0.35, 1.85, zb - 0.62, zb],
      [2, 4.1, zb - 1.02, zb],
    ]);
    rug(p, cam, st, 1.3, 3.5, zb - 2, zb - 1.15);
    beamOnFloor(p, cam, st, 0.6, 1.1, 0.9, 2.2, 0.9);
    desk(p, cam, st, r, 0.3, 1.8);
    bedSide(p, cam, st, r, 2.02, 4.06, { ...bed, drawers: r.chance(0.6), panel: r.chance(0.5) ? bed.headTone : null });
    pendant(p, cam, st, 2.15, zb - 1, 0.5);
  } else if (layout === 'window') {
    window_(p, cam, st, r, { x: 1.25, y: 1.02, w: 1.95, h: 1.2, kind: 'tall', low: 0.72 });
    shadows(p, cam, [
      [0.12, 0.95, zb - 0.58, zb],
      [1.15, 3.25, zb - 1.02, zb],
      [3.42, 4.3, zb - 0.6, zb],
    ]);
    rug(p, cam, st, 1.2, 3.3, zb - 2, zb - 1.2);
    beamOnFloor(p, cam, st, 1.4, 1.6, 1.2, 2.4, 0.7);
    wardrobe(p, cam, st, 0.1, 0.95, r.pick([white, st.wood, lift(st.a, 0.2)]));
    bedSide(p, cam, st, r, 1.15, 3.18, { ...bed, drawers: true });
    desk(p, cam, st, r, 3.36, 4.36, { drawers: false });
    wallDecor(p, cam, st, r, 3.44, 0.8, 1.45);
    pendant(p, cam, st, 2.2, zb - 1.2, 0.42);
  } else if (layout === 'corner') {
    // bed along the right wall, desk under the window
    window_(p, cam, st, r, { x: 0.75, y: 0.98, w: 1.35, h: 1.25 });
    wallDecor(p, cam, st, r, 2.75, 1.3, 1.42);
    shadows(p, cam, [
      [0.45, 2.05, zb - 0.62, zb],
      [2.95, 4.1, zb - 2, zb],
      [2.45, 2.85, zb - 0.42, zb],
    ]);
    rug(p, cam, st, 1.0, 2.7, zb - 2.1, zb - 1.2);
    beamOnFloor(p, cam, st, 0.9, 1.2, 0.9, 2.2, 0.7);
    desk(p, cam, st, r, 0.42, 2.05, { chairTone: st.a });
    nightstand(p, cam, st, r, 2.36, lit, { tone: frame });
    bedFoot(p, cam, st, r, 2.95, 4.05, bed);
    pendant(p, cam, st, 2.05, zb - 1.2, 0.45);
  } else if (layout === 'alcove') {
    // built-in bed niche with shelves and drawers
    const c = r.pick([lift(mix(st.wall, st.b, 0.3), 0.1), lift(st.a, 0.3), white, st.wood]),
      x0 = 1.35,
      x1 = 3.75,
      back = st.dark ? lift(st.wall, 0.12) : mix(st.wall, st.a, 0.4);
    window_(p, cam, st, r, { x: 0.28, y: 0.9, w: 0.78, h: 1.3, kind: 'pair', dressing: st.dressing === 'curtain' ? 'blind' : st.dressing });
    shadows(p, cam, [
      [x0, x1, zb - 1.04, zb],
      [0.1, 0.6, zb - 0.9, zb - 0.5],
    ]);
    rug(p, cam, st, 1.3, 3.6, zb - 2, zb - 1.2);
    beamOnFloor(p, cam, st, 0.25, 0.8, 0.6, 2, 0.9);
    p.path(foot2(cam, x0, x1, 0, 2.35), back);
    p.path(polyPath([P(x0, 2.35, zb - 1), P(x1, 2.35, zb - 1), P(x1, 2.35, zb), P(x0, 2.35, zb)]), sink(back, 0.3));
    art(p, cam.at(2.35, 1.25, zb), st, r, 62, 48);
    shelf(p, cam, st, r, x0 + 0.35, 1.86, 1.7);
    if (lit) glow(p, ...P(2.55, 1.7, zb), 190, 0.4);
    bedSide(p, cam, st, r, x0 + 0.12, x1 - 0.14, { ...bed, frame: c === white ? st.wood : white, drawers: true });
    box(p, cam, x0 - 0.1, x0 + 0.06, 0, 2.45, zb - 1.04, zb, c);
    box(p, cam, x1 - 0.06, x1 + 0.1, 0, 2.45, zb - 1.04, zb, c);
    p.path(foot2(cam, x0 + 0.06, x1 - 0.06, 2.2, 2.45, zb - 1.04), lift(c, 0.06));
    plant(p, cam.at(0.5, 0, zb - 0.7), st, r, 110);
  } else if (layout === 'desk') {
    // the desk is the subject, the bed waits on the right
    window_(p, cam, st, r, { x: 1.0, y: 1.0, w: 1.7, h: 1.2 });
    shelf(p, cam, st, r, 3.0, 1.55, 1.1);
    shadows(p, cam, [
      [0.75, 2.75, zb - 0.65, zb],
      [3.1, 4.3, zb - 2, zb],
      [0.15, 0.5, zb - 0.7, zb - 0.3],
    ]);
    rug(p, cam, st, 0.9, 2.8, zb - 1.9, zb - 1.0);
    beamOnFloor(p, cam, st, 1.2, 1.4, 0.8, 2.2, 0.6);
    plant(p, cam.at(0.38, 0, zb - 0.45), st, r, 125, r.pick(['rubber', 'palm', 'snake']));
    desk(p, cam, st, r, 0.75, 2.75, { chairTone: st.a });
    bedFoot(p, cam, st, r, 3.15, 4.2, { ...bed, throw: false });
    pendant(p, cam, st, 1.75, zb - 0.7, 0.5);
  } else {
    const ens = layout === 'ensuite',
      bx = ens ? 1.55 : r.range(1.5, 1.75),
      bw = ens ? 1.3 : r.range(1.25, 1.5);
    window_(p, cam, st, r, { x: 0.32, y: 0.86, w: 0.86, h: 1.36, kind: r.pick(['pair', 'grid']) });
    beamOnWall(p, cam, st, bx + 0.1, 1.15, 1.1, 0.95);
    wallDecor(p, cam, st, r, bx, bw, 1.38);
    const right = ens ? 'door' : r.pick(['wardrobe', 'desk', 'desk']);
    if (right === 'door') ensuiteDoor(p, cam, st, 3.28, lit);
    shadows(p, cam, [
      [bx, bx + bw, zb - 2, zb],
      [bx - 0.5, bx - 0.06, zb - 0.42, zb],
      ...(right === 'wardrobe' ? [[3.5, 4.35, zb - 0.58, zb]] : right === 'desk' ? [[3.3, 4.35, zb - 0.6, zb]] : []),
    ]);
    rug(p, cam, st, bx - 0.6, bx + bw + 0.6, zb - 2.35, zb - 1.1, st.rug === 'oval' ? 'border' : st.rug);
    beamOnFloor(p, cam, st, 0.3, 0.85, 0.6, 2, 0.85);
    if (right === 'wardrobe') wardrobe(p, cam, st, 3.5, 4.36, r.pick([white, st.wood, lift(st.b, 0.3)]));
    if (right === 'desk') {
      desk(p, cam, st, r, 3.36, 4.38, { drawers: false });
      wallDecor(p, cam, st, r, 3.46, 0.8, 1.4);
    }
    nightstand(p, cam, st, r, bx - 0.56, lit, { tone: frame });
    if (right === 'wardrobe') nightstand(p, cam, st, r, bx + bw + 0.1, lit, { tone: frame });
    bedFoot(p, cam, st, r, bx, bx + bw, bed);
    if (right === 'wardrobe' || ens) plant(p, cam.at(0.42, 0, zb - 0.8), st, r, 96);
    pendant(p, cam, st, bx + bw / 2, zb - 1, 0.36);
  }
}

function studio(p, st, r) {
  const cam = camera({ scale: 178, vy: 325, eye: 1.34, wd: 5.3, ht: 2.7 }),
    { P, zb, wd } = cam,
    lit = isLit(st),
    unit = r.pick([st.b, lift(st.b, 0.3), st.leaf, lch(0.95, 0.01, 85), st.a]),
    top = r.pick([st.wood, lch(0.95, 0.008, 85)]);
  shell(p, cam, st, { finish: st.finish === 'arch' ? null : st.finish, floor: st.floor === 'planks' ? 'boards' : st.floor });
  if (r.chance(0.4)) {
    // kitchen, desk under the window, bed end-on
    window_(p, cam, st, r, { x: 2.3, y: 1.0, w: 1.05, h: 1.24, kind: r.pick(['pair', 'grid']) });
    wallDecor(p, cam, st, r, 3.7, 1.3, 1.4, ['one', 'single']);
    shadows(p, cam, [
      [0, 1.95, zb - 0.62, zb],
      [2.15, 3.4, zb - 0.62, zb],
      [3.8, 5.0, zb - 2, zb],
    ]);
    rug(p, cam, st, 1.9, 3.7, zb - 2.1, zb - 1.25);
    beamOnFloor(p, cam, st, 2.2, 1, 0.9, 2.2, 0.5);
    kitchenRun(p, cam, st, r, 0, 1.95, unit, top, { fridge: true });
    desk(p, cam, st, r, 2.12, 3.4, { drawers: false, chairTone: st.a });
    bedFoot(p, cam, st, r, 3.78, 4.98, { head: r.pick(['plain', 'channel']), headTone: st.c, duvet: r.pick([st.a, st.b]), throw: false });
    pendant(p, cam, st, 1.1, zb - 1.1, 0.62);
    return;
  }
  window_(p, cam, st, r, { x: 2.25, y: 0.98, w: 1.05, h: 1.28, kind: r.pick(['pair', 'grid']) });
  wallDecor(p, cam, st, r, 3.45, 1.6, 1.35, ['one', 'single']);
  shadows(p, cam, [
    [0, 1.95, zb - 0.62, zb],
    [3.1, 5.1, zb - 1.02, zb],
    [1.35, 2.25, zb - 2, zb - 1.5],
  ]);
  rug(p, cam, st, 2.7, 4.8, zb - 1.9, zb - 1.15);
  beamOnFloor(p, cam, st, 2.3, 1, 0.8, 2.1, 0.8);
  kitchenRun(p, cam, st, r, 0, 1.95, unit, top, { fridge: true });
  const panel = r.chance(0.5);
  bedSide(p, cam, st, r, 3.12, 5.12, {
    drawers: !panel && r.chance(0.6),
    frame: r.chance(0.3) ? lch(0.95, 0.01, 85) : st.wood,
    panel: panel ? st.c : null,
    throw: st.cloth === 'plain' ? undefined : r.chance(0.5) && panel ? undefined : false,
  });
  if (!panel) plant(p, cam.at(2.2, 0, zb - 0.3), st, r, 84);
  bistro(p, cam, st, r, 1.75, zb - 1.75);
  pendant(p, cam, st, 1.75, zb - 1.75, 0.62);
}

function bistro(p, cam, st, r, x, z) {
  // small round table, two chairs
  const id = p.symbol('side', () => sideChair(p, cam, st, x - 0.52, z + 0.02, 1)),
    [mx] = cam.P(x, 0, z + 0.02);
  p.use(id, 0, 0);
  p.raw(`<use href="#${id}" transform="matrix(-1 0 0 1 ${n(2 * mx)} 0)"/>`);
  const L = cam.at(x, 0, z),
    m = st.metal[0] > 0.9 ? lch(0.35, 0.01, 260) : st.metal;
  p.oval(...L.xy(0, 1), 20 * L.k, 5 * L.k, m);
  p.line(L('M0 1 L0 71'), m, 4 * L.k);
  const [cx, cy] = L.xy(0, 73);
  p.oval(cx, cy + 5, 42 * L.k, 10 * L.k, sink(st.wood, 0.3));
  p.oval(cx, cy, 42 * L.k, 10 * L.k, p.round(st.wood));
  mug(p, cam.at(x - 0.17, 0.74, z), st.a);
  plant(p, cam.at(x + 0.08, 0.75, z + 0.04), st, r, 28, 'fern', st.linen);
}

function sideChair(p, cam, st, x, z, s, c = st.a) {
  // seen from the side, facing s
  const L = cam.at(x, 0, z),
    leg = sink(st.wood, 0.1);
  p.line(L(`M${-17 * s} 0 L${-14 * s} 45 L${-20 * s} 86 M${18 * s} 0 L${15 * s} 44`), leg, 3 * L.k, 'stroke-linecap="round"');
  p.path(L(`M${-18 * s} 43 L${19 * s} 43 Q${22 * s} 47 ${18 * s} 49 L${-17 * s} 49Z`), p.round(c));
  p.path(L(`M${-16 * s} 52 L${-21 * s} 86 Q${-24 * s} 90 ${-26 * s} 86 L${-20 * s} 52Z`), c);
}

function kitchenRun(p, cam, st, r, x0, x1, unit, top, o = {}) {
  // base units, splashback, uppers along the back wall
  const { P, zb } = cam,
    tile = mix(st.linen, st.c, 0.15),
    tall = o.fridge ? 0.62 : 0,
    b0 = x0 + tall;
  p.path(foot2(cam, b0, x1, 0.92, 1.5), tile);
  let d = '',
    e = '';
  const h = 0.1 * cam.scale,
    right = n(P(x1, 0, zb)[0]);
  for (let j = 0; j < 6; j++) {
    const a = P(b0, 0.97 + j * 0.1 > 1.47 ? 1.47 : 0.97 + j * 0.1, zb);
    if (j) d += `M${n(a[0])} ${n(a[1] + h / 2)}H${right}`;
    e += `M${n(a[0] + (j % 2 ? h : 2 * h))} ${n(a[1])}H${right}`;
  }
  p.line(d, sink(tile, 0.2), 1.2, 'opacity=".55"');
  p.line(e, sink(tile, 0.2), h, `stroke-dasharray="1.2 ${n1(2 * h - 1.2)}" opacity=".55"`);
  box(p, cam, b0, x1, 0, 0.1, zb - 0.52, zb, sink(unit, 0.55));
  box(p, cam, b0, x1, 0.1, 0.88, zb - 0.6, zb, unit, { top: null });
  const count = Math.max(2, Math.round((x1 - b0) / 0.6)),
    uw = (x1 - b0) / count,
    ovenAt = o.oven ?? count - 2;
  let fronts = '',
    pulls = '';
  for (let i = 0; i < count; i++) {
    const x = b0 + i * uw,
      z = zb - 0.605;
    if (i === ovenAt) {
      p.path(foot2(cam, x + 0.02, x + uw - 0.02, 0.13, 0.86, z), lch(0.3, 0.01, 260));
      p.path(foot2(cam, x + 0.07, x + uw - 0.07, 0.22, 0.62, z), lch(0.4, 0.018, 260));
      const a = P(x + 0.07, 0.72, z),
        b = P(x + uw - 0.07, 0.72, z);
      p.line(`M${bez(a)}H${n(b[0])}`, lch(0.8, 0.005, 260), 4);
      continue;
    }
    fronts += foot2(cam, x + 0.015, x + uw - 0.015, 0.13, 0.86, z);
    const a = P(x + uw / 2, 0.8, z);
    pulls += `M${n(a[0] - 16)} ${n(a[1])}h32`;
  }
  p.path(
    fronts,
    p.linear('v', [
      [0, lift(unit, 0.16)],
      [1, lift(unit, 0.02)],
    ]),
  );
  p.line(pulls, st.metal[0] > 0.9 && unit[0] > 0.85 ? lch(0.6, 0.01, 260) : st.metal, 4, 'stroke-linecap="round"');
  box(p, cam, b0, x1, 0.88, 0.92, zb - 0.63, zb, top);
  if (o.fridge) {
    const f = r.pick([lch(0.93, 0.006, 240), st.c, lch(0.8, 0.008, 250)]);
    box(p, cam, x0, b0 - 0.01, 0.05, 1.86, zb - 0.62, zb, f, { front: lift(f, 0.1) });
    const a = P(x0, 1.18, zb - 0.62),
      b = P(b0 - 0.01, 1.18, zb - 0.62),
      c = P(b0 - 0.09, 1.3, zb - 0.63),
      e = P(b0 - 0.09, 1.06, zb - 0.63);
    p.line(`M${bez(a)}H${n(b[0])}`, sink(f, 0.4), 2);
    p.line(`M${bez(c)}v-40M${bez(e)}v60`, sink(st.metal, 0.2), 4, 'stroke-linecap="round"');
  }
  // worktop life
  const T = cam.at(b0 + uw * (ovenAt === 0 ? 1.5 : 0.55), 0.92, zb - 0.12);
  p.line(T('M0 0 L0 24 Q0 34 9 34 Q17 34 17 24'), st.metal[0] > 0.9 ? lch(0.8, 0.01, 260) : st.metal, 3 * T.k, 'stroke-linecap="round"');
  const K = cam.at(b0 + uw * (ovenAt + 0.5), 0.92, zb - 0.3);
  p.path(K('M-14 1 L14 1 L15 15 L-15 15Z'), st.c);
  p.line(K('M15 12 L31 14 M-5 17 L5 17'), lch(0.3, 0.01, 260), 2.6 * K.k, 'stroke-linecap="round"');
  // uppers: shelf with crockery, cupboard
  const sx = o.uppers === 'none' ? x1 : b0 + (x1 - b0) * (o.split ?? 0.5);
  if (o.uppers !== 'none') {
    const z = zb - 0.36,
      w = sx - b0;
    p.path(foot2(cam, b0 + 0.05, sx + 0.08, 1.4, 1.5), sink(st.wall, 0.6), 'opacity=".25"');
    box(p, cam, b0, sx, 1.52, 2.2, z, zb, unit);
    p.path(
      foot2(cam, b0 + 0.02, b0 + w / 2 - 0.01, 1.54, 2.18, z) + foot2(cam, b0 + w / 2 + 0.01, sx - 0.02, 1.54, 2.18, z),
      p.linear('v', [
        [0, lift(unit, 0.16)],
        [1, lift(unit, 0.02)],
      ]),
    );
  }
  if (o.uppers !== 'none') crockery(p, cam, st, r, sx + 0.08, x1 - 0.04, o.fridge ? [1.62] : [1.56, 1.92], 0.3);
}

function crockery(p, cam, st, r, x0, x1, rows, gap = 0.23) {
  const { zb } = cam;
  for (const y of rows) {
    p.path(foot2(cam, x0 + 0.05, x1 + 0.08, y - 0.12, y), sink(st.wall, 0.6), 'opacity=".22"');
    box(p, cam, x0, x1, y - 0.03, y, zb - 0.25, zb, st.wood);
    for (let u = x0 + 0.14, i = r.int(0, 5); u < x1 - 0.08; u += gap, i++) {
      const L = cam.at(u, y, zb - 0.13),
        c = [st.a, st.linen, st.b, st.c][i % 4];
      if (i % 5 === 0) p.path(L('M-8 0 L8 0 L10 12 L-10 12Z'), c);
      if (i % 5 === 1) p.path(L('M-5 0 L5 0 L5 18 L-5 18Z M-3 18 L3 18 L3 21 L-3 21Z'), c);
      if (i % 5 === 2) p.path(L('M-10 0 L10 0 L11 3 L-11 3Z M-9 4 L9 4 L10 7 L-10 7Z M-9 8 L9 8 L10 11 L-10 11Z'), c);
      if (i % 5 === 3) mug(p, L, c);
      if (i % 5 === 4) plant(p, L, st, r, 26, 'fern');
    }
  }
}

function kitchen(p, st, r) {
  const cam = camera({ scale: 184, vy: 318, eye: 1.42, wd: 4.8, ht: 2.7 }),
    { P, zb, wd } = cam,
    front = r.pick(['island', 'island', 'table']);
  shell(p, cam, st, { floor: r.pick(['tiles', 'planks']), skirt: false });
  const unit = r.pick([st.a, st.b, lift(st.b, 0.35), lch(0.95, 0.01, 85), st.leaf, sink(st.b, 0.15)]),
    top = r.pick([lch(0.95, 0.008, 85), st.wood, lch(0.42, 0.01, 260)]),
    winX = r.pick([1.7, 1.85]);
  shadows(p, cam, [[0, wd, zb - 0.65, zb], front === 'island' ? [1.1, 3.7, zb - 1.95, zb - 1.2] : [1.3, 3.5, zb - 2.2, zb - 1.5]], 0.32);
  beamOnFloor(p, cam, st, 1.7, 1.3, 0.7, 2, 0.9);
  kitchenRun(p, cam, st, r, 0, wd, unit, top, { uppers: 'none', oven: 5, fridge: r.chance(0.5) });
  window_(p, cam, st, r, { x: winX, y: 1.1, w: 1.3, h: 1.12, dressing: r.pick(['blind', 'none', 'none']), kind: r.pick(['pair', 'grid', 'tall']) });
  plant(p, cam.at(winX + 0.25, 1.06, zb - 0.05), st, r, 22, 'fern');
  mug(p, cam.at(winX + 1.05, 1.06, zb - 0.05), st.c);
  if (r.chance(0.5)) {
    box(p, cam, 0.66, 1.5, 1.52, 2.2, zb - 0.36, zb, unit);
    p.path(
      foot2(cam, 0.68, 1.07, 1.54, 2.18, zb - 0.36) + foot2(cam, 1.09, 1.48, 1.54, 2.18, zb - 0.36),
      p.linear('v', [
        [0, lift(unit, 0.16)],
        [1, lift(unit, 0.02)],
      ]),
    );
  } else crockery(p, cam, st, r, 0.7, 1.5, [1.56, 1.92]);
  crockery(p, cam, st, r, 4.02, wd - 0.02, [1.56, 1.92]);
  p.path(
    polyPath([P(3.2, 1.58, zb - 0.4), P(3.86, 1.58, zb - 0.4), P(3.66, 1.9, zb - 0.25), P(3.4, 1.9, zb - 0.25)]) +
      foot2(cam, 3.42, 3.64, 1.9, 2.7, zb - 0.2),
    p.linear('h', [
      [0, lch(0.92, 0.004, 260)],
      [1, lch(0.7, 0.008, 260)],
    ]),
  );
  const B = cam.at(1.25, 0.92, zb - 0.08);
  p.path(B('M-14 0 L14 0 L14 36 Q0 42 -14 36Z'), st.wood);
  p.path(B('M8 0 L26 0 L26 26 Q17 30 8 26Z'), lift(st.wood, 0.4));
  if (front === 'island') {
    const iz0 = zb - 1.9,
      iz1 = zb - 1.2,
      isl = r.pick([lch(0.95, 0.01, 85), mix(unit, st.paper, 0.15), st.wood]);
    box(p, cam, 1.25, 3.55, 0.06, 0.88, iz0 + 0.14, iz1, isl, {
      front: p.linear('v', [
        [0, sink(isl, 0.2)],
        [0.3, sink(isl, 0.05)],
        [1, sink(isl, 0.16)],
      ]),
    });
    let d = '';
    const by = P(0, 0.06, iz0 + 0.14)[1];
    for (let i = 1; i < 13; i++) {
      const a = P(1.25 + (i * 2.3) / 13, 0.86, iz0 + 0.14);
      d += `M${n(a[0])} ${n(a[1])}V${n(by)}`;
    }
    p.line(d, sink(isl, 0.35), 1.5, 'opacity=".4"');
    box(p, cam, 1.1, 3.7, 0.88, 0.93, iz0, iz1 + 0.06, top);
    fruit(p, cam.at(2.62, 0.93, (iz0 + iz1) / 2), st);
    plant(p, cam.at(1.62, 0.93, (iz0 + iz1) / 2), st, r, 44, 'rubber', st.linen);
    mug(p, cam.at(3.2, 0.93, iz0 + 0.3), st.b);
    for (const x of [1.62, 2.4, 3.18]) stool(p, cam, st, x, iz0 - 0.1);
    for (const x of r.chance(0.5) ? [1.75, 2.4, 3.05] : [1.95, 2.85]) pendant(p, cam, st, x, (iz0 + iz1) / 2, 0.62);
  } else {
    const z0 = zb - 2.2,
      z1 = zb - 1.5;
    for (const x of [1.8, 2.4, 3.0]) chairBack(p, cam, st, x, z1 + 0.08, st.a);
    for (const x of [1.38, 3.34])
      for (const z of [z1 - 0.1, z0 + 0.05]) box(p, cam, x, x + 0.07, 0, 0.72, z, z + 0.06, sink(st.wood, 0.2), { thin: 2 });
    box(p, cam, 1.28, 3.52, 0.72, 0.77, z0, z1, st.wood);
    fruit(p, cam.at(2.4, 0.77, zb - 1.85), st);
    plant(p, cam.at(2.95, 0.77, zb - 1.8), st, r, 34, 'rubber', st.linen);
    mug(p, cam.at(1.75, 0.77, z0 + 0.25), st.b);
    books2(p, cam.at(3.2, 0.77, z0 + 0.25), st);
    for (const x of [1.85, 2.95]) chair(p, cam, st, x, z0 - 0.08, st.a);
    pendant(p, cam, st, 2.4, zb - 1.85, 0.78, 'dome');
  }
}

function fruit(p, L, st) {
  p.path(
    ring(
      [
        [-9, 10, 7],
        [4, 12, 7.5],
        [13, 9, 6],
      ].map(([u, v, q]) => [...L.xy(u, v), q * L.k]),
    ),
    lch(0.72, 0.15, 45),
  );
  p.path(ring([[-2, 14, 6.5]].map(([u, v, q]) => [...L.xy(u, v), q * L.k])), lch(0.78, 0.13, 115));
  p.path(L('M-21 10 L21 10 Q16 0 8 0 L-8 0 Q-16 0 -21 10Z'), p.round(st.linen));
}

function chairBack(p, cam, st, x, z, c) {
  const L = cam.at(x, 0, z);
  p.sprite('back', L, () => p.path(L('M-20 72 Q-22 88 -15 92 Q0 96 15 92 Q22 88 20 72Z'), p.round(sink(c, 0.1))));
}

function stool(p, cam, st, x, z, c = st.c) {
  const L = cam.at(x, 0, z);
  p.sprite('stool', L, () => stool1(p, L, st, c));
}

function stool1(p, L, st, c) {
  const leg = st.metal[0] > 0.9 ? st.wood : st.metal;
  p.line(L('M-17 0 L-11 64 M17 0 L11 64 M-14.5 22 L14.5 22'), leg, 2.6 * L.k, 'stroke-linecap="round"');
  p.path(L('M-18 64 Q0 60 18 64 Q20 70 17 71 Q0 74 -17 71 Q-20 70 -18 64Z'), p.round(c));
}
