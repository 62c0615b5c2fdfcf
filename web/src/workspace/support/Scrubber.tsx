import { type CSSProperties, memo, type PointerEvent, useId, useMemo, useRef } from "react";
import type { StreamKind } from "../../contract/wire.ts";
import { useFormat, useI18n } from "../../i18n/i18n.tsx";
import { readCount, WHOLE } from "../../typedNumber.ts";
import { doubtText } from "../../ui/numberDoubt.ts";
import { shortDay } from "../clock.ts";
import { Icon, type IconName } from "../icon.tsx";
import { bars, type DayLine, dayLines, eventAt, MARKS_AT_MOST, middle, thread } from "./lanes.ts";
import { type History, laneOf, STREAMS } from "./refold.ts";
import { type ReplayEvent, SPEEDS, type Speed } from "./replayMachine.ts";
import { StreamMark, streamClass } from "./StreamMark.tsx";
import { useSentence } from "./sentence.ts";

interface ScrubberProps {
  history: History;
  n: number;
  past: boolean;
  playing: boolean;
  speed: Speed;
  send: (event: ReplayEvent) => void;
}

/** Moves through the whole history: transport on the left, five lanes with one slot per event on the right. */
export function Scrubber({ history, n, past, playing, speed, send }: ScrubberProps) {
  const { t } = useI18n();
  return (
    <section className="scrub" aria-label={t("support.scrubber")}>
      <Transport {...{ last: history.last, n, playing, speed, send }} />
      <div className="lanes">
        <Names history={history} />
        <Track {...{ history, n, past, send }} />
      </div>
    </section>
  );
}

interface TransportProps {
  last: number;
  n: number;
  playing: boolean;
  speed: Speed;
  send: (event: ReplayEvent) => void;
}

function Transport({ last, n, playing, speed, send }: TransportProps) {
  const { t } = useI18n();
  const alone = last <= 1;
  const button = (icon: IconName, name: string, event: ReplayEvent, off: boolean) => (
    <button
      type="button"
      className="btn quiet sq"
      aria-label={name}
      title={name}
      disabled={off}
      onClick={() => send(event)}
    >
      <Icon name={icon} />
    </button>
  );
  return (
    <div className="trans">
      <div className="row tight">
        {button("first", t("support.first_event"), { type: "replay.first" }, n <= 1)}
        {button("left", t("support.step_back"), { type: "replay.step", by: -1 }, n <= 1)}
        <button
          type="button"
          className="btn past sq"
          aria-label={t(playing ? "support.pause" : "support.play")}
          disabled={alone}
          onClick={() => send({ type: playing ? "replay.pause" : "replay.play" })}
        >
          <Icon name={playing ? "pause" : "play"} />
        </button>
        {button("right", t("support.step_forward"), { type: "replay.step", by: 1 }, n >= last)}
        {button("last", t("support.now"), { type: "replay.now" }, n >= last)}
      </div>
      <div className="sub row">
        <JumpTo {...{ n, last, send }} />
        <label className="spd">
          <span className="vh">{t("support.speed")}</span>
          <select value={speed} onChange={(event) => chooseSpeed(event.target.value, send)}>
            {SPEEDS.map((one) => (
              <option key={one} value={one}>
                {t("support.per_second", { n: one })}
              </option>
            ))}
          </select>
          <Icon name="down" size="xs" />
        </label>
      </div>
    </div>
  );
}

function chooseSpeed(value: string, send: (event: ReplayEvent) => void): void {
  const speed = SPEEDS.find((one) => String(one) === value);
  if (speed !== undefined) send({ type: "replay.speed", speed });
}

function JumpTo({ n, last, send }: { n: number; last: number; send: (event: ReplayEvent) => void }) {
  const { t } = useI18n();
  const { number } = useFormat();
  const id = useId();
  const jump = (field: HTMLInputElement) => {
    const reading = readCount(field.value);
    if ("number" in reading) return send({ type: "replay.seek", n: reading.number });
    field.setCustomValidity(doubtText(t, t("support.event"), field.value, reading.doubt, WHOLE));
    field.reportValidity();
  };
  return (
    <>
      <label className="jumpto" htmlFor={id}>
        {t("support.event")}{" "}
        <input
          id={id}
          className="num"
          inputMode="numeric"
          style={{ width: `${Math.max(2, String(last).length)}ch` }}
          key={n}
          defaultValue={n}
          onInput={(event) => event.currentTarget.setCustomValidity("")}
          onKeyDown={(event) => {
            if (event.key === "Enter") jump(event.currentTarget);
          }}
        />
      </label>
      <span>{t("support.of_events", { n: number(last) })}</span>
    </>
  );
}

