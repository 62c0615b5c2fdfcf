import { memo, Suspense, useState } from "react";
import type { TimelineEvent } from "../../contract/wire.ts";
import { useI18n } from "../../i18n/i18n.tsx";
import { lazyPart } from "../../ui/lazyPart.tsx";
import { clockTime, longDay } from "../clock.ts";
import { Icon, type IconName } from "../icon.tsx";
import { useActorName } from "./actorName.ts";
import { useFieldText } from "./fieldText.ts";
import { ReadLetter } from "./ReadLetter.tsx";
import { STATUS_FIELDS } from "./refold.ts";
import { StreamMark } from "./StreamMark.tsx";

const LetterDialog = lazyPart(async () => (await import("./LetterDialog.tsx")).LetterDialog);

export interface EventRowProps {
  event: TimelineEvent;
  sentence: string;
  mark: "cur" | "chain" | "past" | "later";
  /** First of its day among the rows shown. */
  newDay: boolean;
  /** First after the moment shown. */
  firstLater: boolean;
  onGo: (n: number) => void;
  onRaw: (n: number) => void;
  onCopy: (n: number) => void;
}

const ACTORS: Readonly<Record<TimelineEvent["actor"]["kind"], IconName>> = {
  student: "user",
  staff: "people",
  gateway: "card",
  rule: "bolt",
  system: "bolt",
};

/** One event: its sentence, when, who, because of what, and what it changed. */
export const EventRow = memo(function EventRow(props: EventRowProps) {
  const { event, sentence, mark, newDay, firstLater, onGo } = props;
  const { t, lang } = useI18n();
  // Kept by the row: the look is an event of its own, after which another row is the current one.
  const [reading, setReading] = useState(false);
  return (
    <>
      {firstLater ? (
        <p className="fold">
          <span>{t("support.later_than")}</span>
        </p>
      ) : null}
      {newDay ? (
        <p className="day">
          <span>{longDay(event.recorded_at, lang)}</span>
        </p>
      ) : null}
      <div className={mark === "past" ? "ev" : `ev ${mark}`} aria-current={mark === "cur" ? "step" : undefined}>
        <button
          type="button"
          className="n num"
          aria-label={t("support.go_to_event", { n: event.n })}
          onClick={() => onGo(event.n)}
        >
          {event.n}
        </button>
        <span className="w-rail">
          <StreamMark stream={event.stream} failed={event.failed} />
        </span>
        <div className="tx">
          {/* biome-ignore lint/a11y/useKeyWithClickEvents: the number beside it is the button */}
          <p className="sent" onClick={() => onGo(event.n)}>
            {sentence}
          </p>
          <NoteWords event={event} />
          <Meta event={event} onGo={onGo} />
          {mark === "later" ? null : <Diffs event={event} />}
          {mark === "cur" ? <Actions {...props} onRead={() => setReading(true)} /> : null}
          {reading ? (
            <Suspense>
              <LetterDialog event={event} onClose={() => setReading(false)} />
            </Suspense>
          ) : null}
        </div>
      </div>
    </>
  );
});

/** What a colleague noted; nothing on other events, and once the person is forgotten. */
function NoteWords({ event: { sentence } }: Pick<EventRowProps, "event">) {
  const { note } = sentence.params;
  return typeof note === "string" && note !== "" ? <p className="note-words">{note}</p> : null;
}

function Meta({ event, onGo }: Pick<EventRowProps, "event" | "onGo">) {
  const { t } = useI18n();
  const { because_of, actor } = event;
  const actorName = useActorName();
  return (
    <p className="sub w-meta">
      <span className="num">{clockTime(event.recorded_at)}</span>
      <span className="who">
        <Icon name={ACTORS[actor.kind]} size="xs" />
        {actorName(actor)}
      </span>
      {because_of === null ? null : (
        <button type="button" className="because" onClick={() => onGo(because_of)}>
          <Icon name="cause" size="xs" />
          {t("support.because_of", { n: because_of })}
        </button>
      )}
    </p>
  );
}

/** As many chips as can be read at a glance; the state pane has them all. */
const CHIPS = 5;

function Diffs({ event }: { event: TimelineEvent }) {
  const { label, value } = useFieldText();
  const { t } = useI18n();
  const shown = event.changes.filter(({ from, to }) => from !== to && !(from === null && to === null));
  if (shown.length === 0) return null;
  return (
    <p className="diffs">
      {shown.slice(0, CHIPS).map(({ field, from, to }) => (
        <span key={field} className="df">
          <span>
            {field === STATUS_FIELDS[event.stream]
              ? t(`timeline_ui.stream_${event.stream}`)
              : label(event.stream, field)}
          </span>
          {from === null ? null : (
            <>
              <s>{value(event.stream, field, from)}</s>
              <Icon name="arrow" size="xs" />
            </>
          )}
          <b>{to === null ? t("support.removed") : value(event.stream, field, to)}</b>
        </span>
      ))}
      {shown.length > CHIPS ? (
        <span className="df">{t("support.more_changes", { n: shown.length - CHIPS })}</span>
      ) : null}
    </p>
  );
}

function Actions({ event, onRaw, onCopy, onRead }: EventRowProps & { onRead: () => void }) {
  const { t } = useI18n();
  return (
    <p className="acts">
      <button type="button" className="btn sm" onClick={() => onRaw(event.n)}>
        <Icon name="code" size="s" />
        {t("support.raw_event")}
      </button>
      <button type="button" className="btn sm" onClick={() => onCopy(event.n)}>
        <Icon name="link" size="s" />
        {t("support.copy_link")}
      </button>
      <ReadLetter event={event} onRead={onRead} />
    </p>
  );
}
