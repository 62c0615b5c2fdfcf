import { buildAddress, get } from "../../api.ts";
import type { Payment } from "../../contract/wire.ts";

/** While the stream is silent or broken, the payment is read this often. */
const POLL_MS = 3000;

/**
 * Tells every newer state of a payment: by the server's event stream, and by reading it again whenever the stream is
 * not open. Answers how to stop.
 */
export function streamPayment(token: string, tell: (payment: Payment) => void): () => void {
  let stopped = false;
  let open = false;
  const stream = buildAddress("/api/v0/payments/{token}/stream", { path: { token } });
  const source = typeof EventSource === "undefined" ? null : new EventSource(stream);
  source?.addEventListener("payment", (event: MessageEvent<string>) => {
    open = true;
    try {
      const payment: Payment = JSON.parse(event.data);
      tell(payment);
    } catch {
      // A torn message: the next poll says the same.
      open = false;
    }
  });
  source?.addEventListener("open", () => {
    open = true;
  });
  source?.addEventListener("error", () => {
    open = false;
  });
  const poll = async () => {
    if (open || stopped) return;
    try {
      const payment = await get("/api/v0/payments/{token}", { path: { token }, fresh: true });
      if (!stopped) tell(payment);
    } catch {
      // Unreachable for now: the page keeps what it knows and asks again.
    }
  };
  const timer = setInterval(() => void poll(), POLL_MS);
  return () => {
    stopped = true;
    clearInterval(timer);
    source?.close();
  };
}
