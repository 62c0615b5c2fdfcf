import { ApiError, type CallOptions, get, newKey, post } from "../api.ts";
import type { ProofChallenge } from "../contract/wire.ts";
import type { GuardedAction } from "./recaptcha.ts";

/** What the server wants worked on: an answer whose hash with the challenge begins with so many zero bits. */
export type Challenge = Pick<ProofChallenge, "challenge" | "bits">;

/**
 * A post that the server may answer with "first do a little work" (T20). The work is done unseen and the same request
 * goes out again; its code comes only when it is asked for.
 */
async function postWithProof<T>(path: string, body: unknown, options: CallOptions): Promise<T> {
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

/**
 * A post that a person must have sent (D69): with an unseen score where the page names reCAPTCHA, after a low one with a visual
 * challenge, and with the work above in any case.
 */
export async function postAsPerson<T>(
  path: string,
  action: GuardedAction,
  body: unknown,
  options: CallOptions = {},
): Promise<T> {
  const recaptcha = document.querySelector('meta[name="recaptcha"]') ? await import("./recaptcha.ts") : null;
  const keys = recaptcha?.keysOf(document) ?? null;
  if (recaptcha === null || keys === null) return postWithProof<T>(path, body, options);
  const once = { idempotencyKey: newKey(), ...options };
  try {
    return await postWithProof<T>(await recaptcha.scored(path, action, keys), body, once);
  } catch (failure) {
    if (!(failure instanceof ApiError) || failure.code !== "visual_challenge_required") throw failure;
    const answered = await recaptcha.challenged(path, action, keys, failure.message);
    return postWithProof<T>(answered, body, once);
  }
}
