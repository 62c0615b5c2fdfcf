import { type FormEvent, useRef, useState } from "react";
import type { FieldError, LeadVariant } from "../../contract/wire.ts";
import { useI18n } from "../../i18n/i18n.tsx";
import { spaceAfter } from "../../i18n/sentences.ts";
import { focusFirstFault } from "../../ui/arrival.ts";
import { Icon } from "../../ui/icon.tsx";
import { emailFault, type Fault, nameFault, phoneFault } from "../ui/contact.ts";
import { Check, TextAreaField, TextField } from "../ui/field.tsx";
import { useMirroredFaults } from "../ui/mirrored.ts";
import type { LeadInventory } from "../ui/overlays.ts";
import { PhoneField } from "../ui/phoneField.tsx";
import { Trap } from "../ui/trap.tsx";
import { InventoryLine } from "./InventoryLine.tsx";
import type { LeadAnswers } from "./leadPayload.ts";
import { MoveInFields } from "./MoveInFields.tsx";
import type { SavedForm } from "./savedForm.ts";
import type { LeadDraft } from "./useLeadDraft.ts";

type Checked = "name" | "email" | "phone" | "question" | "councellor_email";

interface LeadFormPageProps {
  formId: string;
  variant: LeadVariant;
  inventory: LeadInventory | null;
  subtext: string;
  draft: LeadDraft;
  answers: LeadAnswers;
  refusals: readonly FieldError[];
  onAnswers: (answers: LeadAnswers) => void;
  onTyped: () => void;
  onSubmit: () => void;
}

/** Every fault of page 1, by field. */
function faultsOf(
  values: SavedForm,
  answers: LeadAnswers,
  variant: LeadVariant,
): Partial<Record<Checked, Fault | "lead.fault_question_required">> {
  const name = nameFault(values["user_details/name"] ?? "");
  const email = emailFault(values["user_details/email"] ?? "");
  const phone = phoneFault(values["user_details/phone_code"] ?? "", values["user_details/phone"] ?? "");
  const asksNothing = variant === "ask_question_faq_cta" && answers.question.trim() === "";
  // A counsellor is not asked for; an address that is given must be one (C9).
  const counsellor = answers.councellorEmail.trim() === "" ? null : emailFault(answers.councellorEmail);
  return {
    ...(counsellor && variant === "partner_enquire" && { councellor_email: counsellor }),
    ...(name && { name }),
    ...(email && { email }),
    ...(phone && { phone }),
    ...(asksNothing && { question: "lead.fault_question_required" as const }),
  };
}

/** Checked on leaving a field, never while typing; all of them on Send. */
function useChecks(props: LeadFormPageProps) {
  const { t } = useI18n();
  const { draft, answers, variant, refusals } = props;
  const [left, setLeft] = useState<ReadonlySet<Checked>>(new Set());
  const [sent, setSent] = useState(false);
  const faults = faultsOf(draft.values, answers, variant);
  const refused = (field: Checked) => refusals.find((refusal) => refusal.field.endsWith(`/${field}`))?.message;
  const errorOf = (field: Checked): string | null => {
    const fault = faults[field];
    if (fault && (sent || left.has(field))) return t(fault);
    return refused(field) ?? null;
  };
  useMirroredFaults(Object.entries(faults).filter(([field]) => sent || [...left].some((one) => one === field)));
  const leave = (field: Checked) => () => setLeft((before) => new Set([...before, field]));
  return { errorOf, leave, faults, markSent: () => setSent(true), count: sent ? Object.keys(faults).length : 0 };
}

/** Page 1: who you are, when you want to move, and what you want to know. */
export function LeadFormPage(props: LeadFormPageProps) {
  const { t } = useI18n();
  const { draft, inventory, answers, variant } = props;
  const checks = useChecks(props);
  const form = useRef<HTMLFormElement>(null);
  const change = (next: Partial<LeadAnswers>) => {
    props.onTyped();
    props.onAnswers({ ...answers, ...next });
  };
  const submit = (event: FormEvent) => {
    event.preventDefault();
    checks.markSent();
    if (Object.keys(checks.faults).length === 0) props.onSubmit();
    else focusFirstFault(form.current);
  };
  return (
    <form id={props.formId} ref={form} className="stack" style={{ gap: 20 }} noValidate onSubmit={submit}>
      {inventory ? <InventoryLine inventory={inventory} /> : null}
      <p className="soft">{props.subtext}</p>
      {checks.count > 0 ? (
        <p className="banner banner-error" role="alert">
          <Icon name="alert" size={20} />
          <span>{t("lead.check_fields", { n: checks.count })}</span>
        </p>
      ) : draft.restored ? (
        <p className="hint">{t("lead.filled")}</p>
      ) : null}
      {variant === "ask_question_faq_cta" || variant === "get_help" ? (
        <TextAreaField
          label={t(variant === "get_help" ? "lead.help" : "lead.question")}
          hint={t(variant === "get_help" ? "lead.help_hint" : "lead.question_hint")}
          optional={variant === "get_help"}
          error={checks.errorOf("question")}
          value={answers.question}
          maxLength={1000}
          onBlur={checks.leave("question")}
          onChange={(event) => change({ question: event.target.value })}
        />
      ) : null}
      <ContactFields {...props} errorOf={checks.errorOf} leave={checks.leave} />
      <VariantFields {...props} change={change} errorOf={checks.errorOf} leave={checks.leave} />
      <Trap value={answers.website} onChange={(website) => change({ website })} />
      <MoveInFields draft={draft} inventory={inventory} onTyped={props.onTyped} />
      {variant === "edit_details" ? null : (
        <Check checked={answers.similarMail} onChange={(event) => change({ similarMail: event.target.checked })}>
          <span className="t-14">
            {t("lead.similar_mail")}
            {spaceAfter(t("lead.similar_mail"))}
            <span className="muted">{t("lead.similar_mail_note")}</span>
          </span>
        </Check>
      )}
    </form>
  );
}

