import type { FileCompared, FileOddRow } from "../../contract/wire.ts";
import { useFormat, useI18n } from "../../i18n/i18n.tsx";
import { joinSentences } from "../../i18n/sentences.ts";
import { Icon } from "../icon.tsx";

/** Odd rows drawn at once. */
const SHOWN = 100;

/** How much of a file was understood, for which days something can be missing, and every row that is no entry, with its reason. */
export function FileReading({ compared }: { compared: FileCompared }) {
  const { t } = useI18n();
  const { number } = useFormat();
  const [odd, headings] = [
    compared.odd_rows.filter(({ reason }) => reason !== "heading"),
    compared.odd_rows.filter(({ reason }) => reason === "heading"),
  ];
  return (
    <>
      <ul className="bf-read num">
        <li>{t("bank_file.rows_read", { n: compared.rows })}</li>
        {compared.headings === 0 ? null : <li>{t("bank_file.rows_headings", { n: compared.headings })}</li>}
        <li className={compared.not_understood === 0 ? undefined : "warn"}>
          {compared.not_understood === 0 ? null : <Icon name="alert" />}
          {t("bank_file.rows_odd", { n: compared.not_understood })}
        </li>
      </ul>
      <Coverage compared={compared} />
      {odd.length === 0 ? null : (
        <section aria-labelledby="bf-odd">
          <h4 id="bf-odd">{t("bank_file.odd_title")}</h4>
          <p className="sub">{t("bank_file.odd_text")}</p>
          <OddRows rows={odd} />
          {odd.length > SHOWN ? (
            <p className="sub">{t("bank_file.shown", { n: number(SHOWN), all: number(odd.length) })}</p>
          ) : null}
        </section>
      )}
      {headings.length === 0 ? null : (
        <details>
          <summary>{t("bank_file.headings_title")}</summary>
          <OddRows rows={headings} />
        </details>
      )}
    </>
  );
}

/** A payout can be called missing for these days and currencies alone, or for none. */
function Coverage({ compared: { covered, uncovered } }: { compared: FileCompared }) {
  const { t } = useI18n();
  return (
    <div className="note bf-covered">
      <Icon name="cal" />
      <div>
        {covered.map(({ currency, first, last }) => (
          <p key={`${currency}/${first}/${last}`} className="num">
            {t("bank_file.covered", { currency, first, last })}
          </p>
        ))}
        {uncovered === null ? null : <p>{t(`bank_file.uncovered_${uncovered}`)}</p>}
      </div>
    </div>
  );
}

function OddRows({ rows }: { rows: readonly FileOddRow[] }) {
  const { t } = useI18n();
  return (
    <ul className="bf-odd">
      {rows.slice(0, SHOWN).map(({ line, text, reason, source }) => (
        <li key={`${line}/${reason}`}>
          <span className="num">
            {t("bank_file.line")} {line}
          </span>
          <span>
            {joinSentences(
              t(`bank_file.reason_${reason}`),
              source === null ? "" : t("bank_file.odd_source", { source }),
            )}
          </span>
          <span className="mono">{text}</span>
        </li>
      ))}
    </ul>
  );
}
