import { useI18n } from "../../../i18n/i18n.tsx";

/** Spec §2: the search bar's rotating words City, University and Property. */
export function Ticker() {
  const { t } = useI18n();
  return (
    <span className="ticker" aria-hidden="true">
      {t("shell.search_by")}
      <span>
        <i>{t("shell.word_university")}</i>
        <i>{t("shell.word_city")}</i>
        <i>{t("shell.word_property")}</i>
        <i>{t("shell.word_university")}</i>
      </span>
    </span>
  );
}
