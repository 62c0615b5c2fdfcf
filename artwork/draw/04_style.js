// What all pictures of one property share.

// wall, accent, second accent, deep tone, floor kind bias. Numbers are OKLCH.
const SCHEMES = [
  { wall: [0.93, 0.022, 82], a: [0.66, 0.125, 42], b: [0.52, 0.07, 198], c: [0.82, 0.1, 82] }, // oat, terracotta, teal
  { wall: [0.9, 0.032, 148], a: [0.55, 0.075, 158], b: [0.8, 0.125, 82], c: [0.93, 0.02, 90] }, // sage, fern, mustard
  { wall: [0.91, 0.032, 38], a: [0.62, 0.12, 24], b: [0.42, 0.065, 258], c: [0.86, 0.06, 60] }, // blush, rose, navy
  { wall: [0.91, 0.027, 236], a: [0.54, 0.095, 248], b: [0.82, 0.12, 80], c: [0.94, 0.015, 90] }, // powder, blue, saffron
  { wall: [0.925, 0.04, 92], a: [0.75, 0.13, 74], b: [0.47, 0.07, 228], c: [0.66, 0.1, 40] }, // cream, ochre, petrol
  { wall: [0.91, 0.026, 302], a: [0.58, 0.1, 296], b: [0.83, 0.1, 92], c: [0.72, 0.09, 20] }, // lilac, iris, lemon
  { wall: [0.47, 0.05, 178], a: [0.8, 0.11, 74], b: [0.68, 0.12, 40], c: [0.9, 0.025, 88] }, // deep teal wall
  { wall: [0.42, 0.055, 258], a: [0.79, 0.12, 72], b: [0.86, 0.03, 80], c: [0.64, 0.1, 30] }, // navy wall
  { wall: [0.955, 0.012, 88], a: [0.81, 0.14, 76], b: [0.4, 0.045, 200], c: [0.7, 0.07, 160] }, // paper, amber, ink-teal
  { wall: [0.74, 0.088, 48], a: [0.93, 0.03, 86], b: [0.44, 0.06, 190], c: [0.56, 0.1, 34] }, // clay wall
  { wall: [0.925, 0.032, 176], a: [0.7, 0.13, 30], b: [0.48, 0.075, 205], c: [0.86, 0.09, 88] }, // mint, coral, petrol
  { wall: [0.885, 0.016, 70], a: [0.46, 0.095, 352], b: [0.77, 0.09, 70], c: [0.62, 0.07, 168] }, // greige, plum, sand
];

const WOODS = [
  [0.76, 0.068, 70],
  [0.66, 0.078, 60],
  [0.53, 0.07, 50],
  [0.83, 0.045, 80],
];

const METALS = [
  [0.33, 0.012, 260],
  [0.74, 0.085, 82],
  [0.95, 0.006, 90],
];

