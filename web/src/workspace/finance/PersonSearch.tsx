import { Link } from "@tanstack/react-router";
import { useState } from "react";
import type { PersonPayment } from "../../contract/wire.ts";
import { useI18n } from "../../i18n/i18n.tsx";
import { writeMoney } from "../amounts.ts";
import { DialogFrame } from "../DialogFrame.tsx";
import { FailureNote } from "../FailureNote.tsx";
import { faultsOf } from "../failure.ts";
import { LabelledField } from "../LabelledField.tsx";
import { useOnePress } from "../useOnePress.ts";
import { findByEmail } from "./requestCalls.ts";

/** Finds a person's payments by an address; the look is recorded with its reason before anything is shown. */
export function PersonSearch({ onClose }: { onClose: () => void }) {
  const { t } = useI18n();
  const [email, setEmail] = useState("");
  const [reason, setReason] = useState("");
  const [found, setFound] = useState<{ of: string; payments: readonly PersonPayment[] } | null>(null);
  const finding = useOnePress({
    mutationFn: (of: string) => findByEmail(of, reason),
    onSuccess: (payments, of) => setFound({ of, payments }),
  });
  const faults = faultsOf(finding.error);
  const ready = email.trim() !== "" && reason.trim().length >= 3;
  return (
    <DialogFrame
      title={t("person_search.title")}
      onSubmit={() => (ready ? finding.send(email) : undefined)}
      onClose={onClose}
      footer={
        <>
          {ready ? null : <span className="sub grow">{t("person_search.missing")}</span>}
          <button type="submit" className="btn pri" disabled={!ready || finding.isPending}>
            {t("person_search.go")}
          </button>
        </>
      }
    >
      <p className="sub">{t("person_search.text")}</p>
      <LabelledField label={t("person_search.email")} fault={faults.get("email")}>
        {(its) => (
          <input
            {...its}
            className="field"
            inputMode="email"
            autoComplete="off"
            data-first
            value={email}
            onChange={(event) => setEmail(event.target.value)}
          />
        )}
      </LabelledField>
      <LabelledField label={t("person_search.reason")} fault={faults.get("reason")}>
        {(its) => (
          <input
            {...its}
            className="field"
            maxLength={300}
            value={reason}
            onChange={(event) => setReason(event.target.value)}
          />
        )}
      </LabelledField>
      {faults.size === 0 ? <FailureNote error={finding.error} /> : null}
      {/* What was found belongs to the address that was asked for. */}
      {found?.of === email ? <Found payments={found.payments} onClose={onClose} /> : null}
    </DialogFrame>
  );
}

function Found({ payments, onClose }: { payments: readonly PersonPayment[]; onClose: () => void }) {
  const { t } = useI18n();
  return (
    <>
      <p role="status" className="label">
        {t("person_search.found", { n: payments.length })}
      </p>
      <ul className="rm-list">
        {payments.map((one) => (
          <li key={one.payment_id}>
            <Payment payment={one} onClose={onClose} />
          </li>
        ))}
      </ul>
    </>
  );
}

/** One payment, which opens its dossier. */
function Payment({ payment, onClose }: { payment: PersonPayment; onClose: () => void }) {
  const { t } = useI18n();
  const { captured_minor, refunded_minor, decimals, currency } = payment;
  const amount = (minor: number) => writeMoney(minor, { decimals, currency });
  return (
    <>
      <Link
        className="quiet-link num"
        to="/workspace/finance"
        search={{ payment: payment.payment_id }}
        onClick={onClose}
      >
        {t("person_search.row", {
          reference: payment.reference,
          lead: payment.lead_reference,
          amount: amount(captured_minor),
        })}
      </Link>
      <div className="sub num">
        {t(
          payment.dispute === "open"
            ? "finance.dispute_open"
            : payment.dispute === "lost"
              ? "finance.state_dispute_lost"
              : `finance.status_${payment.status}`,
        )}
        {refunded_minor === 0 ? null : ` · ${t("person_search.refunded", { amount: amount(refunded_minor) })}`}
      </div>
    </>
  );
}