interface ContactFieldsProps extends LeadFormPageProps {
  errorOf: (field: Checked) => string | null;
  leave: (field: Checked) => () => void;
}

function ContactFields({ draft, inventory, errorOf, leave, onTyped }: ContactFieldsProps) {
  const { t } = useI18n();
  const { values } = draft;
  const type = (...args: Parameters<LeadDraft["set"]>) => {
    onTyped();
    draft.set(...args);
  };
  return (
    <>
      <TextField
        label={t("lead.name")}
        name="name"
        autoComplete="name"
        value={values["user_details/name"] ?? ""}
        error={errorOf("name")}
        onBlur={leave("name")}
        onChange={(event) => type("user_details/name", event.target.value)}
      />
      <TextField
        label={t("lead.email")}
        name="email"
        type="email"
        autoComplete="email"
        value={values["user_details/email"] ?? ""}
        error={errorOf("email")}
        onBlur={leave("email")}
        onChange={(event) => type("user_details/email", event.target.value)}
      />
      <PhoneField
        id="lead-phone"
        label={t("lead.phone")}
        hint={t(inventory ? "lead.phone_hint" : "lead.phone_hint_plain")}
        phoneCode={values["user_details/phone_code"] ?? ""}
        number={values["user_details/phone"] ?? ""}
        error={errorOf("phone")}
        onPhoneCode={(code) => type("user_details/phone_code", code)}
        onNumber={(number) => type("user_details/phone", number)}
        onBlur={leave("phone")}
      />
    </>
  );
}

interface VariantFieldsProps extends ContactFieldsProps {
  change: (next: Partial<LeadAnswers>) => void;
}

/** What one kind of enquiry asks and the others do not. */
function VariantFields({ variant, inventory, draft, answers, change, onTyped, ...checks }: VariantFieldsProps) {
  const { t } = useI18n();
  const save = (field: "region" | "intake", value: string) => {
    onTyped();
    draft.set(field, value);
  };
  return (
    <>
      {inventory || variant === "edit_details" ? null : (
        <TextField
          label={t("lead.where")}
          hint={t("lead.where_hint")}
          optional
          value={draft.values.region ?? ""}
          onChange={(event) => save("region", event.target.value)}
        />
      )}
      {variant === "referred_by_enquiry" ? (
        <div className="two two-n">
          <TextField
            label={t("lead.referral_name")}
            optional
            autoComplete="off"
            value={answers.referralName}
            onChange={(event) => change({ referralName: event.target.value })}
          />
          <TextField
            label={t("lead.referral_code")}
            optional
            value={answers.referralCode}
            onChange={(event) => change({ referralCode: event.target.value })}
          />
        </div>
      ) : null}
      {variant === "partner_enquire" ? (
        <>
          <TextField
            label={t("lead.intake")}
            hint={t("lead.intake_hint")}
            optional
            value={draft.values.intake ?? ""}
            onChange={(event) => save("intake", event.target.value)}
          />
          <CounsellorFields answers={answers} change={change} {...checks} />
        </>
      ) : null}
    </>
  );
}

/** Who advises the student at a partner (Row C9); the wire's names keep their spelling (D85). */
function CounsellorFields({
  answers,
  change,
  errorOf,
  leave,
}: Omit<VariantFieldsProps, "variant" | "inventory" | "draft" | "onTyped">) {
  const { t } = useI18n();
  return (
    <>
      <div className="two two-n">
        <TextField
          label={t("lead.councellor_name")}
          optional
          autoComplete="section-counsellor name"
          value={answers.councellorName}
          onChange={(event) => change({ councellorName: event.target.value })}
        />
        <TextField
          label={t("lead.councellor_email")}
          optional
          autoComplete="section-counsellor email"
          type="email"
          value={answers.councellorEmail}
          error={errorOf("councellor_email")}
          onBlur={leave("councellor_email")}
          onChange={(event) => change({ councellorEmail: event.target.value })}
        />
      </div>
      <div className="two two-n">
        <TextField
          label={t("lead.councellor_country")}
          optional
          autoComplete="section-counsellor country-name"
          value={answers.councellorCountry}
          onChange={(event) => change({ councellorCountry: event.target.value })}
        />
        <TextField
          label={t("lead.councellor_office")}
          optional
          autoComplete="off"
          value={answers.councellorOffice}
          onChange={(event) => change({ councellorOffice: event.target.value })}
        />
      </div>
    </>
  );
}
