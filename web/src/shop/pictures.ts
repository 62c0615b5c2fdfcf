/**
 * Pictures are drawn on demand, and one may fail while the server is busy: it is asked for once more, and a picture that
 * stays away leaves calm ground instead of a broken sign.
 */
export function watchPictures(): void {
  document.addEventListener("error", (event) => missed(event.target), true);
  for (const image of document.images) if (image.complete && image.naturalWidth === 0) missed(image);
}

const againMs = 2000;

function missed(target: EventTarget | null): void {
  if (!(target instanceof HTMLImageElement)) return;
  if (target.dataset["again"]) {
    target.classList.add("missing");
    return;
  }
  target.dataset["again"] = "true";
  const source = target.src;
  window.setTimeout(() => {
    if (target.src === source) target.src = source;
  }, againMs);
}
