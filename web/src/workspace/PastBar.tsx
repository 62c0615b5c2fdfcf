import { type FormEvent, useEffect, useId, useState } from "react";
import { useFormat, useI18n } from "../i18n/i18n.tsx";
import { spaceAfter } from "../i18n/sentences.ts";
import { onOwnClock } from "../ownTime.ts";
import { serverNow } from "../serverClock.ts";
import { fullMoment } from "./clock.ts";
import { Icon } from "./icon.tsx";
import { useKeys } from "./keys.ts";
import { usePastMoment } from "./pastMoment.ts";
import { useGoToMoment } from "./useGoToMoment.ts";

/** How long the play head rests before the page is read anew. */
const RESTS_MS = 250;

/** The amber band over every page: which moment is shown, the way through the log, and the way back. */
export function PastBar({ head }: { head: number }) {
  const moment = usePastMoment();
  const goTo = useGoToMoment();
  useKeys({ escape: () => moment !== null && goTo(null) });
  return moment === null ? null : <Band {...{ moment, head }} />;
}

function Band({ moment, head }: { moment: number | string; head: number }) {
  const { t, lang } = useI18n();
  const { number } = useFormat();
  const goTo = useGoToMoment();
  const told = typeof moment === "number" ? t("past.at_event", { n: number(moment) }) : fullMoment(moment, lang);
  return (
    <div className="past-banner past-all" role="status">
      <Icon name="clock" />
      <p>
        <b>{t("past.title")}</b>
        {spaceAfter(t("past.title"))}
        <span className="when num">{told}</span> <span className="ro">{t("support.read_only")}</span>
      </p>
      <PlayHead {...{ moment, head }} />
      <Instant />
      <button type="button" className="btn sm pri" onClick={() => goTo(null)}>
        {t("support.back_to_now")} <kbd>Esc</kbd>
      </button>
    </div>
  );
}

/** Every event of the log is a step; the page follows when the play head rests. */
function PlayHead({ moment, head }: { moment: number | string; head: number }) {
  const { t } = useI18n();
  const [place, setPlace] = useState(typeof moment === "number" ? moment : head);
  const [moved, setMoved] = useState(false);
  const goTo = useGoToMoment();
  useEffect(() => {
    if (!moved) return;
    const resting = setTimeout(() => goTo(place), RESTS_MS);
    return () => clearTimeout(resting);
  }, [moved, place, goTo]);
  return (
    <input
      type="range"
      className="past-head"
      aria-label={t("past.position")}
      min={0}
      max={head}
      value={Math.min(place, head)}
      onChange={(event) => {
        setMoved(true);
        setPlace(Number(event.target.value));
      }}
    />
  );
}

/** The way to a day and a time on the reader's clock, as the band shows them. */
function Instant() {
  const { t } = useI18n();
  const label = useId();
  const [text, setText] = useState("");
  const goTo = useGoToMoment();
  const choose = (event: FormEvent) => {
    event.preventDefault();
    const instant = Date.parse(text);
    if (!Number.isNaN(instant)) goTo(new Date(instant).toISOString());
  };
  return (
    <form className="past-when" onSubmit={choose}>
      <label className="vh" htmlFor={label}>
        {t("past.instant")}
      </label>
      <input
        id={label}
        type="datetime-local"
        className="field"
        value={text}
        max={onOwnClock(new Date(serverNow()).toISOString())}
        onChange={(event) => setText(event.target.value)}
      />
      <button type="submit" className="btn sm" disabled={text === ""}>
        {t("past.go")}
      </button>
    </form>
  );
}
