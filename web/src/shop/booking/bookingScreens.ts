import type { SnapshotFrom } from "xstate";
import { askedSections, type Section } from "./bookingContext.ts";
import type { bookingMachine } from "./bookingMachine.ts";

type Snapshot = SnapshotFrom<typeof bookingMachine>;

/** The section that is filled in. */
export function sectionShown({ context }: Snapshot): Section | undefined {
  const sections = askedSections(context.form, context.opened?.afterPayment ?? false);
  return sections[Math.min(context.index, sections.length - 1)];
}

/** Which screen the machine's state is shown by; null while the server is asked for the form. */
export function bookingShown(snapshot: Snapshot): string | null {
  const { trouble, stayClashes, isClaimed } = snapshot.context;
  if (snapshot.hasTag("loading")) return null;
  if (snapshot.hasTag("cut_off")) return "cut_off";
  if (snapshot.hasTag("sent")) return "sent";
  const name = snapshot.hasTag("room") ? "room" : (sectionShown(snapshot)?.key ?? "section");
  if (snapshot.hasTag("busy")) return `${name}_busy`;
  if (isClaimed) return `${name}_claimed`;
  if (stayClashes.length > 0) return `${name}_clash`;
  return trouble === null ? name : `${name}_refused`;
}
