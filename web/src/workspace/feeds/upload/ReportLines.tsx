import { useI18n } from "../../../i18n/i18n.tsx";
import { FALLBACK } from "../../../i18n/languages.ts";
import { Icon } from "../../icon.tsx";
import type { ReportLine } from "../feedCalls.ts";

/** Outcomes that leave something of the file out. */
const REJECTS: ReadonlySet<string> = new Set(["rejected", "room rejected", "lease rejected"]);

/** Whether a line says that a home, a room or a lease was not taken. */
export function isReject({ outcome }: ReportLine): boolean {
  return REJECTS.has(outcome);
}

interface ReportLinesProps {
  title: string;
  lines: readonly ReportLine[];
}

/** Lines of a report: row, home and field, the value as it is written, and what would be right. */
export function ReportLines({ title, lines }: ReportLinesProps) {
  const { t } = useI18n();
  if (lines.length === 0) return null;
  return (
    <section aria-label={title}>
      <div className="fd-head">
        <h3>{title}</h3>
        <span className="sub">{t("imports.lines_text")}</span>
      </div>
      <div className="fd-box">
        <table className="tbl fd-cards rej-t">
          <caption className="vh">{title}</caption>
          <thead>
            <tr>
              <th className="num">{t("imports.row")}</th>
              <th>{t("imports.home_field")}</th>
              <th>{t("imports.says")}</th>
              <th>{t("imports.right")}</th>
              <th>{t("imports.verdict")}</th>
            </tr>
          </thead>
          <tbody>
            {lines.map((line, at) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: a report is read once, and two of its lines may be alike
              <Row key={at} line={line} />
            ))}
          </tbody>
        </table>
      </div>
    </section>
  );
}

function Row({ line }: { line: ReportLine }) {
  const { t, tData } = useI18n();
  const isBad = isReject(line);
  return (
    <tr>
      <td className="num c-l">{line.line === 0 ? "—" : <span title={t("imports.row")}>{line.line}</span>}</td>
      <td className="c-home">
        {line.home}
        {line.path === "" ? null : <div className="sub mono">{line.path}</div>}
      </td>
      <td className="c-says">{line.value === "" ? null : <span className="up-says">{line.value}</span>}</td>
      <td className="c-right" lang={FALLBACK}>
        {line.reason}
      </td>
      <td className="c-v">
        <span className={isBad ? "chip bad" : "chip warn"}>
          <Icon name={isBad ? "x" : "alert"} size="s" />
          {tData(`imports.line_${line.outcome.replaceAll(" ", "_")}`)}
        </span>
      </td>
    </tr>
  );
}
