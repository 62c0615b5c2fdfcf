import { useId, useState } from "react";
import { useI18n } from "../../i18n/i18n.tsx";
import { useNow } from "../clock.ts";
import { Icon } from "../icon.tsx";
import { lastDayOf, monthBefore, monthOf } from "./months.ts";

/** What auditors keep: the signed head of a month's end, and what shows that it holds the end of the month before. */
export function MonthEnd() {
  const { t } = useI18n();
  const field = useId();
  const today = monthOf(useNow());
  const [month, setMonth] = useState(today);
  const chosen = /^\d{4}-\d{2}$/.test(month) ? month : today;
  const day = lastDayOf(chosen);
  const before = lastDayOf(monthBefore(chosen));
  const chain = "/api/v0/workspace/chain";
  return (
    <section className="month-end">
      <h3>{t("finance.month_end")}</h3>
      <p className="sub">{t("finance.month_end_text")}</p>
      <label className="label" htmlFor={field}>
        {t("finance.month")}
      </label>
      <div className="field">
        <input id={field} type="month" max={today} value={month} onChange={(event) => setMonth(event.target.value)} />
      </div>
      <p className="row">
        <a className="btn sm" href={`${chain}/head?day=${day}`} download={`head-${day}.json`}>
          <Icon name="export" size="s" />
          {t("finance.month_head")}
        </a>
        <a
          className="btn sm"
          href={`${chain}/consistency?from=${before}&to=${day}`}
          download={`consistency-${before}-${day}.json`}
        >
          <Icon name="export" size="s" />
          {t("finance.month_consistency")}
        </a>
      </p>
    </section>
  );
}
