// The made-up property page.
import { cards, link, page, picture, region, slug, weekly } from "./fixtures.mjs";

const option = (id, move_in_date, lease_duration, rooms_left, price) => ({
  inventory_id: id,
  move_in_date,
  lease_duration,
  lease_duration_unit: "weeks",
  rooms_left,
  price: weekly(price),
});
const room = (id, name, configuration, facts, area, image, from, options) => ({
  id,
  name,
  configuration,
  facts,
  area_sqm: area,
  image: { path: picture(image), caption: name },
  from: weekly(from),
  meta_types: {
    room_types: ["private_room"],
    bathroom_types: ["private_bathroom"],
    kitchen_types: [configuration === "Studio Room" ? "private_kitchen" : "shared_kitchen"],
  },
  rooms_left: options.reduce((sum, { rooms_left }) => sum + rooms_left, 0),
  available: options.some(({ rooms_left }) => rooms_left > 0),
  options,
});
const trend = (name, low) => ({
  name,
  points: Array.from({ length: 12 }, (_, at) => {
    const min = low + Math.round(Math.sin((at - 3) / 2) * 14) + at * 2;
    return {
      month: `${at === 0 ? 2025 : 2026}-${String(at === 0 ? 12 : at).padStart(2, "0")}`,
      min,
      median: min + 14,
      max: min + 40,
      currency: "GBP",
      duration: "weekly",
      n: 6,
    };
  }),
});
const walk = (minutes) => ({ distance_m: minutes * 80, duration_s: minutes * 60 });

const facts = [
  { icon: "walk", title: "9 min walk to UCL", detail: "Gower Street campus" },
  { icon: "bolt", title: "All bills included", detail: "Wi-Fi, heating, water and power" },
  { icon: "users", title: "186 residents", detail: "Ensuite rooms and studios" },
  { icon: "shield", title: "Checked by our team", detail: "Last visit 3 November 2026" },
];
const features = [
  ["wifi", "Wi-Fi, 500 Mbit/s, included"],
  ["bills", "Gas, water and electricity included"],
  ["laundry", "Laundry room, from £2.80 a wash"],
  ["gym", "Gym, open day and night"],
  ["study", "Study rooms on two floors"],
  ["bike", "Bicycle store for 80 bicycles"],
  ["security", "Front desk staffed day and night"],
  ["garden", "Courtyard garden"],
].map(([group, feature]) => ({ group, name: feature }));
const offers = [
  {
    id: "o1",
    title: "£150 back",
    description: "after move-in when you book by 31 January.",
    kind: "cashback",
    value_minor: 15000,
    currency: "GBP",
    valid_to: "2027-01-31",
    terms: "One per booking.",
  },
];
const reviews = {
  count: 132,
  rating: 4.7,
  parts: [
    ["Location", 4.9],
    ["Staff", 4.7],
    ["Room", 4.6],
    ["Value", 4.2],
  ].map(([part, rating]) => ({ name: part, rating })),
  items: [
    [
      "Ananya S.",
      "Computer Science, UCL",
      5,
      "Stayed Sep 2025 to Jul 2026",
      "The walk to Gower Street really takes nine minutes. My room faced the courtyard and stayed quiet at night. Laundry gets busy on Sundays.",
    ],
    [
      "Tomás R.",
      "Economics, SOAS",
      4,
      "Stayed Sep 2025 to Aug 2026",
      "Front desk helped with parcels and a broken blind on the same day. Six people share one kitchen, so you plan around each other.",
    ],
    [
      "Yifan L.",
      "Architecture, UCL",
      5,
      "Stayed Jan 2026 to Jul 2026",
      "I arrived at two in the morning and someone was there with the key. The study room upstairs has real desks and good light.",
    ],
    [
      "Grace O.",
      "Law, King’s College London",
      4,
      "Stayed Sep 2024 to Jul 2025",
      "Bills are truly included. The price went up between my first and second year, so book early.",
    ],
    ["Sam T.", null, 4, "Stayed Sep 2024 to Jul 2025", "Quiet and close to everything."],
  ].map(([author, course, rating, stayed, text]) => ({ author, course, rating, stayed, text })),
};
const nearby = {
  universities: [
    ["University College London", 51.5246, -0.134, 9],
    ["SOAS University of London", 51.5223, -0.129, 8],
    ["Birkbeck, University of London", 51.5219, -0.1302, 9],
  ].map(([label, lat, lng, minutes], at) => ({
    ...link([label, lat, lng], "establishment", at),
    walking: walk(minutes),
    driving: walk(4),
    transit: walk(5),
  })),
  places: [
    ["transit", "Euston", 6],
    ["transit", "King’s Cross St Pancras", 8],
    ["transit", "Russell Square", 9],
    ["daily_life", "Supermarket, open until 23:00", 3],
    ["daily_life", "Brunswick shops", 6],
    ["free_time", "Tavistock Square gardens", 4],
    ["free_time", "British Library", 7],
  ].map(([kind, label, minutes]) => ({ kind, name: label, walking: walk(minutes) })),
};
const faqs = [
  [
    "Do I need a guarantor?",
    "You need one who lives in the United Kingdom and is over 25. Without one you can pay the rent in advance in three parts, or use a guarantor service.",
  ],
  ["Can I cancel after I book?", "Within 72 hours at no cost."],
  ["When do I pay the rent?", "In three instalments."],
].map(([question, answer]) => ({ question, answer }));
const roomTypes = (left) => [
  room(
    "ensuite",
    "Ensuite Room",
    "Ensuite Room",
    ["small double bed", "private bathroom", "kitchen shared by six"],
    14,
    "bedroom-0",
    282,
    [
      option("e1", "2027-09-11", 44, left(4), 289),
      option("e2", "2027-09-11", 51, left(2), 282),
      option("e3", "2028-01-08", 26, 0, 298),
    ],
  ),
  room(
    "premium",
    "Premium Ensuite",
    "Ensuite Room",
    ["double bed", "private bathroom", "kitchen shared by four"],
    17,
    "bedroom-1",
    304,
    [option("p1", "2027-09-11", 44, left(9), 304)],
  ),
  room("studio", "Studio Room", "Studio Room", ["double bed", "own bathroom and kitchen"], 21, "studio-0", 352, [
    option("s1", "2027-09-11", 51, left(3), 352),
  ]),
  room(
    "studio2",
    "Studio for two",
    "Studio Room",
    ["double bed", "own kitchen", "for one or two people"],
    27,
    "studio-1",
    398,
    [option("t1", "2027-09-11", 51, 0, 398)],
  ),
];
const imagesOf = (name) =>
  [
    ["exterior-3", "exterior"],
    ["bedroom-0", "bedroom"],
    ["kitchen-0", "kitchen"],
    ["lounge-0", "lounge"],
    ["study-0", "study"],
    ["bathroom-0", "bathroom"],
    ["courtyard-0", "exterior"],
    ["gym-0", "gym"],
  ].map(([image, kind]) => ({ path: picture(image), caption: `${kind} of ${name}`, kind }));

