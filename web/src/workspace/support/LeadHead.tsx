import { Link } from "@tanstack/react-router";
import type { LeadRow } from "../../contract/wire.ts";
import { useFormat, useI18n } from "../../i18n/i18n.tsx";
import { lazyPart } from "../../ui/lazyPart.tsx";
import { clockTime, fullMoment } from "../clock.ts";
import { Icon } from "../icon.tsx";
import { said } from "../StatusRing.tsx";
import { useMe } from "../session.ts";
import { LeadWhy } from "./LeadWhy.tsx";
import { OwnerButton } from "./OwnerButton.tsx";
import { type History, STATUS_FIELDS } from "./refold.ts";
import { useRevealed } from "./revealed.ts";
import { WhoMasked } from "./WhoMasked.tsx";

const LeadHeadButtons = lazyPart(async () => (await import("./LeadHeadButtons.tsx")).LeadHeadButtons);

interface LeadHeadProps {
  lead: LeadRow;
  history: History;
  /** The event that is shown. */
  n: number;
  live: boolean;
  past: boolean;
  onReveal: () => void;
}

/** Who it is about, masked until shown with a reason, and how the lead stands now. */
export function LeadHead({ lead, history, n, live, past, onReveal }: LeadHeadProps) {
  const { t, tData } = useI18n();
  const me = useMe();
  const revealed = useRevealed(lead.lead_id);
  const status = history.valueAt("lead", STATUS_FIELDS.lead, history.last).value ?? lead.status;
  return (
    <header className="lh">
      <Link
        className="btn quiet sq"
        to={me.can.leads ? "/workspace/leads" : "/workspace/finance"}
        activeOptions={{ exact: true }}
        aria-label={t(me.can.leads ? "support.to_leads" : "workspace.to_start")}
      >
        <Icon name="left" />
      </Link>
      <div className="who-h">
        <h1>
          {revealed?.name ? <span>{revealed.name}</span> : <WhoMasked lead={lead} />}
          {revealed === null && me.can.unmask && lead.name_masked !== "" ? (
            <button type="button" className="eye" aria-label={t("support.show_with_reason")} onClick={onReveal}>
              <Icon name="eye" size="s" />
            </button>
          ) : null}
        </h1>
        <p className="sub">
          <Subtitle lead={lead} />
        </p>
      </div>
      <span className={`chip c-wide ${chipLook(status)}`}>
        {chipLook(status) === "ok" ? <Icon name="check" /> : null}
        {t("support.status_now", { status: said(tData, "support.status_", status) })}
      </span>
      {me.can.leads ? (
        <span className="c-wide">
          <LeadWhy leadId={lead.lead_id} field="status" />
        </span>
      ) : null}
      <div className="right row">
        {revealed === null ? null : (
          <span className="chip info">
            <Icon name="eye" />
            {t("support.shown_until", { time: clockTime(revealed.until).slice(0, 5) })}
          </span>
        )}
        <span className={live ? "lit sub" : "lit off sub"} role="status">
          {t(live ? "support.live" : "support.not_live")}
        </span>
        {me.can.leads ? <Hands lead={lead} history={history} n={n} past={past} /> : null}
      </div>
    </header>
  );
}

/** What can be done with the lead, by those who work on leads. */
function Hands({ lead, history, n, past }: Pick<LeadHeadProps, "lead" | "history" | "n" | "past">) {
  return (
    <>
      <LeadHeadButtons lead={lead} past={past} from={past ? history.event(n) : null} />
      <OwnerButton leadId={lead.lead_id} owner={history.valueAt("lead", "owner", history.last).value} past={past} />
    </>
  );
}

function chipLook(status: string): "ok" | "bad" | "now" {
  if (status === "booked" || status === "completed") return "ok";
  return status === "lost" || status === "cancelled" ? "bad" : "now";
}

function Subtitle({ lead }: { lead: LeadRow }) {
  const { t } = useI18n();
  const { money } = useFormat();
  const { property, room, price } = lead;
  const parts = [
    property === null ? null : property.name + t("workspace.comma") + property.region,
    room,
    price === null ? null : t(`support.per_${price.duration}`, { price: money(price.amount_minor, price) }),
  ];
  return (
    <>
      <span className="num">{lead.reference}</span>
      {parts.map((part) => (part === null ? null : <span key={part}> · {part}</span>))}
    </>
  );
}

interface PastBandProps {
  history: History;
  n: number;
  onNow: () => void;
}

/** The one amber band of the product: what is on screen is not now, and nothing can be changed. */
export function PastBand({ history, n, onNow }: PastBandProps) {
  const { t, lang } = useI18n();
  const at = history.event(n)?.recorded_at;
  return (
    <div className="past-banner" role="status">
      <Icon name="clock" />
      <p>
        <b>{t("support.past", { n, last: history.last })}</b>
        {at === undefined ? null : <span className="when num">{fullMoment(at, lang)}</span>}
        <span className="ro">{t("support.read_only")}</span>
      </p>
      <button type="button" className="btn sm pri" onClick={onNow}>
        {t("support.back_to_now")} <kbd>Esc</kbd>
      </button>
    </div>
  );
}
