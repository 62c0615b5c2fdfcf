import { type FormEvent, useId, useState } from "react";
import { useI18n } from "../../i18n/i18n.tsx";
import { onOwnClock } from "../../ownTime.ts";
import { serverNow } from "../../serverClock.ts";
import { Icon } from "../icon.tsx";
import { CloseButton, Overlay } from "../Overlay.tsx";
import { usePastMoment } from "../pastMoment.ts";
import { useGoToMoment } from "../useGoToMoment.ts";
import { endOfDay, endOfLastMonth, endOfMinute } from "./moment.ts";

/** Now, or the page as it was at a moment: the workspace's own, which the address names and the band over every page tells. */
export function AsOfSwitch({ onOpen }: { onOpen: () => void }) {
  const asof = usePastMoment();
  const goTo = useGoToMoment();
  const { t } = useI18n();
  return (
    <fieldset className="seg" aria-label={t("finance.as_of")}>
      <button type="button" aria-pressed={asof === null} onClick={() => goTo(null)}>
        {t("finance.now")}
      </button>
      <button type="button" aria-pressed={asof !== null} aria-haspopup="dialog" onClick={onOpen}>
        <Icon name="clock" size="xs" />
        {t("finance.as_of_moment")}
      </button>
    </fieldset>
  );
}

/** Asks for the moment: a day and a time, or one of those people mean most often. */
export function AsOfDialog({ onClose }: { onClose: () => void }) {
  const asof = usePastMoment();
  const goTo = useGoToMoment();
  const { t } = useI18n();
  const heading = useId();
  const now = new Date(serverNow());
  // An event's position says no time.
  const before = onOwnClock(typeof asof === "string" ? asof : endOfDay(now, -1));
  const [day, setDay] = useState(before.slice(0, 10));
  const [time, setTime] = useState(before.slice(11, 16));
  const moment = endOfMinute(day, time, now);
  const choose = (chosen: string) => {
    onClose();
    goTo(chosen);
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
                max={onOwnClock(now.toISOString()).slice(0, 10)}
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
