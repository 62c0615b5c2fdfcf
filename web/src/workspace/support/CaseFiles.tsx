import { useQueryClient } from "@tanstack/react-query";
import { useId } from "react";
import { newKey } from "../../api.ts";
import type { CaseView } from "../../contract/wire.ts";
import { useI18n } from "../../i18n/i18n.tsx";
import { toast } from "../../ui/toast.tsx";
import { fullMoment } from "../clock.ts";
import { FailureNote } from "../FailureNote.tsx";
import { useOnePress } from "../useOnePress.ts";
import { caseQueryOf, fileUrl, sendFile } from "./caseCalls.ts";

/** The files of a conversation, and the way to send its person one more. */
export function CaseFiles({ view }: { view: CaseView }) {
  const { t, lang } = useI18n();
  const id = useId();
  const client = useQueryClient();
  const caseId = view.case.case_id;
  const sending = useOnePress({
    mutationFn: (file: File) => sendFile(caseId, file, newKey()),
    onSuccess: (answer) => {
      client.setQueryData(caseQueryOf(caseId).queryKey, answer);
      toast(t("desk.file_sent"));
    },
  });
  return (
    <section className="case-form" aria-labelledby={`${id}title`}>
      <h2 className="label" id={`${id}title`}>
        {t("desk.files")}
      </h2>
      <ul>
        {view.attachments.map((file) => (
          <li key={file.attachment_id}>
            {file.name === null ? (
              t("desk.erased")
            ) : (
              <a href={fileUrl(caseId, file.attachment_id)} download={file.name}>
                {file.name}
              </a>
            )}{" "}
            <span className="sub num">
              {t(`desk.side_${file.side}`)} · {fullMoment(file.at, lang)}
            </span>
          </li>
        ))}
      </ul>
      <label className="sub" htmlFor={id}>
        {t(sending.isPending ? "desk.file_sending" : "desk.file_add")} · {t("desk.file_hint")}
      </label>
      <input
        id={id}
        type="file"
        accept=".pdf,.jpg,.jpeg,.png,.heic,.heif"
        disabled={sending.isPending}
        onChange={(event) => {
          const file = event.currentTarget.files?.[0];
          if (file !== undefined) sending.send(file);
          event.currentTarget.value = "";
        }}
      />
      <FailureNote error={sending.error} />
    </section>
  );
}
