import { useEffect, useState } from "react";
import { useI18n } from "../../i18n/i18n.tsx";
import { serverNow } from "../../serverClock.ts";
import { Icon } from "../../ui/icon.tsx";
import { Rich } from "../ui/rich.tsx";

/** The server's clock, once a second; the page's only timer. */
export function useNow(): number {
  const [now, setNow] = useState(serverNow);
  useEffect(() => {
    const timer = setInterval(() => setNow(serverNow()), 1000);
    return () => clearInterval(timer);
  }, []);
  return now;
}

interface HoldProps {
  until: string | null;
  busy: boolean;
  /** The room is being taken. */
  isComing?: boolean;
}

/** How long the room is still held: plain text, never red, never pulsing (UX notes, "Payment"). */
export function Hold({ until, busy, isComing = false }: HoldProps) {
  const { t } = useI18n();
  const now = useNow();
  if (until === null && !isComing) return null;
  // The payment is known before its hold: what is below it stays where it is.
  if (until === null) {
    return (
      <div style={{ visibility: "hidden" }}>
        <HoldComing />
      </div>
    );
  }
  const left = Math.max(0, Math.ceil((Date.parse(until) - now) / 1000));
  const time = `${String(Math.floor(left / 60)).padStart(2, "0")}:${String(left % 60).padStart(2, "0")}`;
  return (
    <p className="hold" role="timer">
      <Icon name="clock" size={20} />
      {left === 0 ? (
        <span>{t("payment.hold_over")}</span>
      ) : (
        <span>
          <Rich k={busy ? "payment.hold_busy" : "payment.hold"} nodes={{ time: <b>{time}</b> }} />
        </span>
      )}
    </p>
  );
}

/** The line as it will stand there, to keep its place. */
export function HoldComing() {
  return (
    <p className="hold">
      <Icon name="clock" size={20} />
      <span>
        <Rich k="payment.hold" nodes={{ time: <b>10:00</b> }} />
      </span>
    </p>
  );
}
