import { useQueryClient } from "@tanstack/react-query";
import { type FormEvent, type ReactNode, useId, useState } from "react";
import { newKey } from "../api.ts";
import type { NewPaymentLink as Asked, PaymentLinks } from "../contract/wire.ts";
import { useI18n } from "../i18n/i18n.tsx";
import { numberOf, type Reading, readAmount, readCount, WHOLE } from "../typedNumber.ts";
import { doubtText } from "../ui/numberDoubt.ts";
import { toast } from "../ui/toast.tsx";
import { writeMoney } from "./amounts.ts";
import { FailureNote } from "./FailureNote.tsx";
import { useKeptDraft } from "./keptDraft.ts";
import { makeLink } from "./linkCalls.ts";
import { useOnePress } from "./useOnePress.ts";

const KINDS = ["rent", "platform_fee"] as const;
type Kind = (typeof KINDS)[number];

interface Draft {
  kind: Kind;
  amount: string;
  dueOn: string;
  days: string;
  note: string;
  reason: string;
}

const EMPTY: Draft = { kind: "rent", amount: "", dueOn: "", days: "14", note: "", reason: "" };

const drafts = new Map<string, Draft>();

/** What the form holds, what is wrong with it, and the press that sends it: once for what was written. */
function useMaking(leadId: string, links: PaymentLinks) {
  const { t } = useI18n();
  const client = useQueryClient();
  const [draft, setDraft] = useKeptDraft(drafts, leadId, () => EMPTY);
  const [intent, setIntent] = useState(newKey);
  const [pressed, setPressed] = useState(false);
  const set = (part: Partial<Draft>) => {
    setDraft({ ...draft, ...part });
    setIntent(newKey());
  };
  const sending = useOnePress({
    mutationFn: (asked: Asked) => makeLink(asked, intent),
    onSuccess: () => {
      toast(t("links.made"));
      set(EMPTY);
      setPressed(false);
      void client.invalidateQueries({ queryKey: ["payment-links", leadId] });
    },
  });
  const counted = { currency: links.currency ?? null, decimals: links.decimals };
  const readings = { amount: readAmount(draft.amount, counted), days: readCount(draft.days) };
  const [amount, days] = [numberOf(readings.amount), numberOf(readings.days)];
  const isTooMuch = amount !== null && amount > links.most_minor;
  const most = writeMoney(links.most_minor, counted);
  const doubtOf = (reading: Reading, name: string, typed: string, of = WHOLE) =>
    "doubt" in reading ? doubtText(t, name, typed, reading.doubt, of) : null;
  const faults = {
    amount:
      doubtOf(readings.amount, t("links.amount_name"), draft.amount, counted) ??
      (isTooMuch ? t("links.amount_wrong", { most }) : null),
    days:
      doubtOf(readings.days, t("links.days"), draft.days) ??
      (days !== null && (days < 1 || days > 90) ? t("links.days_wrong") : null),
    reason: draft.reason.trim().length < 3 ? t("links.reason_short") : null,
  };
  const submit = (event: FormEvent) => {
    event.preventDefault();
    setPressed(true);
    if (amount === null || days === null || Object.values(faults).some((fault) => fault !== null)) return;
    sending.send({
      lead_id: leadId,
      type: draft.kind,
      amount_minor: amount,
      due_on: draft.dueOn === "" ? null : draft.dueOn,
      expires_in_days: days,
      note: draft.note.trim(),
      reason: draft.reason.trim(),
    });
  };
  const fault = (field: keyof typeof faults) => (pressed || (field === "amount" && isTooMuch) ? faults[field] : null);
  return { draft, set, fault, submit, sending, most };
}

/** The form a link is made with; what is missing is said at its field, before anything is sent. */
export function NewPaymentLink({ leadId, links }: { leadId: string; links: PaymentLinks }) {
  const { t } = useI18n();
  const { draft, set, fault, submit, sending, most } = useMaking(leadId, links);
  return (
    <form onSubmit={submit} noValidate style={{ marginTop: 16 }}>
      <Field label={t("links.type")} fault={null}>
        {(id) => (
          <select
            id={id}
            style={{ border: 0, padding: 0, width: "100%", background: "transparent" }}
            value={draft.kind}
            onChange={(event) => set({ kind: kindOf(event.target.value) })}
          >
            {KINDS.map((kind) => (
              <option key={kind} value={kind}>
                {t(`links.type_${kind}`)}
              </option>
            ))}
          </select>
        )}
      </Field>
      <Field
        label={t("links.amount", { currency: links.currency ?? "" })}
        hint={t("links.most", { most })}
        fault={fault("amount")}
      >
        {(id) => (
          <input
            id={id}
            inputMode="decimal"
            value={draft.amount}
            onChange={(event) => set({ amount: event.target.value })}
          />
        )}
      </Field>
      <Field label={t("links.due_on")} fault={null}>
        {(id) => (
          <input id={id} type="date" value={draft.dueOn} onChange={(event) => set({ dueOn: event.target.value })} />
        )}
      </Field>
      <Field label={t("links.days")} fault={fault("days")}>
        {(id) => (
          <input
            id={id}
            inputMode="numeric"
            value={draft.days}
            onChange={(event) => set({ days: event.target.value })}
          />
        )}
      </Field>
      <Words draft={draft} set={set} fault={fault("reason")} />
      <FailureNote error={sending.error} />
      <button type="submit" className="btn pri" disabled={sending.isPending} style={{ marginTop: 12 }}>
        {t(sending.isPending ? "links.making" : "links.make")}
      </button>
    </form>
  );
}

interface WordsProps {
  draft: Draft;
  set: (part: Partial<Draft>) => void;
  fault: string | null;
}

/** What the maker writes: to the student, and for colleagues. */
function Words({ draft, set, fault }: WordsProps) {
  const { t } = useI18n();
  return (
    <>
      <Field label={t("links.note")} fault={null}>
        {(id) => (
          <input id={id} maxLength={500} value={draft.note} onChange={(event) => set({ note: event.target.value })} />
        )}
      </Field>
      <Field label={t("links.reason")} fault={fault}>
        {(id) => (
          <input
            id={id}
            maxLength={500}
            value={draft.reason}
            onChange={(event) => set({ reason: event.target.value })}
          />
        )}
      </Field>
    </>
  );
}

function kindOf(value: string): Kind {
  return KINDS.find((kind) => kind === value) ?? "rent";
}

interface FieldProps {
  label: string;
  hint?: string;
  fault: string | null;
  children: (id: string) => ReactNode;
}

function Field({ label, hint, fault, children }: FieldProps) {
  const id = useId();
  return (
    <>
      <label className="label" htmlFor={id}>
        {label}
      </label>
      <div className="field">{children(id)}</div>
      {hint === undefined ? null : <p className="sub">{hint}</p>}
      {fault === null ? null : (
        <p className="note bad" role="alert">
          {fault}
        </p>
      )}
    </>
  );
}
