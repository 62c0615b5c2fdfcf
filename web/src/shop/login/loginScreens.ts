import type { SnapshotFrom } from "xstate";
import type { loginMachine } from "./loginMachine.ts";

/** Which screen of the dialog the machine's state is shown by; null once the person is logged in. */
export function loginShown(snapshot: SnapshotFrom<typeof loginMachine>): string | null {
  const { generationError, verificationError } = snapshot.context;
  if (snapshot.hasTag("done")) return null;
  const [page, error] = snapshot.hasTag("code") ? ["code", verificationError] : ["asking", generationError];
  if (snapshot.hasTag("busy")) return `${page}_busy`;
  return error === null ? page : `${page}_refused`;
}
