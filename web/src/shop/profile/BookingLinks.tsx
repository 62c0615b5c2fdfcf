import type { ActivityLead } from "../../contract/wire.ts";
import { money } from "../../i18n/format.ts";
import { useFormat, useI18n } from "../../i18n/i18n.tsx";
import * as paths from "../../paths.ts";
import { ButtonLink } from "../ui/buttonLink.tsx";

/** The payments that our team asked for after the booking: what for, how much, by when, and the way to pay. */
export function BookingLinks({ lead }: { lead: ActivityLead }) {
  const { t, lang } = useI18n();
  const format = useFormat();
  if (lead.links.length === 0) return null;
  return (
    <section className="stack g8" style={{ padding: "0 20px 16px" }}>
      <h3 className="m">{t("stay.links")}</h3>
      {lead.links.map((link) => {
        const amount = money(link.total_minor, link, lang, "exact");
        const isOpen = link.state === "open" || link.state === "under_way";
        const due = link.due_on === null ? null : t("stay.link_due", { date: format.date(link.due_on) });
        return (
          <div key={link.token} className="row wrapx" data-link={link.state}>
            <div className="grow">
              <p>
                {t(`stay.type_${link.type}`)} · <span className="num">{amount}</span>
              </p>
              <p className="t-14 soft">
                {t(`stay.state_${link.state}`)}
                {isOpen && due !== null ? ` · ${due}` : ""}
              </p>
            </div>
            {link.state === "expired" ? null : (
              <ButtonLink look={link.state === "open" ? "primary" : "quiet"} href={paths.paymentToken(link.token)}>
                {link.state === "open" ? t("stay.link_pay", { amount }) : t("stay.link_receipt")}
              </ButtonLink>
            )}
          </div>
        );
      })}
    </section>
  );
}
