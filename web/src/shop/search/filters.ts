import type { Facets, FacetValue, Period } from "../../contract/wire.ts";

/** Filters that hold one or more values, by their URL names (Spec §3, §9). */
export const listFilters = [
  "roomType",
  "moveInMonth",
  "leaseDuration",
  "distance",
  "guarantor",
  "available",
  "dualOccupancy",
  "accommodationType",
  "features",
  "locality",
  "university",
] as const;

export type ListFilter = (typeof listFilters)[number];

/** Where a filter's counts are. */
export const facetOf: Partial<Record<ListFilter, keyof Omit<Facets, "budget">>> = {
  roomType: "room_type",
  moveInMonth: "move_in_month",
  leaseDuration: "stay_duration",
  distance: "distance",
  guarantor: "guarantor",
  available: "availability",
  dualOccupancy: "dual_occupancy",
  accommodationType: "accommodation_type",
  features: "features",
};

/** Filters of which one value holds at a time. */
const single: ReadonlySet<ListFilter> = new Set<ListFilter>(["distance", "available", "dualOccupancy"]);

/** Spec §9: the five orders. */
export const sortOrders = [
  "relevance,desc",
  "distance,asc",
  "available_price,asc",
  "available_price,desc",
  "created,desc",
] as const;

export type SortOrder = (typeof sortOrders)[number];

/** Whole major units of the region's currency; null is open. */
export interface Budget {
  from: number | null;
  to: number | null;
}

/** The part of the map that is searched, in degrees. */
export interface Box {
  south: number;
  west: number;
  north: number;
  east: number;
}

/** What a search address asks for. Whatever else is in the address stays there. */
export interface Filters {
  lists: Partial<Record<ListFilter, readonly string[]>>;
  budget: Budget;
  duration: Period | null;
  /** Only homes in this part of the map (Spec §7); null is the whole place. */
  box: Box | null;
  sort: SortOrder;
}

// Spec §7: the corners of a box, as the search knows them.
const corners = {
  south: "region_bounds_lat1",
  west: "region_bounds_lng1",
  north: "region_bounds_lat2",
  east: "region_bounds_lng2",
} as const;

export function readFilters(url: string): Filters {
  const query = queryOf(url);
  const lists: Filters["lists"] = {};
  for (const name of listFilters) {
    const values = (query.get(name) ?? "")
      .split(",")
      .filter((value) => value !== "" && !(name === "distance" && value === "all"));
    if (values.length > 0) lists[name] = values;
  }
  const duration = query.get("duration");
  const order = `${query.get("sortKey") ?? "relevance"},${query.get("sortOrder") ?? "desc"}`;
  return {
    lists,
    budget: readBudget(query.get("budget") ?? ""),
    duration: duration === "weekly" || duration === "monthly" ? duration : null,
    box: readBox(query),
    sort: sortOrders.find((known) => known === order) ?? "relevance,desc",
  };
}

function readBudget(text: string): Budget {
  const [from, to] = rangeOf(text) ?? [];
  return { from: amount(from), to: amount(to) };
}

/** The two ends of a range as the server reads it: either may be left out, and the lower one is first. */
function rangeOf(text: string): readonly [string, string] | null {
  const at = text.search(text.includes(",") ? "," : "-");
  const [from, to] = [text.slice(0, Math.max(at, 0)).trim(), text.slice(at + 1).trim()];
  const isRead = [from, to].every((end) => /^(\d{1,12}(\.\d{0,2})?)?$/.test(end));
  if (at < 0 || !isRead || from + to === "") return null;
  return from !== "" && to !== "" && Number(from) > Number(to) ? null : [from, to];
}

/** The price in an address that is no range, and so narrows nothing. */
export function unreadBudget(url: string): string | null {
  const text = (queryOf(url).get("budget") ?? "").trim();
  return text === "" || rangeOf(text) !== null ? null : text;
}

function amount(text: string | undefined): number | null {
  return text && /^\d+$/.test(text) ? Number(text) : null;
}

function readBox(query: ReadonlyMap<string, string>): Box | null {
  const degrees = (name: string) => {
    const text = query.get(name);
    return text && /^-?\d+(\.\d+)?$/.test(text) ? Number(text) : null;
  };
  const [south, west, north, east] = [corners.south, corners.west, corners.north, corners.east].map(degrees);
  if (south == null || west == null || north == null || east == null) return null;
  return { south, west, north, east };
}

/** The address with these filters, on its first page. */
export function withFilters(url: string, filters: Filters): string {
  const query = queryOf(url);
  for (const name of [
    ...listFilters,
    "budget",
    "duration",
    "sortKey",
    "sortOrder",
    "p",
    "next_token",
    "minLeaseDuration",
    "maxLeaseDuration",
    ...Object.values(corners),
  ])
    query.delete(name);
  for (const name of listFilters) {
    const values = filters.lists[name];
    if (values && values.length > 0) query.set(name, values.join(","));
  }
  const { from, to } = filters.budget;
  if (from !== null || to !== null) {
    query.set("budget", `${from ?? ""}-${to ?? ""}`);
    if (filters.duration) query.set("duration", filters.duration);
  }
  if (filters.box) {
    const { south, west, north, east } = filters.box;
    query.set(corners.south, String(south));
    query.set(corners.west, String(west));
    query.set(corners.north, String(north));
    query.set(corners.east, String(east));
  }
  if (filters.sort !== "relevance,desc") {
    const [key = "", order = ""] = filters.sort.split(",");
    query.set("sortKey", key);
    query.set("sortOrder", order);
  }
  return join(url, query);
}

/** The address of another page of the same list. */
export function withPage(url: string, page: number): string {
  const query = queryOf(url);
  query.set("p", String(page));
  return join(url, query);
}

export function toggled(filters: Filters, name: ListFilter, value: string): Filters {
  const now = filters.lists[name] ?? [];
  const on = now.includes(value);
  const values = on ? now.filter((other) => other !== value) : single.has(name) ? [value] : [...now, value];
  return { ...filters, lists: { ...filters.lists, [name]: values } };
}

/** Nothing chosen; the order stays. */
export function cleared(filters: Filters): Filters {
  return { ...filters, lists: {}, budget: { from: null, to: null }, box: null };
}

/** How many filters are on, as the button counts them: the map's part is not one of the drawer's. */
export function countOf({ lists, budget }: Filters): number {
  const values = Object.values(lists).reduce((sum, list) => sum + list.length, 0);
  return values + (budget.from !== null || budget.to !== null ? 1 : 0);
}

/** The values of a filter with their counts, as the server found them. */
export function facetValues(facets: Facets | undefined, name: ListFilter): readonly FacetValue[] {
  const facet = facetOf[name];
  return facet && facets ? facets[facet] : [];
}

// The server's engine has no `URLSearchParams`, and pages read their address while they are printed.
function queryOf(url: string): Map<string, string> {
  const pairs = (url.split("?")[1] ?? "").split("&").filter(Boolean);
  return new Map(pairs.map((pair) => [decoded(pair.split("=")[0] ?? ""), decoded(pair.slice(pair.indexOf("=") + 1))]));
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text.replaceAll("+", " "));
  } catch {
    return text;
  }
}

function join(url: string, query: Map<string, string>): string {
  const path = url.split("?")[0] ?? "";
  const text = [...query].map(
    ([name, value]) => `${encodeURIComponent(name)}=${encodeURIComponent(value).replaceAll("%2C", ",")}`,
  );
  return text.length > 0 ? `${path}?${text.join("&")}` : path;
}
