import { useEffect, useRef } from "react";
import { useI18n } from "../../i18n/i18n.tsx";
import { clockTime, spanOf } from "../clock.ts";
import { useActorName } from "./actorName.ts";
import { useFieldText } from "./fieldText.ts";
import type { FieldRow, History } from "./refold.ts";
import type { ReplayEvent } from "./replayMachine.ts";
import { StreamMark } from "./StreamMark.tsx";
import { useSentence } from "./sentence.ts";

interface WhyProps {
  history: History;
  row: FieldRow;
  n: number;
  send: (event: ReplayEvent) => void;
  onClose: () => void;
}

/** Why a value is what it is: the event that set it and the chain of causes behind that event. */
export function WhyPopover({ history, row, n, send, onClose }: WhyProps) {
  const { t } = useI18n();
  const { label, value } = useFieldText();
  const sentence = useSentence();
  const actorName = useActorName();
  const box = useRef<HTMLDivElement>(null);
  useEffect(() => {
    box.current?.focus();
    const onDown = (event: PointerEvent) => {
      if (event.target instanceof Node && box.current?.contains(event.target) === false) onClose();
    };
    window.addEventListener("pointerdown", onDown);
    return () => window.removeEventListener("pointerdown", onDown);
  }, [onClose]);
  const values = history.valuesOf(row.stream, row.field, n);
  const held = values[values.length - 1];
  const since = held?.since ?? null;
  if (held === undefined || since === null) return null;
  const chain = history.causes(since).flatMap((place) => history.event(place) ?? []);
  const shown = held.value === null ? t("support.not_set") : value(row.stream, row.field, held.value);
  const name = held.masked ? label(row.stream, row.field) : shown;
  return (
    <div className="pop why" role="dialog" aria-label={t("support.why_title", { value: name })} tabIndex={-1} ref={box}>
      <header>
        <h3>{t("support.why_title", { value: name })}</h3>
        <span className="sub">{t("support.set_by", { n: since })}</span>
      </header>
      <ol>
        {chain.slice(0, 5).map((event) => (
          <li key={event.n}>
            <StreamMark stream={event.stream} failed={event.failed} />
            <div>
              <p>{sentence(event)}</p>
              <p className="sub">
                {actorName(event.actor)} · {clockTime(event.recorded_at)}
              </p>
            </div>
            <button
              type="button"
              className="num"
              aria-label={t("support.go_to_event", { n: event.n })}
              onClick={() => send({ type: "replay.seek", n: event.n })}
            >
              {event.n}
            </button>
          </li>
        ))}
      </ol>
      <footer>
        <Before {...{ history, row, values }} />
        <span className="sub">{t("support.values_so_far", { n: values.length })}</span>
      </footer>
    </div>
  );
}

function Before({
  history,
  row,
  values,
}: Pick<WhyProps, "history" | "row"> & { values: ReturnType<History["valuesOf"]> }) {
  const { t } = useI18n();
  const { value } = useFieldText();
  const [before, held] = values.slice(-2);
  if (before === undefined || held === undefined || before.value === null)
    return <span className="sub">{t("support.first_value")}</span>;
  const [from, to] = [before.since, held.since].map((n) => Date.parse(history.event(n ?? 0)?.recorded_at ?? ""));
  const passed = (to ?? 0) - (from ?? 0);
  // An event of a long history may still be on its way.
  if (Number.isNaN(passed)) return null;
  const { unit, count } = spanOf(passed);
  const told = before.masked ? before.value : value(row.stream, row.field, before.value);
  return (
    <span className="sub">
      {t("support.before_value", { value: told, span: t(`support.span_${unit}`, { n: count }) })}
    </span>
  );
}
