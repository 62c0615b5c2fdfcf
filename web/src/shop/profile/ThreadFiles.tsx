import { type ChangeEvent, useId, useState } from "react";
import { buildAddress, post } from "../../api.ts";
import type { OwnCaseThread } from "../../contract/wire.ts";
import { useI18n } from "../../i18n/i18n.tsx";
import { useOwnTime } from "../../ownTime.ts";
import { Banner } from "../../ui/banner.tsx";
import { toast } from "../../ui/toast.tsx";
import { troubleOf } from "./threadTrouble.ts";

interface ThreadFilesProps {
  thread: OwnCaseThread;
  /** The conversation that files are sent to and read of. */
  filesOf: string;
  onSent: (thread: OwnCaseThread) => void;
}

const fileUrl = (id: string, attachment: string) =>
  buildAddress("/api/v0/support/cases/{id}/attachments/{attachment}", { path: { id, attachment } });

/** The files of a conversation, and the way to send one more. */
export function ThreadFiles({ thread, filesOf, onSent }: ThreadFilesProps) {
  const { t } = useI18n();
  const own = useOwnTime();
  const id = useId();
  const [busy, setBusy] = useState(false);
  const [trouble, setTrouble] = useState<string | null>(null);
  const send = async (event: ChangeEvent<HTMLInputElement>) => {
    const input = event.currentTarget;
    const file = input.files?.[0];
    if (file === undefined || busy) return;
    setBusy(true);
    setTrouble(null);
    try {
      const path = { id: filesOf };
      onSent(await post("/api/v0/support/cases/{id}/attachments", { path, body: file }));
      toast(t("cases.file_sent"));
    } catch (failure) {
      setTrouble(troubleOf(failure, t("cases.not_sent")));
    } finally {
      setBusy(false);
      input.value = "";
    }
  };
  return (
    <section className="stack g16" aria-labelledby={`${id}title`}>
      <h2 className="t-18" id={`${id}title`}>
        {t("cases.files")}
      </h2>
      <ul className="stack">
        {thread.attachments.map((file) => (
          <li key={file.attachment_id}>
            {file.name === null ? (
              t("cases.erased")
            ) : (
              <a href={fileUrl(filesOf, file.attachment_id)} download={file.name}>
                {file.name}
              </a>
            )}{" "}
            <span className="t-14 muted">
              {t(file.side === "person" ? "cases.file_you" : "cases.file_us")} · {own.moment(file.at)}
            </span>
          </li>
        ))}
      </ul>
      <label className="stack" htmlFor={id}>
        <span className="m">{t(busy ? "cases.file_sending" : "cases.file_add")}</span>
        <span className="t-14 muted">{t("cases.file_hint")}</span>
        <input
          id={id}
          type="file"
          accept=".pdf,.jpg,.jpeg,.png,.heic,.heif"
          disabled={busy}
          onChange={(event) => void send(event)}
        />
      </label>
      {trouble === null ? null : <Banner kind="error">{trouble}</Banner>}
    </section>
  );
}
