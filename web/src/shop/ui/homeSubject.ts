import type { PropertyPage, RoomType } from "../../contract/wire.ts";
import type { LeadInventory } from "./overlays.ts";
import { listHomePictures } from "./picture/homePictures.ts";

/** What an enquiry about a home is about while no room and no dates are chosen. */
export function homeSubject(property: PropertyPage): LeadInventory {
  const { id, name, canonical_name, available, state, bookable, flow, region, price } = property;
  return {
    id,
    name,
    canonical_name,
    available,
    state,
    bookable,
    flow,
    region: {
      id: region.id,
      name: region.name,
      canonical_name: region.canonical_name,
      country_key: region.location.country_key,
    },
    image: listHomePictures(property)[0] ?? null,
    price,
    room_inventory_id: null,
    configuration: null,
    move_in_date: null,
    lease_duration: null,
    rooms: cheapestPerKind(property.room_types),
    universities: property.nearby.universities.map((university) => university.name),
    deposit: property.payment_summary.find(({ amount }) => amount.amount_minor > 0)?.amount ?? null,
    time_zone: region.time_zone,
  };
}

/** Several rooms of one kind are one answer, at the lowest price. */
function cheapestPerKind(types: readonly RoomType[]): NonNullable<LeadInventory["rooms"]> {
  const kinds = new Map<string, RoomType["from"]>();
  for (const { configuration, name, from } of types) {
    const kind = configuration ?? name;
    const known = kinds.get(kind);
    if (known === undefined || from.amount_minor < known.amount_minor) kinds.set(kind, from);
  }
  return [...kinds].map(([kind, from]) => ({ name: kind, from }));
}
