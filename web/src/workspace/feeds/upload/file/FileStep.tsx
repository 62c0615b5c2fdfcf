import { useQuery } from "@tanstack/react-query";
import { type DragEvent, type FormEvent, useEffect, useId, useRef, useState } from "react";
import { useFormat, useI18n } from "../../../../i18n/i18n.tsx";
import { FALLBACK } from "../../../../i18n/languages.ts";
import { FailureNote } from "../../../FailureNote.tsx";
import { faultsOf } from "../../../failure.ts";
import { Icon } from "../../../icon.tsx";
import { LabelledField } from "../../../LabelledField.tsx";
import { usePastMoment } from "../../../pastMoment.ts";
import { save } from "../../../savedFile.ts";
import { useIntent } from "../../../useIntent.ts";
import { useOnePress } from "../../../useOnePress.ts";
import { type FeedUpload, feedsQuery, fetchFile, fieldsQuery, sendFile } from "../../feedCalls.ts";
import { ReadingFields } from "../columns/ReadingFields.tsx";
import { StepFrame } from "../StepFrame.tsx";
import type { StepProps } from "../UploadPage.tsx";

interface FileStepProps extends StepProps {
  upload: FeedUpload | null;
  /** The part of the file that has left this device; null while none is sent. */
  sent: number | null;
}

/** Where a file comes from: this device, or an address that the server reads once. */
interface Source {
  feed: string;
  file: File | null;
  url: string;
}

/** Sends a file, or has one fetched; a failure or a cancel leads back to the choice. */
function useSending({ send, onArrived }: Pick<StepProps, "send" | "onArrived">) {
  const keyOf = useIntent();
  const stopper = useRef(new AbortController());
  const press = useOnePress<FeedUpload, Source>({
    mutationFn: ({ feed, file, url }) =>
      file === null
        ? fetchFile(feed, url, keyOf([feed, url]), stopper.current.signal)
        : sendFile(feed, file, {
            onSent: (part) => send({ type: "file.progress", sent: part }),
            signal: stopper.current.signal,
          }),
    onSuccess: onArrived,
    onError: () => send({ type: "file.failed" }),
  });
  const begin = (source: Source) => {
    stopper.current = new AbortController();
    send({ type: "file.send" });
    press.send(source);
  };
  const isCancelled = press.error?.name === "AbortError";
  return {
    ...press,
    error: isCancelled ? null : press.error,
    isCancelled,
    begin,
    cancel: () => stopper.current.abort(),
  };
}

/** The first step: whose homes, and the file. */
export function FileStep({ upload, sent, takesFocus, send, onArrived }: FileStepProps) {
  const { t } = useI18n();
  const isPast = usePastMoment() !== null;
  const [source, setSource] = useState<Source>({ feed: upload?.feed ?? "", file: null, url: "" });
  const [tries, setTries] = useState(0);
  const press = useSending({ send, onArrived });
  const form = useFirstFault(tries, press.error);
  const feed = source.feed.trim();
  const url = source.url.trim();
  const isSourced = source.file !== null || url !== "";
  const submit = (event: FormEvent) => {
    event.preventDefault();
    setTries(tries + 1);
    if (isSourced && feed !== "" && !isPast) press.begin({ feed, file: source.file, url });
  };
  const isReading = upload !== null && (upload.stage === "waiting" || upload.stage === "running");
  if (sent !== null && source.file !== null)
    return <Waiting takesFocus title={t("imports.sending")} part={sent} onCancel={press.cancel} />;
  if (sent !== null) return <Waiting takesFocus title={t("imports.fetching")} part={null} onCancel={press.cancel} />;
  if (isReading) return <Waiting takesFocus title={t("imports.reading")} part={null} />;
  return (
    <form className="up-form" ref={form} onSubmit={submit} noValidate>
      <StepFrame
        title={t("imports.file_title")}
        text={t("imports.file_text")}
        takesFocus={takesFocus || press.isCancelled}
        bar={
          <>
            <p className="grow sub">{t("imports.nothing_changes")}</p>
            <button type="submit" className="btn pri" disabled={isPast || press.isPending}>
              {t(source.file === null && url !== "" ? "imports.read_address" : "imports.read_file")}
            </button>
          </>
        }
      >
        {upload === null ? null : <Unread upload={upload} onArrived={onArrived} />}
        <SourceFields
          source={source}
          error={press.error}
          lacks={{ feed: tries > 0 && feed === "", file: tries > 0 && !isSourced }}
          onChange={(part) => setSource({ ...source, ...part })}
        />
      </StepFrame>
    </form>
  );
}