function Names({ history }: { history: History }) {
  const { t } = useI18n();
  const { number } = useFormat();
  return (
    <ul className="names">
      {STREAMS.map((stream) => (
        <li key={stream}>
          <StreamMark stream={stream} />
          <span className="nm">{t(`timeline_ui.stream_${stream}`)}</span>
          <span className="sub num">{number(history.countOf(stream))}</span>
        </li>
      ))}
    </ul>
  );
}

interface TrackProps {
  history: History;
  n: number;
  past: boolean;
  send: (event: ReplayEvent) => void;
}

function Track({ history, n, past, send }: TrackProps) {
  const { t } = useI18n();
  const sentence = useSentence();
  const marks = useRef<HTMLDivElement>(null);
  const { last } = history;
  const seek = (event: PointerEvent) => {
    const box = marks.current?.getBoundingClientRect();
    if (box === undefined || box.width === 0) return;
    send({ type: "replay.seek", n: eventAt((event.clientX - box.left) / box.width, last) });
  };
  const event = history.event(n);
  const spoken = event === undefined ? "" : t("support.moment_spoken", { n, last, sentence: sentence(event) });
  const path = useMemo(() => (past ? thread(history, n) : ""), [history, n, past]);
  return (
    <div className="track">
      <Days history={history} />
      <div
        ref={marks}
        className="marks"
        role="slider"
        tabIndex={0}
        aria-label={t("support.moment")}
        aria-valuemin={1}
        aria-valuemax={last}
        aria-valuenow={n}
        aria-valuetext={spoken}
        onPointerDown={(event) => {
          event.currentTarget.setPointerCapture(event.pointerId);
          seek(event);
        }}
        onPointerMove={(event) => event.currentTarget.hasPointerCapture(event.pointerId) && seek(event)}
      >
        <div className="gone" style={{ width: `${middle(n, last) * 100}%` }} />
        {last <= MARKS_AT_MOST ? <Marks history={history} n={n} /> : <Bars history={history} n={n} />}
        {path === "" ? null : (
          <svg className="arcs" viewBox={`0 0 ${last} ${STREAMS.length}`} preserveAspectRatio="none" aria-hidden="true">
            <path d={path} vectorEffect="non-scaling-stroke" />
          </svg>
        )}
        <div className="head17" style={playHead(middle(n, last))}>
          <b>{n}</b>
        </div>
      </div>
    </div>
  );
}

/** Where it stands, once more as a number: what is written on it stays on the page at both ends. */
function playHead(at: number): CSSProperties {
  return { left: `${at * 100}%`, ...Object.fromEntries([["--at", at]]) };
}

const Days = memo(function Days({ history }: { history: History }) {
  const { lang } = useI18n();
  const lines = useMemo(() => dayLines(history), [history]);
  const text = ({ text, day }: DayLine) =>
    text === "long" ? shortDay(day, lang) : text === "short" ? String(Number(day.slice(8))) : "";
  return (
    <div className="days" aria-hidden="true">
      {lines.map((line) => (
        <span
          key={line.day}
          className={line.width >= 0.25 ? "wide" : ""}
          style={{ left: `${line.left * 100}%`, width: `${line.width * 100}%` }}
        >
          <i>{text(line)}</i>
        </span>
      ))}
    </div>
  );
});

function placed(stream: StreamKind, n: number, last: number): CSSProperties {
  return { left: `${middle(n, last) * 100}%`, ...Object.fromEntries([["--l", STREAMS.indexOf(laneOf(stream))]]) };
}

function Marks({ history, n }: { history: History; n: number }) {
  return history
    .slice(1, history.last)
    .map(({ n: place, stream, failed }) => (
      <i
        key={place}
        className={`${streamClass(stream, failed)}${place > n ? " later" : ""}`}
        style={placed(stream, place, history.last)}
      />
    ));
}

/** Long histories: one picture drawn once, and a veil over what is later. */
function Bars({ history, n }: { history: History; n: number }) {
  return (
    <>
      <BarPicture history={history} />
      <div className="veil" style={{ left: `${(n / history.last) * 100}%` }} />
    </>
  );
}

const LANE_CLASS = ["lead", "form", "pay", "user", "talk"];

const BarPicture = memo(function BarPicture({ history }: { history: History }) {
  const drawn = useMemo(() => bars(history), [history]);
  return (
    <svg className="bars" viewBox="0 0 1 90" preserveAspectRatio="none" aria-hidden="true">
      {drawn.map(({ lane, left, width, failed }) => (
        <rect
          key={`${lane}/${left}`}
          className={failed ? "bad" : LANE_CLASS[lane]}
          x={left}
          width={width}
          y={lane * 18 + (failed ? 2 : 5)}
          height={failed ? 14 : 8}
        />
      ))}
    </svg>
  );
});
