/**
 * Keeps toasts off the controls of a page that has bars of buttons. Its code comes after the page, so that it is there before the
 * network is lost; without it toasts stay where the style sheet puts them.
 */
export const keepToastsClear = (): void =>
  void import("./freePlace.ts").then(
    ({ watchToasts }) => watchToasts(),
    () => undefined,
  );
