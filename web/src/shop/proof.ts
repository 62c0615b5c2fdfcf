import { ApiError, type CallOptions, get, newKey, post } from "../api.ts";
import type { ProofChallenge } from "../contract/wire.ts";

/** What the server wants worked on: an answer whose hash with the challenge begins with so many zero bits. */
export type Challenge = Pick<ProofChallenge, "challenge" | "bits">;

/**
 * A post that the server may answer with "first do a little work" (T20). The work is done unseen and the same request
 * goes out again; its code comes only when it is asked for.
 */
export async function postWithProof<T>(path: string, body: unknown, options: CallOptions = {}): Promise<T> {
  const once = { idempotencyKey: newKey(), ...options };
  try {
    return await post<T>(path, body, once);
  } catch (failure) {
    if (!(failure instanceof ApiError) || failure.code !== "proof_of_work_required") throw failure;
    const [{ work }, challenge] = await Promise.all([
      import("./proofOfWork.ts"),
      get<Challenge>("/api/v0/challenge", { fresh: true }),
    ]);
    return post<T>(path, body, { ...once, proof: await work(challenge) });
  }
}
