import type { StreamKind } from "../../contract/wire.ts";

const SHAPES: Readonly<Record<StreamKind, string>> = {
  lead: "lead",
  booking_form: "form",
  payment: "pay",
  approval: "pay",
  user: "user",
  case: "talk",
};

/** The same mark for a stream everywhere: circle lead, square form, diamond payment, open ring person, drop conversation; red = failed. */
export function streamClass(stream: StreamKind, failed: boolean): string {
  return `mk ${SHAPES[stream]}${failed ? " bad" : ""}`;
}

export function StreamMark({ stream, failed = false }: { stream: StreamKind; failed?: boolean }) {
  return <span className={streamClass(stream, failed)} aria-hidden="true" />;
}
