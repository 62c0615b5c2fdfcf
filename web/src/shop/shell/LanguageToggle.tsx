import type { MouseEvent } from "react";
import type { Lang } from "../../contract/wire.ts";
import { useI18n } from "../../i18n/i18n.tsx";
import { pageLanguages } from "../../i18n/languages.ts";

/** Spec §1: the simple toggle between the languages of pages. The server prints the page anew in the other language and remembers it. */
export function LanguageToggle() {
  const { t, lang } = useI18n();
  const choose = (event: MouseEvent, chosen: Lang) => {
    event.preventDefault();
    const url = new URL(location.href);
    url.searchParams.set("lang", chosen);
    location.assign(url);
  };
  return (
    // biome-ignore lint/a11y/useSemanticElements: two links side by side, not a form's fieldset
    <span className="lang" role="group" aria-label={t("shell.language")}>
      {pageLanguages().map(([tag, short]) => (
        <a
          key={tag}
          href={`?lang=${tag}`}
          lang={tag}
          aria-current={lang === tag || undefined}
          onClick={(event) => choose(event, tag)}
        >
          {short}
        </a>
      ))}
    </span>
  );
}
