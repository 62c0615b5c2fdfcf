// Where shapes are written down as small SVG.

const n = (v) => String(Math.round(v));

const nw = (v) => (Math.abs(v) > 24 ? n(v) : n1(v));

const n1 = (v) => String(Math.round(v * 10) / 10);

class Canvas {
  constructor(grade) {
    this.out = [];
    this.defs = [];
    this.memo = new Map();
    this.sprites = new Map();
    this.grade = grade || ((c) => c);
  }
  paint(c) {
    return typeof c === 'string' ? c : hex(this.grade(c));
  }
  raw(text) {
    this.out.push(text);
  }
  path(d, fill, more = '') {
    if (d) this.raw(`<path d="${tight(d)}" fill="${this.paint(fill)}"${more && ' ' + more}/>`);
  }
  poly(points, fill, more) {
    this.path(polyPath(points), fill, more);
  }
  rect(x, y, w, h, fill, more = '') {
    if (/rx=/.test(more)) return this.raw(`<rect x="${n(x)}" y="${n(y)}" width="${n1(w)}" height="${n1(h)}" fill="${this.paint(fill)}" ${more}/>`);
    const d = tight(`M${n(x)} ${n(y)}h${nw(w)}v${nw(h)}h${nw(-w)}z`),
      tail = `" fill="${this.paint(fill)}"/>`,
      before = this.out.length && this.out[this.out.length - 1];
    if (!more && before && before.isRect === tail) {
      before.d += d.replace(/^m/, 'M');
      return;
    }
    this.out.push(
      more
        ? `<path d="${d}" fill="${this.paint(fill)}" ${more}/>`
        : {
            isRect: tail,
            d,
            toString() {
              return `<path d="${this.d}${tail}`;
            },
          },
    );
  }
  oval(x, y, rx, ry, fill, more = '') {
    this.raw(`<ellipse cx="${n(x)}" cy="${n(y)}" rx="${n1(rx)}" ry="${n1(ry)}" fill="${this.paint(fill)}"${more && ' ' + more}/>`);
  }
  dot(x, y, r, fill, more = '') {
    this.raw(`<circle cx="${n(x)}" cy="${n(y)}" r="${n1(r)}" fill="${this.paint(fill)}"${more && ' ' + more}/>`);
  }
  line(d, stroke, width, more = '') {
    this.raw(`<path d="${tight(d)}" stroke="${this.paint(stroke)}" stroke-width="${n1(width)}"${more && ' ' + more}/>`);
  }
  def(text, make) {
    // identical definitions are shared
    if (!this.memo.has(text)) {
      const id = 'abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ'[this.memo.size] || 'z' + this.memo.size;
      this.memo.set(text, id);
      this.defs.push(make(id));
    }
    return this.memo.get(text);
  }
  stops(list) {
    return list
      .map(([o, c, k]) => `<stop${o ? ` offset="${n2(o)}"` : ''} stop-color="${this.paint(c)}"${k === undefined ? '' : ` stop-opacity="${n2(k)}"`}/>`)
      .join('');
  }
  linear(dir, list) {
    // dir: 'v' down, 'h' right, 'd' diagonal
    const at = { v: 'x2="0" y2="1"', h: '', d: 'x2="1" y2="1"', u: 'x2="1" y1="1" y2="0"' }[dir];
    const body = this.stops(list);
    return `url(#${this.def('L' + dir + body, (id) => `<linearGradient id="${id}"${at && ' ' + at}>${body}</linearGradient>`)})`;
  }
  round(c) {
    return this.linear('h', [
      [0, lift(c, 0.2)],
      [1, sink(c, 0.22)],
    ]);
  } // a body lit from the left
  fall(c) {
    return this.linear('v', [
      [0, lift(c, 0.1)],
      [1, sink(c, 0.22)],
    ]);
  } // lit from above
  radial(list, at = '') {
    const body = this.stops(list);
    return `url(#${this.def('R' + at + body, (id) => `<radialGradient id="${id}"${at && ' ' + at}>${body}</radialGradient>`)})`;
  }
  soft(deviation, opacity, draw) {
    // blurred group: cast shadows, glows
    const id = this.def(
      'B' + deviation,
      (i) => `<filter id="${i}" x="-20%" y="-20%" width="140%" height="140%"><feGaussianBlur stdDeviation="${deviation}"/></filter>`,
    );
    this.raw(`<g filter="url(#${id})" opacity="${n2(opacity)}">`);
    draw();
    this.raw('</g>');
  }
  symbol(name, draw) {
    const keep = this.out;
    this.out = [];
    draw();
    const body = this.out.join('');
    this.out = keep;
    return this.def('S' + name, (id) => `<g id="${id}">${body}</g>`);
  }
  use(id, x, y, more = '') {
    this.raw(`<use href="#${id}"${n(x) === '0' ? '' : ` x="${n(x)}"`}${n(y) === '0' ? '' : ` y="${n(y)}"`}${more && ' ' + more}/>`);
  }
  sprite(name, L, draw) {
    // the same thing at the same distance is stored once
    const key = name + '@' + n2(L.k),
      first = this.sprites.get(key);
    if (first) return this.use(first.id, L.ox - first.ox, L.oy - first.oy);
    const id = this.symbol(key, draw);
    this.sprites.set(key, { id, ox: L.ox, oy: L.oy });
    this.use(id, 0, 0);
  }
  group(attrs, draw) {
    this.raw(`<g ${attrs}>`);
    draw();
    this.raw('</g>');
  }
  inset(x, y, w, h, draw) {
    this.raw(`<svg x="${n(x)}" y="${n(y)}" width="${n(w)}" height="${n(h)}">`);
    draw(w, h);
    this.raw('</svg>');
  }
}

