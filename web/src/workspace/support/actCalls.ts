/** What the workspace asks the server for about acts on leads. */
import { queryOptions } from "@tanstack/react-query";
import { get, post } from "../../api.ts";
import type { AssignRequest, LeadAct, LeadDesk } from "../../contract/wire.ts";

/** What can be done with a lead now. */
export const deskQuery = (leadId: string) =>
  queryOptions({
    queryKey: ["lead-desk", leadId],
    queryFn: ({ signal }) => get("/api/v0/workspace/leads/{id}/desk", { path: { id: leadId }, signal }),
    staleTime: 0,
  });

/** Only what the act needs: `act`, and its own fields. */
export type Asked = Pick<LeadAct, "act"> & Partial<LeadAct>;

/** Does one act; the same `intent` sent twice does it once. */
export function actOnLead(leadId: string, asked: Asked, intent: string): Promise<LeadDesk> {
  return post("/api/v0/workspace/leads/{id}/acts", { path: { id: leadId }, body: asked, idempotencyKey: intent });
}

/** Writes a note; colleagues called by `@name` are sent a mail. */
export function addNote(leadId: string, note: string, intent: string): Promise<unknown> {
  return post("/api/v0/workspace/leads/{id}/notes", { path: { id: leadId }, body: { note }, idempotencyKey: intent });
}

/** Gives a lead to a colleague, to the caller (`me`) or to nobody; the reason may be empty. */
export function assignTo(leadId: string, asked: AssignRequest, intent: string): Promise<unknown> {
  return post("/api/v0/workspace/leads/{id}/assign", { path: { id: leadId }, body: asked, idempotencyKey: intent });
}
