// One-point perspective in metres, and the shell of a room.

const CAST = lch(0.3, 0.04, 280); // colour of soft indoor shade

// One-point perspective in metres: x right, y up from the floor, z away from the eye.
function camera({ scale = 195, f = 1250, vx = 540, vy = 335, eye = 1.2, wd = 4.4, ht = 2.6, ex = wd / 2 }) {
  const zb = f / scale;
  const P = (x, y, z) => [vx + (f * (x - ex)) / z, vy - (f * (y - eye)) / z];
  return {
    P,
    zb,
    wd,
    ht,
    ex,
    eye,
    f,
    scale,
    vx,
    vy,
    // local frame in centimetres, upright, facing us, standing at (x,y,z)
    at(x, y, z) {
      const [ox, oy] = P(x, y, z),
        k = f / z / 100;
      const fn = (d) =>
        d
          .replace(/([MLCQSTZz])|(-?[\d.]+)[ ,]+(-?[\d.]+)/g, (m, cmd, u, v) => cmd || `${n(ox + u * k)} ${n(oy - v * k)} `)
          .replace(/ (?=[A-Zz]|$)/g, '');
      fn.ox = ox;
      fn.oy = oy;
      fn.k = k;
      fn.xy = (u, v) => [ox + u * k, oy - v * k];
      return fn;
    },
  };
}

function box(p, cam, x0, x1, y0, y1, z0, z1, c, o = {}) {
  // z0 near, z1 far; light comes from the left
  const { P, ex, eye } = cam;
  const face = (pts, col, bare) => p.poly(pts, col, o.round && !bare ? `stroke="${p.paint(col)}" stroke-width="${o.round}"` : '');
  if (!o.thin && x0 > ex) face([P(x0, y0, z0), P(x0, y0, z1), P(x0, y1, z1), P(x0, y1, z0)], o.left || lift(c, 0.08), o.round < 8);
  if (!o.thin && x1 < ex) face([P(x1, y0, z0), P(x1, y0, z1), P(x1, y1, z1), P(x1, y1, z0)], o.right || sink(c, 0.26), o.round < 8);
  if (y1 < eye && o.top !== null && o.thin !== 2)
    face([P(x0, y1, z0), P(x1, y1, z0), P(x1, y1, z1), P(x0, y1, z1)], o.top || lift(c, 0.28), o.round < 8);
  if (y0 > eye && !o.thin) face([P(x0, y0, z0), P(x1, y0, z0), P(x1, y0, z1), P(x0, y0, z1)], o.under || sink(c, 0.35));
  face([P(x0, y0, z0), P(x1, y0, z0), P(x1, y1, z0), P(x0, y1, z0)], o.front || c);
}

const foot = (cam, x0, x1, z0, z1, y = 0) => polyPath([cam.P(x0, y, z0), cam.P(x1, y, z0), cam.P(x1, y, z1), cam.P(x0, y, z1)]);

function shadows(p, cam, list, k = 0.3) {
  // floor footprints, pushed away from the light, blurred once
  p.soft(8, k, () => p.path(list.map(([x0, x1, z0, z1]) => foot(cam, x0 + 0.02, x1 + 0.22, z0 - 0.06, z1)).join(''), lch(0.25, 0.03, 280)));
}

function shell(p, cam, st, o = {}) {
  const { P, zb, wd, ht } = cam,
    near = 3.3;
  const wall = o.wall || st.wall,
    side = o.side || (st.dark ? lch(0.9, 0.02, 85) : wall);
  const [bx0, by0] = P(0, ht, zb),
    [bx1, by1] = P(wd, 0, zb);
  const ceil = lift(mix(wall, LIGHT, st.dark ? 0.75 : 0.55), 0.3);
  p.poly([P(0, ht, near), P(wd, ht, near), P(wd, ht, zb), P(0, ht, zb)], sink(ceil, 0.05));
  const floor = o.floorTone || st.floorTone;
  p.poly(
    [P(0, 0, near), P(wd, 0, near), P(wd, 0, zb), P(0, 0, zb)],
    p.linear('v', [
      [0, sink(floor, 0.12)],
      [0.5, lift(floor, 0.06)],
    ]),
  );
  flooring(p, cam, o.floor || st.floor, floor);
  p.poly(
    [P(0, 0, near), P(0, ht, near), P(0, ht, zb), P(0, 0, zb)],
    p.linear('h', [
      [0, sink(side, 0.2)],
      [1, sink(side, 0.1)],
    ]),
  );
  p.poly([P(wd, 0, near), P(wd, ht, near), P(wd, ht, zb), P(wd, 0, zb)], lift(side, 0.12));
  p.rect(
    bx0,
    by0,
    bx1 - bx0,
    by1 - by0,
    p.linear('h', [
      [0, sink(wall, 0.09)],
      [0.3, wall],
      [0.75, lift(wall, 0.16)],
      [1, wall],
    ]),
  );
  if (o.finish) wallFinish(p, cam, st, o.finish, wall, side);
  if (o.skirt !== false) {
    const sk = lift(mix(wall, st.paper, 0.6), 0.1);
    p.poly([P(0, 0, near), P(0, 0.1, near), P(0, 0.1, zb), P(0, 0, zb)], sink(sk, 0.16));
    p.poly([P(wd, 0, near), P(wd, 0.1, near), P(wd, 0.1, zb), P(wd, 0, zb)], sk);
    p.poly([P(0, 0, zb), P(0, 0.1, zb), P(wd, 0.1, zb), P(wd, 0, zb)], sink(sk, 0.05));
  }
  // occlusion: where wall meets ceiling and floor
  p.rect(
    bx0,
    by0,
    bx1 - bx0,
    70,
    p.linear('v', [
      [0, CAST, 0.13],
      [1, CAST, 0],
    ]),
  );
  p.poly(
    [P(0, 0, zb - 0.7), P(wd, 0, zb - 0.7), P(wd, 0, zb), P(0, 0, zb)],
    p.linear('v', [
      [0, CAST, 0.13],
      [1, CAST, 0],
    ]),
  );
}

