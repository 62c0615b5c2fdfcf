import type { BookingForm, BookingFormPage, Price } from "../../contract/wire.ts";
import type { Lease } from "../ui/lease.ts";
import { findOption, stayNamed, wishOf } from "../ui/roomChoice.tsx";
import { namesStay, stayOf } from "./prefill.ts";

/** A room with its stay and its rent. */
export interface Booked {
  room: string;
  area: number | null;
  lease: Lease;
  rent: Price;
}

/** The room and the stay that the form's payment is for. */
export function bookedOf(form: BookingForm | null, page: BookingFormPage): Booked | null {
  if (!form?.stay) return null;
  const area = page.room_types.find(({ options }) =>
    options.some((o) => o.inventory_id === form.inventory_id),
  )?.area_sqm;
  return { room: form.stay.name, area: area ?? null, lease: form.stay, rent: form.stay.rent };
}

/** The room and the stay that are chosen on this page, before they are sent. */
export function chosenOf(page: BookingFormPage, room: string | null): Booked | null {
  const found = findOption(page.room_types, room);
  if (!found) return null;
  return { room: found.room.name, area: found.room.area_sqm, lease: found.option, rent: found.option.price };
}

/** The stay that is chosen at first where rooms are chosen: the link's where it names one, else the form's. */
export function preselectedStay(form: BookingForm | null, { prefill, room_types }: BookingFormPage): string | null {
  const linked = stayOf(prefill, room_types);
  if (linked !== null && namesStay(prefill)) return linked;
  const kept = form?.stay ? stayNamed(room_types, form.inventory_id, wishOf({ option: form.stay })) : null;
  return kept ?? linked;
}
