/**
 * The history entry of a dialog: Back closes the dialog, and a dialog closed by another way takes its entry along.
 * A way back is walked by the browser in its own time; whatever were pushed before it arrives would be what it takes back.
 */
let goingBack: Promise<void> | null = null;

/** Until the way back that was begun, if any, has arrived. */
export async function historySettled(): Promise<void> {
  await goingBack;
}

/** The current entry belongs to a dialog; a page that comes now takes its place, so that Back leads past the dialog. */
export function isDialogEntry(): boolean {
  return markOf(window.history.state) !== null;
}

/** Gives a dialog its entry: a new one, or the one of a dialog that has just gone. */
export function enterDialog(mark: number): void {
  const state = { ...asRecord(window.history.state), modal: mark };
  if (isDialogEntry()) window.history.replaceState(state, "");
  else window.history.pushState(state, "");
}

/** Takes a dialog's entry away, unless a page or another dialog has taken its place meanwhile. */
export function leaveDialog(mark: number): void {
  window.setTimeout(() => {
    if (markOf(window.history.state) !== mark || goingBack) return;
    goingBack = new Promise((arrived) => {
      const onPop = () => {
        goingBack = null;
        arrived();
      };
      window.addEventListener("popstate", onPop, { once: true });
      window.history.back();
    });
  });
}

function asRecord(state: unknown): object {
  return typeof state === "object" && state !== null ? state : {};
}

function markOf(state: unknown): unknown {
  return typeof state === "object" && state !== null && "modal" in state ? state.modal : null;
}
