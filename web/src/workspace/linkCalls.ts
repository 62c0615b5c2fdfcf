/** What the workspace asks the server for about payment links. */
import { queryOptions } from "@tanstack/react-query";
import { get, post } from "../api.ts";
import type { NewPaymentLink, PaymentLinkRow } from "../contract/wire.ts";

export const linksQuery = (leadId: string) =>
  queryOptions({
    queryKey: ["payment-links", leadId],
    queryFn: ({ signal }) => get("/api/v0/workspace/payment_links", { query: { lead_id: leadId }, signal }),
    // Paid by the student while the dialog is open.
    refetchInterval: 5_000,
  });

/** Makes a link and mails it; the same `intent` sent twice makes one. */
export function makeLink(asked: NewPaymentLink, intent: string): Promise<PaymentLinkRow> {
  return post("/api/v0/workspace/payment_links", { body: asked, idempotencyKey: intent });
}

/** Takes back a link that was not paid. */
export function withdrawLink(paymentId: string): Promise<PaymentLinkRow> {
  return post("/api/v0/workspace/payment_links/{id}/withdraw", { path: { id: paymentId }, body: {} });
}
