import { useQuery } from "@tanstack/react-query";
import { type ReactNode, useId, useState } from "react";
import { ApiError } from "../../api.ts";
import type { AuditRow, RawEvent } from "../../contract/wire.ts";
import { useFormat, useI18n } from "../../i18n/i18n.tsx";
import { writeMoney, writeSigned } from "../amounts.ts";
import { fullMoment } from "../clock.ts";
import { Json } from "../Json.tsx";
import { CloseButton, Overlay } from "../Overlay.tsx";
import { rawEventQuery } from "../queries.ts";
import { inWords } from "../StatusRing.tsx";
import { Bone, Stopped } from "../TableStates.tsx";
import { placeOf } from "./auditFilters.ts";
import { ByHand } from "./ByHand.tsx";

interface MoneyWhyDialogProps {
  /** What is asked about, and what it is. */
  name: string;
  amount: string;
  /** The events that made it, oldest first. */
  rows: readonly AuditRow[];
  onClose: () => void;
}

/** Why an amount is what it is: its events, each down to what is stored, its request and the event that caused it. */
export function MoneyWhyDialog({ name, amount, rows, onClose }: MoneyWhyDialogProps) {
  const { t } = useI18n();
  const { number } = useFormat();
  const heading = useId();
  const only = rows.length === 1 ? rows[0] : undefined;
  const [path, setPath] = useState<readonly number[]>(only === undefined ? [] : [only.position]);
  const shown = path.at(-1);
  const row = rows.find(({ position }) => position === shown);
  const title =
    shown === undefined
      ? t("why.money_title", { name, amount })
      : t("why.event_title", { n: number(shown), what: row === undefined ? name : t(`finance.kind_${row.kind}`) });
  const canGoBack = path.length > (only === undefined ? 0 : 1);
  return (
    <Overlay kind="centre" labelledBy={heading} onClose={onClose}>
      <div className="dlg why-dlg">
        <header>
          <h2 id={heading}>{title}</h2>
          <CloseButton onClose={onClose} />
        </header>
        <div className="body pad-b">
          {shown === undefined ? (
            <Rows rows={rows} onOpen={(position) => setPath([position])} />
          ) : (
            <Stored key={shown} position={shown} row={row} onCause={(position) => setPath([...path, position])} />
          )}
          {canGoBack ? (
            <button type="button" className="btn" onClick={() => setPath(path.slice(0, -1))}>
              {t("why.back")}
            </button>
          ) : null}
        </div>
      </div>
    </Overlay>
  );
}

function Rows({ rows, onOpen }: { rows: readonly AuditRow[]; onOpen: (position: number) => void }) {
  const { t, lang } = useI18n();
  const { number } = useFormat();
  if (rows.length === 0) return <p className="muted">{t("why.money_none")}</p>;
  return (
    <ol className="why-list">
      {rows.toReversed().map((row, at) => (
        <li key={placeOf(row)}>
          <p>
            <b>{t(`finance.kind_${row.kind}`)}</b>{" "}
            <span className="num">
              {row.sign === 0 ? writeMoney(row.amount_minor, row) : writeSigned(row.sign * row.amount_minor, row)}
            </span>
          </p>
          <p className="sub">
            {fullMoment(row.recorded_at, lang)}
            {row.detail === "" ? null : (
              <>
                {" · "}
                <ByHand row={row} />
              </>
            )}
          </p>
          <button
            type="button"
            className="btn sm"
            data-first={at === 0 ? true : undefined}
            onClick={() => onOpen(row.position)}
          >
            {t("finance.event_at", { n: number(row.position) })}
          </button>
        </li>
      ))}
    </ol>
  );
}

interface StoredProps {
  position: number;
  /** The list's row of it, which knows its cause. */
  row: AuditRow | undefined;
  onCause: (position: number) => void;
}

function Stored({ position, row, onCause }: StoredProps) {
  const { t } = useI18n();
  const raw = useQuery(rawEventQuery(position));
  const isNotYours = raw.error instanceof ApiError && raw.error.status === 404;
  if (isNotYours) return <p className="muted">{t("why.not_yours")}</p>;
  return (
    <>
      {raw.error === null ? null : (
        <Stopped error={raw.error} fetchedAt={raw.dataUpdatedAt} onRetry={() => void raw.refetch()} />
      )}
      {raw.data === undefined ? raw.error === null && <Bone width={240} /> : <Facts event={raw.data} />}
      {row === undefined ? null : <Cause row={row} onCause={onCause} />}
      {raw.data === undefined ? null : (
        <details>
          <summary>{t("why.stored")}</summary>
          <Json value={raw.data.payload} />
        </details>
      )}
    </>
  );
}

function Cause({ row, onCause }: { row: AuditRow; onCause: (position: number) => void }) {
  const { t } = useI18n();
  const { number } = useFormat();
  const { causation_position } = row;
  if (causation_position === null) return <p className="sub">{t("why.no_cause")}</p>;
  return (
    <p>
      <button type="button" className="btn" data-first onClick={() => onCause(causation_position)}>
        {t("why.cause", { n: number(causation_position) })}
      </button>
    </p>
  );
}

function Facts({ event }: { event: RawEvent }) {
  const { t, lang } = useI18n();
  const fact = (name: string, value: ReactNode, look = "") => (
    <div>
      <dt>{name}</dt>
      <dd className={look}>{value}</dd>
    </div>
  );
  return (
    <dl className="why-facts">
      {fact(t("why.type"), inWords(event.event_type))}
      {fact(t("why.recorded"), fullMoment(event.recorded_at, lang), "num")}
      {fact(t("why.by"), t(event.actor_kind === "visitor" ? "why.visitor" : `support.actor_${event.actor_kind}`))}
      {fact(t("why.request_id"), event.correlation_id, "mono")}
      {fact(
        t("why.stream"),
        event.stream + t("workspace.comma") + t("support.revision", { n: event.revision }),
        "mono",
      )}
    </dl>
  );
}
