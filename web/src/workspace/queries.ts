/** What the workspace asks the server for, and how long an answer is believed. */
import { keepPreviousData, QueryClient, queryOptions } from "@tanstack/react-query";
import { ApiError, buildAddress, del, get, post } from "../api.ts";
import type { QueryOf } from "../contract/calls.ts";
import type {
  CancelBookingBody,
  DismissReason,
  DisputeEvidence,
  ForgetRequest,
  Letter,
  PutBack,
  RefundBody,
  Revealed,
  RoleGrant,
  SendEvidenceBody,
  TakenIn,
} from "../contract/wire.ts";
import { heardOf } from "./connection.ts";
import { fileAddress } from "./pastMoment.ts";

/** What the list of payment events is narrowed to. */
export type PaymentEventsQuery = QueryOf<"/api/v0/workspace/payments/events">;

type ProviderAccountQuery = QueryOf<"/api/v0/workspace/payments/provider_account">;

/** A moment far back in a long log is read on after such a refusal: it is there when it is asked for again. */
const isStillRead = (error: Error) => error instanceof ApiError && error.code === "past_unfinished";

/** A refusal stays a refusal; only a call that never arrived is worth another try. */
export function worthAnotherTry(failures: number, error: Error): boolean {
  if (isStillRead(error)) return failures < 8;
  return failures < 2 && !(error instanceof ApiError && error.kind === "refused");
}

export function newQueryClient(): QueryClient {
  const client = new QueryClient({
    defaultOptions: { queries: { retry: worthAnotherTry, staleTime: 10_000, refetchOnWindowFocus: true } },
  });
  client.getQueryCache().subscribe(heardOf);
  return client;
}

/** Who is here and what they may do; asked again regularly because it carries the log's position. */
export const meQuery = queryOptions({
  queryKey: ["me"],
  queryFn: ({ signal }) => get("/api/v0/workspace/me", { signal }),
  refetchInterval: 5_000,
});

export const leadsQuery = (query: QueryOf<"/api/v0/workspace/leads">) =>
  queryOptions({
    queryKey: ["leads", query],
    queryFn: ({ signal }) => get("/api/v0/workspace/leads", { query, signal }),
    placeholderData: keepPreviousData,
    refetchInterval: 30_000,
  });

export const timelineQuery = (leadId: string) =>
  queryOptions({
    queryKey: ["timeline", leadId],
    queryFn: ({ signal }) => get("/api/v0/workspace/leads/{id}/timeline", { path: { id: leadId }, signal }),
  });

/** Events of a page of a long history. */
export const EVENTS_PER_PAGE = 500;

const events = (leadId: string, from: number, signal?: AbortSignal) => {
  return get("/api/v0/workspace/leads/{id}/timeline/events", {
    path: { id: leadId },
    query: { from: from, limit: EVENTS_PER_PAGE },
    ...(signal === undefined ? {} : { signal }),
  });
};

/** Page 0 begins with event 1. The history keeps what has come. */
export const eventsQuery = (leadId: string, page: number) =>
  queryOptions({
    queryKey: ["timeline-events", leadId, page],
    queryFn: ({ signal }) => events(leadId, page * EVENTS_PER_PAGE + 1, signal),
    gcTime: 0,
    staleTime: 0,
  });

/** What came after event `n`. */
export const eventsAfter = (leadId: string, n: number) => events(leadId, n + 1);

export const streamUrl = (leadId: string) =>
  buildAddress("/api/v0/workspace/leads/{id}/stream", { path: { id: leadId } });

/** An event as stored never changes. */
export const rawEventQuery = (position: number) =>
  queryOptions({
    queryKey: ["event", position],
    queryFn: ({ signal }) => get("/api/v0/workspace/events/{position}", { path: { position }, signal }),
    staleTime: Number.POSITIVE_INFINITY,
  });

export const auditQuery = (query: PaymentEventsQuery) =>
  queryOptions({
    queryKey: ["audit", query],
    queryFn: ({ signal }) => get("/api/v0/workspace/payments/events", { query, signal }),
    placeholderData: keepPreviousData,
    refetchInterval: 30_000,
  });

export const csvUrl = (query: PaymentEventsQuery) =>
  fileAddress(buildAddress("/api/v0/workspace/payments/events.csv", { query }));

export const workbookUrl = (query: PaymentEventsQuery) =>
  fileAddress(buildAddress("/api/v0/workspace/payments/events.xlsx", { query }));

/** The payment provider's account beside our books. */
export const providerQuery = (query: ProviderAccountQuery) =>
  queryOptions({
    queryKey: ["provider", query],
    queryFn: ({ signal }) => get("/api/v0/workspace/payments/provider_account", { query, signal }),
    placeholderData: keepPreviousData,
  });

export const providerCsvUrl = (query: ProviderAccountQuery) =>
  fileAddress(buildAddress("/api/v0/workspace/payments/provider_account.csv", { query }));

/** Reads what is new at the provider. */
export function readProvider(): Promise<unknown> {
  return post("/api/v0/workspace/payments/provider_account/read");
}

/** Notices of the provider that wait for a person. */
export const unknownQuery = queryOptions({
  queryKey: ["unknown_notices"],
  queryFn: ({ signal }) => get("/api/v0/workspace/payments/unknown_notices", { signal }),
  refetchInterval: 30_000,
});

/** Gives a notice to a payment, named by its reference. */
export function matchNotice(id: string, payment: string): Promise<unknown> {
  return post("/api/v0/workspace/payments/unknown_notices/{id}/match", { path: { id }, body: { payment } });
}

