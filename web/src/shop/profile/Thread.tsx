import { type FormEvent, useState } from "react";
import { newKey } from "../../api.ts";
import type { CaseMessage, OwnCaseThread } from "../../contract/wire.ts";
import { useI18n } from "../../i18n/i18n.tsx";
import { useOwnTime } from "../../ownTime.ts";
import { Button } from "../../ui/button.tsx";
import { toast } from "../../ui/toast.tsx";
import { TextAreaField } from "../ui/field.tsx";
import { Outline } from "../ui/skeleton.tsx";
import { ThreadFiles } from "./ThreadFiles.tsx";
import { troubleOf } from "./threadTrouble.ts";

/** Sends an answer, once for the same key. */
export type Answering = (words: string, idempotencyKey: string) => Promise<OwnCaseThread>;

interface ThreadProps {
  thread: OwnCaseThread;
  answer: Answering;
  /** The conversation that files are sent to and read of; not by a mail's link. */
  filesOf?: string;
  onAnswered: (thread: OwnCaseThread) => void;
}

/** A conversation with support: what both sides wrote, and the field to answer. */
export function Thread({ thread, answer, filesOf, onAnswered }: ThreadProps) {
  const { t } = useI18n();
  return (
    <section className="stack g24" aria-label={t("cases.thread")}>
      <div>
        <h1 className="t-28">{thread.subject ?? t("cases.erased")}</h1>
        <p className="muted">
          {t(`cases.topic_${thread.topic}`)} · {t(`cases.${thread.status}`)}
        </p>
      </div>
      <ol className="chat">
        {thread.messages.map((message) => (
          <Message key={message.message_id} message={message} />
        ))}
      </ol>
      {filesOf === undefined || thread.subject === null ? null : (
        <ThreadFiles thread={thread} filesOf={filesOf} onSent={onAnswered} />
      )}
      <Answer thread={thread} answer={answer} onAnswered={onAnswered} />
    </section>
  );
}

/** The conversation while it is on its way: its subject, a question and the field to answer. */
export function ThreadComing() {
  const { t } = useI18n();
  return (
    <div aria-busy="true">
      <p className="vh" role="status">
        {t("cases.loading")}
      </p>
      <Outline>
        <div className="stack g24">
          <div>
            <p className="t-28">{t("cases.thread")}</p>
            <p>{t("cases.topic_booking")}</p>
          </div>
          <ol className="chat">
            <li className="chat-one person">
              <p className="t-14">{t("cases.you")}</p>
              <p className="chat-words">{t("cases.loading")}</p>
            </li>
          </ol>
          <TextAreaField label={t("cases.answer")} />
        </div>
      </Outline>
    </div>
  );
}

function Message({ message }: { message: CaseMessage }) {
  const { t } = useI18n();
  const own = useOwnTime();
  return (
    <li className={`chat-one ${message.side}`}>
      <p className="t-14 muted">
        {t(message.side === "person" ? "cases.you" : "cases.us")} ·{" "}
        <time dateTime={message.at}>{own.moment(message.at)}</time>
      </p>
      <p className="chat-words">{message.words ?? t("cases.erased")}</p>
    </li>
  );
}

function Answer({ thread, answer, onAnswered }: ThreadProps) {
  const { t } = useI18n();
  const [words, setWords] = useState("");
  const [key, setKey] = useState(newKey);
  const [busy, setBusy] = useState(false);
  const [trouble, setTrouble] = useState<string | null>(null);
  const send = async (event: FormEvent) => {
    event.preventDefault();
    if (busy) return;
    setBusy(true);
    setTrouble(null);
    try {
      onAnswered(await answer(words, key));
      setWords("");
      setKey(newKey());
      toast(t("cases.sent"));
    } catch (failure) {
      setTrouble(troubleOf(failure, t("cases.not_sent")));
    } finally {
      setBusy(false);
    }
  };
  return (
    <form className="stack g16" onSubmit={(event) => void send(event)}>
      <TextAreaField
        label={t("cases.answer")}
        hint={thread.status === "closed" ? t("cases.answer_closed") : undefined}
        value={words}
        error={trouble}
        maxLength={4_000}
        onChange={(event) => {
          setWords(event.target.value);
          setKey(newKey());
        }}
      />
      <div>
        <Button look="primary" type="submit" busy={busy}>
          {t(busy ? "cases.sending" : "cases.send")}
        </Button>
      </div>
    </form>
  );
}
