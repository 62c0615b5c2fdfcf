import { Link, linkOptions, useNavigate } from "@tanstack/react-router";
import type { LeadRow } from "../../contract/wire.ts";
import { useFormat, useI18n } from "../../i18n/i18n.tsx";
import { initials } from "../../ui/initials.tsx";
import { fullMoment, spanOf, useNow } from "../clock.ts";
import { Icon } from "../icon.tsx";
import { Masked } from "../Masked.tsx";
import { Status } from "../StatusRing.tsx";
import { type BoneColumn, intoView, LoadingRows, pressRow } from "../TableStates.tsx";
import { ActsButton } from "./ActsButton.tsx";
import { AttentionMarks } from "./Attention.tsx";
import { LeadWhy } from "./LeadWhy.tsx";
import { slaOf } from "./sla.ts";
import { WhoMasked } from "./WhoMasked.tsx";

interface LeadTableProps {
  rows: LeadRow[];
  /** The rows could not be refreshed: shown, but dimmed. */
  old: boolean;
  selected: LeadRow | undefined;
  /** Leads chosen for an act on several. */
  marked: ReadonlySet<string>;
  onChoose: (leadId: string) => void;
  onMark: (leadId: string) => void;
}

/** Leads as rows on a screen, as two-line cards on a phone. */
export function LeadTable({ rows, old, selected, marked, onChoose, onMark }: LeadTableProps) {
  const { t } = useI18n();
  return (
    <table className={old ? "tbl fix leads old" : "tbl fix leads"}>
      <caption className="vh">{t("support.table_caption")}</caption>
      <Head />
      <tbody>
        {rows.map((lead) => (
          <Row
            key={lead.lead_id}
            lead={lead}
            selected={lead === selected}
            marked={marked.has(lead.lead_id)}
            onChoose={onChoose}
            onMark={onMark}
          />
        ))}
      </tbody>
    </table>
  );
}

function Head() {
  const { t } = useI18n();
  return (
    <thead>
      <tr>
        <th style={{ width: 116 }}>{t("support.reply_due")}</th>
        <th style={{ width: 136 }}>{t("support.person")}</th>
        <th>{t("support.home")}</th>
        <th style={{ width: 188 }}>{t("support.status")}</th>
        <th className="c-wide" style={{ width: 164 }}>
          {t("support.contact")}
        </th>
        <th className="c-last" style={{ width: 96 }}>
          {t("support.last_event")}
        </th>
        <th className="c-own" style={{ width: 84 }}>
          {t("support.owner")}
        </th>
        <th style={{ width: 112 }}>{t("support.acts")}</th>
      </tr>
    </thead>
  );
}

interface RowProps {
  lead: LeadRow;
  selected: boolean;
  marked: boolean;
  onChoose: (leadId: string) => void;
  onMark: (leadId: string) => void;
}

function Row({ lead, selected, marked, onChoose, onMark }: RowProps) {
  const { t, lang } = useI18n();
  const now = useNow();
  const navigate = useNavigate();
  const replay = linkOptions({ to: "/workspace/leads/$leadId", params: { leadId: lead.lead_id } });
  return (
    // The row only repeats, for the mouse, what its link and J, K and Enter do.
    <tr
      aria-selected={selected}
      onClick={(event) =>
        pressRow(
          event,
          () => onChoose(lead.lead_id),
          () => void navigate(replay),
        )
      }
      ref={selected ? intoView : null}
    >
      <td className="c-sla">
        <SlaMark lead={lead} now={now} />
      </td>
      <td className="c-who">
        <div className="b">
          <Link {...replay}>
            <WhoMasked lead={lead} />{" "}
            <span className="vh">{t("support.open_lead", { reference: lead.reference })}</span>
          </Link>
        </div>
        <div className="sub num">
          {lead.reference}
          {lead.repeat ? ` · ${t("support.repeat")}` : ""}
        </div>
      </td>
      <td className="c-home">
        <Home lead={lead} />
      </td>
      <td className="c-status">
        <Status status={lead.status} progress={lead.progress} />
        <LeadWhy leadId={lead.lead_id} field="status" />
        <AttentionMarks lead={lead} />
      </td>
      <td className="c-wide">
        <div>
          <Masked value={lead.email_masked} />
        </div>
        <div className="sub num">
          <Masked value={lead.phone_masked} />
        </div>
      </td>
      <td className="c-last tab">
        <div title={fullMoment(lead.last_event_at, lang)}>
          <Ago iso={lead.last_event_at} now={now} />
        </div>
        {lead.source === null ? null : <div className="sub">{lead.source}</div>}
      </td>
      <td className="c-own">
        <Owner name={lead.owner} />
      </td>
      <td className="c-acts">
        <input
          type="checkbox"
          aria-label={t("support.choose_lead", { reference: lead.reference })}
          checked={marked}
          onChange={() => onMark(lead.lead_id)}
        />{" "}
        <ActsButton lead={lead} past={false} small />
      </td>
    </tr>
  );
}