/** Puts a notice aside that concerns no payment here. */
export function dismissNotice(id: string, reason: DismissReason): Promise<unknown> {
  return post("/api/v0/workspace/payments/unknown_notices/{id}/dismiss", { path: { id }, body: { reason } });
}

export const dossierQuery = (paymentId: string) =>
  queryOptions({
    queryKey: ["dossier", paymentId],
    queryFn: ({ signal }) => get("/api/v0/workspace/payments/{id}", { path: { id: paymentId }, signal }),
    // While the gateway owes an answer the page asks for it: a refund is acknowledged seconds after it was sent.
    refetchInterval: ({ state }) => (state.data !== undefined && state.data.refund_pending_minor > 0 ? 1_500 : false),
  });

/** What is laid against a dispute; asked for again while the provider owes an answer. */
export const evidenceQuery = (paymentId: string) =>
  queryOptions({
    queryKey: ["evidence", paymentId],
    queryFn: ({ signal }) => get("/api/v0/workspace/payments/{id}/evidence", { path: { id: paymentId }, signal }),
    refetchInterval: ({ state }) => (state.data?.disputes.some(isUnderWay) ? 1_500 : 30_000),
  });

function isUnderWay({ outcome, laid_at, asked_at, sent_at, refused }: DisputeEvidence["disputes"][number]): boolean {
  if (outcome !== "open" || sent_at !== null || refused !== null) return false;
  return laid_at === null || asked_at !== null;
}

/** Sends the evidence on to the bank. The same `intent` sent twice is one sending. */
export function sendEvidence(paymentId: string, asked: SendEvidenceBody, intent: string): Promise<unknown> {
  return post("/api/v0/workspace/payments/{id}/evidence/send", {
    path: { id: paymentId },
    body: asked,
    idempotencyKey: intent,
  });
}

export const chainQuery = queryOptions({
  queryKey: ["chain"],
  queryFn: ({ signal }) => get("/api/v0/workspace/chain", { signal }),
  refetchInterval: 30_000,
});

/** How far each read model has come; while somebody looks, nearly at once. */
export const readModelsQuery = queryOptions({
  queryKey: ["read_models"],
  queryFn: ({ signal }) => get("/api/v0/workspace/read_models", { signal }),
  refetchInterval: 2_000,
});

/** Which account has which role. */
export const grantsQuery = queryOptions({
  queryKey: ["grants"],
  queryFn: ({ signal }) => get("/api/v0/workspace/grants", { signal, fresh: true }),
});

/** Takes a role back; open logins of the account have lost it with the answer. */
export function revokeGrant({ user_id, role }: Pick<RoleGrant, "user_id" | "role">): Promise<boolean> {
  return del("/api/v0/workspace/grants/{id}/{role}", { path: { id: user_id, role } });
}

/** Takes in what a read model leaves out, or builds the whole of it anew. */
export function mend(name: string, way: "retry" | "rebuild"): Promise<TakenIn> {
  return post(`/api/v0/workspace/read_models/{name}/${way}`, { path: { name } });
}

/** Lets what served before the last rebuild serve again, and keeps what serves now. */
export function rollBack(name: string): Promise<PutBack> {
  return post("/api/v0/workspace/read_models/{name}/rollback", { path: { name } });
}

/** Shows a lead's personal data for a while; asking is itself recorded with its reason, once for the same `intent`. */
export function reveal(leadId: string, reason: string, intent: string): Promise<Revealed> {
  return post("/api/v0/workspace/leads/{id}/reveal", {
    path: { id: leadId },
    body: { reason },
    idempotencyKey: intent,
  });
}

/** The text of one message; asking is itself recorded with its reason, once for the same `intent`. */
export function readLetter(leadId: string, position: number, reason: string, intent: string): Promise<Letter> {
  return post("/api/v0/workspace/leads/{id}/letters/{position}", {
    path: { id: leadId, position },
    body: { reason },
    idempotencyKey: intent,
  });
}

/** Erases the person of a lead for good; `confirm` is the lead's reference, typed again. */
export function forgetPerson(leadId: string, asked: ForgetRequest): Promise<unknown> {
  return post("/api/v0/workspace/leads/{id}/forget", { path: { id: leadId }, body: asked });
}

/** Gives a lead to the caller, or to nobody. */
export function assign(leadId: string, owner: "me" | null): Promise<unknown> {
  return post("/api/v0/workspace/leads/{id}/assign", { path: { id: leadId }, body: { owner } });
}

/** Accepts or refuses a lead's referral that is held for review. */
export function reviewReferral(leadId: string, accepted: boolean): Promise<unknown> {
  return post("/api/v0/workspace/leads/{id}/referral", { path: { id: leadId }, body: { accepted } });
}

/** Ends a booking whose money is all gone. */
export function cancelBooking(paymentId: string, asked: CancelBookingBody, intent: string): Promise<unknown> {
  return post("/api/v0/workspace/payments/{id}/cancel_booking", {
    path: { id: paymentId },
    body: asked,
    idempotencyKey: intent,
  });
}

/** Gives money back. The same `intent` sent twice moves money once. */
export function refund(paymentId: string, asked: RefundBody, intent: string): Promise<unknown> {
  return post("/api/v0/workspace/payments/{id}/refunds", {
    path: { id: paymentId },
    body: asked,
    idempotencyKey: intent,
  });
}

/** All that waits for a decision of finance, oldest first, with its count. */
export const waitingQuery = queryOptions({
  queryKey: ["approvals", "waiting"],
  queryFn: ({ signal }) => get("/api/v0/workspace/approvals/waiting", { signal }),
  refetchInterval: 30_000,
});
