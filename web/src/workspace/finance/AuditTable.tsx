import { Link } from "@tanstack/react-router";
import { Fragment } from "react";
import type { AuditRow } from "../../contract/wire.ts";
import { useFormat, useI18n } from "../../i18n/i18n.tsx";
import { writeMoney } from "../amounts.ts";
import { clockTime, dayOf, dayWithYear } from "../clock.ts";
import { Icon, type IconName } from "../icon.tsx";
import { useMe } from "../session.ts";
import { type BoneColumn, intoView, LoadingRows, pressRow } from "../TableStates.tsx";
import { placeOf } from "./auditFilters.ts";
import { ByHand } from "./ByHand.tsx";
import { MoneyWhy, whyOfRow } from "./MoneyWhy.tsx";

type Kind = AuditRow["kind"];

const ICONS: Readonly<Record<Kind, IconName>> = {
  opened: "plus",
  intent_ready: "card",
  confirmed: "user",
  captured: "card",
  declined: "x",
  pending: "clock",
  sold_out: "home",
  refund_requested: "undo",
  refund_sent: "undo",
  refund_acknowledged: "undo",
  refund_failed: "alert",
  cancelled: "x",
  dispute_opened: "alert",
  dispute_won: "card",
  dispute_lost: "x",
  dispute_fee: "card",
  room_given_back: "home",
  booking_cancelled: "alert",
  refund_paid_elsewhere: "undo",
};

/** What the payment stood at after the event: colour always beside its word. */
const LOOKS: Readonly<Record<Kind, "" | "ok" | "bad" | "warn" | "info">> = {
  opened: "",
  intent_ready: "",
  confirmed: "info",
  captured: "ok",
  declined: "bad",
  pending: "warn",
  sold_out: "warn",
  refund_requested: "info",
  refund_sent: "info",
  refund_acknowledged: "ok",
  refund_failed: "bad",
  cancelled: "",
  dispute_opened: "warn",
  dispute_won: "ok",
  dispute_lost: "bad",
  dispute_fee: "",
  room_given_back: "",
  booking_cancelled: "",
  refund_paid_elsewhere: "ok",
};

interface AuditTableProps {
  rows: AuditRow[];
  old: boolean;
  chosen: string | null;
  onChoose: (place: string) => void;
  onOpen: (row: AuditRow) => void;
}

/** Payment events, newest first, a line above each day. */
export function AuditTable({ rows, old, chosen, onChoose, onOpen }: AuditTableProps) {
  const { t, lang } = useI18n();
  return (
    <table className={old ? "tbl fix fin-t old" : "tbl fix fin-t"}>
      <caption className="vh">{t("finance.caption")}</caption>
      <Head />
      <tbody>
        {rows.map((row, index) => {
          const day = dayOf(row.recorded_at);
          const before = rows[index - 1];
          const opens = before === undefined || dayOf(before.recorded_at) !== day;
          return (
            <Fragment key={placeOf(row)}>
              {opens ? (
                <tr className="daysep">
                  <th colSpan={6} scope="colgroup">
                    {dayWithYear(row.recorded_at, lang)}
                    <span className="sub num">
                      {t("finance.listed_here", { n: rows.filter((one) => dayOf(one.recorded_at) === day).length })}
                    </span>
                  </th>
                  <td className="c-why" />
                </tr>
              ) : null}
              <Row row={row} chosen={placeOf(row) === chosen} onChoose={onChoose} onOpen={onOpen} />
            </Fragment>
          );
        })}
      </tbody>
    </table>
  );
}

function Head() {
  const { t } = useI18n();
  return (
    <thead>
      <tr>
        <th style={{ width: 104 }}>
          <span className="w-sort">
            {t("finance.time")}
            <Icon name="down" size="xs" />
          </span>
        </th>
        <th>{t("finance.event")}</th>
        <th className="c-why" style={{ width: 200 }}>
          {t("finance.because_of")}
        </th>
        <th style={{ width: 128 }}>{t("finance.payment")}</th>
        <th className="c-g" style={{ width: 196 }}>
          {t("finance.gateway_id")}
        </th>
        <th className="num" style={{ width: 168 }}>
          {t("finance.amount")}
        </th>
        <th style={{ width: 148 }}>{t("finance.state")}</th>
      </tr>
    </thead>
  );
}

