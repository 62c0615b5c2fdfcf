import type { SnapshotFrom } from "xstate";
import type { leadFormMachine } from "./leadFormMachine.ts";

/** Which screen of the dialog the machine's state is shown by; null where it is closed. */
export function leadShown(snapshot: SnapshotFrom<typeof leadFormMachine>): string | null {
  const { clashes, refusals, trouble, viewing, isClaimed } = snapshot.context;
  if (snapshot.hasTag("closed")) return null;
  if (snapshot.hasTag("leaving")) return "leaving";
  const page = snapshot.hasTag("page3") ? "page3" : snapshot.hasTag("page2") ? "page2" : "page1";
  if (snapshot.hasTag("busy")) return `${page}_busy`;
  if (isClaimed) return `${page}_claimed`;
  if (clashes.length > 0) return `${page}_clash`;
  if (snapshot.hasTag("failed")) return `${page}_failed`;
  if (refusals.length > 0) return `${page}_refused`;
  if (page !== "page1" && trouble !== null) return `${page}_failed`;
  return page === "page3" && viewing !== null ? "page3_requested" : page;
}