// Rewrites a path with the shortest relative numbers (exact: everything is already on a 0.1 grid).
const ARGS = { M: 2, L: 2, H: 1, V: 1, Q: 4, T: 2, C: 6, S: 4, A: 7, Z: 0 };

function tight(d) {
  const tokens = d.match(/[a-zA-Z]|-?\d*\.?\d+/g) || [];
  let out = '',
    last = '',
    x = 0,
    y = 0,
    sx = 0,
    sy = 0,
    i = 0,
    cmd = '';
  const put = (c, nums) => {
    let s = '';
    for (const v of nums) {
      let t = n1(v).replace(/^(-?)0\./, '$1.');
      if (t === '-0') t = '0';
      s += (s && t[0] !== '-' && !(t[0] === '.' && /\.\d*$/.test(s)) ? ' ' : '') + t;
    }
    const same = c === last || (last === 'm' && c === 'l');
    out += (same ? (s[0] === '-' || !s ? '' : ' ') : c) + s;
    last = c;
  };
  while (i < tokens.length) {
    if (/[a-zA-Z]/.test(tokens[i])) cmd = tokens[i++];
    const up = cmd.toUpperCase(),
      rel = cmd !== up,
      k = ARGS[up];
    if (up === 'Z') {
      put('z', []);
      last = 'z';
      x = sx;
      y = sy;
      continue;
    }
    const v = tokens.slice(i, i + k).map(Number);
    i += k;
    if (up === 'H') {
      const t = rel ? x + v[0] : v[0];
      put('h', [t - x]);
      x = t;
      continue;
    }
    if (up === 'V') {
      const t = rel ? y + v[0] : v[0];
      put('v', [t - y]);
      y = t;
      continue;
    }
    if (up === 'A') {
      const tx = rel ? x + v[5] : v[5],
        ty = rel ? y + v[6] : v[6];
      put('a', [v[0], v[1], v[2], v[3], v[4], tx - x, ty - y]);
      x = tx;
      y = ty;
      continue;
    }
    const r = [];
    for (let j = 0; j < k; j += 2) r.push(rel ? v[j] : v[j] - x, rel ? v[j + 1] : v[j + 1] - y);
    if (up === 'L' && r[0] === 0 && r[1] !== 0) put('v', [r[1]]);
    else if (up === 'L' && r[1] === 0) put('h', [r[0]]);
    else put(up.toLowerCase(), r);
    x += r[k - 2];
    y += r[k - 1];
    if (up === 'M') {
      sx = x;
      sy = y;
      cmd = rel ? 'l' : 'L';
    }
  }
  return out;
}

const n2 = (v) => String(Math.round(v * 100) / 100).replace(/^0\./, '.');

function polyPath(points) {
  return 'M' + points.map(([x, y]) => n(x) + ' ' + n(y)).join('L') + 'Z';
}

const scatter = (list) => list.map(([x, y, w, h]) => `M${n(x)} ${n(y)}h${n1(w)}v${n1(h)}h${n1(-w)}z`).join('');

const dashes = (list) => list.map(([x, y, w]) => `M${n(x)} ${n(y)}h${n1(w)}`).join(''); // equal heights: stroke them

const ring = (list) => list.map(([x, y, r]) => `M${n(x - r)} ${n(y)}a${n1(r)} ${n1(r)} 0 1 1 0 .1z`).join(''); // one arc, a hair short of closed
