import type { MouseEvent } from "react";
import type { Lang } from "../../contract/wire.ts";
import { useI18n } from "../../i18n/i18n.tsx";

/** Spec §1: the simple en/zh toggle. The server prints the page anew in the other language and remembers it. */
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
      <a href="?lang=en" lang="en" aria-current={lang === "en" || undefined} onClick={(event) => choose(event, "en")}>
        EN
      </a>
      <a href="?lang=zh" lang="zh" aria-current={lang === "zh" || undefined} onClick={(event) => choose(event, "zh")}>
        中文
      </a>
    </span>
  );
}
