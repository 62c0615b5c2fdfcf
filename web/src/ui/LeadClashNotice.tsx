import { useEffect, useRef } from "react";
import { useI18n } from "../i18n/i18n.tsx";
import { moveFocus } from "./arrival.ts";
import { Banner } from "./banner.tsx";
import { Button } from "./button.tsx";
import type { LeadClash } from "./leadChange.ts";
import { useLeadText } from "./leadText.tsx";

interface LeadClashNoticeProps {
  clashes: readonly LeadClash[];
  onHere: () => void;
  onThere: () => void;
}

/** Another tab changed the same fields meanwhile: both words are shown, and the reader chooses (D79). */
export function LeadClashNotice({ clashes, onHere, onThere }: LeadClashNoticeProps) {
  const { t } = useI18n();
  const text = useLeadText();
  const notice = useRef<HTMLDivElement>(null);
  const asks = clashes.length > 0;
  useEffect(() => {
    // It may stand far above the button that was pressed.
    if (asks && notice.current) moveFocus(notice.current);
  }, [asks]);
  if (!asks) return null;
  return (
    <div ref={notice} tabIndex={-1} data-clash data-arrival>
      <Banner kind="error">
        <p className="m">{t("change.title")}</p>
        {clashes.map(({ field, here, there }) => {
          const label = text.label(field);
          if (label === null) return null;
          const sides = { field: label, here: text.value(field, here), there: text.value(field, there) };
          return <p key={field}>{t("change.field", sides)}</p>;
        })}
        <div className="row wrapx" style={{ gap: 8, marginTop: 12 }}>
          <Button onClick={onHere}>{t("change.here")}</Button>
          <Button onClick={onThere}>{t("change.there")}</Button>
        </div>
      </Banner>
    </div>
  );
}
