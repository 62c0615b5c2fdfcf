import { type FormEvent, type KeyboardEvent, useRef, useState } from "react";
import { useI18n } from "../../../i18n/i18n.tsx";
import { FailureNote } from "../../FailureNote.tsx";
import { faultsOf } from "../../failure.ts";
import { LabelledField } from "../../LabelledField.tsx";
import type { DraftAsked, HouseText } from "../contentCalls.ts";
import {
  findNameFaults,
  listEmpty,
  type NameFault,
  putName,
  startWords,
  type Typed,
  typeWords,
  type WordField,
  type Words,
} from "./textEdit.ts";

interface TextFormProps {
  text: HouseText;
  typed: Typed | null;
  press: { isPending: boolean; error: Error | null; send: (asked: DraftAsked) => void };
  isPast: boolean;
  onType: (typed: Typed | null) => void;
}

/** Words of a page as they are written; Ctrl S keeps them as a draft. */
export function TextForm({ text, typed, press, isPast, onType }: TextFormProps) {
  const { t } = useI18n();
  const [wasTried, setWasTried] = useState(false);
  const words = typed?.words ?? startWords(text);
  const isOvertaken = typed !== null && typed.revision !== text.revision;
  const unknown = findNameFaults(words, text.names);
  const empty = listEmpty(words);
  const type = (field: WordField, said: string) => onType(typeWords(text, typed, { ...words, [field]: said }));
  const save = () => {
    if (typed === null || isPast || press.isPending) return;
    setWasTried(true);
    if (unknown.length === 0 && empty.length === 0 && !isOvertaken)
      press.send({ revision: text.revision, text: words });
  };
  const submit = (event: FormEvent) => {
    event.preventDefault();
    save();
  };
  const saveByKey = (event: KeyboardEvent) => {
    if (event.key.toLowerCase() !== "s" || !(event.ctrlKey || event.metaKey)) return;
    event.preventDefault();
    save();
  };
  return (
    <form aria-label={t("house_texts.form")} onSubmit={submit} onKeyDown={saveByKey} noValidate>
      <Fields
        text={text}
        words={words}
        refused={faultsOf(press.error)}
        empty={wasTried ? empty : []}
        isPast={isPast}
        onType={type}
      />
      <UnknownNames faults={unknown} />
      {isOvertaken ? (
        <div className="note warn" role="alert">
          <p className="grow">{t("house_texts.overtaken")}</p>
          <button type="button" className="btn sm" onClick={() => onType({ words, revision: text.revision })}>
            {t("house_texts.keep_mine")}
          </button>
          <button type="button" className="btn sm" onClick={() => onType(null)}>
            {t("house_texts.take_theirs")}
          </button>
        </div>
      ) : (
        <FailureNote error={press.error} />
      )}
      <div className="row wrapx ct-acts">
        <button
          type="submit"
          className="btn pri"
          aria-keyshortcuts="Control+S Meta+S"
          disabled={isPast || typed === null || press.isPending || unknown.length > 0 || isOvertaken}
        >
          {t("house_texts.save")}
        </button>
        <button type="button" className="btn quiet" disabled={typed === null} onClick={() => onType(null)}>
          {t("house_texts.discard")}
        </button>
        <span className="sub">{t(typed === null ? "house_texts.all_saved" : "house_texts.unsaved")}</span>
      </div>
    </form>
  );
}

/** Each unknown name with its field and line: a text with one is not kept. */
function UnknownNames({ faults }: { faults: readonly NameFault[] }) {
  const { t } = useI18n();
  if (faults.length === 0) return null;
  return (
    <div className="note bad" role="alert">
      <ul>
        {faults.map(({ field, line, name, near }, at) => {
          const said = { field: t(`house_texts.field_${field}`), line, name: `{${name}}` };
          return (
            // biome-ignore lint/suspicious/noArrayIndexKey: a line may hold the same name twice
            <li key={at}>
              {near === null
                ? t("house_texts.unknown_name", said)
                : t("house_texts.unknown_name_near", { ...said, near: `{${near}}` })}
            </li>
          );
        })}
      </ul>
    </div>
  );
}

interface FieldsProps {
  text: HouseText;
  words: Words;
  refused: ReadonlyMap<string, string>;
  empty: readonly WordField[];
  isPast: boolean;
  onType: (field: WordField, said: string) => void;
}

function Fields({ text, words, refused, empty, isPast, onType }: FieldsProps) {
  const { t } = useI18n();
  const faultOf = (field: WordField) =>
    refused.get(`text.${field}`) ?? (empty.includes(field) ? t("house_texts.needed") : undefined);
  const line = (field: Exclude<WordField, "body">, hint?: string) => (
    <LabelledField label={t(`house_texts.field_${field}`)} hint={hint} fault={faultOf(field)}>
      {(its) => (
        <input
          {...its}
          className="ct-inp"
          lang={text.language}
          readOnly={isPast}
          value={words[field]}
          onChange={(event) => onType(field, event.target.value)}
        />
      )}
    </LabelledField>
  );
  const hasButton = text.shipped.act !== "" || words.act !== "";
  return (
    <>
      {line("title")}
      {line("description", t("house_texts.description_hint"))}
      {line("lead", t("house_texts.lead_hint"))}
      {hasButton ? line("act") : null}
      <BodyField
        text={text}
        body={words.body}
        fault={faultOf("body")}
        isPast={isPast}
        onType={(said) => onType("body", said)}
      />
    </>
  );
}

interface BodyFieldProps {
  text: HouseText;
  body: string;
  fault: string | undefined;
  isPast: boolean;
  onType: (body: string) => void;
}

/** Markdown, and the names that the site fills in: a press puts one where the text is selected. */
function BodyField({ text, body, fault, isPast, onType }: BodyFieldProps) {
  const { t } = useI18n();
  const area = useRef<HTMLTextAreaElement>(null);
  const put = (name: string) => {
    const { selectionStart = body.length, selectionEnd = body.length } = area.current ?? {};
    onType(putName(body, name, [selectionStart, selectionEnd]));
    area.current?.focus();
  };
  return (
    <>
      <LabelledField label={t("house_texts.field_body")} hint={t("house_texts.body_hint")} fault={fault}>
        {(its) => (
          <textarea
            {...its}
            ref={area}
            className="ct-inp mono ct-body"
            lang={text.language}
            rows={24}
            readOnly={isPast}
            value={body}
            onChange={(event) => onType(event.target.value)}
          />
        )}
      </LabelledField>
      <fieldset className="ct-names">
        <legend className="sub">{t("house_texts.names")}</legend>
        {text.names.map((name) => (
          <button key={name} type="button" className="btn sm mono" disabled={isPast} onClick={() => put(name)}>
            {`{${name}}`}
          </button>
        ))}
      </fieldset>
    </>
  );
}