/** The form whose first refused field takes the keyboard, after each press and each refusal. */
function useFirstFault(tries: number, error: Error | null) {
  const form = useRef<HTMLFormElement>(null);
  useEffect(() => {
    if (tries > 0 || error !== null) form.current?.querySelector<HTMLElement>("[aria-invalid=true]")?.focus();
  }, [tries, error]);
  return form;
}

interface SourceFieldsProps {
  source: Source;
  error: Error | null;
  lacks: { feed: boolean; file: boolean };
  onChange: (part: Partial<Source>) => void;
}

function SourceFields({ source, error, lacks, onChange }: SourceFieldsProps) {
  const { t } = useI18n();
  const faults = faultsOf(error);
  return (
    <div className="up-narrow">
      <FeedName
        feed={source.feed}
        fault={faults.get("feed") ?? (lacks.feed ? t("imports.feed_missing") : undefined)}
        onType={(feed) => onChange({ feed })}
      />
      <FileDrop
        file={source.file}
        fault={faults.get("file") ?? (lacks.file ? t("imports.file_missing") : undefined)}
        onChoose={(file) => onChange({ file, url: "" })}
      />
      <LabelledField label={t("imports.or_address")} hint={t("imports.or_address_hint")} fault={faults.get("url")}>
        {(its) => (
          <input
            {...its}
            className="field full"
            type="url"
            placeholder="https://"
            autoComplete="off"
            value={source.url}
            onChange={(event) => onChange({ url: event.target.value, file: null })}
          />
        )}
      </LabelledField>
      {error !== null && faults.size === 0 ? <FailureNote error={error} /> : null}
      <p>
        <button type="button" className="btn quiet" onClick={saveExample}>
          <Icon name="export" size="s" />
          {t("imports.example")}
        </button>
      </p>
    </div>
  );
}

/** A file with the house's own names: it needs no map. */
const EXAMPLE = [
  "property_id,room_id,name,country,city,lat,lng,room_type,rooms_total,price,currency,price_per,move_in,length",
  "q-1,e,Queen House,GB,Leeds,53.8080,-1.5550,ensuite room,6,185,GBP,week,2027-09-11,44 weeks",
  "q-1,s,Queen House,GB,Leeds,53.8080,-1.5550,studio,2,245,GBP,week,2027-09-11,44 weeks",
  "q-2,r,Mill Yard,GB,Leeds,53.7950,-1.5480,shared room,4,120,GBP,week,2027-09-11,44 weeks",
  "",
].join("\r\n");

function saveExample(): void {
  save(new Blob([EXAMPLE], { type: "text/csv" }), "homes.csv");
}

/** A file that the server could not read, with its reason. */
function Unread({ upload, onArrived }: { upload: FeedUpload; onArrived: (upload: FeedUpload) => void }) {
  const { t } = useI18n();
  return (
    <>
      <div className="note bad" role="alert">
        <Icon name="alert" />
        <div>
          <p>
            <b>{t("imports.unread", { file: upload.file })}</b>
          </p>
          <p lang={FALLBACK}>{upload.fault}</p>
          <p>{t("imports.unread_way_out")}</p>
        </div>
      </div>
      <ReadingFields upload={upload} onArrived={onArrived} />
    </>
  );
}

interface FeedNameProps {
  feed: string;
  fault: string | undefined;
  onType: (feed: string) => void;
}

