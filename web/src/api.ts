import type { AddressArguments, Arguments, CallOptions, DataOf, PathOf } from "./contract/calls.ts";
import type { Failure, FieldError, Operations } from "./contract/wire.ts";
import { asQuery, type Query } from "./paths.ts";
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
interface Success {
  data?: unknown;
  /** Log position of the answer to a command; sent back as `x-latchkey-position` so that the next read sees it (X9). */
  position?: number;
}

/** What any call takes; the types of the calls below say what each one needs. */
interface AnyAsked extends Address, CallOptions {
  body?: unknown;
}

/** What is filled into a path and put behind it. */
export interface Address {
  path?: Readonly<Record<string, string | number>>;
  query?: Query;
}

/** Spec §9 and D131: a call is given up after 60 s, unless it says otherwise. */
const timeoutMs = 60_000;

// X9: the log position of this client's last command; the next read waits for it.
let position = 0;

// Names the moment that staff look at: null where that is now.
let past: ((path: string) => string) | null = null;

/** From now on reads go where `address` says, and nothing is written; null ends that. */
export function readPast(address: typeof past): void {
  past = address;
}

/** Reads what is there, or what was there at the moment that `readPast` has named. */
export function get<P extends PathOf<"get">>(path: P, ...asked: Arguments<"get", P>): Promise<DataOf<"get", P>>;
export function get(path: string, asked: AnyAsked = {}): Promise<unknown> {
  return call("GET", path, asked);
}

export function post<P extends PathOf<"post">>(path: P, ...asked: Arguments<"post", P>): Promise<DataOf<"post", P>>;
export function post(path: string, asked: AnyAsked = {}): Promise<unknown> {
  return call("POST", path, { idempotencyKey: newKey(), ...asked });
}

export function put<P extends PathOf<"put">>(path: P, ...asked: Arguments<"put", P>): Promise<DataOf<"put", P>>;
export function put(path: string, asked: AnyAsked = {}): Promise<unknown> {
  return call("PUT", path, asked);
}

/** Changes a part of what is there. */
export function patch<P extends PathOf<"patch">>(path: P, ...asked: Arguments<"patch", P>): Promise<DataOf<"patch", P>>;
export function patch(path: string, asked: AnyAsked = {}): Promise<unknown> {
  return call("PATCH", path, asked);
}

export function del<P extends PathOf<"delete">>(
  path: P,
  ...asked: Arguments<"delete", P>
): Promise<DataOf<"delete", P>>;
export function del(path: string, asked: AnyAsked = {}): Promise<unknown> {
  return call("DELETE", path, asked);
}

/** Fills in the address of a file or stream, or of what is read in another way. */
export function buildAddress<P extends keyof Operations["get"]>(path: P, ...asked: AddressArguments<P>): string;
export function buildAddress(path: string, asked: Address = {}): string {
  return fillPath(path, asked);
}

/** A path with its values. */
export function fillPath(path: string, { path: parts = {}, query = {} }: Address): string {
  const filled = path.replace(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(parts[name] ?? ""));
  return `${filled}${asQuery(query)}`;
}

/** A fresh id for an intent: kept by the caller while the intent is retried. */
export function newKey(): string {
  // `randomUUID` exists only where the page came over https or from this machine.
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  return [...bytes].map((byte) => byte.toString(16).padStart(2, "0")).join("");
}

async function call(method: string, path: string, asked: AnyAsked): Promise<unknown> {
  const { body, ...options } = asked;
  if (past !== null && method !== "GET") throw new ApiError("refused", { status: 409, code: "in_the_past" });
  const timeout = AbortSignal.timeout(options.waitMs ?? timeoutMs);
  const signal = options.signal ? AbortSignal.any([options.signal, timeout]) : timeout;
  const address = fillPath(path, asked);
  let response: Response;
  try {
    response = await fetch(method === "GET" ? (past?.(address) ?? address) : address, {
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
  return response.ok ? readAnswer(response) : Promise.reject(await readFailure(response));
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
export async function readAnswer(response: Response): Promise<unknown> {
  try {
    const answer: Success = await response.json();
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
export async function readFailure(response: Pick<Response, "status" | "headers" | "json">): Promise<ApiError> {
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
