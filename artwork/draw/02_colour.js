// Colours are OKLab triples, derived from each other, never picked freely.

const lch = (l, c, h) => [l, c * Math.cos((h * Math.PI) / 180), c * Math.sin((h * Math.PI) / 180)];

const mix = (a, b, k) => [a[0] + (b[0] - a[0]) * k, a[1] + (b[1] - a[1]) * k, a[2] + (b[2] - a[2]) * k];

const LIGHT = lch(0.985, 0.018, 90);

const lift = (c, k) => mix(c, LIGHT, k); // towards warm light

const sink = (c, k) => mix(c, [c[0] * 0.3, c[1] * 0.5 + 0.012, c[2] * 0.5 - 0.05], k); // towards cool shadow

const light = (c, l) => [l, c[1], c[2]];

function hex([L, a, b]) {
  const l = (L + 0.3963377774 * a + 0.2158037573 * b) ** 3;
  const m = (L - 0.1055613458 * a - 0.0638541728 * b) ** 3;
  const s = (L - 0.0894841775 * a - 1.291485548 * b) ** 3;
  const lin = [
    4.0767416621 * l - 3.3077115913 * m + 0.2309699292 * s,
    -1.2684380046 * l + 2.6097574011 * m - 0.3413193965 * s,
    -0.0041960863 * l - 0.7034186147 * m + 1.707614701 * s,
  ];
  const h = lin
    .map((v) => {
      v = Math.min(1, Math.max(0, v));
      v = v <= 0.0031308 ? 12.92 * v : 1.055 * v ** (1 / 2.4) - 0.055;
      return Math.round(v * 255)
        .toString(16)
        .padStart(2, '0');
    })
    .join('');
  return h[0] === h[1] && h[2] === h[3] && h[4] === h[5] ? '#' + h[0] + h[2] + h[4] : '#' + h;
}
