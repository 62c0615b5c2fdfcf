import { memo, Suspense, useMemo, useState } from "react";
import type { LeadRow } from "../../contract/wire.ts";
import { useI18n } from "../../i18n/i18n.tsx";
import { lazyPart } from "../../ui/lazyPart.tsx";
import { Icon } from "../icon.tsx";
import { Masked } from "../Masked.tsx";
import { Scrolling } from "../Scrolling.tsx";
import { useMe } from "../session.ts";
import { useFieldText } from "./fieldText.ts";
import type { FieldGroup, FieldRow, FieldValue, History } from "./refold.ts";
import type { ReplayEvent } from "./replayMachine.ts";
import { plainValue, useRevealed } from "./revealed.ts";
import { StreamMark } from "./StreamMark.tsx";

const WhyPopover = lazyPart(async () => (await import("./WhyPopover.tsx")).WhyPopover);

interface StatePaneProps {
  history: History;
  lead: LeadRow;
  n: number;
  past: boolean;
  changed: number;
  /** `stream/field` whose story is open. */
  why: string | null;
  onWhy: (why: string | null) => void;
  onReveal: () => void;
  send: (event: ReplayEvent) => void;
}

/** Everything known about the lead at event `n`, beside now; what differs is marked by sign, weight and ground. */
export const StatePane = memo(function StatePane(props: StatePaneProps) {
  const { history, n, past, changed } = props;
  const { t } = useI18n();
  const [changesOnly, setChangesOnly] = useState(false);
  const groups = useMemo(() => history.compare(n), [history, n]);
  const shown = past && changesOnly ? groups.map(onlyChanged).filter((group) => group.rows.length > 0) : groups;
  return (
    <section className="pane w-state" aria-label={past ? t("support.state_at", { n }) : t("support.state")}>
      <header>
        <h2>{t("support.state")}</h2>
        {past ? (
          <fieldset className="seg" aria-label={t("support.state")}>
            <button type="button" aria-pressed={!changesOnly} onClick={() => setChangesOnly(false)}>
              {t("support.then_and_now")}
            </button>
            <button type="button" aria-pressed={changesOnly} onClick={() => setChangesOnly(true)}>
              {t("support.changes_only", { n: changed })}
            </button>
          </fieldset>
        ) : null}
      </header>
      <Scrolling className="scroll">
        <table className={past ? "fields" : "fields now-only"}>
          <colgroup>
            <col className="c1" />
            <col />
            {past ? <col /> : null}
          </colgroup>
          <Head history={history} n={n} past={past} />
          <tbody>
            {shown.map((group) => (
              <Group key={group.stream} group={group} {...props} />
            ))}
          </tbody>
        </table>
        {shown.length === 0 ? <p className="none muted">{t("support.no_changes")}</p> : null}
      </Scrolling>
    </section>
  );
});

function onlyChanged(group: FieldGroup): FieldGroup {
  return { ...group, rows: group.rows.filter((row) => row.differs) };
}

function Head({ history, n, past }: { history: History; n: number; past: boolean }) {
  const { t } = useI18n();
  return (
    <thead>
      <tr>
        <th scope="col">{t("support.field")}</th>
        {past ? (
          <th scope="col">
            <span className="chip past">
              <Icon name="clock" />
              {t("support.event_n", { n })}
            </span>
          </th>
        ) : null}
        <th scope="col">
          <span className="chip now">{t("support.now_event", { n: history.last })}</span>
        </th>
      </tr>
    </thead>
  );
}

function Group({ group, ...props }: StatePaneProps & { group: FieldGroup }) {
  const { t } = useI18n();
  return (
    <>
      <tr className="grp">
        <th colSpan={props.past ? 3 : 2} scope="colgroup">
          <StreamMark stream={group.stream} />
          {t(`timeline_ui.stream_${group.stream}`)}
          <span className="sub">{t("support.revision", { n: group.revision })}</span>
        </th>
      </tr>
      {group.rows.map((row) => (
        <Row key={row.field} row={row} {...props} />
      ))}
    </>
  );
}

function Row({ row, ...props }: StatePaneProps & { row: FieldRow }) {
  const { t } = useI18n();
  const { label } = useFieldText();
  const { past, why, onWhy, history, n, send } = props;
  const name = `${row.stream}/${row.field}`;
  const told = past ? row.then : row.now;
  const differs = past && row.differs;
  return (
    <tr className={differs ? "ch" : ""}>
      <th scope="row">{label(row.stream, row.field)}</th>
      <td>
        {differs ? (
          <span className="ne" aria-hidden="true">
            ≠
          </span>
        ) : null}
        <Value row={row} held={told} {...props} />
        {told.since === null ? null : (
          <button
            type="button"
            className={why === name ? "whyb open" : told.since === n ? "whyb fresh" : "whyb"}
            aria-expanded={why === name}
            aria-label={t("support.why_field", { field: label(row.stream, row.field) })}
            onClick={() => onWhy(why === name ? null : name)}
          >
            {t("support.why")}
          </button>
        )}
        {why === name ? (
          <Suspense>
            <WhyPopover {...{ history, row, n, send }} onClose={() => onWhy(null)} />
          </Suspense>
        ) : null}
      </td>
      {past ? (
        <td>
          {differs ? <Value row={row} held={row.now} {...props} /> : <span className="same">{t("support.same")}</span>}
        </td>
      ) : null}
    </tr>
  );
}

function Value({ row, held, lead, onReveal }: StatePaneProps & { row: FieldRow; held: FieldValue }) {
  const { t } = useI18n();
  const { value } = useFieldText();
  const me = useMe();
  const revealed = useRevealed(lead.lead_id);
  if (held.value === null) return <span className="same">{t("support.not_set")}</span>;
  // What was shown is how the person is reached now: an earlier value stays masked.
  const plain = held.masked && held.value === row.now.value ? plainValue(revealed, row.field) : null;
  if (plain !== null) return <span className="val">{plain}</span>;
  if (!held.masked) return <span className="val">{value(row.stream, row.field, held.value)}</span>;
  return (
    <>
      <span className="val">
        <Masked value={held.value} />
      </span>
      {me.can.unmask ? (
        <button type="button" className="eye" aria-label={t("support.show_with_reason")} onClick={onReveal}>
          <Icon name="eye" size="s" />
        </button>
      ) : null}
    </>
  );
}
