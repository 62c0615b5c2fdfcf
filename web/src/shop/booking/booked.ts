import type { BookingForm, BookingFormPage, Price } from "../../contract/wire.ts";
import type { Lease } from "../ui/lease.ts";
import { findOption, stayNamed, wishOf } from "../ui/roomChoice.tsx";
import { namesStay, stayOf } from "./prefill.ts";

/** A room with its stay, its rent, and its deposit where the lease has one of its own. */
export interface Booked {
  room: string;
  area: number | null;
  lease: Lease;
  rent: Price;
  deposit: Price | null;
}

/** The room and the stay that the form's payment is for. */
export function bookedOf(form: BookingForm | null, page: BookingFormPage): Booked | null {
  if (!form?.stay) return null;
  const { stay } = form;
  const type = page.room_types.find(({ options }) => options.some((o) => o.inventory_id === form.inventory_id));
  const option = type?.options.find(
    (o) =>
      o.move_in_date === stay.move_in_date &&
      o.lease_duration === stay.lease_duration &&
      o.lease_duration_unit === stay.lease_duration_unit,
  );
  return {
    room: stay.name,
    area: type?.area_sqm ?? null,
    lease: stay,
    rent: stay.rent,
    deposit: option?.deposit ?? null,
  };
}

/** The room and the stay that are chosen on this page, before they are sent. */
export function chosenOf(page: BookingFormPage, room: string | null): Booked | null {
  const found = findOption(page.room_types, room);
  if (!found) return null;
  const { room: type, option } = found;
  return { room: type.name, area: type.area_sqm, lease: option, rent: option.price, deposit: option.deposit };
}

/** The stay that is chosen at first where rooms are chosen: the link's where it names one, else the form's. */
export function preselectedStay(form: BookingForm | null, { prefill, room_types }: BookingFormPage): string | null {
  const linked = stayOf(prefill, room_types);
  if (linked !== null && namesStay(prefill)) return linked;
  const kept = form?.stay ? stayNamed(room_types, form.inventory_id, wishOf({ option: form.stay })) : null;
  return kept ?? linked;
}
