/** What auditors keep of the log, as the server's files. */
import { ApiError, buildAddress, headersFor, readFailure } from "../../api.ts";

async function file(path: string): Promise<Blob> {
  const answer = await fetch(path, { headers: headersFor(undefined, {}) }).catch(() => {
    throw new ApiError("offline");
  });
  if (!answer.ok) throw await readFailure(answer);
  return answer.blob();
}

/** The last head that was signed by the end of a day, such as `2026-11-30`; 404 where there is none. */
export const signedHead = (day: string) => file(buildAddress("/api/v0/workspace/chain/head", { query: { day } }));

/** What shows that the log at the end of one day holds the log at the end of an earlier one; 404 without a head by then. */
export const consistencyProof = (from: string, to: string) =>
  file(buildAddress("/api/v0/workspace/chain/consistency", { query: { from, to } }));
