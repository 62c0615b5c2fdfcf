// Page payloads made up for work on the pages and for their browser tests, in the shapes of src/contract/wire.ts.

const countryRows = [
  [
    "uk",
    "United Kingdom",
    "英国",
    19,
    "London Manchester Edinburgh Glasgow Birmingham Leeds Bristol Liverpool Sheffield Nottingham",
  ],
  ["us", "United States", "美国", 14, "New-York Boston Chicago Austin Seattle"],
  ["australia", "Australia", "澳大利亚", 8, "Sydney Melbourne Brisbane Perth"],
  ["canada", "Canada", "加拿大", 3, "Toronto Montreal Vancouver"],
  ["germany", "Germany", "德国", 3, "Berlin Munich Hamburg"],
  ["ireland", "Ireland", "爱尔兰", 2, "Dublin Cork"],
  ["spain", "Spain", "西班牙", 1, "Barcelona"],
];
export const weekly = (amount) => ({
  amount_minor: amount * 100,
  currency: "GBP",
  symbol: "£",
  decimals: 2,
  duration: "weekly",
});
export const picture = (name) => `/pictures/${name}.svg`;
export const slug = (name) => name.toLowerCase().replace(/[^a-z0-9]+/g, "-");

export function chrome(lang) {
  return {
    brand_name: "Amber",
    lang,
    variant: "standard",
    dev_tools: true,
    rating: "4.6",
    downloads: "180K+",
    support_email: "support@amber.example",
    countries: countryRows.map(([key, name, zh, , cities]) => ({
      key,
      name: lang === "zh" ? zh : name,
      canonical_name: slug(name),
      cities: cities
        .split(" ")
        .map((city) => ({ id: slug(city), name: city.replace("-", " "), canonical_name: slug(city) })),
    })),
  };
}

const head = (title, rest = {}) => ({
  title,
  description: title,
  keywords: null,
  canonical: null,
  robots: "index,follow",
  prev: null,
  next: null,
  image: null,
  alternates: [],
  ...rest,
});
export const page = (route, url, lang, title, data, status = 200) => ({
  route,
  url,
  status,
  redirect: null,
  head: head(title),
  chrome: chrome(lang),
  data,
});

const homes = [
  ["Bloomsbury Row", "exterior-3", 289, 4.7, 132, 9, null, "top_rated", 6],
  ["Camden Lock House", "bedroom-0", 245, 4.5, 88, 31, 16, "filling_fast", 2],
  ["Caledonian Works", "exterior-2", 262, 4.4, 73, 18, null, "cashback", 9],
  ["Fitzrovia Studios", "studio-2", 310, 4.8, 57, 7, null, "exclusive", 4],
  ["Camden Road Yard", "exterior-1", 231, 4.2, 145, 40, 21, null, 11],
  ["Clerkenwell Press", "studio-1", 276, 4.6, 39, 22, null, "immediate_move_in", 3],
  ["Holborn Chambers", "exterior-4", 334, 4.3, 28, 15, null, "breakfast_included", 5],
  ["Islington Green Hall", "lounge-1", 218, 4.1, 96, 44, 24, null, 14],
  ["Regent Canal House", "exterior-5", 298, 4.4, 52, 19, null, "students_choice", 7],
  ["Southwark Quay", "bedroom-4", 255, 4.5, 167, 60, 28, null, 0],
];

function card([name, image, price, rating, count, walk, bus, badge, left], at) {
  const angle = at * 2.4;
  const away = 0.003 + (at % 7) * 0.0032;
  return {
    id: slug(name),
    name,
    canonical_name: slug(name),
    available: left > 0,
    state: "active",
    lat: 51.5246 + Math.sin(angle) * away,
    lng: -0.134 + Math.cos(angle) * away * 1.7,
    price: weekly(price),
    images: [image, "bedroom-1", "kitchen-0", "bathroom-0", "lounge-0"].map((picked) => ({
      path: picture(picked),
      caption: name,
    })),
    badges: badge === null ? [] : [badge === "cashback" ? { kind: "cashback", value: weekly(300) } : { kind: badge }],
    reviews_rating: rating,
    reviews_count: count,
    room_kinds: at % 2 ? ["Ensuite Room"] : ["Ensuite Room", "Studio Room"],
    rooms_left: left,
    distance_m: walk * 80,
    walking: { distance_m: walk * 80, duration_s: walk * 60 },
    transit: bus ? { distance_m: walk * 90, duration_s: bus * 60 } : null,
    region: { id: "london", name: "London", canonical_name: "london" },
  };
}

