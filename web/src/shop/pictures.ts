/**
 * Pictures are drawn on demand, and one may fail while the server is busy: it is asked for once more. Meanwhile, and where it stays
 * away, there is calm ground instead of a broken sign.
 */
export function watchPictures(): void {
  document.addEventListener("error", (event) => missed(event.target), true);
  for (const image of document.images) if (image.complete && image.naturalWidth === 0) missed(image);
}

const againMs = 2000;

function missed(target: EventTarget | null): void {
  if (!(target instanceof HTMLImageElement)) return;
  target.classList.add("missing");
  if (target.dataset["again"]) return;
  target.dataset["again"] = "true";
  target.addEventListener("load", () => target.classList.remove("missing"), { once: true });
  const source = target.src;
  window.setTimeout(() => {
    if (target.src === source) target.src = source;
  }, againMs);
}
