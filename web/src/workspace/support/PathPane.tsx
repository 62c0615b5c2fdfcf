import { memo, useEffect, useMemo, useState } from "react";
import paymentSteps from "../../contract/steps.payment.json";
import type { StreamKind } from "../../contract/wire.ts";
import { useI18n } from "../../i18n/i18n.tsx";
import { spanOf } from "../clock.ts";
import { Scrolling } from "../Scrolling.tsx";
import { inWords } from "../StatusRing.tsx";
import { MachinePicture } from "./MachinePicture.tsx";
import { draw, FORM_STEPS, LAYOUTS, LEAD_STEPS, type MachineName, type StepTable } from "./machineLayout.ts";
import { type History, STATUS_FIELDS } from "./refold.ts";

interface Machine {
  name: MachineName;
  stream: StreamKind;
  /** The field that names the state. */
  status: string;
  table: StepTable;
}

const MACHINES: readonly Machine[] = [
  { name: "lead", stream: "lead", status: STATUS_FIELDS.lead, table: LEAD_STEPS },
  { name: "payment", stream: "payment", status: STATUS_FIELDS.payment, table: paymentSteps },
  { name: "form", stream: "booking_form", status: STATUS_FIELDS.booking_form, table: FORM_STEPS },
];

/** Where the lead, its payment or its form stood: the way taken, what may come next, what was never used. */
export const PathPane = memo(function PathPane({ history, n }: { history: History; n: number }) {
  const { t } = useI18n();
  const stream = history.streamOf(n);
  const [name, setName] = useState<MachineName>(() => machineOf(stream) ?? "lead");
  const stateName = useStateName(name);
  // The picture follows the play head to the stream that just moved; a person's own events leave it.
  const followed = machineOf(stream);
  useEffect(() => {
    if (followed !== null) setName(followed);
  }, [followed]);
  const chosen = MACHINES.find((machine) => machine.name === name) ?? MACHINES[0];
  const drawn = useMemo(() => {
    if (chosen === undefined) return null;
    const statuses = history.valuesOf(chosen.stream, chosen.status, n).flatMap(({ value }) => value ?? []);
    return draw(LAYOUTS[chosen.name], chosen.table, statuses);
  }, [history, n, chosen]);
  return (
    <section className="pane mach" aria-label={t("support.path")}>
      <header>
        <h2>{t("support.path")}</h2>
        <fieldset className="seg" aria-label={t("support.path")}>
          {MACHINES.map((machine) => (
            <button
              key={machine.name}
              type="button"
              aria-pressed={machine.name === name}
              onClick={() => setName(machine.name)}
            >
              {t(`timeline_ui.machine_${machine.name}`)}
            </button>
          ))}
        </fieldset>
      </header>
      <Scrolling className="scroll">
        {drawn === null || chosen === undefined ? null : (
          <>
            <MachinePicture drawn={drawn} stateName={stateName} />
            <Stay history={history} n={n} machine={chosen} current={drawn.current} />
          </>
        )}
      </Scrolling>
    </section>
  );
});

function machineOf(stream: StreamKind | undefined): MachineName | null {
  return MACHINES.find((machine) => machine.stream === stream)?.name ?? null;
}

/** The word for a state of a machine. */
function useStateName(name: MachineName): (state: string) => string {
  const { tData } = useI18n();
  return (state) => {
    const key = `timeline_ui.${name}_state_${state}`;
    const text = tData(key);
    return text === key ? inWords(state) : text;
  };
}

interface StayProps {
  history: History;
  n: number;
  machine: Machine;
  current: string;
}

/** How long it stayed where it stood, or that it stands there still. */
function Stay({ history, n, machine: { stream, name, status }, current }: StayProps) {
  const { t } = useI18n();
  const stateName = useStateName(name);
  const since = history.valueAt(stream, status, n).since;
  if (since === null) {
    return (
      <div className="stay">
        <p className="ttl">{stateName(current)}</p>
        <p className="sub">{t("support.stay_not_begun")}</p>
      </div>
    );
  }
  const later = history.valuesOf(stream, status, history.last).find((value) => (value.since ?? 0) > since);
  const from = Date.parse(history.event(since)?.recorded_at ?? "");
  const until = later === undefined ? null : Date.parse(history.event(later.since ?? 0)?.recorded_at ?? "");
  // The event may still be on its way.
  const span = until === null || Number.isNaN(until - from) ? null : until - from;
  return (
    <div className="stay">
      <p className="ttl">
        {until === null
          ? t("support.stay_still", { state: stateName(current) })
          : span === null
            ? stateName(current)
            : t("support.stay_for", { state: stateName(current), span: inFull(span, t) })}
      </p>
      <p className="sub">{t("support.stay_since", { n: since })}</p>
    </div>
  );
}

type Translate = ReturnType<typeof useI18n>["t"];

/** 2 min 12 s. */
function inFull(milliseconds: number, t: Translate): string {
  if (milliseconds < 1000) return t("support.span_under");
  const { unit, count, rest } = spanOf(milliseconds);
  const smaller = { s: null, min: "s", h: "min", d: "h" } as const;
  const below = smaller[unit];
  const whole = t(`support.span_${unit}`, { n: count });
  return below === null || rest === 0 ? whole : `${whole} ${t(`support.span_${below}`, { n: rest })}`;
}