interface RowProps {
  row: AuditRow;
  chosen: boolean;
  onChoose: (place: string) => void;
  onOpen: (row: AuditRow) => void;
}

function Row({ row, chosen, onChoose, onOpen }: RowProps) {
  const { t } = useI18n();
  const me = useMe();
  const kind = t(`finance.kind_${row.kind}`);
  const choose = () => onChoose(placeOf(row));
  const open = () => onOpen(row);
  return (
    // The row only repeats, for the mouse, what its button and J, K and Enter do.
    <tr aria-selected={chosen} onClick={(event) => pressRow(event, choose, open)} ref={chosen ? intoView : null}>
      <td className="tab c-t">{clockTime(row.recorded_at)}</td>
      <td className="c-e">
        <div className="row">
          <span className="evi">
            <Icon name={ICONS[row.kind]} size="s" />
          </span>
          <div className="cut">
            <button
              type="button"
              className="b"
              aria-label={t("finance.open_payment", { event: kind, reference: row.payment_reference })}
              onClick={() => {
                choose();
                open();
              }}
            >
              {kind}
            </button>
            <MoneyWhy {...whyOfRow(row, kind)} />
            <div className="sub cut">
              <ByHand row={row} />
            </div>
          </div>
        </div>
      </td>
      <td className="c-why tab">
        <Because row={row} />
      </td>
      <td className="c-p tab">
        <div>{row.payment_reference}</div>
        <div className="sub">
          {me.can.leads ? (
            <Link className="quiet-link" to="/workspace/leads/$leadId" params={{ leadId: row.lead_id }}>
              {row.lead_reference}
            </Link>
          ) : (
            row.lead_reference
          )}
        </div>
      </td>
      <td className="mono c-g">
        <div title={row.gateway_id ?? undefined}>{row.gateway_id === null ? "—" : shortened(row.gateway_id)}</div>
      </td>
      <td className={row.sign < 0 ? "num c-a neg" : "num c-a"}>
        <span className={row.sign === 0 ? "amt none" : "amt"}>
          {writeMoney(row.sign < 0 ? -row.amount_minor : row.amount_minor, row)}
        </span>
      </td>
      <td className="c-s">
        <span className={`chip ${LOOKS[row.kind]}`.trim()}>{t(`finance.state_${row.kind}`)}</span>
      </td>
    </tr>
  );
}

/** Start and end of a long id: what two people compare by eye; whole in the title. */
function shortened(id: string): string {
  return id.length <= 20 ? id : `${id.slice(0, 13)}…${id.slice(-4)}`;
}

/** The event that caused this one, and the request both came with. */
function Because({ row }: { row: AuditRow }) {
  const { t } = useI18n();
  const { number } = useFormat();
  return (
    <>
      <div>
        {row.causation_position === null ? (
          <span className="muted">{t("finance.no_cause")}</span>
        ) : (
          <span className="because">
            <Icon name="cause" size="xs" />
            {t("finance.event_at", { n: number(row.causation_position) })}
          </span>
        )}
      </div>
      {row.request_id === null ? null : (
        <div className="sub" title={row.request_id}>
          {t("finance.request", { id: row.request_id.slice(0, 13) })}
        </div>
      )}
    </>
  );
}

const COLUMNS: readonly BoneColumn[] = [
  ["c-t", { width: 56 }],
  ["c-e", { width: 140 }, { width: 180, look: "s" }],
  ["c-why", { width: 120 }],
  ["c-p", { width: 60 }],
  ["c-g", { width: 140 }],
  ["num c-a", { width: 72 }],
  ["c-s", { width: 72 }],
];

export function LoadingAudit() {
  const { t } = useI18n();
  return (
    <table className="tbl fix fin-t" aria-busy="true">
      <caption className="vh">{t("finance.loading")}</caption>
      <Head />
      <LoadingRows columns={COLUMNS} />
    </table>
  );
}
