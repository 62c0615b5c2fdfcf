import { ApiError, get } from "../api.ts";
import type { ProofChallenge } from "../contract/wire.ts";
import { loadPart } from "../ui/lazyPart.tsx";
import type { GuardedAction, Tokens } from "./recaptcha.ts";

/** What the server wants worked on: an answer whose hash with the challenge begins with so many zero bits. */
export type Challenge = Pick<ProofChallenge, "challenge" | "bits">;

/** What a guarded post carries beside its body. */
interface Proven {
  idempotencyKey: string;
  proof?: string;
  query?: Tokens;
}

type Send<T> = (proven: Proven) => Promise<T>;

/**
 * A post that the server may answer with "first do a little work" (T20). The work is done unseen and the same request
 * goes out again; its code comes only when it is asked for.
 */
export async function sendWithProof<T>(send: Send<T>, proven: Proven): Promise<T> {
  try {
    return await send(proven);
  } catch (failure) {
    if (!(failure instanceof ApiError) || failure.code !== "proof_of_work_required") throw failure;
    return send({ ...proven, proof: await workFor() });
  }
}

/** Does the work of a fresh challenge. */
async function workFor(): Promise<string> {
  const [{ work }, challenge] = await Promise.all([
    loadPart(import("./proofOfWork.ts")),
    get("/api/v0/challenge", { fresh: true }),
  ]);
  return work(challenge);
}

/**
 * A post that a person must have sent (D69): with an unseen score where the page names reCAPTCHA, after a low one with a visual
 * challenge, and with the work above in any case. Where Google cannot be reached, the work stands for its token. Each try carries
 * the same key.
 */
export async function postAsPerson<T>(action: GuardedAction, idempotencyKey: string, send: Send<T>): Promise<T> {
  const recaptcha = document.querySelector('meta[name="recaptcha"]') ? await loadPart(import("./recaptcha.ts")) : null;
  const keys = recaptcha?.keysOf(document) ?? null;
  if (recaptcha === null || keys === null) return sendWithProof(send, { idempotencyKey });
  const query = await recaptcha.scored(action, keys).catch((failure: unknown) => {
    if (failure instanceof recaptcha.RecaptchaAway) return null;
    throw failure;
  });
  if (query === null) return send({ idempotencyKey, proof: await workFor() });
  try {
    return await sendWithProof(send, { idempotencyKey, query });
  } catch (failure) {
    if (!(failure instanceof ApiError) || failure.code !== "visual_challenge_required") throw failure;
    const answered = await recaptcha.challenged(action, keys, failure.message);
    return sendWithProof(send, { idempotencyKey, query: answered });
  }
}
