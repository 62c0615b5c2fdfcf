// Draws one picture per popular city for the home page: a sky, a moon, roofs, and the one thing the city is known by.
// `npm run build` writes them to public/assets/cities; the same city always gets the same picture.
import { mkdirSync, writeFileSync } from "node:fs";
import { landmarks } from "./cityLandmarks.mjs";

// Sky from top to bottom, what stands behind, what stands in front.
const palettes = {
  night: ["#16384A", "#2B5A6C", "#0E2836", "#0A1F2B"],
  brick: ["#F3C9B8", "#FBE7DC", "#C46F53", "#8A3E2A"],
  heather: ["#D9D3EA", "#F1ECF6", "#8B7FAF", "#5B4E86"],
  water: ["#BFDDE2", "#E8F3F2", "#5E9494", "#0B5D5E"],
  sand: ["#F7D9B0", "#FCEFD9", "#C98C62", "#8F5A3E"],
  leaf: ["#C9DDBE", "#EDF4E6", "#6F9A66", "#3F6B43"],
  sea: ["#BCD3EE", "#EAF1FA", "#6A8DBA", "#2C4F80"],
  dusk: ["#5A3F63", "#C98A84", "#46304F", "#2C1E36"],
};

// City, palette, landmark.
const cities = `
london night clock, manchester brick mill, birmingham sand dome, leeds leaf spire, sheffield heather hills,
liverpool sea twinTowers, nottingham leaf castle, coventry brick spires, leicester sand clock, glasgow water arch,
edinburgh heather castle, bristol sand suspension, newcastle water arch, cardiff leaf castle, southampton sea liner,
portsmouth sea sail, exeter brick twinTowers, york sand minster, bath leaf crescent, sydney sea opera,
melbourne dusk towers, brisbane sand towers, adelaide leaf dome, perth water towers, canberra leaf flagMast,
gold-coast sea beach, hobart heather hills, dublin leaf harp, cork water spires, new-york night skyscraper,
boston brick dome, chicago sea blackTower, los-angeles dusk palms, san-francisco brick suspension,
san-diego water palms, seattle leaf needle, austin sand dome, dallas dusk ballTower, houston sea towers,
philadelphia brick clock, atlanta dusk skyscraper, tempe sand mesa, buffalo heather falls, toronto sea tvTower,
vancouver water peaks, montreal heather hills, berlin sand gate, munich leaf onionTowers, frankfurt night towers,
barcelona sand basilica`;

/** Numbers from 0 to 1, always the same for the same word. */
function luck(word) {
  let state = [...word].reduce((sum, letter) => (Math.imul(sum, 31) + letter.charCodeAt(0)) >>> 0, 7);
  return () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return state / 2 ** 32;
  };
}

function roofs(next, from, spread) {
  const parts = [];
  for (let x = -6; x < 200; ) {
    const wide = 20 + Math.round(next() * 18);
    const top = from + Math.round(next() * spread);
    const kind = next();
    const half = wide / 2;
    if (kind < 0.2) parts.push(`<path d="M${x} 250V${top}l${half}-13 ${half} 13V250Z"/>`);
    else if (kind < 0.3) parts.push(`<path d="M${x} 250V${top}a${half} ${half} 0 0 1 ${wide} 0V250Z"/>`);
    else parts.push(`<rect x="${x}" y="${top}" width="${wide}" height="${250 - top}"/>`);
    x += wide + (next() < 0.3 ? 3 : 0);
  }
  return parts.join("");
}

function windows(next) {
  return Array.from({ length: 9 }, (_, n) => {
    const [x, y] = [8 + n * 21 + Math.round(next() * 8), 210 + Math.round(next() * 26)];
    return `<rect x="${x}" y="${y}" width="5" height="7" fill="#FFB224" opacity=".9"/>`;
  }).join("");
}

function picture(city, palette, landmark) {
  const next = luck(city);
  const [top, bottom, behind, front] = palettes[palette];
  const moon = `<circle cx="${30 + Math.round(next() * 40)}" cy="${44 + Math.round(next() * 24)}" r="20" fill="#fff" opacity=".75"/>`;
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 200 250" preserveAspectRatio="xMidYMid slice">`,
    `<linearGradient id="s" x2="0" y2="1"><stop stop-color="${top}"/><stop offset="1" stop-color="${bottom}"/></linearGradient>`,
    `<rect width="200" height="250" fill="url(#s)"/>${moon}`,
    `<g fill="${behind}" opacity=".45">${roofs(next, 124, 42)}</g>`,
    `<g fill="${behind}" stroke="none">${landmarks[landmark]({ behind, front, light: bottom })}</g>`,
    `<g fill="${front}">${roofs(next, 188, 20)}</g>${windows(next)}</svg>`,
  ].join("");
}

const folder = new URL("../public/assets/cities/", import.meta.url);
mkdirSync(folder, { recursive: true });
for (const line of cities.split(",")) {
  const [city, palette, landmark] = line.trim().split(/\s+/);
  writeFileSync(new URL(`${city}.svg`, folder), picture(city, palette, landmark));
}
