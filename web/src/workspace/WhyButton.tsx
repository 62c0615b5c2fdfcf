import { useI18n } from "../i18n/i18n.tsx";

interface WhyButtonProps {
  /** What is asked about, in words. */
  field: string;
  onAsk: () => void;
}

/** "why?" beside a value. */
export function WhyButton({ field, onAsk }: WhyButtonProps) {
  const { t } = useI18n();
  return (
    <button
      type="button"
      className="whyv"
      aria-haspopup="dialog"
      aria-label={t("support.why_field", { field })}
      onClick={onAsk}
    >
      {t("support.why")}
    </button>
  );
}
