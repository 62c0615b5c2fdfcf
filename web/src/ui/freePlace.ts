/** Controls that are pressed or typed into. */
const CONTROLS = "button, a[href], input, select, textarea, summary, [role=button], [role=tab]";
/** How far the toasts stay from the window's edges, and the steps in which a place is sought. */
const EDGE = 24;
const STEP = 8;

type Band = Pick<DOMRect, "top" | "bottom" | "left" | "right">;

/** How far from the window's bottom toasts lie on no control; the lowest place, or the edge where there is none. */
export function freeBottom(toasts: Band, controls: readonly Band[], height: number): number {
  const own = toasts.bottom - toasts.top;
  for (let bottom = EDGE; bottom + own + EDGE <= height; bottom += STEP) {
    const [low, high] = [height - bottom, height - bottom - own];
    const isCovered = (at: Band) =>
      at.left < toasts.right && at.right > toasts.left && at.top < low && at.bottom > high && at.bottom > at.top;
    if (!controls.some(isCovered)) return bottom;
  }
  return EDGE;
}

/** Moves toasts off every control of the page, or of the dialog that they lie in. */
function place(toasts: HTMLElement): void {
  const [first, last] = [toasts.firstElementChild, toasts.lastElementChild];
  // The workspace's overlays have a place of their own for them.
  if (!first || !last || toasts.closest(".w-over") !== null) return;
  const [top, bottom] = [first.getBoundingClientRect(), last.getBoundingClientRect()];
  const within = toasts.closest("dialog") ?? document;
  const controls = [...within.querySelectorAll(CONTROLS)].filter((control) => !toasts.contains(control));
  const band = {
    top: top.top,
    bottom: bottom.bottom,
    left: Math.min(top.left, bottom.left),
    right: Math.max(top.right, bottom.right),
  };
  const bands = controls.map((control) => control.getBoundingClientRect());
  const free = `${freeBottom(band, bands, window.innerHeight)}px`;
  if (toasts.style.bottom !== free) toasts.style.bottom = free;
}

let isWatching = false;

/** Keeps toasts off the controls from now on: when they come, and while the page changes, is scrolled or turned. */
export function watchToasts(): void {
  if (isWatching) return;
  isWatching = true;
  const placeAll = () => {
    for (const toasts of document.querySelectorAll<HTMLElement>(".toasts:not(:empty)")) place(toasts);
  };
  new MutationObserver(placeAll).observe(document.body, { childList: true, subtree: true });
  window.addEventListener("scroll", placeAll, { passive: true, capture: true });
  window.addEventListener("resize", placeAll);
  placeAll();
}
