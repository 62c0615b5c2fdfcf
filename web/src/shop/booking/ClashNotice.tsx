import { useI18n } from "../../i18n/i18n.tsx";
import { Banner } from "../../ui/banner.tsx";
import { Button } from "../../ui/button.tsx";
import type { Clash } from "./clash.ts";
import { labelOf } from "./labels.ts";

interface ClashNoticeProps {
  clashes: readonly Clash[];
  onHere: () => void;
  onThere: () => void;
}

/** Another tab saved other words meanwhile: both are shown, and the reader chooses (D79). */
export function ClashNotice({ clashes, onHere, onThere }: ClashNoticeProps) {
  const { t } = useI18n();
  if (clashes.length === 0) return null;
  const shown = (answer: string | boolean) => {
    if (typeof answer === "boolean") return t(answer ? "booking.clash_yes" : "booking.clash_no");
    return answer === "" ? t("booking.clash_empty") : answer;
  };
  return (
    <div className="fnotice" data-clash>
      <Banner kind="error">
        <p className="m">{t("booking.clash_title")}</p>
        {clashes.map(({ section, field, here, there }) => (
          <p key={`${section}/${field}`}>
            {t("booking.clash_field", {
              field: labelOf({ key: field }, t),
              here: shown(here),
              there: shown(there),
            })}
          </p>
        ))}
        <div className="row wrapx" style={{ gap: 8, marginTop: 12 }}>
          <Button onClick={onHere}>{t("booking.clash_here")}</Button>
          <Button onClick={onThere}>{t("booking.clash_there")}</Button>
        </div>
      </Banner>
    </div>
  );
}
