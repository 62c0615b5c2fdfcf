/** What the workspace asks the server for about conversations. */
import { keepPreviousData, queryOptions } from "@tanstack/react-query";
import { buildAddress, get, post } from "../../api.ts";
import type { QueryOf } from "../../contract/calls.ts";
import type { CaseAct, CaseView, StaffCase, StaffMessage } from "../../contract/wire.ts";

/** What the list of conversations is narrowed to. */
export type CasesQuery = QueryOf<"/api/v0/workspace/cases">;

export const casesQuery = (query: CasesQuery) =>
  queryOptions({
    queryKey: ["cases", query],
    queryFn: ({ signal }) => get("/api/v0/workspace/cases", { query, signal }),
    placeholderData: keepPreviousData,
    refetchInterval: 5_000,
  });

export const caseQueryOf = (id: string) =>
  queryOptions({
    queryKey: ["case", id],
    queryFn: ({ signal }) => get("/api/v0/workspace/cases/{id}", { path: { id }, signal }),
    // The student may answer, and what was sent arrives.
    refetchInterval: 3_000,
  });

export const templatesQuery = (leadId: string) =>
  queryOptions({
    queryKey: ["templates", leadId],
    queryFn: ({ signal }) => get("/api/v0/workspace/message_templates", { query: { lead_id: leadId }, signal }),
    staleTime: Number.POSITIVE_INFINITY,
  });

/** Opens a conversation about a lead; the same `intent` sent twice opens one. */
export function openCase(asked: StaffCase, intent: string): Promise<CaseView> {
  return post("/api/v0/workspace/cases", { body: asked, idempotencyKey: intent });
}

/** Writes to the student; the same `intent` sent twice is one message. */
export function writeCase(id: string, asked: StaffMessage, intent: string): Promise<CaseView> {
  return post("/api/v0/workspace/cases/{id}/messages", { path: { id }, body: asked, idempotencyKey: intent });
}

/** Sends a file to the student; the same bytes are kept once. */
export function sendFile(id: string, file: File, intent: string): Promise<CaseView> {
  return post("/api/v0/workspace/cases/{id}/attachments", { path: { id }, body: file, idempotencyKey: intent });
}

export const fileUrl = (id: string, attachment: string) =>
  buildAddress("/api/v0/workspace/cases/{id}/attachments/{attachment}", { path: { id, attachment } });

/** Assigns, dates, notes, closes or reopens it. */
export function actOnCase(id: string, act: CaseAct): Promise<CaseView> {
  return post("/api/v0/workspace/cases/{id}/acts", { path: { id }, body: act });
}
