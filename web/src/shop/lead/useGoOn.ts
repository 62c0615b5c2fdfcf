import * as paths from "../../paths.ts";
import { navigate } from "../navigation.ts";
import type { LeadForm, LeadModalProps } from "./LeadModal.tsx";

/** Goes on to the booking form with this lead and the room that was chosen. */
export function useGoOn({ form, inventory, onClose }: LeadModalProps & { form: LeadForm }): () => void {
  const { lead } = form.shown.context;
  return () => {
    if (!inventory || !lead) return;
    form.send({ type: "lead.continue_to_booking" });
    const query = {
      lead_uuid: lead.uuid,
      inventory_id: inventory.room_inventory_id,
      move_in_date: inventory.move_in_date,
      lease_duration: inventory.lease_duration,
    };
    const to = inventory.flow === "apply" ? paths.application : paths.bookingForm;
    void navigate(to(inventory.canonical_name, query)).then((isThere) => isThere && onClose());
  };
}
