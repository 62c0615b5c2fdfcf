const failed = new Set<HTMLLinkElement>();

// Errors of resources do not bubble, so they are caught on their way down.
globalThis.document?.addEventListener(
  "error",
  ({ target }) => {
    if (target instanceof HTMLLinkElement) failed.add(target);
  },
  true,
);

/** Asks anew for the style sheets that did not come: the bundler's loader asks once, and would draw the part without them. */
export const fetchMissingStyles = () =>
  Promise.all(
    [...failed].map(
      (missing) =>
        new Promise((come, fail) => {
          const again = document.createElement("link");
          again.rel = missing.rel;
          again.href = missing.href;
          again.onload = come;
          again.onerror = fail;
          failed.delete(missing);
          missing.replaceWith(again);
        }),
    ),
  );
