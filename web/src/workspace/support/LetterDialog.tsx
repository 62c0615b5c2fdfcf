import type { Letter, TimelineEvent } from "../../contract/wire.ts";
import { useI18n } from "../../i18n/i18n.tsx";
import { readLetter } from "../queries.ts";
import { RecordedLook } from "./RecordedLook.tsx";

/** A message's text, for a reason that is recorded in the lead's history (row I6). */
export function LetterDialog({ event, onClose }: { event: TimelineEvent; onClose: () => void }) {
  const { t } = useI18n();
  return (
    <RecordedLook<Letter>
      title={(letter) => letter?.subject ?? t("support.letter_title")}
      words={{
        explained: t("support.letter_explained"),
        why: t("support.letter_why"),
        show: t("support.letter_show"),
        asking: t("support.letter_asking"),
        close: t("support.letter_close"),
      }}
      leadId={event.stream_id}
      look={(reason, intent) => readLetter(event.stream_id, event.position, reason, intent)}
      onClose={onClose}
    >
      {(letter) => (
        <>
          <p className="sub">{t("support.letter_to", { to: letter.to })}</p>
          <p className="letter-text">{letter.body}</p>
        </>
      )}
    </RecordedLook>
  );
}
