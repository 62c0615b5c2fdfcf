import type { TimelineEvent } from "../../contract/wire.ts";
import { useI18n } from "../../i18n/i18n.tsx";

/** Leads to a message's text, on events that are messages. */
export function ReadLetter({ event, onRead }: { event: TimelineEvent; onRead: () => void }) {
  const { t } = useI18n();
  if (event.type !== "LeadLetterPosted") return null;
  return (
    <button type="button" className="btn sm" onClick={onRead}>
      {t("support.letter_read")}
    </button>
  );
}
