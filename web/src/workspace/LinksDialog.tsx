import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useId } from "react";
import type { PaymentLinkRow } from "../contract/wire.ts";
import { useI18n } from "../i18n/i18n.tsx";
import { toast } from "../ui/toast.tsx";
import { writeMoney } from "./amounts.ts";
import { plainDay } from "./clock.ts";
import { useFailureToast } from "./failure.ts";
import { Icon } from "./icon.tsx";
import { linksQuery, withdrawLink } from "./linkCalls.ts";
import { NewPaymentLink } from "./NewPaymentLink.tsx";
import { CloseButton, Overlay } from "./Overlay.tsx";
import type { LinkedLead } from "./PaymentLinks.tsx";
import { Bone, Stopped } from "./TableStates.tsx";
import { useOnePress } from "./useOnePress.ts";

/** The payment links of a booking, and a new one. */
export function LinksDialog({ lead, onClose }: { lead: LinkedLead; onClose: () => void }) {
  const { t } = useI18n();
  const heading = useId();
  const links = useQuery(linksQuery(lead.lead_id));
  const { data, error } = links;
  return (
    <Overlay kind="centre" labelledBy={heading} onClose={onClose}>
      <div className="dlg">
        <header>
          <h2 id={heading}>{t("links.title", { reference: lead.reference })}</h2>
          <CloseButton onClose={onClose} />
        </header>
        <div className="body pad-b">
          {error === null ? null : (
            <Stopped error={error} fetchedAt={links.dataUpdatedAt} onRetry={() => void links.refetch()} />
          )}
          {data === undefined && error === null ? <Bone width={240} /> : null}
          {data === undefined ? null : (
            <>
              {data.links.length === 0 ? <Empty /> : null}
              <ul className="plain" style={{ display: "grid", gap: 12, padding: 0, listStyle: "none" }}>
                {data.links.map((link) => (
                  <LinkItem key={link.payment_id} link={link} leadId={lead.lead_id} origin={data.origin} />
                ))}
              </ul>
              {data.can_make ? (
                <NewPaymentLink leadId={lead.lead_id} links={data} />
              ) : (
                <p className="note">{t("links.needs_booking")}</p>
              )}
            </>
          )}
        </div>
      </div>
    </Overlay>
  );
}

function Empty() {
  const { t } = useI18n();
  return (
    <>
      <p className="b">{t("links.none")}</p>
      <p className="sub">{t("links.none_text")}</p>
    </>
  );
}

interface LinkItemProps {
  link: PaymentLinkRow;
  leadId: string;
  /** Where the student is at home, unless that is here. */
  origin: string | null;
}

function LinkItem({ link, leadId, origin }: LinkItemProps) {
  const { t, lang } = useI18n();
  const client = useQueryClient();
  const tellFailure = useFailureToast();
  const amount = (minor: number) => writeMoney(minor, link);
  const withdrawing = useOnePress({
    mutationFn: () => withdrawLink(link.payment_id),
    onSuccess: () => {
      toast(t("links.withdrawn"));
      void client.invalidateQueries({ queryKey: ["payment-links", leadId] });
    },
    onError: tellFailure,
  });
  const copy = () => {
    const address = new URL(link.path ?? "/", origin ?? location.origin).href;
    navigator.clipboard.writeText(address).then(
      () => toast(t("links.copied")),
      () => toast(t("support.link_not_copied"), "error", { detail: address }),
    );
  };
  const facts = [
    link.processing_fee_minor === 0
      ? t("links.total", { total: amount(link.total_minor) })
      : t("links.with_fee", { total: amount(link.total_minor), fee: amount(link.processing_fee_minor) }),
    link.due_on === null ? null : t("links.due", { day: plainDay(link.due_on, lang) }),
    t("links.good_until", { day: plainDay(link.expires_at, lang) }),
  ];
  const isWithdrawable = link.state === "open";
  const kind = link.type === "deposit" || link.type === "platform_fee" ? link.type : "rent";
  return (
    <li data-link={link.state} style={{ borderBottom: "1px solid var(--line)", paddingBottom: 12 }}>
      <div className="row">
        <b className="grow">
          {t(`links.type_${kind}`)} <span className="num">{amount(link.amount_minor)}</span>
        </b>
        <span className={link.state === "paid" ? "chip ok" : link.state === "open" ? "chip now" : "chip"}>
          {t(`links.state_${link.state}`)}
        </span>
      </div>
      <p className="sub">{facts.filter((fact) => fact !== null).join(" · ")}</p>
      <p className="sub">
        {t("links.made_by", { name: link.made_by, day: plainDay(link.made_at, lang), reason: link.reason })}
      </p>
      {link.note === "" ? null : <p className="sub">{t("links.note_shown", { note: link.note })}</p>}
      {link.path === null ? null : (
        <div className="row" style={{ marginTop: 12 }}>
          <button type="button" className="btn sm" onClick={copy}>
            <Icon name="link" size="s" />
            {t("links.copy")}
          </button>
          {isWithdrawable ? (
            <button
              type="button"
              className="btn sm"
              disabled={withdrawing.isPending}
              onClick={() => withdrawing.send()}
            >
              {t("links.withdraw")}
            </button>
          ) : null}
        </div>
      )}
    </li>
  );
}
