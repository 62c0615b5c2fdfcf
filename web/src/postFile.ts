import { type Address, ApiError, fillPath, headersFor, newKey, readAnswer, readFailure } from "./api.ts";
import type { Asked, CallOptions, DataOf, FilePath } from "./contract/calls.ts";

/** Ten megabytes over a slow line. */
const fileTimeoutMs = 300_000;
/** The same line, for files that are larger: the feeds of a house may have hundreds of megabytes. */
const slowestBytesPerMs = 35;

/** Tells what part of a file (0 to 1) has left this device. */
type Progress = (part: number) => void;

/** Sends a file as it is; its name goes along in a header. */
export function postFile<P extends FilePath>(
  path: P,
  file: File,
  address: Omit<Asked<"post", P>, "body" | keyof CallOptions>,
  onSent?: Progress,
): Promise<DataOf<"post", P>>;
export function postFile(path: string, file: File, address: Address, onSent: Progress = () => {}): Promise<unknown> {
  // `fetch` tells nothing of a body on its way.
  const sending = new XMLHttpRequest();
  sending.open("POST", fillPath(path, address));
  sending.timeout = Math.max(fileTimeoutMs, Math.ceil(file.size / slowestBytesPerMs));
  for (const [name, value] of Object.entries(headersFor(file, { idempotencyKey: newKey() }))) {
    sending.setRequestHeader(name, value);
  }
  sending.upload.addEventListener("progress", ({ loaded, total }) => onSent(total > 0 ? loaded / total : 0));
  return new Promise((resolve, reject) => {
    sending.addEventListener("load", () => {
      const headers = { "retry-after": sending.getResponseHeader("retry-after") ?? "" };
      const response = new Response(sending.responseText, { status: sending.status, headers });
      resolve(response.ok ? readAnswer(response) : readFailure(response).then((failure) => Promise.reject(failure)));
    });
    sending.addEventListener("error", () => reject(new ApiError("offline")));
    sending.addEventListener("timeout", () => reject(new ApiError("timeout")));
    sending.send(file);
  });
}
