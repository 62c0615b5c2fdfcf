import { ApiError } from "../api.ts";

/** What is guarded; the server verifies that a token was asked for by this name (D69). */
export type GuardedAction = "email_login" | "phone_login" | "lead_submission";

/** What a guarded call carries in its query. */
export interface Tokens {
  recaptcha_token: string;
  recaptcha_action: GuardedAction;
  with_visual_challenge?: "true";
}

interface Recaptcha {
  ready: (act: () => void) => void;
  execute: (siteKey: string, about: { action: GuardedAction }) => Promise<string>;
  render: (place: HTMLElement, about: { sitekey: string; callback: (token: string) => void }) => number;
}

declare global {
  interface Window {
    /** Google's script, once it is there. */
    grecaptcha?: Recaptcha;
  }
}

interface Keys {
  score: string;
  visual: string;
}

/** The public keys that the document names; none without reCAPTCHA, in the China variant, and where people pay. */
export function keysOf(page: Document): Keys | null {
  const named = page.querySelector<HTMLMetaElement>('meta[name="recaptcha"]')?.content.split(" ") ?? [];
  const [score, visual] = named;
  return score && visual ? { score, visual } : null;
}

/** Google cannot be reached from here, or does not answer: the proof of work stands for its token. */
export class RecaptchaAway extends Error {}

/** How long Google may take; a network that drops its packets never says no. */
const GOOGLE_MS = 5_000;

/** A promise that gives up on Google in time. */
function inTime<T>(promise: Promise<T>): Promise<T> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new RecaptchaAway()), GOOGLE_MS);
  });
  return Promise.race([promise, late]).finally(() => clearTimeout(timer));
}

let loading: Promise<Recaptcha> | null = null;

/** Brings Google's script, once, and only when something guarded is sent. */
function script(keys: Keys): Promise<Recaptcha> {
  loading ??= inTime(load(keys));
  loading.catch(() => {
    loading = null;
  });
  return loading;
}

function load(keys: Keys): Promise<Recaptcha> {
  return new Promise<Recaptcha>((resolve, reject) => {
    const tag = document.createElement("script");
    tag.src = `https://www.google.com/recaptcha/api.js?render=${encodeURIComponent(keys.score)}`;
    tag.async = true;
    tag.addEventListener("load", () => {
      const there = window.grecaptcha;
      if (there === undefined) reject(new RecaptchaAway());
      else there.ready(() => resolve(there));
    });
    tag.addEventListener("error", () => {
      tag.remove();
      reject(new RecaptchaAway());
    });
    document.head.append(tag);
  });
}

/** A token of the unseen score; fails with `RecaptchaAway` where none can be had. */
export async function scored(action: GuardedAction, keys: Keys): Promise<Tokens> {
  const google = await script(keys);
  // A key that Google does not know is thrown at once, not told by the promise.
  const asked = async () => google.execute(keys.score, { action });
  const token = await inTime(asked()).catch(() => Promise.reject(new RecaptchaAway()));
  return { recaptcha_token: token, recaptcha_action: action };
}

/** A token of the visual challenge, which a person answers in a dialog of its own. */
export async function challenged(action: GuardedAction, keys: Keys, title: string): Promise<Tokens> {
  const google = await script(keys);
  const recaptcha_token = await answerOf(google, keys, title);
  return { recaptcha_token, recaptcha_action: action, with_visual_challenge: "true" };
}

/** Above every other dialog; closing it gives the request up. */
function answerOf(google: Recaptcha, keys: Keys, title: string): Promise<string> {
  return new Promise((resolve, reject) => {
    const dialog = document.createElement("dialog");
    dialog.className = "human-check";
    dialog.setAttribute("aria-label", title);
    const said = document.createElement("p");
    said.textContent = title;
    const place = document.createElement("div");
    dialog.append(said, place);
    document.body.append(dialog);
    let token: string | null = null;
    dialog.addEventListener("close", () => {
      dialog.remove();
      if (token === null) reject(new ApiError("refused", { code: "visual_challenge_required", message: title }));
      else resolve(token);
    });
    dialog.showModal();
    google.render(place, {
      sitekey: keys.visual,
      callback: (answer) => {
        token = answer;
        dialog.close();
      },
    });
  });
}
