import { coastFacts } from "./coastFacts.ts";
import { type MapNames, readNames } from "./mapNames.ts";
import { type LatLng, type Point, project } from "./projection.ts";

/** A shore, a lake or a border, in the flat world's units. */
export interface Shape {
  look: "land" | "border" | "lake";
  points: readonly Point[];
  left: number;
  right: number;
  top: number;
  bottom: number;
}

/** A sea or a great lake by its name. */
export interface Sea extends LatLng {
  names: MapNames;
}

const grain = 40;

let read: readonly Shape[] | null = null;

/** All land, coarse where the catalogue has nothing, with borders and the lakes that are seen from afar. */
export function coast(): readonly Shape[] {
  read ??= [...lines(coastFacts).map(steps), ...lines(lakes).map(lake)];
  return read;
}

const lines = (facts: string) => facts.split("\n").filter((line) => line.includes("|"));

function steps(line: string): Shape {
  const [kind = "", path = ""] = line.split("|");
  let [lng, lat] = [0, 0];
  const points = path.split(",").map((step) => {
    const [right = 0, up = 0] = step.split(" ").map(Number);
    lng += right;
    lat += up;
    return project({ lat: lat / grain, lng: lng / grain });
  });
  return shape(kind === "land" ? "land" : "border", points);
}

function lake(line: string): Shape {
  const [, path = ""] = line.split("|");
  return shape(
    "lake",
    path.split(",").map((place) => {
      const [lat = 0, lng = 0] = place.split(" ").map(Number);
      return project({ lat, lng });
    }),
  );
}

function shape(look: Shape["look"], points: Point[]): Shape {
  const xs = points.map(({ x }) => x);
  const ys = points.map(({ y }) => y);
  const [left, right, top, bottom] = [Math.min(...xs), Math.max(...xs), Math.min(...ys), Math.max(...ys)];
  return { look, points, left, right, top, bottom };
}

/** Outlines by hand: name | latitude longitude, … */
const lakes = `
Superior|46.7 -92.1,47.3 -90.8,48 -89.4,48.7 -88.2,48.8 -86.6,47.9 -85,47 -84.8,46.5 -84.6,46.5 -86.5,46.9 -87.6,47.4 -88,46.8 -89.5,46.7 -91
Michigan|45.9 -85,46 -86.5,45.6 -87.2,44.5 -87.4,43.1 -87.8,42.3 -87.7,41.65 -87.3,42 -86.6,43 -86.2,44 -86.5,45 -85.6,45.7 -84.9
Huron|46 -84.4,46.2 -82.5,45.9 -81.2,45.7 -80.3,44.6 -80.1,44.7 -81.2,43.4 -81.7,43 -82.4,43.9 -82.7,44 -83.6,45 -83.4,45.6 -84.4
Erie|41.6 -83.4,42.1 -83,42 -82.4,42.6 -81.3,42.8 -79.6,42.85 -78.9,42.3 -79.8,41.8 -81.3,41.4 -82.5
Ontario|43.3 -79.8,43.65 -79.4,43.9 -78.5,44.1 -77,44.1 -76.3,43.5 -76.2,43.3 -77.5,43.3 -79
`;

/** Seas: a name in each language of the first line | latitude longitude. */
const seaFacts = `
en|zh|place
North Sea|北海|56 3.2
Irish Sea|爱尔兰海|53.75 -5
English Channel|英吉利海峡|50.15 -1.6
Celtic Sea|凯尔特海|50.6 -7.2
Bay of Biscay|比斯开湾|45.4 -5
Atlantic Ocean|大西洋|55 -11.5
Atlantic Ocean|大西洋|36 -66
Mediterranean Sea|地中海|39.2 5.6
Baltic Sea|波罗的海|55.4 16.5
Pacific Ocean|太平洋|34 -127
Gulf of Mexico|墨西哥湾|25.8 -90
Indian Ocean|印度洋|-29 110
Great Australian Bight|大澳大利亚湾|-34.5 130
Tasman Sea|塔斯曼海|-37 155
Coral Sea|珊瑚海|-18 151
`;

/** The seas that have a name on the map. */
export function seas(): Sea[] {
  const [head = [], ...rows] = lines(seaFacts).map((line) => line.split("|"));
  const tags = head.slice(0, -1);
  return rows.map((row) => {
    const [lat = 0, lng = 0] = (row.at(-1) ?? "").split(" ").map(Number);
    return { names: readNames(tags, row), lat, lng };
  });
}