function Home({ lead }: { lead: LeadRow }) {
  const { t } = useI18n();
  const { money } = useFormat();
  if (lead.property === null) return <div className="muted">{t("support.no_home")}</div>;
  const per =
    lead.price === null
      ? null
      : t(`support.per_${lead.price.duration}`, { price: money(lead.price.amount_minor, lead.price) });
  return (
    <>
      <div>
        {lead.property.name}, {lead.property.region}
      </div>
      <div className="sub">{[lead.room, per].filter((part) => part !== null).join(" · ")}</div>
    </>
  );
}

function Owner({ name }: { name: string | null }) {
  const { t } = useI18n();
  if (name === null) {
    return (
      <>
        <span className="av none" aria-hidden="true" />
        <span className="vh">{t("support.no_owner")}</span>
      </>
    );
  }
  return (
    <>
      <span className="av teal" aria-hidden="true" title={name}>
        {initials(name)}
      </span>
      <span className="vh">{name}</span>
    </>
  );
}

/** When a reply is due, in words, with an icon where it presses. */
export function SlaMark({ lead, now }: { lead: LeadRow; now: number }) {
  const { t } = useI18n();
  const { urgency, milliseconds } = slaOf(lead, now);
  const span = useSpan()(milliseconds);
  switch (urgency) {
    case "answered":
      return (
        <span className="sla done">
          <Icon name="check" />
          {t("support.answered")}
        </span>
      );
    case "late":
      return (
        <span className="sla late">
          <Icon name="alert" />
          {t("support.late", { span })}
        </span>
      );
    case "soon":
      return (
        <span className="sla soon">
          <Icon name="clock" />
          {span}
        </span>
      );
    case "due":
      return <span className="sla">{span}</span>;
    case "none":
      return <span className="muted">—</span>;
  }
}

/** 41 min, 1 h 05, 3 d. */
export function useSpan(): (milliseconds: number) => string {
  const { t } = useI18n();
  return (milliseconds) => {
    const { unit, count, rest } = spanOf(milliseconds);
    if (unit === "h" && rest > 0) return t("support.span_h_min", { h: count, min: String(rest).padStart(2, "0") });
    return t(`support.span_${unit}`, { n: count });
  };
}

export function Ago({ iso, now }: { iso: string; now: number }) {
  const { t } = useI18n();
  const span = useSpan();
  return <>{t("support.ago", { span: span(Math.max(0, now - Date.parse(iso))) })}</>;
}

const COLUMNS: readonly BoneColumn[] = [
  ["c-sla", { width: 80 }],
  ["c-who", { width: 84 }, { width: 52, look: "s" }],
  ["c-home", { width: 156 }, { width: 110, look: "s" }],
  ["c-status", { width: 14, look: "c" }, { width: 100 }],
  ["c-wide", { width: 128 }, { width: 96, look: "s" }],
  ["c-last", { width: 64 }],
  ["c-own", { width: 24, look: "c" }],
  ["c-acts", { width: 72 }],
];

export function LoadingLeads() {
  const { t } = useI18n();
  return (
    <table className="tbl fix leads" aria-busy="true">
      <caption className="vh">{t("support.loading")}</caption>
      <Head />
      <LoadingRows columns={COLUMNS} />
    </table>
  );
}
