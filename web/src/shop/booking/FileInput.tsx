import { useContext, useId, useRef, useState } from "react";
import { ApiError } from "../../api.ts";
import type { SentDocument } from "../../contract/wire.ts";
import { useI18n } from "../../i18n/i18n.tsx";
import { useOwnTime } from "../../ownTime.ts";
import { Button } from "../../ui/button.tsx";
import { Icon } from "../../ui/icon.tsx";
import { Field } from "../ui/field.tsx";
import { DocumentsContext } from "./documents.ts";

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
  const own = useOwnTime();
  const id = useId();
  const picker = useRef<HTMLInputElement>(null);
  const camera = useRef<HTMLInputElement>(null);
  const sending = useSending(value, onAnswer);
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
      <input
        ref={camera}
        className="vh"
        type="file"
        accept="image/jpeg,image/png,image/heic"
        capture="environment"
        tabIndex={-1}
        aria-hidden="true"
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
        {sending.busy ? (
          <span className="t-14 soft num">{t("form_sync.file_sent", { percent: Math.round(sending.part * 100) })}</span>
        ) : null}
        {hasCamera && !sending.busy ? (
          <Button onClick={() => camera.current?.click()}>{t("form_sync.file_camera")}</Button>
        ) : null}
        {sent ? (
          <Button look="plain" onClick={sending.takeBack}>
            <Icon name="x" size={20} />
            {t("booking.file_remove")}
          </Button>
        ) : null}
      </div>
      {sent?.opened.map(({ by, at }) => (
        <p className="t-14 soft" key={`${by}${at}`}>
          {t(`form_sync.file_opened_${by}`, { time: own.moment(at) })}
        </p>
      ))}
    </Field>
  );
}

/** A phone or tablet: its file picker opens the camera at once where it is asked to. */
const hasCamera = typeof matchMedia !== "undefined" && matchMedia("(pointer: coarse)").matches;

function useSending(value: string, onAnswer: (documentId: string) => void) {
  const { t } = useI18n();
  const { send, remove } = useContext(DocumentsContext);
  const [part, setPart] = useState(0);
  const [sent, setSent] = useState<SentDocument[]>([]);
  const [busy, setBusy] = useState(false);
  const [trouble, setTrouble] = useState<string | null>(null);
  const take = async (picker: HTMLInputElement) => {
    const [file] = picker.files ?? [];
    if (!file) return;
    setBusy(true);
    setTrouble(null);
    setPart(0);
    try {
      const document = await send(file, setPart);
      setSent((before) => [document, ...before]);
      onAnswer(document.id);
      // The one in its place is not needed any more; one that cannot be deleted now is deleted with the form.
      if (value !== "") remove(value).catch(() => undefined);
    } catch (failure) {
      const said = failure instanceof ApiError && failure.kind === "refused" ? refusalOf(failure) : null;
      setTrouble(
        said === null ? t("booking.file_failed") : t("form_sync.file_refused", { name: file.name, why: said }),
      );
    } finally {
      setBusy(false);
      // The same file can be picked again.
      picker.value = "";
    }
  };
  const takeBack = async () => {
    setBusy(true);
    setTrouble(null);
    try {
      await remove(value);
      onAnswer("");
    } catch (failure) {
      // Another device was faster.
      if (failure instanceof ApiError && failure.status === 404) onAnswer("");
      else setTrouble(t("form_sync.file_kept"));
    } finally {
      setBusy(false);
    }
  };
  return {
    sent,
    busy,
    part,
    trouble,
    takeBack: () => void takeBack(),
    take: (picker: HTMLInputElement) => void take(picker),
  };
}

/** What is wrong with the file, and what to do: the field's sentence says more than the whole answer's. */
function refusalOf(failure: ApiError): string {
  return failure.fields.find(({ field }) => field === "file")?.message ?? failure.message;
}
