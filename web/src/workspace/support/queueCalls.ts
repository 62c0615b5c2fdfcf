/** What the workspace asks the server for about views, and what the desk's stream tells. */
import { type QueryClient, queryOptions } from "@tanstack/react-query";
import { buildAddress, del, get, post, put } from "../../api.ts";
import type { LeadView, NewLeadView } from "../../contract/wire.ts";

export const viewsQuery = queryOptions({
  queryKey: ["lead-views"],
  queryFn: ({ signal }) => get("/api/v0/workspace/leads/views", { signal }),
  staleTime: 60_000,
});

/** The desk's stream; with a lead, that of its page. */
export const liveUrl = (leadId: string | null) =>
  buildAddress("/api/v0/workspace/leads/live", { query: { lead_id: leadId } });

export function saveView(view: NewLeadView): Promise<LeadView> {
  return post("/api/v0/workspace/leads/views", { body: view });
}

export function changeView(id: string, change: { name: string; shared: boolean; alarm: boolean }): Promise<LeadView> {
  return put("/api/v0/workspace/leads/views/{id}", { path: { id }, body: change });
}

export function deleteView(id: string): Promise<boolean> {
  return del("/api/v0/workspace/leads/views/{id}", { path: { id } });
}

/** Says that this person writes at the lead, or has stopped. */
export function noteWriting(leadId: string, writing: boolean): Promise<unknown> {
  return post("/api/v0/workspace/leads/{id}/presence", { path: { id: leadId }, body: { writing } });
}

/** The list and the views are asked anew. */
export function refreshLists(client: QueryClient): void {
  void client.invalidateQueries({ queryKey: ["leads"] });
  void client.invalidateQueries({ queryKey: ["lead-views"] });
}
