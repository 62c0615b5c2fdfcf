/** A lead's history as a file. */
import { ApiError, headersFor, readFailure } from "../../api.ts";

const BASE = "/api/v0/workspace";

/** A history as a file. The same `intent` sent twice is recorded once. */
export async function exportHistory(leadId: string, reason: string, format: "pdf" | "json", intent: string) {
  const body = { reason, format };
  const answer = await fetch(`${BASE}/leads/${encodeURIComponent(leadId)}/export`, {
    method: "POST",
    headers: headersFor(body, { idempotencyKey: intent }),
    body: JSON.stringify(body),
  }).catch(() => {
    throw new ApiError("offline");
  });
  if (!answer.ok) throw await readFailure(answer);
  return answer.blob();
}
