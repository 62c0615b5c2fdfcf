import { ApiError, headersFor, newKey, readAnswer, readFailure } from "./api.ts";

/** Ten megabytes over a slow line. */
const fileTimeoutMs = 300_000;

/** Sends a file as it is; its name goes along in a header. Tells what part of it (0 to 1) has left this device. */
export function postFile<T>(path: string, file: File, onSent: (part: number) => void = () => {}): Promise<T> {
  // `fetch` tells nothing of a body on its way.
  const sending = new XMLHttpRequest();
  sending.open("POST", path);
  sending.timeout = fileTimeoutMs;
  for (const [name, value] of Object.entries(headersFor(file, { idempotencyKey: newKey() }))) {
    sending.setRequestHeader(name, value);
  }
  sending.upload.addEventListener("progress", ({ loaded, total }) => onSent(total > 0 ? loaded / total : 0));
  return new Promise((resolve, reject) => {
    sending.addEventListener("load", () => {
      const headers = { "retry-after": sending.getResponseHeader("retry-after") ?? "" };
      const response = new Response(sending.responseText, { status: sending.status, headers });
      resolve(response.ok ? readAnswer<T>(response) : readFailure(response).then((failure) => Promise.reject(failure)));
    });
    sending.addEventListener("error", () => reject(new ApiError("offline")));
    sending.addEventListener("timeout", () => reject(new ApiError("timeout")));
    sending.send(file);
  });
}