export const cards = Array.from({ length: 37 }, (_, at) => {
  const row = homes[at % homes.length];
  return card(at < 10 ? row : [`${row[0]} ${Math.floor(at / 10) + 1}`, ...row.slice(1)], at);
});

export const region = (over = {}) => ({
  id: "london",
  name: "London",
  canonical_name: "london",
  region_type: "locality",
  subtype: null,
  state: "active",
  parent_id: "uk",
  parent_name: "United Kingdom",
  parent_canonical_name: "united-kingdom",
  location: {
    country: "United Kingdom",
    country_key: "uk",
    locality: "London",
    coordinates: {
      location_coordinates: { lat: 51.5246, lng: -0.134 },
      location_bounds: { southwest: { lat: 51.4, lng: -0.3 }, northeast: { lat: 51.6, lng: 0.1 } },
    },
  },
  ancestors: [{ id: "uk", name: "United Kingdom", canonical_name: "united-kingdom", region_type: "country" }],
  period: "weekly",
  currency: "GBP",
  budget_range: [0, 1000],
  ...over,
});

const areas = [
  ["Camden", 51.541, -0.142],
  ["King’s Cross", 51.532, -0.123],
  ["Islington", 51.538, -0.103],
  ["Bloomsbury", 51.522, -0.126],
  ["Fitzrovia", 51.519, -0.141],
  ["Soho", 51.513, -0.136],
  ["Holborn", 51.517, -0.118],
  ["Clerkenwell", 51.524, -0.105],
  ["South Bank", 51.505, -0.115],
  ["Marylebone", 51.52, -0.155],
];
export const link = ([name, lat, lng], region_type, at) => ({
  id: slug(name),
  name,
  canonical_name: slug(name),
  region_type,
  lat,
  lng,
  homes: 40 - at * 3,
  distance_m: 700 + at * 300,
});

const facet = (rows, on) => rows.map(([value, count]) => ({ value, count, selected: on.includes(value) }));
const list = (query, name) => (query.get(name) ?? "").split(",").filter(Boolean);

const facetRows = {
  roomType: [
    ["ensuite_room", 24],
    ["studio_room", 19],
    ["private_room", 11],
    ["shared_room", 0],
  ],
  accommodationType: [
    ["student_accommodation", 30],
    ["apartment", 5],
    ["independent_house", 2],
    ["university_hall", 0],
  ],
  dualOccupancy: [["true", 8]],
  moveInMonth: [
    ["8", 12],
    ["9", 37],
    ["10", 9],
    ["1", 21],
  ],
  leaseDuration: [
    ["0-4", 2],
    ["5-25", 8],
    ["26-40", 11],
    ["41-45", 29],
    ["45+", 26],
  ],
  guarantor: [
    ["false", 14],
    ["international", 22],
    ["local", 31],
  ],
  available: [
    ["true", 35],
    ["false", 2],
  ],
  distance: [
    ["1609", 16],
    ["3218", 29],
    ["8046", 37],
    ["all", 37],
  ],
  features: [
    ["wifi", 36],
    ["gym", 18],
    ["laundry", 34],
    ["bike_storage", 22],
    ["parking", 3],
  ],
};
const budgetCounts = [5, 8, 15, 24, 37, 53, 65, 75, 88, 99, 83, 70, 61, 51, 37, 29, 20, 15, 12, 8, 7, 5, 3, 3];

function facets(query) {
  const of = (name) => facet(facetRows[name], list(query, name));
  return {
    room_type: of("roomType"),
    accommodation_type: of("accommodationType"),
    dual_occupancy: of("dualOccupancy"),
    move_in_month: of("moveInMonth"),
    stay_duration: of("leaseDuration"),
    guarantor: of("guarantor"),
    availability: of("available"),
    distance: of("distance"),
    features: of("features"),
    budget: budgetCounts.map((count, at) => ({ from_minor: at * 2000 + 8000, to_minor: at * 2000 + 10000, count })),
  };
}

