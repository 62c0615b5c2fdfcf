// From a request to the finished picture.

const SCENES = {
  exterior: (p, st, r) => (EXTERIORS[st.facade] || EXTERIORS.tower)(p, st, r),
  bedroom,
  kitchen,
  lounge,
  city,
  studio,
  bathroom,
  gym,
  study,
  courtyard,
};

const OUTDOOR = new Set(['exterior', 'city', 'courtyard']);

const ROWS = new Set(['terrace', 'georgian', 'brownstone', 'balcony']);

const CROPS = { '3:2': [0, 0, 1080, 720], '4:3': [60, 0, 960, 720], '1:1': [180, 0, 720, 720], '16:9': [0, 72, 1080, 608] };

const LIMIT = 12000; // bytes; the rare picture above it is drawn again with plain cloth and rug

function picture(o) {
  const full = draw(o),
    drawn = full.length > LIMIT ? draw(o, { cloth: 'plain', rug: 'band', finish: 'plain' }) : full;
  // A city's emblem is taken for no photo; a room may be.
  return o.kind === 'city' ? drawn : `${drawn.slice(0, -'</svg>'.length)}${ILLUSTRATION}</svg>`;
}

// Letters 30 high as strokes, each with its width: pictures hold no text, which would need a font.
const LETTERS = {
  I: [0, 'v30'],
  L: [14, 'v30h14'],
  U: [18, 'v21a9 9 0 0 0 18 0v-21'],
  S: [16, 'm15 4q-2-4-7-4-8 0-8 7.5t8 7.5 8 7.5-8 7.5q-6 0-8-4'],
  T: [18, 'h18m-9 0v30'],
  R: [16, 'm0 30v-30h8a8 8 0 0 1 0 16h-8m9 0l8 14'],
  A: [20, 'm0 30l10-30 10 30m-3.5-10h-13'],
  O: [20, 'm0 10a10 10 0 0 1 20 0v10a10 10 0 0 1-20 0z'],
  N: [18, 'm0 30v-30l18 30v-30'],
};

// 示意图, in boxes of 30: what the word is called in Chinese.
const SIGNS = [
  'm5 4h20m-23 9h26m-13 0v16l-5-2m-3-10l-5 7m18-7l6 7',
  'm15 0v4m-11 1h22m-17 1l2 4m8-4l-2 4m-13 1h26m-20 4h12v8h-12zm0 4h12m-15 7l-2 5m8-4v4h10v-3m-5-2l1 2m7-2l2 4',
  'm3 2h24v27h-24zm9 3l-5 6m3-4h10q-2 8-13 11m4-9q4 7 12 9m-9 2l4 2m-8 2l9 3',
];

// The word on each picture of a home, as readers of either script have it. It stands in the middle, low: no crop of a card or a tile cuts it off.
const ILLUSTRATION = wordMark('ILLUSTRATION', SIGNS, 540, 596);

function wordMark(word, signs, middle, top) {
  const letters = lineUp([...word].map((letter) => LETTERS[letter]), 11),
    others = lineUp(signs.map((strokes) => [30, strokes]), 7),
    space = 24,
    wide = letters.wide + space + others.wide,
    left = middle - wide / 2;
  const plate = `<rect x="${n1(left - 22)}" y="${top - 15}" width="${n1(wide + 44)}" height="60" rx="30" fill="#000" fill-opacity=".55"/>`;
  const strokes = (d, x, width) => `<path d="${d}" transform="translate(${n1(x)} ${top})" stroke="#fff" stroke-width="${width}" stroke-linecap="round"/>`;
  return plate + strokes(letters.d, left, 4.5) + strokes(others.d, left + letters.wide + space, 2.8);
}

// Signs side by side as one path from its left upper corner.
function lineUp(signs, gap) {
  let x = 0,
    d = '';
  for (const [width, strokes] of signs) {
    d += `M${x} 0${strokes}`;
    x += width + gap;
  }
  return { d, wide: x - gap };
}

function draw({ seed, kind = 'exterior', country = 'uk', ratio = '3:2', city: cityName, variant = '', facade, time }, lean) {
  const st = Object.assign(styleOf(String(seed), country), lean),
    r = dice([seed, kind, country, cityName || '', variant].join('|'));
  if (facade) {
    st.facade = facade;
    st.skin = lch(...r.pick(SKINS[facade]));
  }
  if (time) st.time = time;
  const inside = !OUTDOOR.has(kind);
  if (inside && (st.time === 'overcast' || st.time === 'dusk')) st.time = st.indoors; // the same for all rooms of the property
  const t = TIMES[st.time],
    grade = (inside && t.room) || t.tint,
    tint = lch(...grade[0]),
    k = grade[1];
  const p = new Canvas((c) => mix(c, tint, k));
  SCENES[kind](p, st, r, cityName);
  if (inside)
    p.raw(
      `<rect width="1080" height="720" fill="${p.linear('d', [
        [0, lch(...t.sun), t.beam ? 0.16 : 0.05],
        [0.5, lch(...t.sun), 0],
        [1, lch(0.3, 0.06, 285), 0.14],
      ])}"/>`,
    );
  const [x, y, w, h] = CROPS[ratio] || CROPS['3:2'];
  const flip = r.chance(0.5),
    zoom = kind === 'exterior' && ROWS.has(st.facade) ? r.range(1, 1.12) : 1,
    body = p.out.join('');
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="${x} ${y} ${w} ${h}" width="${w}" height="${h}" fill="none" stroke-linejoin="round"><defs>${p.defs.join('')}</defs>${flip || zoom > 1 ? `<g transform="matrix(${n2(flip ? -zoom : zoom)} 0 0 ${n2(zoom)} ${n(540 + (flip ? 540 : -540) * zoom)} ${n(650 - 650 * zoom)})">${body}</g>` : body}</svg>`;
}
