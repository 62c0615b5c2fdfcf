import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import type { BookPosting, BookPostings } from "../../contract/wire.ts";
import { useFormat, useI18n } from "../../i18n/i18n.tsx";
import { exact } from "../amounts.ts";
import { fullMoment } from "../clock.ts";
import { Icon } from "../icon.tsx";
import { Pages } from "../Pages.tsx";
import { Bone, Empty, Stopped } from "../TableStates.tsx";
import { postingsQuery } from "./bookCalls.ts";
import type { BookFilters } from "./bookFilters.ts";

/** The entries of one account with the balance after each, and the way to the payment behind it. */
export function BookEntries({ filters }: { filters: BookFilters }) {
  const { t } = useI18n();
  const asked = useQuery(postingsQuery(filters));
  return (
    <>
      <Link className="btn sm" to="/workspace/books" search={{ ...filters, account: null, currency: null, p: null }}>
        <Icon name="left" size="xs" />
        {t("books.back")}
      </Link>
      {asked.error === null ? null : (
        <Stopped error={asked.error} fetchedAt={asked.dataUpdatedAt} onRetry={() => void asked.refetch()} />
      )}
      {asked.data === undefined ? asked.error === null && <Bone width={240} /> : <Entries postings={asked.data} />}
    </>
  );
}

function Entries({ postings }: { postings: BookPostings }) {
  const { t } = useI18n();
  const { currency, decimals } = postings;
  const account = t(`finance.account_${postings.account}`);
  return (
    <section aria-labelledby="entries">
      <h2 id="entries">{t("books.postings_of", { account, currency })}</h2>
      <p className="sub num">
        {t("books.opening")} {exact(postings.opening_minor, decimals)} · {t("books.closing")}{" "}
        <b>{exact(postings.closing_minor, decimals)}</b>
      </p>
      {postings.result.length === 0 ? <Empty title={t("books.none")}>{t("books.none_text")}</Empty> : null}
      <ul className="rm-list">
        {postings.result.map((posting) => (
          <li key={`${posting.position} ${posting.balance_minor}`}>
            <Entry posting={posting} />
          </li>
        ))}
      </ul>
      <Pages list="/workspace/books" meta={postings.meta} />
    </section>
  );
}

function Entry({ posting }: { posting: BookPosting }) {
  const { t, tData, lang } = useI18n();
  const { number } = useFormat();
  const { decimals, debit_minor, credit_minor } = posting;
  const names = [`books.kind_${posting.kind}`, `finance.kind_${posting.kind}`];
  const known = names.map((key) => [key, tData(key)] as const).find(([key, text]) => key !== text);
  return (
    <article className="rm-one">
      <header>
        <h3 className="num">
          {debit_minor > 0
            ? `${t("books.debit")} ${exact(debit_minor, decimals)}`
            : `${t("books.credit")} ${exact(credit_minor, decimals)}`}
        </h3>
        <p className="sub num grow">
          {known?.[1] ?? posting.kind} · {fullMoment(posting.recorded_at, lang)} ·{" "}
          {t("books.event", { n: number(posting.position) })}
        </p>
        <span className="num">
          <span className="sub">{t("books.running")}</span> <b>{exact(posting.balance_minor ?? 0, decimals)}</b>
        </span>
      </header>
      <p className="sub">
        {posting.payment_id === null ? null : (
          <Link className="quiet-link" to="/workspace/finance" search={{ payment: posting.payment_id }}>
            {posting.payment_reference ?? t("books.payment")}
          </Link>
        )}{" "}
        {posting.source === null ? null : <span className="mono">{posting.source}</span>}
      </p>
    </article>
  );
}