/** The feed whose homes the file holds: one that is known, or a new one. */
function FeedName({ feed, fault, onType }: FeedNameProps) {
  const { t } = useI18n();
  const list = useId();
  const { data } = useQuery(feedsQuery);
  return (
    <LabelledField label={t("imports.feed_name")} hint={t("imports.feed_name_hint")} fault={fault}>
      {(its) => (
        <>
          <input
            {...its}
            className="field full"
            list={list}
            maxLength={64}
            autoComplete="off"
            value={feed}
            onChange={(event) => onType(event.target.value)}
          />
          <datalist id={list}>
            {data?.feeds.map(({ name }) => (
              <option key={name} value={name} />
            ))}
          </datalist>
        </>
      )}
    </LabelledField>
  );
}

interface FileDropProps {
  file: File | null;
  fault: string | undefined;
  onChoose: (file: File | null) => void;
}

/** A field for the file that also takes one that is dropped on it. */
function FileDrop({ file, fault, onChoose }: FileDropProps) {
  const { t } = useI18n();
  const size = useFileSize();
  const { data } = useQuery(fieldsQuery);
  const [isOver, setIsOver] = useState(false);
  const field = useRef<HTMLInputElement>(null);
  useEffect(() => {
    // An address was typed instead: the field shows no file any more.
    if (file === null && field.current !== null) field.current.value = "";
  }, [file]);
  const over = (event: DragEvent, isThere: boolean) => {
    event.preventDefault();
    setIsOver(isThere);
  };
  const drop = (event: DragEvent) => {
    over(event, false);
    onChoose(event.dataTransfer.files[0] ?? null);
  };
  return (
    // The drop is for the mouse; the field in it is what the keyboard and readers have.
    // biome-ignore lint/a11y/noStaticElementInteractions: a place to drop a file on, beside the field that chooses one
    <div
      className={isOver ? "up-drop up-over" : "up-drop"}
      onDragOver={(event) => over(event, true)}
      onDragLeave={(event) => over(event, false)}
      onDrop={drop}
    >
      <Icon name="upload" />
      <LabelledField
        label={t("imports.file")}
        hint={data === undefined ? undefined : t("imports.file_hint", { size: size(data.limit_bytes) })}
        fault={fault}
      >
        {(its) => (
          <input
            {...its}
            ref={field}
            type="file"
            accept=".csv,.tsv,.txt,.json,.jsonl,.ndjson,.xml"
            onChange={(event) => onChoose(event.target.files?.[0] ?? null)}
          />
        )}
      </LabelledField>
      <p className="sub" role="status">
        {file === null ? "" : t("imports.file_chosen", { file: file.name, size: size(file.size) })}
      </p>
    </div>
  );
}

const KB = 1_024;
const MB = KB * KB;

/** A size in MB, or in KB where that says more. */
function useFileSize(): (bytes: number) => string {
  const { t } = useI18n();
  const { number } = useFormat();
  return (bytes) =>
    bytes < MB
      ? t("imports.size_kb", { n: number(Math.ceil(bytes / KB)) })
      : t("imports.size_mb", { n: number(Math.round(bytes / MB)) });
}

interface WaitingProps {
  title: string;
  /** The part that is done; null where that is not known. */
  part: number | null;
  takesFocus: boolean;
  /** Absent where the server reads it already. */
  onCancel?: () => void;
}

/** A file on its way, or being read. */
function Waiting({ title, part, takesFocus, onCancel }: WaitingProps) {
  const { t } = useI18n();
  const percent = part === null ? null : Math.round(100 * part);
  return (
    <StepFrame title={title} takesFocus={takesFocus}>
      <section className="fd-card">
        <p role="status">{percent === null ? t("imports.reading_text") : t("imports.percent", { n: percent })}</p>
        <progress className="up-progress" aria-label={title} max={100} value={percent ?? undefined} />
        {onCancel === undefined ? null : (
          <p>
            <button type="button" className="btn" onClick={onCancel}>
              {t("workspace.cancel")}
            </button>
          </p>
        )}
      </section>
    </StepFrame>
  );
}
