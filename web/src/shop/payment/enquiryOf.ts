import { useEffect, useState } from "react";
import { get } from "../../api.ts";
import type { Payment } from "../../contract/wire.ts";
import * as paths from "../../paths.ts";
import { rememberedLead } from "../ui/knownLead.ts";

/**
 * The enquiry behind a payment, where this reader may go on with it: the server names it to its owner, and to the device that
 * keeps its link. Who only pays for another person learns of none.
 */
export function useEnquiry(payment: Payment): Pick<Payment, "lead_uuid" | "form_uuid"> {
  const [known, setKnown] = useState<Pick<Payment, "lead_uuid" | "form_uuid">>(payment);
  const { token, lead_uuid } = payment;
  const kept = rememberedLead(payment.inventory_root_id);
  useEffect(() => {
    if (lead_uuid !== null || !kept) return;
    const leaving = new AbortController();
    get("/api/v0/payments/{token}", {
      path: { token },
      query: { lead_uuid: kept },
      fresh: true,
      signal: leaving.signal,
    }).then(setKnown, () => undefined);
    return () => leaving.abort();
  }, [token, lead_uuid, kept]);
  return lead_uuid === null ? known : payment;
}

/** Where the next payment of the enquiry is opened; null for a reader who may not go on with it. */
export function useNextPayment(payment: Payment): string | null {
  const { lead_uuid, form_uuid } = useEnquiry(payment);
  const { inventory_id, inventory_root } = payment;
  return lead_uuid === null
    ? null
    : paths.payment(inventory_root.canonical_name, { lead_uuid, inventory_id, form_uuid });
}
