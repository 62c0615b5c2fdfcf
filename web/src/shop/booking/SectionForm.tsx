import { type FocusEvent, type FormEvent, type ReactNode, useEffect, useRef, useState } from "react";
import type { FieldError, Lang } from "../../contract/wire.ts";
import { useI18n } from "../../i18n/i18n.tsx";
import { serverNow } from "../../serverClock.ts";
import { focusFirstFault } from "../../ui/arrival.ts";
import { Banner } from "../../ui/banner.tsx";
import { firstPhoneCode } from "../ui/dialCodes.ts";
import { useMirroredFaults } from "../ui/mirrored.ts";
import type { Section } from "./bookingContext.ts";
import { type AnswerFault, answerFaults } from "./checkAnswers.ts";
import { FieldInput } from "./FieldInput.tsx";
import type { Answers } from "./fieldMerge.ts";
import { type FormField, groupsOf, isAsked } from "./fields.ts";

type SayMissing = typeof import("./missingAnswers.ts").sayMissing;

interface SectionFormProps {
  formId: string;
  section: Section;
  answers: Answers;
  refusals: readonly FieldError[];
  trouble: string | null;
  countryKey: string;
  /** The field that had the focus where the form was left: it gets it again, once. */
  startAt: string | null;
  /** The one field that was typed. */
  onTyped: (answers: Answers) => void;
  onEntered: (field: string) => void;
  onLeft: () => void;
  onContinue: (answers: Answers) => void;
}

/** One section of the form, saved as it is typed, checked on leaving a field and on Continue. */
export function SectionForm(props: SectionFormProps) {
  const { t, lang } = useI18n();
  const { section, answers, refusals } = props;
  const [left, setLeft] = useState<ReadonlySet<string>>(new Set());
  const [sent, setSent] = useState(false);
  const [phoneCode] = useState(() => firstPhoneCode(props.countryKey));
  const form = useRef<HTMLFormElement>(null);
  const [startAt] = useState(props.startAt);
  useEffect(() => {
    if (startAt !== null) controlOf(form.current, startAt)?.focus();
  }, [startAt]);
  const entered = ({ target }: FocusEvent<HTMLFormElement>) => {
    faultText.load();
    const field = fieldOf(target);
    if (section.fields.some(({ key }) => key === field)) props.onEntered(field);
  };
  const faults = answerFaults(section, answers, new Date(serverNow()).toISOString().slice(0, 10));
  useMirroredFaults([...faults].filter(([field]) => sent || left.has(field)));
  const faultText = useFaultText(section);
  const errorOf = (field: FormField): string | null => {
    const fault = faults.get(field.key);
    if (fault && (sent || left.has(field.key))) return faultText.say(field, fault);
    return refusals.find((refusal) => refusal.field === `${section.key}/${field.key}`)?.message ?? null;
  };
  const submit = (event: FormEvent) => {
    event.preventDefault();
    faultText.load();
    setSent(true);
    if (faults.size === 0) props.onContinue(answers);
    else focusFirstFault(form.current);
  };
  return (
    <form id={props.formId} ref={form} noValidate onSubmit={submit} lang={lang} onFocus={entered} onBlur={props.onLeft}>
      <Notices count={sent ? faults.size : 0} trouble={refusals.length === 0 ? props.trouble : null} />
      {groupsOf(section).map((group, at) => (
        <section
          key={group.title}
          className={`fset${at === 0 ? " fset-first" : ""}`}
          aria-labelledby={`${props.formId}-${at}`}
        >
          <h2 id={`${props.formId}-${at}`} data-headline={at === 0 || undefined}>
            {t(group.title)}
          </h2>
          <div className="fgrid">
            <GroupFields
              fields={group.fields.filter((field) => isAsked(field, answers))}
              input={(field) => (
                <FieldInput
                  key={field.key}
                  field={field}
                  answer={answers[field.key]}
                  error={errorOf(field)}
                  phoneCode={phoneCode}
                  person={OTHERS[section.key] ?? null}
                  onAnswer={(answer) => props.onTyped({ [field.key]: answer })}
                  onLeave={() => setLeft((before) => new Set([...before, field.key]))}
                />
              )}
            />
          </div>
        </section>
      ))}
    </form>
  );
}

/** Says a fault; a missing answer by its name once those sentences have come. */
function useFaultText(section: Section) {
  const { t, lang } = useI18n();
  const [missing, setMissing] = useState<{ lang: Lang; say: SayMissing } | null>(null);
  const load = async () => {
    if (missing?.lang === lang) return;
    const say = await import("./missingAnswers.ts").then(({ loadMissing }) => loadMissing(lang)).catch(() => null);
    if (say !== null) setMissing({ lang, say });
  };
  const say = (field: FormField, fault: AnswerFault): string =>
    (missing?.lang === lang ? missing.say(t, section.key, field, fault) : null) ??
    t(fault, fault === "booking.fault_date" ? { format: t("booking.hint_dob") } : {});
  return { load: () => void load(), say };
}

/** Sections about somebody else than the reader. */
const OTHERS: Partial<Record<Section["key"], string>> = { emergency_form: "emergency", guarantor_form: "guarantor" };

/** A control stands for the field that its name says; a phone number's, whose name browsers fill in by, says it in its id. */
function fieldOf(control: Element): string {
  if (control.id.startsWith("field-")) return control.id.slice("field-".length);
  return control.getAttribute("name") ?? "";
}

function controlOf(form: HTMLFormElement | null, field: string): HTMLElement | null {
  const controls = [...(form?.querySelectorAll<HTMLElement>("input, select, textarea") ?? [])];
  return controls.find((control) => fieldOf(control) === field) ?? null;
}

interface GroupFieldsProps {
  fields: readonly FormField[];
  input: (field: FormField) => ReactNode;
}

/** Title and name stand side by side, as on a passport; all else in the grid. */
function GroupFields({ fields, input }: GroupFieldsProps) {
  const title = fields.find(({ key }) => key === "title");
  const name = title && fields.find(({ key }) => key === "full_name");
  if (!title || !name) return fields.map(input);
  return (
    <>
      <div className="namerow span2">
        {input(title)}
        {input(name)}
      </div>
      {fields.filter((field) => field !== title && field !== name).map(input)}
    </>
  );
}

function Notices({ count, trouble }: { count: number; trouble: string | null }) {
  const { t } = useI18n();
  if (count > 0) {
    return (
      <div className="fnotice">
        <Banner kind="error">{t("booking.check_fields", { n: count })}</Banner>
      </div>
    );
  }
  if (trouble === null) return null;
  return (
    <div className="fnotice" data-arrival>
      <Banner kind="error">{t("booking.section_failed")}</Banner>
    </div>
  );
}
