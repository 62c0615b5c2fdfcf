import "./books.css";
import { useQuery } from "@tanstack/react-query";
import { getRouteApi, Link, useNavigate } from "@tanstack/react-router";
import { useEffect } from "react";
import type { BookCurrency } from "../../contract/wire.ts";
import { useI18n } from "../../i18n/i18n.tsx";
import { exact, writeMoney } from "../amounts.ts";
import { Icon } from "../icon.tsx";
import { Scrolling } from "../Scrolling.tsx";
import { Bone, Empty, Stopped } from "../TableStates.tsx";
import { BookEntries } from "./BookEntries.tsx";
import { reportQuery } from "./bookCalls.ts";
import type { BookFilters } from "./bookFilters.ts";
import { Rewards } from "./Rewards.tsx";

const route = getRouteApi("/workspace/books");

/** The books: a trial balance per currency, and behind each account the entries with the events that made them. */
export function BooksPage() {
  const { t } = useI18n();
  const filters = route.useSearch();
  useEffect(() => {
    document.title = `${t("books.title")} · ${t("workspace.title")}`;
  }, [t]);
  return (
    <main className="main" id="work">
      <header className="head fin-h">
        <h1>{t("books.title")}</h1>
      </header>
      <Period filters={filters} />
      <div className="scroll rm prov books" data-list-scroll>
        <p className="muted">{t("books.text")}</p>
        {filters.account === null ? <Balances filters={filters} /> : <BookEntries filters={filters} />}
      </div>
    </main>
  );
}

function Period({ filters }: { filters: BookFilters }) {
  const { t } = useI18n();
  const navigate = useNavigate({ from: "/workspace/books" });
  const day = (name: "from" | "to") => (
    <label className={filters[name] === null ? "pill w-pick" : "pill w-pick on"}>
      {t(`books.${name}`)}
      <input
        type="date"
        value={filters[name] ?? ""}
        onChange={(event) => void navigate({ search: { ...filters, [name]: event.target.value || null, p: null } })}
      />
    </label>
  );
  return (
    <div className="w-bar fin">
      {day("from")}
      {day("to")}
      {filters.from === null && filters.to === null ? null : (
        <Link
          className="link nowrap"
          from="/workspace/books"
          to="."
          search={{ ...filters, from: null, to: null, p: null }}
        >
          {t("books.whole")}
        </Link>
      )}
    </div>
  );
}

function Balances({ filters }: { filters: BookFilters }) {
  const { t } = useI18n();
  const asked = useQuery(reportQuery(filters.from, filters.to));
  return (
    <>
      {asked.error === null ? null : (
        <Stopped error={asked.error} fetchedAt={asked.dataUpdatedAt} onRetry={() => void asked.refetch()} />
      )}
      {asked.data === undefined && asked.error === null ? <Bone width={240} /> : null}
      {asked.data?.currencies.length === 0 ? <Empty title={t("books.none")}>{t("books.none_text")}</Empty> : null}
      <Rewards />
      {asked.data?.currencies.map((books) => (
        <TrialBalance key={books.currency} books={books} filters={filters} />
      ))}
    </>
  );
}

function TrialBalance({ books, filters }: { books: BookCurrency; filters: BookFilters }) {
  const { t } = useI18n();
  const { currency, decimals, sum_minor } = books;
  const money = (minor: number) => (minor === 0 ? "" : exact(minor, decimals));
  return (
    <section aria-labelledby={`books-${currency}`}>
      <h2 id={`books-${currency}`}>{currency}</h2>
      <p className={sum_minor === 0 ? "bk-zero ok" : "bk-zero bad"}>
        <Icon name={sum_minor === 0 ? "check" : "alert"} size="s" />
        {sum_minor === 0 ? t("books.zero") : t("books.not_zero", { amount: writeMoney(sum_minor, books) })}
      </p>
      <Scrolling role="group" className="bk-wrap" aria-label={t("books.account")}>
        <table className="accounts-table">
          <thead>
            <tr>
              <th scope="col">{t("books.account")}</th>
              {filters.from === null ? null : (
                <th scope="col" className="num">
                  {t("books.opening")}
                </th>
              )}
              <th scope="col" className="num">
                {t("books.debit")}
              </th>
              <th scope="col" className="num">
                {t("books.credit")}
              </th>
              <th scope="col" className="num">
                {t("books.closing")}
              </th>
            </tr>
          </thead>
          <tbody>
            {books.accounts.map((account) => (
              <tr key={account.account}>
                <th scope="row">
                  <Link
                    className="quiet-link"
                    to="/workspace/books"
                    search={{ ...filters, account: account.account, currency, p: null }}
                  >
                    {t(`finance.account_${account.account}`)}
                  </Link>
                  <div className="sub">{t(`books.nature_${account.nature}`)}</div>
                </th>
                {filters.from === null ? null : <td className="num">{exact(account.opening_minor, decimals)}</td>}
                <td className="num">{money(account.debit_minor)}</td>
                <td className="num">{money(account.credit_minor)}</td>
                <td className="num bb">{exact(account.closing_minor, decimals)}</td>
              </tr>
            ))}
          </tbody>
          <tfoot>
            <tr>
              <th scope="row">{t("books.sum")}</th>
              {filters.from === null ? null : <td />}
              <td className="num">{exact(books.debit_minor, decimals)}</td>
              <td className="num">{exact(books.credit_minor, decimals)}</td>
              <td className="num bb">{exact(sum_minor, decimals)}</td>
            </tr>
          </tfoot>
        </table>
      </Scrolling>
    </section>
  );
}