function flooring(p, cam, kind, tone) {
  const { P, zb, wd } = cam,
    near = 3.4,
    dark = sink(tone, 0.32);
  let d = '';
  if (kind === 'planks' || kind === 'boards') {
    const m = kind === 'boards' ? 9 : 13,
      step = wd / m;
    for (let i = 1; i < m; i++) {
      const [a, b] = P(i * step, 0, near),
        [c, e] = P(i * step, 0, zb);
      d += `M${n(a)} ${n(b)}L${n(c)} ${n(e)}`;
    }
    for (let i = 0; i < m; i++)
      for (const z of [[zb - 0.4 - ((i * 7) % 5) * 0.33, zb - 2.2 - ((i * 3) % 4) * 0.2][i % 2]]) {
        const [a, b] = P(i * step, 0, z),
          [c] = P((i + 1) * step, 0, z);
        d += `M${n(a)} ${n(b)}H${n(c)}`;
      }
    p.line(d, dark, 1.5, 'opacity=".4"');
    const tint = [];
    for (let i = 0; i < m; i += 3) {
      const z = zb - 0.4 - ((i * 7) % 5) * 0.33;
      tint.push(
        polyPath([
          P(i * step, 0, z),
          P((i + 1) * step, 0, z),
          P((i + 1) * step, 0, zb - 2.2 - ((i * 3) % 4) * 0.2),
          P(i * step, 0, zb - 2.2 - ((i * 3) % 4) * 0.2),
        ]),
      );
    }
    p.path(tint.join(''), lift(tone, 0.4), 'opacity=".25"');
  } else if (kind === 'terrazzo') {
    const chips = [[], []];
    for (let i = 0; i < 40; i++) {
      const [a, b] = P(((i * 0.377) % 1) * wd, 0, zb - 0.15 - ((i * 0.617) % 1) * (zb - 4));
      if (a > -10 && a < 1090) chips[i % 2].push([a, b, 5 + (i % 4)]);
    }
    p.line(dashes(chips[0]), dark, 2.5, 'opacity=".35"');
    p.line(dashes(chips[1]), lift(tone, 0.6), 2.5, 'opacity=".6"');
  } else if (kind === 'tiles') {
    const step = wd / 9;
    for (let i = 1; i < 9; i++) {
      const [a, b] = P(i * step, 0, near),
        [c, e] = P(i * step, 0, zb);
      d += `M${n(a)} ${n(b)}L${n(c)} ${n(e)}`;
    }
    for (let z = zb - step; z > near; z -= step) {
      const [a, b] = P(0, 0, z),
        [c] = P(wd, 0, z);
      d += `M${n(a)} ${n(b)}H${n(c)}`;
    }
    p.line(d, dark, 2, 'opacity=".35"');
  }
}

function wallFinish(p, cam, st, kind, wall, side) {
  // paint on the back wall, carried round the corners where it must
  const { P, zb, wd, ht } = cam,
    near = 3.3,
    tone = st.dark ? lift(wall, 0.1) : sink(mix(wall, st.b, 0.2), 0.04),
    band = st.dark ? mix(wall, st.a, 0.5) : mix(wall, st.a, 0.42);
  if (kind === 'dado') {
    const y = 1.12;
    p.poly([P(0, 0, near), P(0, y, near), P(0, y, zb), P(0, 0, zb)], sink(band, 0.16));
    p.poly([P(wd, 0, near), P(wd, y, near), P(wd, y, zb), P(wd, 0, zb)], lift(band, 0.1));
    p.path(
      foot2(cam, 0, wd, 0, y),
      p.linear('h', [
        [0, sink(band, 0.08)],
        [0.7, lift(band, 0.12)],
        [1, band],
      ]),
    );
    p.path(foot2(cam, 0, wd, y - 0.015, y + 0.02), lift(wall, 0.6));
  }
  if (kind === 'battens') {
    const a = P(0.3, 1.3, zb),
      b = P(wd, 0.1, zb);
    p.path(foot2(cam, 0, wd, 0, 1.3), sink(wall, 0.05));
    p.line(`M${n(a[0])} ${n((a[1] + b[1]) / 2)}H${n(b[0])}`, lift(wall, 0.35), b[1] - a[1], `stroke-dasharray="4 ${n1(0.3 * cam.scale - 4)}"`);
    p.path(foot2(cam, 0, wd, 1.3, 1.36), lift(wall, 0.4));
  }
  if (kind === 'arch') {
    if (st.dark) return;
    const L = cam.at(wd * 0.56, 0, zb),
      w = wd * 21;
    p.path(L(`M${-w} 4 L${-w} 104 C${-w} 188 ${-w * 0.55} 222 0 222 C${w * 0.55} 222 ${w} 188 ${w} 104 L${w} 4Z`), band, 'opacity=".75"');
  }
  if (kind === 'stripe') {
    p.path(
      foot2(cam, 0, wd, 0, ht) && [...Array(Math.floor(wd / 0.4))].map((_, i) => foot2(cam, i * 0.4, i * 0.4 + 0.2, 0, ht)).join(''),
      tone,
      'opacity=".28"',
    );
  }
}
