import { useEffect, useRef } from "react";

/** What a screen gives the focus to instead of its headline, such as the sentence of a refusal, or the one field that it asks for. */
const MARKED = "[data-arrival]";
/** The headline of a step, where the page's own stays the same over all of them. */
const HEADLINES = ["[data-headline]", "h1", "h2"];
const REFUSED = "[aria-invalid=true]";
const FIELDS = "input, select, textarea";

interface ArrivalOptions {
  /** Where the screens stand: the page's main part, or a dialog. */
  region?: () => ParentNode | null;
  /** The first screen moves the focus, too: it is the outcome of what was done before the page came. */
  atFirst?: boolean;
}

/** The main part of the page. */
const mainPart = (): ParentNode | null => document.getElementById("main");

/**
 * Brings each screen of a machine into view: its headline takes the focus, so that it is read aloud, and what is read begins at the
 * top. `screen` names what the machine's state shows, null while that is on its way; another name is another screen. `…_busy` is the
 * screen before while the server is asked; on `…_refused` the first field that is refused takes the focus. A screen that comes again
 * after null was drawn anew, and what had the focus on it is gone.
 */
export function useArrival(screen: string | null, { region = mainPart, atFirst = false }: ArrivalOptions = {}): void {
  const shown = useRef<string | null>(null);
  const wasAway = useRef(false);
  const given = useRef({ region, atFirst });
  given.current = { region, atFirst };
  useEffect(() => {
    const before = shown.current;
    if (screen === null) {
      wasAway.current = true;
      return;
    }
    const isDrawnAnew = wasAway.current && before !== null;
    wasAway.current = false;
    if (screen === before && !(isDrawnAnew && isFocusLost())) return;
    shown.current = screen;
    if (screen.endsWith("_busy") || (before === null && !given.current.atFirst)) return;
    // The refusal went because the field is being mended.
    if (before === `${screen}_refused` && !isDrawnAnew) return;
    // A login elsewhere is heard of without a press, and does not interrupt who types.
    if (screen.endsWith("_claimed") && before?.endsWith("_busy") !== true && isTypingIn(given.current.region())) return;
    return awaitArrival(given.current.region, screen.endsWith("_refused"));
  }, [screen]);
}

/** Whether what had the focus is gone: the browser gives it to the body then. */
const isFocusLost = (): boolean => document.activeElement === null || document.activeElement === document.body;

/** Whether somebody types there; a field of a dialog that lies over it is none of it. */
function isTypingIn(region: ParentNode | null): boolean {
  const field = document.activeElement?.closest(FIELDS);
  if (!field || !region?.contains(field)) return false;
  return !field.matches(":disabled") && field.closest("[inert]") === null;
}

// The code of a screen may come after the state that shows it, and a dialog may lie over it until it is closed. Who types meanwhile
// keeps the focus.
function awaitArrival(region: () => ParentNode | null, isRefused: boolean): () => void {
  if (arriveIn(region(), isRefused)) return () => undefined;
  const observer = new MutationObserver(() => {
    if (isTypingIn(region()) || arriveIn(region(), isRefused)) observer.disconnect();
  });
  observer.observe(document.body, { childList: true, subtree: true });
  return () => observer.disconnect();
}

function arriveIn(region: ParentNode | null, isRefused: boolean): boolean {
  const refused = isRefused ? region?.querySelector<HTMLElement>(REFUSED) : null;
  const marked = refused ?? region?.querySelector<HTMLElement>(MARKED);
  if (marked) {
    return moveFocus(marked);
  }
  for (const kind of HEADLINES) {
    // The outline of a screen on its way has a headline, too.
    const headline = [...(region?.querySelectorAll<HTMLElement>(kind) ?? [])].find((one) => !one.closest(".outline"));
    if (!headline) continue;
    scrollToStart(headline);
    return moveFocus(headline);
  }
  return false;
}

/**
 * Gives an element the focus, and brings it into the middle of the window where it is not within it. Answers whether it has the focus:
 * under an open dialog nothing takes it.
 */
export function moveFocus(target: HTMLElement): boolean {
  if (!target.matches(`${FIELDS}, button, a[href], [tabindex]`)) target.tabIndex = -1;
  target.focus({ preventScroll: true });
  const { top, bottom } = target.getBoundingClientRect();
  // Below this a bar of buttons may lie upon it.
  if (top < 0 || bottom > window.innerHeight * 0.85) target.scrollIntoView({ block: "center" });
  return document.activeElement === target;
}

/** The first field of a form that is refused takes the focus, once its error is on screen. */
export function focusFirstFault(form: HTMLElement | null): void {
  requestAnimationFrame(() => {
    const field = form?.querySelector<HTMLElement>(REFUSED);
    if (field) moveFocus(field);
  });
}

/** All that scrolls around an element goes to its beginning; the page under a dialog stays. */
function scrollToStart(element: HTMLElement): void {
  const dialog = element.closest("dialog");
  for (let at = element.parentElement; at !== null && at !== dialog; at = at.parentElement) {
    if (at.scrollTop > 0) at.scrollTop = 0;
  }
  if (dialog && dialog.scrollTop > 0) dialog.scrollTop = 0;
}
