import { type FormEvent, useEffect, useId, useState } from "react";
import { useFormat, useI18n } from "../i18n/i18n.tsx";
import { serverNow } from "../serverClock.ts";
import { fullMoment } from "./clock.ts";
import { Icon } from "./icon.tsx";
import { useKeys } from "./keys.ts";
import { showMoment, usePastMoment } from "./pastMoment.ts";

/** How long the play head rests before the page is read anew. */
const RESTS_MS = 250;

/** The amber band over every page: which moment is shown, the way through the log, and the way back. */
export function PastBar({ head }: { head: number }) {
  const moment = usePastMoment();
  useKeys({ escape: () => moment !== null && showMoment(null) });
  return moment === null ? null : <Band {...{ moment, head }} />;
}

function Band({ moment, head }: { moment: number | string; head: number }) {
  const { t, lang } = useI18n();
  const { number } = useFormat();
  const told = typeof moment === "number" ? t("past.at_event", { n: number(moment) }) : fullMoment(moment, lang);
  return (
    <div className="past-banner past-all" role="status">
      <Icon name="clock" />
      <p>
        <b>{t("past.title")}</b> <span className="when num">{told}</span>{" "}
        <span className="ro">{t("support.read_only")}</span>
      </p>
      <PlayHead {...{ moment, head }} />
      <Instant />
      <button type="button" className="btn sm pri" onClick={() => showMoment(null)}>
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
  useEffect(() => {
    if (!moved) return;
    const resting = setTimeout(() => showMoment(place), RESTS_MS);
    return () => clearTimeout(resting);
  }, [moved, place]);
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

/** The way to a day and a time, in UTC as the band shows them. */
function Instant() {
  const { t } = useI18n();
  const label = useId();
  const [text, setText] = useState("");
  const choose = (event: FormEvent) => {
    event.preventDefault();
    const instant = Date.parse(`${text}Z`);
    if (!Number.isNaN(instant)) showMoment(new Date(instant).toISOString());
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
        max={new Date(serverNow()).toISOString().slice(0, 16)}
        onChange={(event) => setText(event.target.value)}
      />
      <button type="submit" className="btn sm" disabled={text === ""}>
        {t("past.go")}
      </button>
    </form>
  );
}
