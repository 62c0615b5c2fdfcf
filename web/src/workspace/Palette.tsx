import { Autocomplete } from "@base-ui/react/autocomplete";
import { useQuery } from "@tanstack/react-query";
import { type UseNavigateResult, useNavigate } from "@tanstack/react-router";
import { type ReactNode, useContext, useDeferredValue, useMemo, useState } from "react";
import type { AuditRow, LeadRow } from "../contract/wire.ts";
import { useI18n } from "../i18n/i18n.tsx";
import { Icon, type IconName } from "./icon.tsx";
import { Masked } from "./Masked.tsx";
import { Overlay } from "./Overlay.tsx";
import { listPlaces } from "./pages.ts";
import { auditQuery, leadsQuery } from "./queries.ts";
import { StatusRing } from "./StatusRing.tsx";
import { GroundContext, offeredActions, useMe } from "./session.ts";

type Go = UseNavigateResult<string>;

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
  const { choices, searching } = useChoices(useDeferredValue(asked.trim()));
  const run = (choice: Choice) => {
    onClose();
    choice.run();
  };
  return (
    <Overlay kind="top" label={t("workspace.find_or_do")} onClose={onClose}>
      <Autocomplete.Root
        open
        inline
        mode="none"
        items={grouped(choices)}
        autoHighlight="always"
        keepHighlight
        itemToStringValue={(choice: Choice) => choice.id}
        value={asked}
        onValueChange={(words, { reason }) => {
          if (reason !== "item-press") setAsked(words);
        }}
      >
        <div className="pal">
          <div className="pal-in">
            <Icon name="search" />
            <Autocomplete.Input
              data-first
              aria-label={t("workspace.find_or_do")}
              placeholder={t("workspace.palette_hint")}
            />
            <kbd>Esc</kbd>
          </div>
          <Choices onRun={run} />
          {choices.length === 0 && !searching ? <p className="pal-none muted">{t("workspace.palette_none")}</p> : null}
          <Hints />
        </div>
      </Autocomplete.Root>
    </Overlay>
  );
}

interface ChoiceGroup {
  name: string;
  items: Choice[];
}

/** Choices that follow each other under one name. */
function grouped(choices: readonly Choice[]): ChoiceGroup[] {
  const groups: ChoiceGroup[] = [];
  for (const choice of choices) {
    const last = groups.at(-1);
    if (last?.name === choice.group) last.items.push(choice);
    else groups.push({ name: choice.group, items: [choice] });
  }
  return groups;
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

function Choices({ onRun }: { onRun: (choice: Choice) => void }) {
  const { t } = useI18n();
  return (
    <Autocomplete.List className="pal-l" aria-label={t("workspace.find_or_do")}>
      {(group: ChoiceGroup) => (
        <Autocomplete.Group key={group.items[0]?.id} items={group.items}>
          <Autocomplete.GroupLabel className="pal-h">{group.name}</Autocomplete.GroupLabel>
          <Autocomplete.Collection>
            {(choice: Choice) => (
              <Autocomplete.Item key={choice.id} value={choice} onClick={() => onRun(choice)}>
                {choice.icon}
                <span className="grow cut">{choice.name}</span>
                {choice.detail === "" ? null : <span className="sub">{choice.detail}</span>}
                <span className="keyseq">
                  {choice.keys.map((key) => (
                    <kbd key={key}>{key}</kbd>
                  ))}
                </span>
              </Autocomplete.Item>
            )}
          </Autocomplete.Collection>
        </Autocomplete.Group>
      )}
    </Autocomplete.List>
  );
}

/** Everything the words asked for lead to. */
function useChoices(asked: string): { choices: Choice[]; searching: boolean } {
  const { t, tData } = useI18n();
  const me = useMe();
  const wanted = asked.length >= 2;
  const leads = useQuery({ ...leadsQuery({ q: asked, limit: 5 }), enabled: wanted && me.can.leads });
  const payments = useQuery({ ...auditQuery({ q: asked, limit: 20 }), enabled: wanted && me.can.finance });
  const go = useNavigate();
  const fixed = useFixedChoices(asked);
  const choices = useMemo(() => {
    const found = wanted
      ? (leads.data?.result ?? []).map((lead) => leadChoice(lead, t("workspace.leads"), tData, go))
      : [];
    const paid = wanted
      ? onePerPayment(payments.data?.result ?? []).map((row) => paymentChoice(row, t("workspace.payments"), go))
      : [];
    // An action named outright comes before everything that merely contains the words.
    const named = fixed.filter((choice) => wanted && startsWith(choice, asked));
    return [...named, ...found, ...paid, ...fixed.filter((choice) => !named.includes(choice))];
  }, [wanted, asked, leads.data, payments.data, fixed, t, tData, go]);
  return { choices, searching: leads.isFetching || payments.isFetching };
}

function startsWith(choice: Choice, words: string): boolean {
  return typeof choice.name === "string" && choice.name.toLowerCase().startsWith(words.toLowerCase());
}

function leadChoice(lead: LeadRow, group: string, tData: (key: string) => string, go: Go): Choice {
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
          {lead.property === null ? "" : ` · ${lead.property.name}${tData("workspace.comma")}${lead.property.region}`}
        </span>
      </>
    ),
    detail: tData(`support.status_${lead.status}`),
    keys: [],
    run: () => void go({ to: "/workspace/leads/$leadId", params: { leadId: lead.lead_id } }),
  };
}

function onePerPayment(rows: AuditRow[]): AuditRow[] {
  const seen = new Set<string>();
  return rows.filter(({ payment_id }) => !seen.has(payment_id) && seen.add(payment_id)).slice(0, 5);
}

function paymentChoice(row: AuditRow, group: string, go: Go): Choice {
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
    run: () => void go({ to: "/workspace/finance", search: { payment: row.payment_id } }),
  };
}

/** Places and actions that need no server, those whose name holds the words asked for. */
function useFixedChoices(asked: string): Choice[] {
  const { t } = useI18n();
  const me = useMe();
  const { ground, turn } = useContext(GroundContext);
  const go = useNavigate();
  return useMemo(() => {
    const doing = offeredActions().map((action) =>
      fixed(t("workspace.do_here"), action.id, action.icon, action.name, action.run, action.keys),
    );
    const goTo = t("workspace.go_to");
    const going = [
      ...listPlaces(me.can).map(({ to, icon, name, inList = name }) =>
        fixed(goTo, to, icon, t(inList), () => void go({ to })),
      ),
      ...(me.can.finance
        ? [
            fixed(
              goTo,
              "chain",
              "shield",
              t("workspace.chain"),
              () => void go({ to: "/workspace/finance", search: { chain: "1" } }),
            ),
          ]
        : []),
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
  }, [asked, me, ground, turn, t, go]);
}

function fixed(group: string, id: string, icon: IconName, name: string, run: () => void, keys: string[] = []): Choice {
  return { id, group, icon: <Icon name={icon} size="s" />, name, detail: "", keys, run };
}
