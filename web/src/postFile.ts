import { type Address, ApiError, fillPath, headersFor, newKey, readAnswer, readFailure } from "./api.ts";
import type { Asked, CallOptions, DataOf, FilePath } from "./contract/calls.ts";

/** A small file waits so long, whatever the line. */
const SHORTEST_MS = 300_000;
/** The server gives a large file half an hour: its own answer comes first. */
const LONGEST_MS = 31 * 60_000;
/** The slowest line that is waited for, in bytes a second. */
const SLOWEST_LINE = 32 * 1_024;

/** Tells what part of a file (0 to 1) has left this device. */
type Progress = (part: number) => void;

/** How a file is sent. */
export interface Sending {
  onSent?: Progress;
  /** Stops it; what it is stopped with is what it fails with. */
  signal?: AbortSignal;
}

/** How long a file of so many bytes is waited for, in milliseconds. */
export function allowTime(bytes: number): number {
  return Math.min(LONGEST_MS, Math.max(SHORTEST_MS, (bytes / SLOWEST_LINE) * 1_000));
}

/** Sends a file as it is; its name goes along in a header. */
export function postFile<P extends FilePath>(
  path: P,
  file: File,
  address: Omit<Asked<"post", P>, "body" | keyof CallOptions>,
  sending?: Sending,
): Promise<DataOf<"post", P>>;
export function postFile(path: string, file: File, address: Address, sending: Sending = {}): Promise<unknown> {
  const { onSent = () => {}, signal } = sending;
  // `fetch` tells nothing of a body on its way.
  const request = new XMLHttpRequest();
  request.open("POST", fillPath(path, address));
  request.timeout = allowTime(file.size);
  for (const [name, value] of Object.entries(headersFor(file, { idempotencyKey: newKey() }))) {
    request.setRequestHeader(name, value);
  }
  request.upload.addEventListener("progress", ({ loaded, total }) => onSent(total > 0 ? loaded / total : 0));
  return new Promise((resolve, reject) => {
    const stop = () => request.abort();
    request.addEventListener("load", () => {
      const headers = { "retry-after": request.getResponseHeader("retry-after") ?? "" };
      const response = new Response(request.responseText, { status: request.status, headers });
      resolve(response.ok ? readAnswer(response) : readFailure(response).then((failure) => Promise.reject(failure)));
    });
    request.addEventListener("error", () => reject(new ApiError("offline")));
    request.addEventListener("timeout", () => reject(new ApiError("timeout")));
    request.addEventListener("abort", () => reject(signal?.reason));
    request.addEventListener("loadend", () => signal?.removeEventListener("abort", stop));
    if (signal?.aborted) {
      // A request that was not sent yet says nothing when it is stopped.
      reject(signal.reason);
      return;
    }
    signal?.addEventListener("abort", stop);
    request.send(file);
  });
}
