import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { useId } from "react";
import { useI18n } from "../../i18n/i18n.tsx";
import { writeMoney, writeSigned } from "../amounts.ts";
import { useFailureText } from "../failure.ts";
import { providerQuery } from "../queries.ts";

/** What the payment provider says of one payment: each movement with its fee and the payout it went out with. */
export function AtProvider({ paymentId }: { paymentId: string }) {
  const { t } = useI18n();
  const heading = useId();
  const failureText = useFailureText();
  const { data, error } = useQuery(providerQuery({ payment: paymentId, limit: 50 }));
  return (
    <section className="at-prov" aria-labelledby={heading}>
      <h3 id={heading}>{t("provider.at_provider")}</h3>
      {error === null ? null : <p className="note warn">{failureText(error)}</p>}
      {data?.result.length === 0 ? <p className="sub">{t("provider.at_provider_none")}</p> : null}
      <ul>
        {data?.result.map((line) => (
          <li key={`${line.id}.${line.source}`} className="num">
            <b>{writeSigned(line.amount_minor, line)}</b>
            <span className="sub">
              {t("provider.fee_and_net", {
                fee: writeMoney(line.fee_minor, line),
                net: writeMoney(line.net_minor, line),
              })}
            </span>
            {line.payout_id === null ? null : (
              <Link className="quiet-link mono" to="/workspace/provider" search={{ payout: line.payout_id }}>
                {line.payout_id}
              </Link>
            )}
            <span className="sub">{t(`provider.verdict_${line.verdict}`)}</span>
          </li>
        ))}
      </ul>
    </section>
  );
}
