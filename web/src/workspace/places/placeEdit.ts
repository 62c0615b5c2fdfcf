/** The correction of a place while it is typed: fields as text, what is sent of them, and what others changed under them. */
import type { Asked, DataOf } from "../../contract/calls.ts";

export type Place = DataOf<"get", "/api/v0/workspace/places/{id}">;
export type PlaceEdit = Asked<"patch", "/api/v0/workspace/places/{id}">["body"];

/** Typed texts by their fields, each with the text that it was typed over. */
export type Draft = Readonly<Record<string, { text: string; over: string }>>;

export const NO_DRAFT: Draft = {};

/** Fields of a place as text: a name in a language is `name.zh`; names that find it have a line each. */
export function writeFields(place: Place, languages: readonly string[]): Readonly<Record<string, string>> {
  const names = languages.map((tag) => [`name.${tag}`, place.local_names[tag] ?? ""] as const);
  return {
    name: place.name,
    ...Object.fromEntries(names),
    found_by: place.found_by.join("\n"),
    lat: String(place.centre.lat),
    lng: String(place.centre.lng),
  };
}

/** Types a text over a field; the shown one itself is no change. */
export function typeOver(draft: Draft, field: string, shown: string, text: string): Draft {
  const { [field]: before, ...others } = draft;
  const over = before?.over ?? shown;
  return text === shown && over === shown ? others : { ...others, [field]: { text, over } };
}

/** Fields that somebody changed after they were typed over. */
export function listOvertaken(draft: Draft, shown: Readonly<Record<string, string>>): string[] {
  return Object.keys(draft).filter((field) => draft[field]?.over !== shown[field]);
}

/** The same texts over what is shown by now. */
export function keepMine(draft: Draft, shown: Readonly<Record<string, string>>): Draft {
  const kept = Object.entries(draft).map(([field, { text }]) => [field, { text, over: shown[field] ?? "" }] as const);
  return Object.fromEntries(kept);
}

/** A degree between two bounds, as it is typed with a point or a comma; null where it is none. */
export function readDegrees(text: string, most: number): number | null {
  const typed = text.trim().replace(",", ".");
  const degrees = Number(typed);
  return typed !== "" && Number.isFinite(degrees) && Math.abs(degrees) <= most ? degrees : null;
}

export const LAT_MOST = 90;
export const LNG_MOST = 180;

/** Fields whose text cannot be sent. */
export function listFaults(draft: Draft): string[] {
  const isFaulty = (field: string, text: string) =>
    (field === "name" && text.trim() === "") ||
    (field === "lat" && readDegrees(text, LAT_MOST) === null) ||
    (field === "lng" && readDegrees(text, LNG_MOST) === null);
  return Object.entries(draft).flatMap(([field, { text }]) => (isFaulty(field, text) ? [field] : []));
}

/** Makes the correction of a draft without faults; what was not typed stays. */
export function buildEdit(place: Place, draft: Draft, reason: string): PlaceEdit {
  const edit: PlaceEdit = { revision: place.revision, reason: reason.trim() };
  const text = (field: string) => draft[field]?.text;
  if (text("name") !== undefined) edit.name = (text("name") ?? "").trim();
  const lines = text("found_by")?.split("\n");
  if (lines !== undefined) edit.found_by = lines.map((line) => line.trim()).filter((line) => line !== "");
  const tags = Object.keys(draft).filter((field) => field.startsWith("name."));
  if (tags.length > 0) {
    edit.local_names = Object.fromEntries(tags.map((tag) => [tag.slice("name.".length), text(tag)?.trim() || null]));
  }
  if ("lat" in draft || "lng" in draft) {
    edit.centre = {
      lat: readDegrees(text("lat") ?? "", LAT_MOST) ?? place.centre.lat,
      lng: readDegrees(text("lng") ?? "", LNG_MOST) ?? place.centre.lng,
    };
  }
  return edit;
}
