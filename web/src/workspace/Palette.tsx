import { useQuery } from "@tanstack/react-query";
import { type KeyboardEvent, type ReactNode, useContext, useDeferredValue, useId, useMemo, useState } from "react";
import type { AuditRow, LeadRow } from "../contract/wire.ts";
import { useI18n } from "../i18n/i18n.tsx";
import { financePath, go, grantsPath, leadsPath, readModelsPath, replayPath } from "./address.ts";
import { Icon, type IconName } from "./icon.tsx";
import { Masked } from "./Masked.tsx";
import { Overlay } from "./Overlay.tsx";
import { auditQuery, leadsQuery } from "./queries.ts";
import { StatusRing } from "./StatusRing.tsx";
import { GroundContext, offeredActions, useMe } from "./session.ts";

/** One line of the palette. */
interface Choice {
  id: string;
  group: string;
  icon: ReactNode;
  name: ReactNode;
  detail: string;
  keys: string[];
  run: () => void;
}

/** Find or do: leads, payments, what this page offers, and where else to go; all from the keyboard. */
export function Palette({ onClose }: { onClose: () => void }) {
  const { t } = useI18n();
  const [asked, setAsked] = useState("");
  const [at, setAt] = useState(0);
  const listId = useId();
  const { choices, searching } = useChoices(useDeferredValue(asked.trim()));
  const hot = Math.min(at, Math.max(0, choices.length - 1));
  const run = (choice: Choice | undefined) => {
    if (choice === undefined) return;
    onClose();
    choice.run();
  };
  const onKey = (event: KeyboardEvent) => {
    const moves: Record<string, number> = { ArrowDown: hot + 1, ArrowUp: hot - 1, Home: 0, End: choices.length - 1 };
    const next = moves[event.key];
    if (next !== undefined) setAt(Math.max(0, Math.min(choices.length - 1, next)));
    else if (event.key === "Enter") run(choices[hot]);
    else return;
    event.preventDefault();
  };
  return (
    <Overlay kind="top" label={t("workspace.find_or_do")} onClose={onClose}>
      <div className="pal">
        <div className="pal-in">
          <Icon name="search" />
          <input
            data-first
            role="combobox"
            aria-expanded="true"
            aria-controls={listId}
            aria-activedescendant={choices[hot] === undefined ? undefined : `${listId}-${hot}`}
            aria-label={t("workspace.find_or_do")}
            placeholder={t("workspace.palette_hint")}
            value={asked}
            onKeyDown={onKey}
            onChange={(event) => {
              setAsked(event.target.value);
              setAt(0);
            }}
          />
          <kbd>Esc</kbd>
        </div>
        <Choices {...{ listId, choices, hot }} onRun={run} />
        {choices.length === 0 && !searching ? <p className="pal-none muted">{t("workspace.palette_none")}</p> : null}
        <Hints />
      </div>
    </Overlay>
  );
}

function Hints() {
  const { t } = useI18n();
  return (
    <footer>
      <span>
        <kbd>↑</kbd>
        <kbd>↓</kbd> {t("workspace.key_choose")}
      </span>
      <span>
        <kbd>↵</kbd> {t("workspace.key_open")}
      </span>
      <span className="end">
        <kbd>Esc</kbd> {t("workspace.key_close")}
      </span>
    </footer>
  );
}

interface ChoicesProps {
  listId: string;
  choices: Choice[];
  hot: number;
  onRun: (choice: Choice) => void;
}

function Choices({ listId, choices, hot, onRun }: ChoicesProps) {
  const { t } = useI18n();
  return (
    <div className="pal-l" role="listbox" id={listId} aria-label={t("workspace.find_or_do")}>
      {choices.map((choice, index) => (
        <div key={choice.id} role="presentation">
          {choices[index - 1]?.group === choice.group ? null : <h3 role="presentation">{choice.group}</h3>}
          {/* biome-ignore lint/a11y/useFocusableInteractive: focus stays in the field, which names the active option */}
          {/* biome-ignore lint/a11y/useKeyWithClickEvents: keys are answered by the field */}
          <div
            role="option"
            id={`${listId}-${index}`}
            aria-selected={index === hot}
            className={index === hot ? "hot" : ""}
            onClick={() => onRun(choice)}
          >
            {choice.icon}
            <span className="grow cut">{choice.name}</span>
            {choice.detail === "" ? null : <span className="sub">{choice.detail}</span>}
            <span className="keyseq">
              {choice.keys.map((key) => (
                <kbd key={key}>{key}</kbd>
              ))}
            </span>
          </div>
        </div>
      ))}
    </div>
  );
}

