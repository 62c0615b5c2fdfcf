/** What the workspace asks the server for about a lead's form and its documents. */
import { post } from "../../api.ts";
import type { DocumentLinkMade, LeadForm } from "../../contract/wire.ts";

const BASE = "/api/v0/workspace/leads";

/** The answers and documents; asking is itself recorded with its reason, once for the same `intent`. */
export function readForm(leadId: string, reason: string, intent: string): Promise<LeadForm> {
  return post<LeadForm>(`${BASE}/${encodeURIComponent(leadId)}/form`, { reason }, { idempotencyKey: intent });
}

/** A link that opens one document once. */
export function makeDocumentLink(
  leadId: string,
  documentId: string,
  audience: "staff" | "provider",
): Promise<DocumentLinkMade> {
  const path = `${BASE}/${encodeURIComponent(leadId)}/documents/${encodeURIComponent(documentId)}/link`;
  return post<DocumentLinkMade>(path, { audience });
}

/** Opens a document by its link, which ends with that; `null` where the link opens nothing. */
export async function openDocument(path: string): Promise<Blob | null> {
  const answer = await fetch(path, { method: "POST" });
  return answer.ok ? answer.blob() : null;
}
