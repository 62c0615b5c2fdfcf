import { useI18n } from "../../i18n/i18n.tsx";
import { Icon } from "../icon.tsx";

/** Says to finance that the history is told without the person, and who may ask for more. */
export function FinanceBand() {
  const { t } = useI18n();
  return (
    <p className="note row">
      <Icon name="lock" size="s" />
      {t("finance_history.without_person")}
    </p>
  );
}
