import { useState } from "react";
import type { PageOf } from "../../page.ts";
import { AccommodationForm } from "./AccommodationForm.tsx";
import { PaymentScreen } from "./PaymentScreen.tsx";
import type { PaymentOpening } from "./paymentMachine.ts";

/**
 * `/places/{id}/payment`: straight to the card where room and lead are known, else the accommodation card first
 * (Spec §4 "Payment form with accommodation card", E10).
 */
export default function PaymentEntryPage({ page }: { page: PageOf<"payment"> }) {
  const { lead_uuid, with_accommodation_card } = page.data;
  const asked = new URLSearchParams(page.url.split("?")[1] ?? "");
  const inventoryId = asked.get("inventory_id");
  const formUuid = asked.get("form_uuid");
  // A booking form has room, e-mail and phone in it already: nothing of the card is missing then.
  const known: PaymentOpening | null =
    lead_uuid && inventoryId && (formUuid !== null || !with_accommodation_card)
      ? { token: null, lead_uuid, inventory_id: inventoryId, form_uuid: formUuid }
      : null;
  const [opening, setOpening] = useState<PaymentOpening | null>(known);
  if (opening) return <PaymentScreen opening={opening} />;
  return <AccommodationForm page={page.data} inventoryId={inventoryId} onReady={setOpening} />;
}
