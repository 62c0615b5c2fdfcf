/** What the finance pages ask the server about requests that wait for a second person. */
import { queryOptions } from "@tanstack/react-query";
import { get, post } from "../../api.ts";
import type { RefundBody } from "../../contract/wire.ts";

/** Requests that wait, or those that were decided; newest first. */
export const approvalsQuery = (decided: boolean) =>
  queryOptions({
    queryKey: ["approvals", decided],
    queryFn: ({ signal }) => get("/api/v0/workspace/approvals", { query: { decided: decided ? true : null }, signal }),
    refetchInterval: 30_000,
  });

/** The requests of one payment, decided or not. */
export const paymentApprovalsQuery = (paymentId: string) =>
  queryOptions({
    queryKey: ["approvals", paymentId],
    queryFn: ({ signal }) => get("/api/v0/workspace/approvals", { query: { payment: paymentId }, signal }),
  });

/** Asks a second person for a refund above one's own limit; the same `intent` sent twice asks once. */
export function askForRefund(paymentId: string, asked: RefundBody, intent: string): Promise<unknown> {
  return post("/api/v0/workspace/payments/{id}/refund_approvals", {
    path: { id: paymentId },
    body: asked,
    idempotencyKey: intent,
  });
}

export function approve(id: string, reason: string): Promise<unknown> {
  return post("/api/v0/workspace/approvals/{id}/approve", { path: { id }, body: { reason } });
}

export function decline(id: string, reason: string): Promise<unknown> {
  return post("/api/v0/workspace/approvals/{id}/decline", { path: { id }, body: { reason } });
}