export function searchPage(url, lang) {
  const { pathname, searchParams: query } = new URL(url, "http://x");
  const name = pathname.split("/").at(-1);
  const nothing = query.get("roomType") === "shared_room";
  const isCountry = name === "united-kingdom";
  const [from, to] = (query.get("budget") ?? "-").split("-");
  const found = nothing
    ? []
    : cards.filter(
        ({ price }) => (!from || price.amount_minor >= from * 100) && (!to || price.amount_minor <= to * 100),
      );
  const p = Number(query.get("p") ?? 1);
  const limit = 10;
  const pages = Math.ceil(found.length / limit);
  const ucl = name.includes("college");
  const place = isCountry
    ? region({ id: "uk", name: "United Kingdom", canonical_name: name, region_type: "country", ancestors: [] })
    : ucl
      ? region({
          id: name,
          name: "University College London",
          canonical_name: name,
          region_type: "establishment",
          subtype: "university",
          parent_name: "London",
        })
      : region();
  return page("search", url, lang, "Student homes in London | Amber", {
    region: place,
    is_region_page: isCountry,
    children: isCountry ? areas.map((row, at) => link(row, "locality", at)) : [],
    universities: [
      link(["University College London", 51.5246, -0.134], "establishment", 0),
      link(["King’s College London", 51.5115, -0.116], "establishment", 1),
      link(["SOAS University of London", 51.5223, -0.129], "establishment", 2),
    ],
    areas: isCountry ? [] : areas.map((row, at) => link(row, "sublocality", at)),
    search: {
      meta: {
        prev: p > 1 ? p - 1 : null,
        next: p < pages ? p + 1 : null,
        count: found.length,
        limit,
        pages,
        current_page: p,
        next_token: null,
      },
      result: found.slice((p - 1) * limit, p * limit),
      facets: facets(query),
      pins: found.map(({ id, canonical_name, name: label, lat, lng, price, available, state }) => ({
        id,
        canonical_name,
        name: label,
        lat,
        lng,
        price,
        available,
        state,
      })),
    },
    total_in_region: 512,
    nearest: [],
    center: { lat: 51.5246, lng: -0.134, label: ucl ? "UCL, Gower Street" : "London", is_university: ucl },
    faqs: [
      {
        question: "What does a student room in London cost?",
        answer: "Ensuite rooms start at £218 per week, studios at £310 per week.",
      },
      { question: "When should I book?", answer: "Most rooms for September are booked between January and June." },
    ],
  });
}

export function homePage(url, lang) {
  const art = ["london", "new-york", "sydney", "dublin", "barcelona", "edinburgh"];
  return page("home", url, lang, "Student accommodation near your university | Amber", {
    countries: chrome(lang).countries.map((country) => ({
      key: country.key,
      name: country.name,
      cities: country.cities.map((city, at) => ({
        name: city.name,
        canonical_name: city.canonical_name,
        image: picture(`city-${art[at % art.length]}`),
        homes: 1284 - at * 97,
        from: weekly(168 - at * 7),
      })),
    })),
    totals: { homes: 5120, universities: 430, cities: 50 },
  });
}

export function notFoundPage(url, lang) {
  return page(
    "not_found",
    url,
    lang,
    "404 Page Not Found",
    { support_email: "support@amber.example", message: null },
    404,
  );
}

export function suggest(q) {
  const has = (name) => name.toLowerCase().includes(q.toLowerCase());
  const item = (name, context, href, count) => ({
    id: slug(name),
    name,
    context,
    canonical_name: slug(name),
    href,
    homes: count,
  });
  return {
    cities: countryRows.flatMap(([, country, , , cities]) =>
      cities
        .split(" ")
        .filter(has)
        .map((city) => item(city.replace("-", " "), country, `/places/search/${slug(city)}`, 212)),
    ),
    areas: areas
      .filter(([name]) => has(name))
      .map(([name]) => item(name, "Area in London", `/places/search/${slug(name)}`, 96)),
    universities: ["University College London", "University of Manchester", "King’s College London"]
      .filter(has)
      .map((name) => item(name, "London", `/places/search/${slug(name)}`, 148)),
    properties: cards
      .slice(0, 10)
      .filter(({ name }) => has(name))
      .map(({ name }) => item(name, "London, from £289 / week", `/places/${slug(name)}`, null)),
  };
}
