import type { BookingFormPage, RoomType } from "../../contract/wire.ts";
import { optionKey } from "../ui/roomChoice.tsx";
import type { Answers } from "./fieldMerge.ts";

/** What the address asks for (Spec §2, the parameters of the form). */
export type Prefill = BookingFormPage["prefill"];

/** A value of the link that differs from what was typed before: shown, never silently taken (D79). */
export interface Conflict {
  field: string;
  link: string;
  typed: string;
}

/** Parameters that name a person (T36): they leave the address bar as soon as the page has read them. */
const PERSONAL = /^(email|phone(\[.*\])?|phone_code|fullName(\[.*\])?)$/;

/** The address without what names a person. */
export function withoutPersonal(url: string): string {
  const [path = "", query = ""] = url.split("?");
  const kept = new URLSearchParams(query);
  for (const name of [...kept.keys()]) if (PERSONAL.test(name)) kept.delete(name);
  const text = kept.toString();
  return text === "" ? path : `${path}?${text}`;
}

/** The link's values in the words of the personal section. */
export function prefillAnswers(prefill: Prefill): Answers {
  const name = [prefill.first_name, prefill.last_name].filter(Boolean).join(" ");
  const dial = prefill.phone_code?.split(" ").at(-1);
  const phone = prefill.phone && dial && !prefill.phone.startsWith("+") ? `${dial} ${prefill.phone}` : prefill.phone;
  return {
    ...(name && { full_name: name }),
    ...(prefill.email && { email: prefill.email }),
    ...(phone && { phone }),
    ...(prefill.university && { university: prefill.university }),
  };
}

/** D79: the link wins over the draft, and every difference is told. */
export function mergePrefill(draft: Answers, link: Answers): { answers: Answers; conflicts: Conflict[] } {
  const conflicts = Object.entries(link).flatMap(([field, value]) => {
    const typed = draft[field];
    const differs = typeof typed === "string" && typed.trim() !== "" && typed.trim() !== value;
    return differs && typeof value === "string" ? [{ field, link: value, typed: typed.trim() }] : [];
  });
  return { answers: { ...draft, ...link }, conflicts };
}

/** What narrows the choice to one stay. */
type Wish = Pick<Prefill, "inventory_id" | "configuration" | "move_in_date" | "lease_duration">;

/** Whether the link names a stay, and not its room alone. */
export function namesStay({ move_in_date, lease_duration }: Wish): boolean {
  return Boolean(move_in_date || lease_duration);
}

/** The stay that is meant: of the room with the id, else of one with that configuration or for those dates, by month and length. */
export function stayOf(wish: Wish, rooms: readonly RoomType[]): string | null {
  const named = wish.configuration?.toLowerCase();
  const [, length, unit] = /^(\d+)(?: (weeks|months))?/.exec(wish.lease_duration ?? "") ?? [];
  const stays = rooms.flatMap((room) => room.options.map((option) => ({ room, option })));
  const ofRoom = stays.filter(({ option }) => option.inventory_id === wish.inventory_id);
  const ofKind = stays.filter(
    ({ room }) => named && [room.configuration, room.name].some((n) => n?.toLowerCase() === named),
  );
  // A link that names dates only means the first room that is let for them.
  const ofDates = named || wish.inventory_id || !wish.move_in_date || !length ? [] : stays;
  const meant = [ofRoom, ofKind].find((found) => found.length > 0) ?? ofDates;
  const candidates = meant.filter(({ option }) => option.rooms_left !== 0);
  const fits = candidates
    .filter(({ option }) => !wish.move_in_date || option.move_in_date.startsWith(wish.move_in_date))
    .filter(({ option }) => !length || option.lease_duration === Number(length))
    .filter(({ option }) => !unit || option.lease_duration_unit === unit);
  const chosen = fits[0];
  return chosen ? optionKey(chosen.option) : null;
}
