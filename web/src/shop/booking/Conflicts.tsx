import { useI18n } from "../../i18n/i18n.tsx";
import { Banner } from "../../ui/banner.tsx";
import { labelOf } from "../../ui/formWords.ts";
import type { Conflict } from "./prefill.ts";

/** Where the link and the draft say different things (D79). */
export function Conflicts({ conflicts }: { conflicts: readonly Conflict[] }) {
  const { t } = useI18n();
  return (
    <div className="fnotice">
      <Banner kind="info">
        {conflicts.map(({ field, link, typed }) => (
          <p key={field}>{t("booking.conflict", { field: labelOf({ key: field }, t), link, typed })}</p>
        ))}
      </Banner>
    </div>
  );
}
