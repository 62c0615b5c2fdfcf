/** What the workspace asks the server for about views, and what the desk's stream tells. */
import { type QueryClient, queryOptions } from "@tanstack/react-query";
import { del, get, post, put } from "../../api.ts";
import type { LeadView, NewLeadView } from "../../contract/wire.ts";
import { asQuery } from "../../paths.ts";

const BASE = "/api/v0/workspace/leads";
const one = (id: string) => `${BASE}/views/${encodeURIComponent(id)}`;

export const viewsQuery = queryOptions({
  queryKey: ["lead-views"],
  queryFn: ({ signal }) => get<LeadView[]>(`${BASE}/views`, { signal }),
  staleTime: 60_000,
});

/** The desk's stream; with a lead, that of its page. */
export const liveUrl = (leadId: string | null) => `${BASE}/live${asQuery({ lead_id: leadId })}`;

export function saveView(view: NewLeadView): Promise<LeadView> {
  return post<LeadView>(`${BASE}/views`, view);
}

export function changeView(id: string, change: { name: string; shared: boolean; alarm: boolean }): Promise<LeadView> {
  return put<LeadView>(one(id), change);
}

export function deleteView(id: string): Promise<boolean> {
  return del<boolean>(one(id));
}

/** Says that this person writes at the lead, or has stopped. */
export function noteWriting(leadId: string, writing: boolean): Promise<unknown> {
  return post<unknown>(`${BASE}/${encodeURIComponent(leadId)}/presence`, { writing });
}

/** The list and the views are asked anew. */
export function refreshLists(client: QueryClient): void {
  void client.invalidateQueries({ queryKey: ["leads"] });
  void client.invalidateQueries({ queryKey: ["lead-views"] });
}
