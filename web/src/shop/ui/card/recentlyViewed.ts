import type { InventoryCard } from "../../../contract/wire.ts";
import { storedList } from "../../storedList.ts";
import type { Pictured } from "../picture/pictures.ts";

/** Spec §9: about ten homes are remembered, newest first. */
const cap = 10;

/** What a remembered home shows; its canonical name is the key. */
export type RecentHome = Pick<
  InventoryCard,
  | "id"
  | "name"
  | "canonical_name"
  | "available"
  | "price"
  | "images"
  | "badges"
  | "reviews_rating"
  | "reviews_count"
  | "region"
> &
  Pick<Pictured, "photos"> &
  Partial<Pick<InventoryCard, "state">>;

const list = storedList<RecentHome>("latchkey.recently_viewed", (value) => (isHome(value) ? value : null));

export const useRecentlyViewed = list.use;

/** Puts a home in front of the list. */
export function rememberViewed(home: RecentHome): void {
  list.write([home, ...list.read().filter((other) => other.canonical_name !== home.canonical_name)].slice(0, cap));
}

export function forgetViewed(): void {
  list.write([]);
}

function isHome(value: unknown): value is RecentHome {
  return (
    typeof value === "object" &&
    value !== null &&
    "canonical_name" in value &&
    typeof value.canonical_name === "string" &&
    "price" in value &&
    typeof value.price === "object" &&
    "images" in value &&
    Array.isArray(value.images) &&
    "badges" in value &&
    Array.isArray(value.badges)
  );
}
