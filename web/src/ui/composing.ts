/** The key code browsers give a key that an input method takes; Safari sends it with `isComposing` already false. */
const takenByInputMethod = 229;

/**
 * Keys pressed while an input method composes Chinese or Japanese belong to the input method: no handler of the page sees
 * them. One listener at the window, before all others, so that no handler has to ask.
 */
export function leaveComposingAlone(): void {
  window.addEventListener(
    "keydown",
    (event) => {
      if (event.isComposing || event.keyCode === takenByInputMethod) event.stopImmediatePropagation();
    },
    { capture: true },
  );
}
