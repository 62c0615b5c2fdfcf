import type { PropertyPage } from "../../contract/wire.ts";
import { homeSubject } from "../ui/homeSubject.ts";
import type { LeadInventory } from "../ui/overlays.ts";
import type { Choice } from "./choice.ts";

/** What an enquiry opened here is about: the home, and the room and dates that are chosen. */
export function leadSubject(property: PropertyPage, choice: Choice): LeadInventory {
  const type = property.room_types.find(({ id }) => id === choice.typeId);
  const option = choice.option;
  const home = homeSubject(property);
  return {
    ...home,
    // Nothing is paid for such a stay, so that no booking follows the enquiry.
    bookable: home.bookable && !option?.nothing_due,
    price: option?.price ?? property.price,
    room_inventory_id: option?.inventory_id ?? null,
    configuration: type ? (type.configuration ?? type.name) : null,
    move_in_date: option?.move_in_date ?? null,
    lease_duration: option ? `${option.lease_duration} ${option.lease_duration_unit}` : null,
  };
}
