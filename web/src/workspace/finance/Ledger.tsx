import type { LedgerLine, PaymentDossier } from "../../contract/wire.ts";
import { useFormat, useI18n } from "../../i18n/i18n.tsx";
import { exact } from "../amounts.ts";
import { dayAndTime } from "../clock.ts";
import { Icon } from "../icon.tsx";
import { PostingTable } from "../PostingTable.tsx";

interface Posting {
  position: number;
  recorded_at: string;
  kind: string;
  lines: LedgerLine[];
}

/** Lines of one event belong together and sum to zero among themselves. */
export function postingsOf(ledger: readonly LedgerLine[]): Posting[] {
  const postings: Posting[] = [];
  for (const line of ledger) {
    const open = postings[postings.length - 1];
    if (open?.position === line.position) open.lines.push(line);
    else postings.push({ position: line.position, recorded_at: line.recorded_at, kind: line.kind, lines: [line] });
  }
  return postings;
}

/** The double entry the events come to; debits and credits must be equal. */
export function Ledger({ dossier }: { dossier: PaymentDossier }) {
  const { t } = useI18n();
  const { ledger, decimals, currency, balance_minor } = dossier;
  const debit = ledger.reduce((sum, line) => sum + line.debit_minor, 0);
  const credit = ledger.reduce((sum, line) => sum + line.credit_minor, 0);
  const balanced = balance_minor === 0 && debit === credit;
  return (
    <div>
      <div className="row between">
        <h3>{t("finance.double_entry")}</h3>
        <span className="sub">{t("finance.derived", { currency })}</span>
      </div>
      {ledger.length === 0 ? <p className="muted none-yet">{t("finance.no_money_moved")}</p> : null}
      <PostingTable>
        <tbody>
          {postingsOf(ledger).map((posting) => (
            <PostingRows key={posting.position} posting={posting} decimals={decimals} />
          ))}
        </tbody>
        <tfoot>
          <tr>
            <td>{t("finance.sum")}</td>
            <td className="num">{exact(debit, decimals)}</td>
            <td className="num">{exact(credit, decimals)}</td>
          </tr>
          <tr className={balanced ? "w-zero" : "w-zero off"}>
            <td>
              <Icon name={balanced ? "check" : "alert"} size="s" />
              {t(balanced ? "finance.balances" : "finance.does_not_balance")}
            </td>
            <td className="num" colSpan={2}>
              {exact(balanced ? 0 : debit - credit, decimals)}
            </td>
          </tr>
        </tfoot>
      </PostingTable>
    </div>
  );
}

function PostingRows({ posting, decimals }: { posting: Posting; decimals: number }) {
  const { t, tData, lang } = useI18n();
  const { number } = useFormat();
  const key = `finance.kind_${posting.kind}`;
  const kind = tData(key) === key ? posting.kind : tData(key);
  const amount = (minor: number) => (minor === 0 ? "" : exact(minor, decimals));
  return (
    <>
      <tr className="ph">
        <th colSpan={3} scope="colgroup">
          {dayAndTime(posting.recorded_at, lang)}, {kind}{" "}
          <span className="sub num">{t("finance.event_at", { n: number(posting.position) })}</span>
        </th>
      </tr>
      {posting.lines.map((line) => (
        <tr key={line.account}>
          <td>
            {t(`finance.account_${line.account}`)}
            <div className="sub">{t(`finance.nature_${line.account}`)}</div>
          </td>
          <td className="num">{amount(line.debit_minor)}</td>
          <td className="num">{amount(line.credit_minor)}</td>
        </tr>
      ))}
    </>
  );
}
