/** What the workspace asks the server for about conversations. */
import { keepPreviousData, queryOptions } from "@tanstack/react-query";
import { get, post } from "../../api.ts";
import type { CaseAct, CaseListPage, CaseView, MessageTemplate, StaffCase, StaffMessage } from "../../contract/wire.ts";
import { asQuery, type Query } from "../../paths.ts";

const BASE = "/api/v0/workspace";
const one = (id: string) => `${BASE}/cases/${encodeURIComponent(id)}`;

export const casesQuery = (query: Query) =>
  queryOptions({
    queryKey: ["cases", query],
    queryFn: ({ signal }) => get<CaseListPage>(`${BASE}/cases${asQuery(query)}`, { signal }),
    placeholderData: keepPreviousData,
    refetchInterval: 5_000,
  });

export const caseQueryOf = (id: string) =>
  queryOptions({
    queryKey: ["case", id],
    queryFn: ({ signal }) => get<CaseView>(one(id), { signal }),
    // The student may answer, and what was sent arrives.
    refetchInterval: 3_000,
  });

export const templatesQuery = (leadId: string) =>
  queryOptions({
    queryKey: ["templates", leadId],
    queryFn: ({ signal }) =>
      get<MessageTemplate[]>(`${BASE}/message_templates${asQuery({ lead_id: leadId })}`, { signal }),
    staleTime: Number.POSITIVE_INFINITY,
  });

/** Opens a conversation about a lead; the same `intent` sent twice opens one. */
export function openCase(asked: StaffCase, intent: string): Promise<CaseView> {
  return post<CaseView>(`${BASE}/cases`, asked, { idempotencyKey: intent });
}

/** Writes to the student; the same `intent` sent twice is one message. */
export function writeCase(id: string, asked: StaffMessage, intent: string): Promise<CaseView> {
  return post<CaseView>(`${one(id)}/messages`, asked, { idempotencyKey: intent });
}

/** Sends a file to the student; the same bytes are kept once. */
export function sendFile(id: string, file: File, intent: string): Promise<CaseView> {
  return post<CaseView>(`${one(id)}/attachments`, file, { idempotencyKey: intent });
}

export const fileUrl = (id: string, file: string) => `${one(id)}/attachments/${encodeURIComponent(file)}`;

/** Assigns, dates, notes, closes or reopens it. */
export function actOnCase(id: string, act: CaseAct): Promise<CaseView> {
  return post<CaseView>(`${one(id)}/acts`, act);
}
