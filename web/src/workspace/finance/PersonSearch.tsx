import { Link } from "@tanstack/react-router";
import { useId, useState } from "react";
import type { PersonPayment } from "../../contract/wire.ts";
import { useI18n } from "../../i18n/i18n.tsx";
import { exact } from "../amounts.ts";
import { DialogFrame } from "../DialogFrame.tsx";
import { useFailureText } from "../failure.ts";
import { useOnePress } from "../useOnePress.ts";
import { findByEmail } from "./requestCalls.ts";

/** Finds a person's payments by an address; the look is recorded with its reason before anything is shown. */
export function PersonSearch({ onClose }: { onClose: () => void }) {
  const { t } = useI18n();
  const [mail, why, problem] = [useId(), useId(), useId()];
  const failureText = useFailureText();
  const [email, setEmail] = useState("");
  const [reason, setReason] = useState("");
  const [found, setFound] = useState<readonly PersonPayment[] | null>(null);
  const finding = useOnePress({
    mutationFn: () => findByEmail(email, reason),
    onSuccess: setFound,
  });
  const ready = email.trim() !== "" && reason.trim().length >= 3;
  return (
    <DialogFrame
      title={t("person_search.title")}
      onSubmit={() => (ready ? finding.send(undefined) : undefined)}
      onClose={onClose}
      footer={
        <button type="submit" className="btn pri" disabled={!ready || finding.isPending}>
          {t("person_search.go")}
        </button>
      }
    >
      <p className="sub">{t("person_search.text")}</p>
      <label className="label" htmlFor={mail}>
        {t("person_search.email")}
      </label>
      <input
        id={mail}
        className="field"
        type="email"
        autoComplete="off"
        data-first
        value={email}
        onChange={(event) => setEmail(event.target.value)}
        aria-describedby={finding.error === null ? undefined : problem}
      />
      <label className="label" htmlFor={why}>
        {t("person_search.reason")}
      </label>
      <input
        id={why}
        className="field"
        maxLength={300}
        value={reason}
        onChange={(event) => setReason(event.target.value)}
      />
      {finding.error === null ? null : (
        <p id={problem} className="note bad" role="alert">
          {failureText(finding.error)}
        </p>
      )}
      {found === null ? null : <Found payments={found} onClose={onClose} />}
    </DialogFrame>
  );
}

function Found({ payments, onClose }: { payments: readonly PersonPayment[]; onClose: () => void }) {
  const { t } = useI18n();
  if (payments.length === 0) return <p role="status">{t("person_search.none")}</p>;
  return (
    <ul className="rm-list">
      {payments.map((one) => (
        <li key={one.payment_id}>
          <Link
            className="quiet-link num"
            to="/workspace/finance"
            search={{ payment: one.payment_id }}
            onClick={onClose}
          >
            {t("person_search.row", {
              reference: one.reference,
              lead: one.lead_reference,
              amount: `${exact(one.captured_minor, one.decimals)} ${one.currency}`,
            })}
          </Link>
        </li>
      ))}
    </ul>
  );
}
