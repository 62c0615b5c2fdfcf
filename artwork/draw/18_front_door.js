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
  const full = draw(o);
  return full.length > LIMIT ? draw(o, { cloth: 'plain', rug: 'band', finish: 'plain' }) : full;
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
