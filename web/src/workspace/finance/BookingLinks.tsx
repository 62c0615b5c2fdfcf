import { Link } from "@tanstack/react-router";
import type { BookingLink, PaymentDossier } from "../../contract/wire.ts";
import { useI18n } from "../../i18n/i18n.tsx";
import { writeMoney } from "../amounts.ts";

/** The payment links beside a payment: what goes with the booking, and what was paid and stays until finance gives it back. */
export function BookingLinks({ dossier }: { dossier: PaymentDossier }) {
  const { t } = useI18n();
  const { links, currency, decimals } = dossier;
  if (links.length === 0) return null;
  const amount = (minor: number) => writeMoney(minor, { decimals, currency });
  const paid = links.reduce((sum, link) => sum + link.refundable_minor, 0);
  return (
    <section className="at-prov" aria-label={t("returned.links")}>
      <h3>{t("returned.links")}</h3>
      {links.some((link) => link.state === "open") ? <p className="sub">{t("returned.links_open")}</p> : null}
      {paid === 0 ? null : <p className="note">{t("returned.links_paid", { amount: amount(paid) })}</p>}
      <ul className="rm-list">
        {links.map((link) => (
          <li key={link.payment_id}>
            <Link className="quiet-link" to="/workspace/finance" search={{ payment: link.payment_id }}>
              {link.reference}
            </Link>
            <span className="num grow">
              {t(`links.type_${kindOf(link)}`)} · {amount(link.total_minor)}
            </span>
            <span className={link.state === "paid" ? "chip ok" : "chip"}>{t(`links.state_${link.state}`)}</span>
            {link.refundable_minor === 0 ? null : (
              <Link className="btn sm" to="/workspace/finance" search={{ payment: link.payment_id, refund: "1" }}>
                {t("returned.link_refund")}
              </Link>
            )}
          </li>
        ))}
      </ul>
    </section>
  );
}

const kindOf = ({ type }: BookingLink) => (type === "deposit" || type === "platform_fee" ? type : "rent");
