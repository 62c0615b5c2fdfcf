/** What the workspace asks the server for about a lead's form and its documents. */
import { post } from "../../api.ts";
import type { DocumentLinkMade, LeadForm } from "../../contract/wire.ts";

/** The answers and documents; asking is itself recorded with its reason, once for the same `intent`. */
export function readForm(leadId: string, reason: string, intent: string): Promise<LeadForm> {
  return post("/api/v0/workspace/leads/{id}/form", { path: { id: leadId }, body: { reason }, idempotencyKey: intent });
}

/** A link that opens one document once. */
export function makeDocumentLink(
  leadId: string,
  documentId: string,
  audience: "staff" | "provider",
): Promise<DocumentLinkMade> {
  return post("/api/v0/workspace/leads/{id}/documents/{document}/link", {
    path: { id: leadId, document: documentId },
    body: { audience },
  });
}

/** Opens a document by its link, which ends with that; `null` where the link opens nothing. */
export async function openDocument(path: string): Promise<Blob | null> {
  const answer = await fetch(path, { method: "POST" });
  return answer.ok ? answer.blob() : null;
}
