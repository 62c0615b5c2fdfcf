import type { Failure, FieldError } from "./contract/wire.ts";
import { noteServerTime } from "./serverClock.ts";

/** Why a call gave no answer: `refused` is the server's word; the rest never reached it or came back unreadable. */
export type FailureKind = "refused" | "offline" | "timeout" | "unreadable";

/** A call that failed, with what a screen needs to say about it. */
export class ApiError extends Error {
  readonly kind: FailureKind;
  /** HTTP status, 0 when there was none. */
  readonly status: number;
  readonly code: string;
  readonly fields: FieldError[];
  readonly requestId: string | null;
  /** Seconds to wait before trying again (429, 503). */
  readonly retryAfter: number | null;

  constructor(
    kind: FailureKind,
    told: {
      status?: number;
      code?: string;
      message?: string;
      fields?: FieldError[];
      requestId?: string | null;
      retryAfter?: number | null;
    } = {},
  ) {
    super(told.message ?? kind);
    this.name = "ApiError";
    this.kind = kind;
    this.status = told.status ?? 0;
    this.code = told.code ?? kind;
    this.fields = told.fields ?? [];
    this.requestId = told.requestId ?? null;
    this.retryAfter = told.retryAfter ?? null;
  }
}

/** The envelope of every answer (X4). */
interface Success<T> {
  message: "success";
  data: T;
  /** Log position of the answer to a command; sent back as `x-latchkey-position` so that the next read sees it (X9). */
  position?: number;
}

/** Options of a call. */
export interface CallOptions {
  signal?: AbortSignal;
  /** Repeats of the same intent carry the same key (Spec: every POST takes Idempotency-Key). */
  idempotencyKey?: string;
  /** Expected version, for `If-Match`. */
  ifMatch?: number;
  /** Work done for a challenge (T20). */
  proof?: string;
  /** Reads that must not come from a cache (D130). */
  fresh?: boolean;
}

/** Spec §9 and D131: a call is given up after 60 s. */
const timeoutMs = 60_000;

// X9: the log position of this client's last command; the next read waits for it.
let position = 0;

// Names the moment that staff look at: null where that is now.
let past: ((path: string) => string) | null = null;

/** From now on reads go where `address` says, and nothing is written; null ends that. */
export function readPast(address: typeof past): void {
  past = address;
}

export function get<T>(path: string, options: CallOptions = {}): Promise<T> {
  return call<T>("GET", past?.(path) ?? path, undefined, options);
}

export function post<T>(path: string, body: unknown, options: CallOptions = {}): Promise<T> {
  return call<T>("POST", path, body, { idempotencyKey: newKey(), ...options });
}

export function put<T>(path: string, body: unknown, options: CallOptions = {}): Promise<T> {
  return call<T>("PUT", path, body, options);
}

/** Changes a part of what is there. */
export function patch<T>(path: string, body: unknown, options: CallOptions = {}): Promise<T> {
  return call<T>("PATCH", path, body, options);
}

export function del<T>(path: string, options: CallOptions = {}): Promise<T> {
  return call<T>("DELETE", path, undefined, options);
}

/** A fresh id for an intent: kept by the caller while the intent is retried. */
export function newKey(): string {
  // `randomUUID` exists only where the page came over https or from this machine.
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  return [...bytes].map((byte) => byte.toString(16).padStart(2, "0")).join("");
}

async function call<T>(method: string, path: string, body: unknown, options: CallOptions): Promise<T> {
  if (past !== null && method !== "GET") throw new ApiError("refused", { status: 409, code: "in_the_past" });
  const timeout = AbortSignal.timeout(timeoutMs);
  const signal = options.signal ? AbortSignal.any([options.signal, timeout]) : timeout;
  let response: Response;
  try {
    response = await fetch(path, {
      method,
      signal,
      credentials: "same-origin",
      keepalive: outlivesPage(method, body),
      headers: headersFor(body, options),
      ...(body === undefined ? {} : { body: body instanceof File ? body : JSON.stringify(body) }),
      ...(options.fresh ? { cache: "no-store" as const } : {}),
    });
  } catch (cause) {
    if (options.signal?.aborted) throw cause;
    throw new ApiError(timeout.aborted ? "timeout" : "offline");
  }
  noteServerTime(response.headers);
  return response.ok ? readAnswer<T>(response) : Promise.reject(await readFailure(response));
}

/** Browsers send at most 64 KiB of bodies for pages that were left. */
const keptBodyCharacters = 8_000;

// What the screen already shows as done is sent even when the reader leaves the page at once.
function outlivesPage(method: string, body: unknown): boolean {
  if (method === "GET" || body instanceof File) return false;
  return body === undefined || JSON.stringify(body).length < keptBodyCharacters;
}

/** The headers of a call; `body` is what is sent. */
export function headersFor(body: unknown, options: CallOptions): Record<string, string> {
  return {
    accept: "application/json",
    "x-request-id": newKey(),
    ...(body === undefined ? {} : contentOf(body)),
    ...(position > 0 ? { "x-latchkey-position": String(position) } : {}),
    ...(options.idempotencyKey ? { "idempotency-key": options.idempotencyKey } : {}),
    ...(options.proof ? { "x-latchkey-proof": options.proof } : {}),
    ...(options.ifMatch === undefined ? {} : { "if-match": `"${options.ifMatch}"` }),
  };
}

function contentOf(body: unknown): Record<string, string> {
  if (!(body instanceof File)) return { "content-type": "application/json" };
  return { "content-type": "application/octet-stream", "x-file-name": encodeURIComponent(body.name) };
}

/** What a call was answered. */
export async function readAnswer<T>(response: Response): Promise<T> {
  try {
    const answer: Success<T> = await response.json();
    rememberPosition(answer.position ?? Number(response.headers.get("x-latchkey-position") ?? 0));
    return answer.data;
  } catch {
    throw new ApiError("unreadable", { status: response.status, requestId: response.headers.get("x-request-id") });
  }
}

function rememberPosition(seen: number): void {
  if (seen > position) position = seen;
}

/** Why a call was refused. */
export async function readFailure(response: Response): Promise<ApiError> {
  const retryAfter = Number(response.headers.get("retry-after") ?? 0) || null;
  try {
    const failure: Failure = await response.json();
    return new ApiError("refused", {
      status: response.status,
      code: failure.message.code,
      message: failure.message.user_friendly_message,
      fields: failure.errors ?? [],
      requestId: failure.request_id,
      retryAfter,
    });
  } catch {
    return new ApiError("unreadable", { status: response.status, retryAfter });
  }
}
