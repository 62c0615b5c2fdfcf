import type { CSSProperties } from "react";
import { useI18n } from "../i18n/i18n.tsx";

/** How a status looks: filling, full, waiting, stopped by something, or gone. */
type RingLook = "" | "done" | "wait" | "stop" | "gone";

const LOOKS: Readonly<Record<string, RingLook>> = {
  booked: "done",
  completed: "done",
  waitlisted: "wait",
  payment_pending: "wait",
  payment_failed: "stop",
  payment_declined: "stop",
  sold_out: "stop",
  cancelled: "gone",
  lost: "gone",
};

function withFill(progress: number): CSSProperties {
  return Object.fromEntries([["--p", Math.min(1, Math.max(0, progress / 100))]]);
}

export function StatusRing({ status, progress }: { status: string; progress: number }) {
  return <span className={`ring ${LOOKS[status] ?? ""}`.trim()} style={withFill(progress)} aria-hidden="true" />;
}

/** Ring and word: never the ring alone. */
export function Status({ status, progress }: { status: string; progress: number }) {
  const { tData } = useI18n();
  return (
    <span className="st">
      <StatusRing status={status} progress={progress} />
      {said(tData, "support.status_", status)}
    </span>
  );
}

/** The text for a coded value, or the code in plain words where the catalogue does not know it yet. */
export function said(tData: (key: string) => string, prefix: string, code: string): string {
  const key = prefix + code;
  const text = tData(key);
  return text === key ? inWords(code) : text;
}

/** `payment_started` and `PaymentStarted` as "Payment started". */
export function inWords(code: string): string {
  const words = code
    .replace(/([a-z])([A-Z])/g, "$1 $2")
    .replace(/[_.]/g, " ")
    .toLowerCase()
    .trim();
  return words.charAt(0).toUpperCase() + words.slice(1);
}
