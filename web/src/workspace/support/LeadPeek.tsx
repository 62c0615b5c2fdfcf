import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { useEffect, useState } from "react";
import type { LeadRow } from "../../contract/wire.ts";
import { useFormat, useI18n } from "../../i18n/i18n.tsx";
import { clockTime, plainDay } from "../clock.ts";
import { Icon } from "../icon.tsx";
import { Masked } from "../Masked.tsx";
import { timelineQuery } from "../queries.ts";
import { Status } from "../StatusRing.tsx";
import { useMe } from "../session.ts";
import { useActorName } from "./actorName.ts";
import { LeadWhy } from "./LeadWhy.tsx";
import { OwnerButton } from "./OwnerButton.tsx";
import { RevealDialog } from "./RevealDialog.tsx";
import { plainValue, useRevealed } from "./revealed.ts";
import { StreamMark } from "./StreamMark.tsx";
import { useSentence } from "./sentence.ts";
import { WhoMasked } from "./WhoMasked.tsx";

/** The chosen lead beside the list, where a screen is wide enough to know more. */
export function LeadPeek({ lead }: { lead: LeadRow }) {
  const { t, lang } = useI18n();
  return (
    <aside className="peek" aria-label={t("support.chosen_lead")}>
      <header>
        <div>
          <h2>
            <WhoMasked lead={lead} />
          </h2>
          <p className="sub num">
            {lead.reference} · {t("support.came_in", { day: plainDay(lead.created_at, lang) })}
          </p>
        </div>
        <Link className="btn sm" to="/workspace/leads/$leadId" params={{ leadId: lead.lead_id }}>
          <Icon name="replay" size="s" />
          {t("support.replay")} <kbd>↵</kbd>
        </Link>
      </header>
      <div className="peek-b">
        <Facts lead={lead} />
        <Latest lead={lead} />
      </div>
      <footer>
        <OwnerButton leadId={lead.lead_id} owner={lead.owner} past={false} />
      </footer>
    </aside>
  );
}

function Facts({ lead }: { lead: LeadRow }) {
  const { t } = useI18n();
  const { money } = useFormat();
  const price =
    lead.price === null
      ? null
      : t(`support.per_${lead.price.duration}`, { price: money(lead.price.amount_minor, lead.price) });
  return (
    <dl className="kv2">
      <Contact lead={lead} field="phone" value={lead.phone_masked} />
      <Contact lead={lead} field="email" value={lead.email_masked} />
      <div>
        <dt>{t("support.home")}</dt>
        <dd>
          {lead.property === null
            ? t("support.no_home")
            : lead.property.name + t("workspace.comma") + lead.property.region}
          <LeadWhy leadId={lead.lead_id} field="property" />
          <span className="sub full">{[lead.room, price].filter((part) => part !== null).join(" · ")}</span>
        </dd>
      </div>
      <div>
        <dt>{t("support.status")}</dt>
        <dd>
          <Status status={lead.status} progress={lead.progress} />
          <LeadWhy leadId={lead.lead_id} field="status" />
        </dd>
      </div>
      {lead.source === null ? null : (
        <div>
          <dt>{t("support.source")}</dt>
          <dd>{lead.source}</dd>
        </div>
      )}
    </dl>
  );
}

function Contact({ lead, field, value }: { lead: LeadRow; field: "phone" | "email"; value: string }) {
  const { t } = useI18n();
  const me = useMe();
  const [asking, setAsking] = useState(false);
  const plain = plainValue(useRevealed(lead.lead_id), field);
  return (
    <div>
      <dt>{t(`support.${field}`)}</dt>
      <dd>
        {plain === null ? <Masked value={value} /> : <span>{plain}</span>}
        {plain === null && me.can.unmask ? (
          <button
            type="button"
            className="eye"
            aria-label={t("support.show_with_reason")}
            onClick={() => setAsking(true)}
          >
            <Icon name="eye" size="s" />
          </button>
        ) : null}
        <LeadWhy leadId={lead.lead_id} field={field} />
        {asking ? (
          <RevealDialog leadId={lead.lead_id} reference={lead.reference} onClose={() => setAsking(false)} />
        ) : null}
      </dd>
    </div>
  );
}

/** The last events, fetched once the choice has rested a moment. */
function Latest({ lead }: { lead: LeadRow }) {
  const { t, lang } = useI18n();
  const sentence = useSentence();
  const actorName = useActorName();
  const [rested, setRested] = useState(false);
  useEffect(() => {
    const timer = window.setTimeout(() => setRested(true), 200);
    return () => window.clearTimeout(timer);
  }, []);
  const { data } = useQuery({ ...timelineQuery(lead.lead_id), enabled: rested });
  if (data === undefined) return null;
  return (
    <>
      <h3>{t("support.latest_of", { n: data.count })}</h3>
      <ol className="latest">
        {data.events
          .slice(-6)
          .reverse()
          .map((event) => (
            <li key={event.n}>
              <StreamMark stream={event.stream} failed={event.failed} />
              <div>
                <p>{sentence(event)}</p>
                <p className="sub">
                  {actorName(event.actor)} · {plainDay(event.recorded_at, lang)} {clockTime(event.recorded_at)}
                </p>
              </div>
            </li>
          ))}
      </ol>
    </>
  );
}