const TIMES = {
  morning: {
    sky: [
      [0.82, 0.06, 228],
      [0.93, 0.045, 70],
    ],
    sun: [0.97, 0.06, 85],
    beam: 0.34,
    tint: [[0.9, 0.06, 75], 0.07],
    glass: [
      [0.74, 0.06, 232],
      [0.93, 0.03, 80],
    ],
    lamps: false,
  },
  day: {
    sky: [
      [0.74, 0.09, 238],
      [0.93, 0.03, 220],
    ],
    sun: [0.99, 0.03, 95],
    beam: 0.38,
    tint: [[0.97, 0.02, 90], 0.03],
    glass: [
      [0.66, 0.075, 240],
      [0.9, 0.03, 215],
    ],
    lamps: false,
  },
  golden: {
    sky: [
      [0.75, 0.07, 262],
      [0.89, 0.09, 65],
    ],
    sun: [0.93, 0.11, 78],
    beam: 0.42,
    tint: [[0.82, 0.12, 65], 0.09],
    room: [[0.84, 0.11, 68], 0.1],
    glass: [
      [0.64, 0.06, 262],
      [0.9, 0.1, 68],
    ],
    lamps: false,
  },
  dusk: {
    sky: [
      [0.4, 0.085, 264],
      [0.85, 0.09, 55],
      [0.6, 0.085, 325],
    ],
    sun: [0.92, 0.1, 65],
    beam: 0,
    tint: [[0.42, 0.075, 268], 0.22],
    room: [[0.74, 0.1, 62], 0.22],
    glass: [
      [0.4, 0.065, 260],
      [0.66, 0.07, 300],
    ],
    lamps: true,
  },
  overcast: {
    sky: [
      [0.81, 0.022, 240],
      [0.92, 0.012, 220],
    ],
    sun: [0.96, 0.01, 90],
    beam: 0.14,
    tint: [[0.84, 0.02, 240], 0.1],
    glass: [
      [0.7, 0.025, 240],
      [0.88, 0.012, 220],
    ],
    lamps: false,
  },
  snow: {
    sky: [
      [0.83, 0.03, 250],
      [0.95, 0.02, 60],
    ],
    sun: [0.98, 0.02, 80],
    beam: 0.2,
    tint: [[0.9, 0.02, 250], 0.1],
    glass: [
      [0.68, 0.04, 250],
      [0.9, 0.03, 60],
    ],
    lamps: false,
  },
};

const FACADES = {
  uk: ['terrace', 'terrace', 'tower', 'tenement', 'modern', 'warehouse'],
  us: ['campus', 'campus', 'brownstone', 'modern', 'tower'],
  canada: ['pointtower', 'brownstone', 'pointtower', 'modern'],
  spain: ['balcony', 'balcony', 'balcony', 'modern'],
  ireland: ['georgian', 'georgian', 'modern', 'warehouse'],
  australia: ['lowrise', 'lowrise', 'tower', 'modern'],
  germany: ['tenement', 'balcony', 'modern', 'warehouse'],
};

const SKINS = {
  // façade tones that exist in the real street
  terrace: [
    [0.68, 0.06, 72],
    [0.58, 0.088, 42],
    [0.63, 0.075, 55],
    [0.72, 0.045, 82],
  ],
  georgian: [
    [0.53, 0.085, 38],
    [0.58, 0.08, 46],
    [0.62, 0.06, 58],
  ],
  tenement: [
    [0.76, 0.055, 80],
    [0.72, 0.045, 70],
    [0.8, 0.06, 84],
    [0.68, 0.03, 75],
  ],
  modern: [
    [0.9, 0.02, 82],
    [0.66, 0.08, 46],
    [0.6, 0.03, 250],
    [0.8, 0.05, 75],
    [0.76, 0.035, 160],
    [0.76, 0.035, 235],
    [0.86, 0.035, 60],
  ],
  warehouse: [
    [0.52, 0.095, 36],
    [0.56, 0.085, 44],
    [0.48, 0.07, 34],
  ],
  campus: [
    [0.58, 0.1, 38],
    [0.62, 0.085, 46],
    [0.55, 0.09, 32],
  ],
  brownstone: [
    [0.5, 0.065, 42],
    [0.57, 0.08, 38],
    [0.64, 0.05, 65],
  ],
  balcony: [
    [0.88, 0.055, 84],
    [0.82, 0.065, 62],
    [0.9, 0.025, 88],
    [0.8, 0.06, 45],
    [0.84, 0.035, 140],
  ],
  lowrise: [
    [0.95, 0.01, 88],
    [0.88, 0.03, 82],
    [0.8, 0.035, 200],
    [0.85, 0.04, 60],
  ],
  tower: [
    [0.95, 0.008, 90],
    [0.45, 0.02, 250],
    [0.72, 0.06, 60],
    [0.82, 0.02, 230],
  ],
  pointtower: [
    [0.95, 0.008, 90],
    [0.5, 0.02, 250],
    [0.7, 0.05, 50],
    [0.86, 0.015, 220],
  ],
};

