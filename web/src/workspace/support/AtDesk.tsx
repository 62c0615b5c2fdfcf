import { Link } from "@tanstack/react-router";
import type { LeadDesk } from "../../contract/wire.ts";
import { useI18n } from "../../i18n/i18n.tsx";
import { writeMoney } from "../amounts.ts";
import { fullMoment } from "../clock.ts";
import "./acts.css";

type Other = LeadDesk["doubles"][number];

/** What the desk has made of a lead: its team, its doubles, what waits for finance. */
export function AtDesk({ desk }: { desk: LeadDesk }) {
  const { t, lang } = useI18n();
  return (
    <>
      {desk.team === null ? null : <p className="sub">{t("acts.team_now", { team: desk.team })}</p>}
      {desk.double_of === null ? null : (
        <p>
          {t("acts.double_of")} <Lead other={desk.double_of} />
        </p>
      )}
      {desk.doubles.map((double) => (
        <p key={double.lead_id}>
          {t("acts.has_double")} <Lead other={double} />
        </p>
      ))}
      {desk.related.map((other) => (
        <p key={other.lead_id}>
          {t("acts.related")} <Lead other={other} />
        </p>
      ))}
      {desk.asks.map((ask) => (
        <p key={ask.ask_id} className="note">
          {t(ask.ends_booking ? "acts.asked_cancellation" : "acts.asked_refund", {
            by: ask.by,
            at: fullMoment(ask.at, lang),
            reference: ask.payment_reference,
          })}
          {ask.amount_minor === null || desk.payment === null
            ? null
            : ` (${writeMoney(ask.amount_minor, desk.payment)})`}
          {ask.why === null ? null : `: ${ask.why}`}
        </p>
      ))}
    </>
  );
}

function Lead({ other }: { other: Other }) {
  return (
    <Link className="num" to="/workspace/leads/$leadId" params={{ leadId: other.lead_id }}>
      {other.reference}
    </Link>
  );
}
