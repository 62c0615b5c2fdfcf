import { text } from "../i18n/catalogue.ts";
import { pageLanguage } from "../i18n/languages.ts";
import "../i18n/startTexts.ts";
import { findMissing } from "./lazyPart.tsx";
import { reloadOnce } from "./reloadOnce.ts";

/**
 * The application could not begin, because a file of it did not come: after a deploy the page is loaded anew, once; else it is said
 * above what the server has printed, which cannot be used without it.
 */
export async function tellStartFailure(failure: unknown): Promise<void> {
  console.error("the page could not begin:", failure);
  const { isReplaced } = await findMissing();
  if (isReplaced && reloadOnce(location.pathname + location.search)) return;
  const lang = pageLanguage();
  const notice = document.createElement("div");
  notice.className = "banner banner-error start-failure";
  notice.role = "alert";
  const sentence = document.createElement("p");
  sentence.textContent = text(lang, isReplaced ? "start.broken" : "start.offline", {});
  const again = document.createElement("button");
  again.type = "button";
  again.className = "btn btn-quiet";
  again.textContent = text(lang, "start.reload", {});
  again.addEventListener("click", () => location.reload());
  notice.append(sentence, again);
  document.body.prepend(notice);
}
