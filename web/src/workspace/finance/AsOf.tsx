import { type FormEvent, useId, useState } from "react";
import { useI18n } from "../../i18n/i18n.tsx";
import { serverNow } from "../../serverClock.ts";
import { bookMoment } from "../clock.ts";
import { Icon } from "../icon.tsx";
import { CloseButton, Overlay } from "../Overlay.tsx";
import { endOfDay, endOfLastMonth, endOfMinute, lastOf } from "./moment.ts";

interface AsOfProps {
  /** The first instant that no longer counts; null is now. */
  asof: string | null;
  onChoose: (asof: string | null) => void;
}

/** Now, or the books as they stood at a moment. */
export function AsOfSwitch({ asof, onOpen, onNow }: { asof: string | null; onOpen: () => void; onNow: () => void }) {
  const { t } = useI18n();
  return (
    <fieldset className="seg" aria-label={t("finance.as_of")}>
      <button type="button" aria-pressed={asof === null} onClick={onNow}>
        {t("finance.now")}
      </button>
      <button type="button" aria-pressed={asof !== null} aria-haspopup="dialog" onClick={onOpen}>
        <Icon name="clock" size="xs" />
        {t("finance.as_of_moment")}
      </button>
    </fieldset>
  );
}

/** The amber band: what is listed and summed is not now. */
export function AsOfBand({ asof, onNow }: { asof: string; onNow: () => void }) {
  const { t, lang } = useI18n();
  return (
    <div className="past-banner" role="status">
      <Icon name="clock" />
      <p>
        <b>{t("finance.as_of_past")}</b> <span className="when num">{bookMoment(lastOf(asof), lang)}</span>{" "}
        <span className="ro">{t("support.read_only")}</span>
      </p>
      <button type="button" className="btn sm pri" onClick={onNow}>
        {t("support.back_to_now")} <kbd>Esc</kbd>
      </button>
    </div>
  );
}

/** Asks for the moment: a day and a time, or one of those people mean most often. */
export function AsOfDialog({ asof, onChoose, onClose }: AsOfProps & { onClose: () => void }) {
  const { t } = useI18n();
  const heading = useId();
  const now = new Date(serverNow());
  const before = lastOf(asof ?? endOfDay(now, -1));
  const [day, setDay] = useState(before.slice(0, 10));
  const [time, setTime] = useState(before.slice(11, 16));
  const moment = endOfMinute(day, time);
  const choose = (chosen: string) => {
    onClose();
    onChoose(chosen);
  };
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (moment !== null) choose(moment);
  };
  return (
    <Overlay kind="centre" labelledBy={heading} onClose={onClose}>
      <form className="dlg as-of" onSubmit={submit}>
        <header>
          <h2 id={heading}>{t("finance.as_of_title")}</h2>
          <CloseButton onClose={onClose} />
        </header>
        <div className="body">
          <div className="as-of-when">
            <label>
              <span className="label">{t("finance.as_of_day")}</span>
              <input
                type="date"
                className="field"
                data-first
                required
                value={day}
                max={now.toISOString().slice(0, 10)}
                onChange={(event) => setDay(event.target.value)}
              />
            </label>
            <label>
              <span className="label">{t("finance.as_of_time")}</span>
              <input
                type="time"
                className="field"
                required
                value={time}
                onChange={(event) => setTime(event.target.value)}
              />
            </label>
          </div>
          <div className="as-of-often">
            <button type="button" className="btn quiet" onClick={() => choose(endOfDay(now, -1))}>
              {t("finance.as_of_yesterday")}
            </button>
            <button type="button" className="btn quiet" onClick={() => choose(endOfLastMonth(now))}>
              {t("finance.as_of_month")}
            </button>
          </div>
        </div>
        <footer>
          <span className="sub grow">{t("finance.as_of_same")}</span>
          <button type="submit" className="btn past" disabled={moment === null}>
            {t("finance.as_of_go")}
          </button>
        </footer>
      </form>
    </Overlay>
  );
}