const sourcesOf = (file) =>
  [400, 800, 1600].map((width) => ({
    width,
    webp: `/pictures/photos/${file}/${width}.webp`,
    jpeg: `/pictures/photos/${file}/${width}.jpg`,
  }));
export const photo = (file, kind, caption) => ({
  kind,
  caption,
  alt: caption === null ? null : `${caption}, seen from the door`,
  width: 1600,
  height: 1200,
  preview: "data:image/gif;base64,R0lGODlhAQABAPAAAJuhof///yH5BAAAAAAALAAAAAABAAEAAAICRAEAOw==",
  sources: sourcesOf(file),
});

/** What a home with photos has beside what every home has. */
const photographed = {
  photos: [
    photo("front", "exterior", "The house from the street"),
    photo("kitchen", "kitchen", "Kitchen of flat 4"),
    photo("bath", "bathroom", null),
    photo("missing", "common", "Lounge"),
  ],
  plans: [photo("plan", "plan", "Floor plan of flat 4")],
  recordings: [
    { kind: "video", url: "https://www.youtube.com/watch?v=aqz-KE-bpKQ", title: "A walk through the house" },
    { kind: "tour", url: "https://my.matterport.com/show/?m=SxQL3iGyoDo", title: null },
  ],
};

/** A home nobody gave a picture of; one with photos; others are drawn. */
function picturesFor(url, name) {
  if (url.includes("goodge-place")) return { images: [] };
  return url.includes("portland-court") ? { images: imagesOf(name), ...photographed } : { images: imagesOf(name) };
}

function nameFor(url) {
  if (url.includes("southwark-quay")) return "Southwark Quay";
  if (url.includes("portland-court")) return "Portland Court";
  return url.includes("goodge-place") ? "Goodge Place Rooms" : "Bloomsbury Row";
}

export function propertyPage(url, lang) {
  const soldOut = url.includes("southwark-quay");
  const name = nameFor(url);
  const left = (n) => (soldOut ? 0 : n);
  return page("property", url, lang, `${name}, London | Amber`, {
    id: slug(name),
    name,
    canonical_name: slug(name),
    available: !soldOut,
    bookable: true,
    state: "active",
    reopens_on: null,
    flow: "book",
    address: "41 Argyle Walk, London WC1H 8EU",
    lat: 51.5272,
    lng: -0.1262,
    description:
      "A brick building on a quiet walk between Euston and Russell Square, opened in 2019. Rooms face the street or a planted courtyard. Ensuite rooms share a kitchen with four to six people, and studios have their own.",
    provider_checked_on: "2026-11-03",
    region: region(),
    breadcrumbs: [
      { name: "United Kingdom", href: "/places/search/united-kingdom" },
      { name: "London", href: "/places/search/london" },
      { name: "Bloomsbury", href: "/places/search/bloomsbury" },
    ],
    price: weekly(282),
    facts,
    features,
    offers,
    reviews,
    nearby,
    faqs,
    room_types: roomTypes(left).map((room, at) =>
      at === 0 && url.includes("portland-court")
        ? { ...room, photos: [photo("room", "room", "Bronze room"), photo("front", "exterior", null)] }
        : room,
    ),
    foreign_texts: [],
    ...picturesFor(url, name),
    price_trends: [trend("Ensuite", 277), trend("Studio", 338)],
    view_count: "214",
    similar: cards.slice(1, 5),
    payment_summary: [{ type: "deposit", amount: weekly(250), is_default: true }],
  });
}