/** Everything the words asked for lead to. */
function useChoices(asked: string): { choices: Choice[]; searching: boolean } {
  const { t, tData } = useI18n();
  const me = useMe();
  const wanted = asked.length >= 2;
  const leads = useQuery({ ...leadsQuery({ q: asked, limit: 5 }), enabled: wanted && me.can.leads });
  const payments = useQuery({ ...auditQuery({ q: asked, limit: 20 }), enabled: wanted && me.can.finance });
  const fixed = useFixedChoices(asked);
  const choices = useMemo(() => {
    const found = wanted ? (leads.data?.result ?? []).map((lead) => leadChoice(lead, t("workspace.leads"), tData)) : [];
    const paid = wanted
      ? onePerPayment(payments.data?.result ?? []).map((row) => paymentChoice(row, t("workspace.payments")))
      : [];
    // An action named outright comes before everything that merely contains the words.
    const named = fixed.filter((choice) => wanted && startsWith(choice, asked));
    return [...named, ...found, ...paid, ...fixed.filter((choice) => !named.includes(choice))];
  }, [wanted, asked, leads.data, payments.data, fixed, t, tData]);
  return { choices, searching: leads.isFetching || payments.isFetching };
}

function startsWith(choice: Choice, words: string): boolean {
  return typeof choice.name === "string" && choice.name.toLowerCase().startsWith(words.toLowerCase());
}

function leadChoice(lead: LeadRow, group: string, tData: (key: string) => string): Choice {
  return {
    id: `lead-${lead.lead_id}`,
    group,
    icon: <StatusRing status={lead.status} progress={lead.progress} />,
    name: (
      <>
        <b>
          <Masked value={lead.name_masked} />
        </b>{" "}
        <span className="muted">
          {lead.reference}
          {lead.property === null ? "" : ` · ${lead.property.name}, ${lead.property.region}`}
        </span>
      </>
    ),
    detail: tData(`support.status_${lead.status}`),
    keys: [],
    run: () => go(replayPath(lead.lead_id)),
  };
}

function onePerPayment(rows: AuditRow[]): AuditRow[] {
  const seen = new Set<string>();
  return rows.filter(({ payment_id }) => !seen.has(payment_id) && seen.add(payment_id)).slice(0, 5);
}

function paymentChoice(row: AuditRow, group: string): Choice {
  return {
    id: `payment-${row.payment_id}`,
    group,
    icon: <Icon name="card" size="s" />,
    name: (
      <>
        <b>{row.payment_reference}</b> <span className="muted">{row.lead_reference}</span>
      </>
    ),
    detail: row.currency,
    keys: [],
    run: () => go(financePath({ payment: row.payment_id })),
  };
}

/** Places and actions that need no server, those whose name holds the words asked for. */
function useFixedChoices(asked: string): Choice[] {
  const { t } = useI18n();
  const me = useMe();
  const { ground, turn } = useContext(GroundContext);
  return useMemo(() => {
    const doing = offeredActions().map((action) =>
      fixed(t("workspace.do_here"), action.id, action.icon, action.name, action.run, action.keys),
    );
    const goTo = t("workspace.go_to");
    const going = [
      ...(me.can.leads ? [fixed(goTo, "leads", "queue", t("workspace.leads"), () => go(leadsPath()))] : []),
      ...(me.can.finance
        ? [fixed(goTo, "finance", "ledger", t("workspace.payment_audit"), () => go(financePath()))]
        : []),
      ...(me.can.finance
        ? [fixed(goTo, "chain", "shield", t("workspace.chain"), () => go(financePath({ chain: 1 })))]
        : []),
      fixed(goTo, "read_models", "replay", t("workspace.read_models"), () => go(readModelsPath())),
      ...(me.can.grants ? [fixed(goTo, "grants", "people", t("workspace.grants"), () => go(grantsPath()))] : []),
      fixed(
        goTo,
        "ground",
        ground === "light" ? "moon" : "sun",
        t(ground === "light" ? "workspace.ground_dark" : "workspace.ground_light"),
        turn,
      ),
    ];
    const words = asked.toLowerCase();
    return [...doing, ...going].filter(({ name }) => typeof name === "string" && name.toLowerCase().includes(words));
  }, [asked, me, ground, turn, t]);
}

function fixed(group: string, id: string, icon: IconName, name: string, run: () => void, keys: string[] = []): Choice {
  return { id, group, icon: <Icon name={icon} size="s" />, name, detail: "", keys, run };
}
