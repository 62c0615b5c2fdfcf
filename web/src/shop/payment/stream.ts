/** A payment's newer states, from the server's stream, and by reading it where there is none. */
import { buildAddress, get } from "../../api.ts";
import type { Payment } from "../../contract/wire.ts";
import { listenWhileSeen } from "../../seenStream.ts";

/** While the stream is silent or broken, the payment is read this often. */
const POLL_MS = 3000;

/**
 * Tells every newer state of a payment: by the server's event stream, and by reading it again whenever the stream is
 * not open. A hidden tab does neither, and reads once when it is seen again. Answers how to stop.
 */
export function streamPayment(token: string, tell: (payment: Payment) => void): () => void {
  let stopped = false;
  let open = false;
  const path = { token };
  const read = async () => {
    try {
      const payment = await get("/api/v0/payments/{token}", { path, fresh: true });
      if (!stopped) tell(payment);
    } catch {
      // Unreachable for now: the page keeps what it knows and asks again.
    }
  };
  const payment = (data: string) => {
    open = true;
    try {
      const told: Payment = JSON.parse(data);
      tell(told);
    } catch {
      // A torn message: the next poll says the same.
      open = false;
    }
  };
  const hear = (isOpen: boolean) => {
    open = isOpen;
  };
  const stop = listenWhileSeen(buildAddress("/api/v0/payments/{token}/stream", { path }), {
    events: { payment },
    opened: () => hear(true),
    broke: () => hear(false),
    turned: (isSeen) => {
      hear(false);
      if (isSeen) void read();
    },
  });
  const timer = setInterval(() => void (open || document.hidden || read()), POLL_MS);
  return () => {
    stopped = true;
    clearInterval(timer);
    stop();
  };
}
