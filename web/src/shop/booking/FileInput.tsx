import { createContext, useContext, useId, useRef, useState } from "react";
import { ApiError } from "../../api.ts";
import type { SentDocument } from "../../contract/wire.ts";
import { useI18n } from "../../i18n/i18n.tsx";
import { Button } from "../../ui/button.tsx";
import { Icon } from "../../ui/icon.tsx";
import { Field } from "../ui/field.tsx";

/** What a file field needs of the page around it. */
export interface Documents {
  known: readonly SentDocument[];
  send: (file: File) => Promise<SentDocument>;
}

export const DocumentsContext = createContext<Documents>({
  known: [],
  send: () => Promise.reject(new Error("this form takes no documents")),
});

interface FileInputProps {
  name: string;
  label: string;
  optional: boolean;
  error: string | null;
  /** The id of the document that was sent, or empty. */
  value: string;
  onAnswer: (documentId: string) => void;
}

/** Picks a file, sends it at once, and shows what was sent with a way to look at it and to take it back. */
export function FileInput({ name, label, optional, error, value, onAnswer }: FileInputProps) {
  const { t } = useI18n();
  const id = useId();
  const picker = useRef<HTMLInputElement>(null);
  const sending = useSending(onAnswer);
  const { known } = useContext(DocumentsContext);
  const sent = [...sending.sent, ...known].find((document) => document.id === value);
  const shownError = sending.trouble ?? error;
  return (
    <Field id={id} label={label} hint={t("booking.file_hint")} error={shownError} optional={optional}>
      <input
        ref={picker}
        id={id}
        className="vh"
        type="file"
        name={name}
        accept=".pdf,.jpg,.jpeg,.png,.heic,application/pdf,image/jpeg,image/png,image/heic"
        aria-invalid={shownError ? true : undefined}
        aria-describedby={shownError ? `${id}-error` : `${id}-hint`}
        disabled={sending.busy}
        onChange={(event) => sending.take(event.target)}
      />
      <div className="row wrapx" aria-live="polite">
        {sent ? (
          <a className="link clip" href={sent.href} download>
            {sent.name || t("booking.file_unnamed")}
          </a>
        ) : null}
        <Button busy={sending.busy} onClick={() => picker.current?.click()}>
          {t(sending.busy ? "booking.file_sending" : sent ? "booking.file_replace" : "booking.file_choose")}
        </Button>
        {sent ? (
          <Button look="plain" onClick={() => onAnswer("")}>
            <Icon name="x" size={20} />
            {t("booking.file_remove")}
          </Button>
        ) : null}
      </div>
    </Field>
  );
}

function useSending(onAnswer: (documentId: string) => void) {
  const { t } = useI18n();
  const { send } = useContext(DocumentsContext);
  const [sent, setSent] = useState<SentDocument[]>([]);
  const [busy, setBusy] = useState(false);
  const [trouble, setTrouble] = useState<string | null>(null);
  const take = async (picker: HTMLInputElement) => {
    const [file] = picker.files ?? [];
    if (!file) return;
    setBusy(true);
    setTrouble(null);
    try {
      const document = await send(file);
      setSent((before) => [document, ...before]);
      onAnswer(document.id);
    } catch (failure) {
      const said = failure instanceof ApiError && failure.kind === "refused" ? failure.message : null;
      setTrouble(said ?? t("booking.file_failed"));
    } finally {
      setBusy(false);
      // The same file can be picked again.
      picker.value = "";
    }
  };
  return { sent, busy, trouble, take: (picker: HTMLInputElement) => void take(picker) };
}
