import { ApiError, get, put } from "../api.ts";
import type { Lead } from "../contract/wire.ts";

/** What a sender can change of a lead, under the names it has in the payload. */
export const LEAD_FIELDS = [
  "user_details/name",
  "user_details/email",
  "user_details/phone",
  "data/move_in_date",
  "data/lease_duration",
  "data/university",
  "data/configuration",
  "data/no_of_students",
  "data/budget",
  "data/budget_currency",
  "data/budget_duration",
] as const;

export type LeadField = (typeof LEAD_FIELDS)[number];

/** New values by field; `null` clears, what is absent stays as it is (D82). */
export type LeadChanges = Partial<Record<LeadField, string | number | null>>;

/** A field that two tabs changed differently. */
export interface LeadClash {
  field: LeadField;
  here: string;
  there: string;
}

/** Another tab or device changed the same fields meanwhile: nothing was written, and both words are here (D79, D82). */
export class LeadClashed extends Error {
  readonly newer: Lead;
  readonly clashes: readonly LeadClash[];
  /** What was changed here; the newer lead's word holds in every other field. */
  readonly changes: LeadChanges;

  constructor(newer: Lead, clashes: readonly LeadClash[], changes: LeadChanges) {
    super("the lead was changed meanwhile");
    this.name = "LeadClashed";
    this.newer = newer;
    this.clashes = clashes;
    this.changes = changes;
  }
}

/** One field as text, empty where the lead says nothing. */
export function leadValue(lead: Lead, field: LeadField): string {
  const { user_details: person, data } = lead;
  switch (field) {
    case "user_details/name":
      return person.name;
    case "user_details/email":
      return person.email;
    case "user_details/phone":
      return person.phone;
    case "data/move_in_date":
      return data.move_in_date ?? "";
    case "data/lease_duration":
      return data.lease_duration ?? "";
    case "data/university":
      return data.university ?? "";
    case "data/configuration":
      return data.configuration ?? "";
    case "data/no_of_students":
      return String(data.no_of_students ?? "");
    case "data/budget":
      return String(data.budget ?? "");
    case "data/budget_currency":
      return data.budget_currency ?? "";
    case "data/budget_duration":
      return data.budget_duration ?? "";
  }
}

/** The fields that two states of a lead say differently, old beside new. */
export function leadDifference(before: Lead, after: Lead): { field: LeadField; before: string; after: string }[] {
  return LEAD_FIELDS.map((field) => ({
    field,
    before: leadValue(before, field),
    after: leadValue(after, field),
  })).filter((one) => one.before !== one.after);
}

/** The stay that was chosen, as a change of the lead. */
export function stayChange(wish: { move_in_date: string; lease_duration: string }): LeadChanges {
  return { "data/move_in_date": wish.move_in_date, "data/lease_duration": wish.lease_duration };
}

/** What of `changes` is news to this lead. */
function newsOf(lead: Lead, changes: LeadChanges): [LeadField, string | number | null][] {
  return LEAD_FIELDS.flatMap((field): [LeadField, string | number | null][] => {
    const value = changes[field];
    return value === undefined || String(value ?? "") === leadValue(lead, field) ? [] : [[field, value]];
  });
}

// A budget's currency and period go along with its amount.
const goesAlong = (field: LeadField) => field === "data/budget_currency" || field === "data/budget_duration";

/** Which of the changes made here to `seen` the newer lead answers with other words. */
export function clashesOf(seen: Lead, changes: LeadChanges, newer: Lead): LeadClash[] {
  return newsOf(seen, changes).flatMap(([field, value]) => {
    if (goesAlong(field)) return [];
    const [here, there] = [String(value ?? ""), leadValue(newer, field)];
    return there === here || there === leadValue(seen, field) ? [] : [{ field, here, there }];
  });
}

/** The changes with the other tab's word wherever the two differ. */
export function withoutClashes(changes: LeadChanges, clashes: readonly LeadClash[]): LeadChanges {
  const lost = new Set<string>(clashes.map(({ field }) => field));
  const stays = ([field]: [string, unknown]) =>
    !lost.has(field) && !(field.startsWith("data/budget") && lost.has("data/budget"));
  return Object.fromEntries(Object.entries(changes).filter(stays));
}

/**
 * Changes a lead as it was seen. What another tab changed elsewhere in it stays; where both changed the same field
 * nothing is written, and the reader is asked (`LeadClashed`).
 */
export async function changeLead(seen: Lead, changes: LeadChanges): Promise<Lead> {
  try {
    return await put("/api/v0/leads/{id}", {
      path: { id: seen.uuid },
      body: { lead: patchOf(seen, changes) },
      ifMatch: seen.version,
    });
  } catch (failure) {
    if (!(failure instanceof ApiError) || failure.code !== "changed_meanwhile") throw failure;
    const newer = await get("/api/v0/leads/{id}", { path: { id: seen.uuid }, fresh: true });
    const clashes = clashesOf(seen, changes, newer);
    const news = Object.fromEntries(newsOf(seen, changes));
    if (clashes.length > 0) throw new LeadClashed(newer, clashes, news);
    return changeLead(newer, news);
  }
}

function patchOf(seen: Lead, changes: LeadChanges): Record<string, Record<string, string | number | null>> {
  const patch: Record<string, Record<string, string | number | null>> = {};
  for (const [path, value] of newsOf(seen, changes)) {
    const [part = "", name = ""] = path.split("/");
    patch[part] = { ...patch[part], [name]: value };
  }
  return patch;
}
