// What façades share: sides, life, snow.

const diagonal = (p, st, r, top, bottom) => {
  if (sunny(st)) {
    const a = r.int(40, 220),
      b = a + r.int(240, 380);
    p.path(`M0 ${top}H${a}L${b} ${bottom}H0z`, SHADE, 'opacity=".17"');
  }
};

const life = (p, st, r, xs, y = GROUND + 34) => {
  if (r.chance(0.75))
    walker(p, r.pick(xs), y, r.range(0.86, 0.96), r.pick([st.a, st.b, st.c]), r.pick([lch(0.33, 0.03, 262), lch(0.42, 0.06, 250)]), r.pick([1, -1]));
};

const snowOn = (p, st, x, y, w) => {
  if (st.time === 'snow')
    p.path(
      `M${n(x - 4)} ${n(y + 6)}q${n(w * 0.02)} -16 ${n(w * 0.1)} -14h${n(w * 0.8)}q${n(w * 0.1)} 0 ${n(w * 0.1 + 6)} 14q${n(-w * 0.12)} 8 ${n(-w * 0.3)} 2t${n(-w * 0.36)} 2t${n(-w * 0.34)} -4z`,
      lch(0.98, 0.005, 240),
    );
};

const CITY_TREE = (st, r) =>
  st.country === 'australia'
    ? 'palm'
    : st.country === 'spain'
      ? r.pick(['palm', 'round'])
      : st.country === 'canada' && r.chance(0.5)
        ? 'conifer'
        : 'round';

// the receding side of a block: rows and columns of panes towards a vanishing point
function sideFace(p, st, x, top, bottom, vx, vy, depth, c, rows, cols, pane) {
  const q = (u, y) => {
    const t = 1 - 1 / (1 + depth * u);
    return [x + (vx - x) * t, y + (vy - y) * t];
  };
  p.poly(
    [q(0, top), q(1, top), q(1, bottom), q(0, bottom)],
    p.linear('v', [
      [0, sink(c, 0.3)],
      [1, sink(c, 0.36)],
    ]),
  );
  let d = '',
    lit = '',
    m = '';
  const fh = (bottom - top) / rows;
  for (let j = 0; j < rows; j++) {
    const y0 = top + (j + pane.t) * fh,
      y1 = top + (j + pane.b) * fh,
      a = pane.l / cols,
      b = 1 - (1 - pane.r) / cols;
    d += polyPath([q(a, y0), q(b, y0), q(b, y1), q(a, y1)]);
    for (let i = 0; i < cols; i++)
      if (pane.lit && pane.lit()) {
        const u = (i + pane.l) / cols,
          v = (i + pane.r) / cols;
        lit += polyPath([q(u, y0), q(v, y0), q(v, y1), q(u, y1)]);
      }
  }
  for (let i = 1; i < cols; i++) {
    const u = (i - 1 + pane.r) / cols,
      v = (i + pane.l) / cols;
    m += polyPath([q(u, top + 4), q(v, top + 4), q(v, bottom), q(u, bottom)]);
  }
  p.path(d, sink(lch(...TIMES[st.time].glass[0]), 0.28));
  if (lit) p.path(lit, '#f5c77e');
  p.path(m, sink(c, 0.33));
  return q;
}