function styleOf(seed, country) {
  const r = dice('style ' + country + ' ' + seed),
    indoors = dice('rooms ' + country + ' ' + seed);
  const drift = r.range(-7, 7);
  const s = r.pick(SCHEMES),
    tone = ([l, c, h], dl = 0) => lch(l + dl, c * r.range(0.92, 1.08), h + drift);
  const dark = s.wall[0] < 0.6;
  const wood = lch(...r.pick(WOODS));
  const weather =
    country === 'canada'
      ? ['day', 'day', 'morning', 'golden', 'golden', 'dusk', 'snow', 'snow']
      : country === 'spain' || country === 'australia'
        ? ['day', 'day', 'day', 'morning', 'morning', 'golden', 'golden', 'dusk']
        : ['day', 'day', 'day', 'morning', 'morning', 'golden', 'dusk', 'overcast'];
  const facade = r.pick(FACADES[country] || FACADES.uk),
    time = r.pick(weather);
  const season = time !== 'snow' && ['us', 'canada', 'uk', 'ireland'].includes(country) && r.chance(0.3) ? 'autumn' : 'green';
  return {
    country,
    indoors: indoors.chance(0.5) ? indoors.pick(['day', 'morning']) : time,
    drift,
    dark,
    wood,
    facade,
    time,
    season,
    skin: lch(...r.pick(SKINS[facade])),
    tree: season === 'autumn' ? lch(0.68, 0.13, r.range(48, 70)) : lch(r.range(0.55, 0.62), r.range(0.085, 0.11), r.range(132, 150)),
    wall: tone(s.wall),
    a: tone(s.a),
    b: tone(s.b),
    c: tone(s.c),
    linen: lch(0.955, 0.012, 85),
    paper: lch(0.97, 0.008, 88),
    ink: lch(0.3, 0.02, 265),
    leaf: lch(r.range(0.5, 0.58), r.range(0.075, 0.1), r.range(138, 158)),
    metal: lch(...r.pick(METALS)),
    floor: r.pick(['planks', 'planks', 'boards', 'carpet', 'terrazzo']),
    finish: r.pick(['plain', 'plain', 'dado', 'battens', 'arch', 'stripe']),
    view: r.pick(
      country === 'us' || country === 'australia'
        ? ['towers', 'garden', 'hills', 'garden']
        : country === 'spain'
          ? ['roofs', 'hills', 'towers']
          : ['roofs', 'towers', 'garden'],
    ),
    floorTone: lch(
      ...r.pick([
        [0.77, 0.055, 72],
        [0.7, 0.062, 62],
        [0.83, 0.03, 80],
        [0.62, 0.058, 55],
      ]),
    ),
    rug: r.pick(['oval', 'band', 'border', 'lines', 'check']),
    cloth: r.pick(['plain', 'stripe', 'check', 'dots', 'plain']),
    pendant: r.pick(['dome', 'globe', 'cone', 'drum']),
    window: r.pick(['grid', 'pair', 'tall', 'single']),
    dressing: r.pick(['curtain', 'curtain', 'blind', 'none']),
  };
}

const KINDS = ['exterior', 'bedroom', 'studio', 'kitchen', 'bathroom', 'lounge', 'gym', 'study', 'courtyard', 'city'];

const COUNTRIES = Object.keys(FACADES);

function pictureSet({ seed, country = 'uk' }) {
  const r = dice('set ' + country + ' ' + seed);
  const list = ['exterior', ...(r.chance(0.35) ? ['studio', 'bedroom'] : r.chance(0.5) ? ['bedroom', 'studio'] : ['bedroom'])];
  const rest = r.shuffle(['lounge', 'gym', 'study', 'courtyard']);
  list.push('kitchen', 'bathroom', ...rest.slice(0, r.int(1, 3)));
  return list.slice(0, 8);
}
