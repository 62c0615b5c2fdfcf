import { useQuery, useQueryClient } from "@tanstack/react-query";
import { getRouteApi, Link } from "@tanstack/react-router";
import { useEffect } from "react";
import type { ProviderAccount, ProviderLine, ProviderPayout } from "../../contract/wire.ts";
import { useI18n } from "../../i18n/i18n.tsx";
import { toast } from "../../ui/toast.tsx";
import { writeMoney, writeSigned } from "../amounts.ts";
import { fullMoment } from "../clock.ts";
import { FailureNote } from "../FailureNote.tsx";
import { Icon } from "../icon.tsx";
import { Pages } from "../Pages.tsx";
import { providerCsvUrl, providerQuery, readProvider } from "../queries.ts";
import { Bone, Empty, Stopped } from "../TableStates.tsx";
import { useOnePress } from "../useOnePress.ts";
import { type ProviderFilters, VERDICTS } from "./providerFilters.ts";
import { useProviderWords } from "./providerWords.ts";
import { UnknownNotices } from "./UnknownNotices.tsx";

const route = getRouteApi("/workspace/provider");

/** The payment provider's account beside our books: money without a payment, payouts, and each movement with its fee. */
export function ProviderPage() {
  const { t } = useI18n();
  const filters = route.useSearch();
  const asked = useQuery(providerQuery({ ...filters, limit: 50 }));
  useEffect(() => {
    document.title = `${t("provider.title")} · ${t("workspace.title")}`;
  }, [t]);
  return (
    <main className="main" id="work">
      <Head filters={filters} />
      <div className="scroll rm prov" data-list-scroll>
        <p className="muted">{t("provider.text")}</p>
        {asked.error === null ? null : (
          <Stopped error={asked.error} fetchedAt={asked.dataUpdatedAt} onRetry={() => void asked.refetch()} />
        )}
        <UnknownNotices />
        {asked.data === undefined ? (
          asked.error === null && <Bone width={240} />
        ) : (
          <>
            <Payouts payouts={asked.data.payouts} />
            <Movements account={asked.data} filters={filters} />
          </>
        )}
      </div>
    </main>
  );
}

function Head({ filters: { p: _page, ...narrowing } }: { filters: ProviderFilters }) {
  const { t } = useI18n();
  const client = useQueryClient();
  const reading = useOnePress({
    mutationFn: readProvider,
    onSuccess: () => toast(t("provider.was_read")),
    onSettled: () => client.invalidateQueries({ queryKey: ["provider"] }),
  });
  return (
    <>
      <header className="head fin-h">
        <h1>{t("provider.title")}</h1>
        <div className="right row">
          <button type="button" className="btn" disabled={reading.isPending} onClick={() => reading.send()}>
            <Icon name="refresh" size="s" />
            {t("provider.read_now")}
          </button>
          <a className="btn" href={providerCsvUrl(narrowing)} download>
            <Icon name="export" size="s" />
            {t("finance.export_csv")}
          </a>
        </div>
      </header>
      <FailureNote error={reading.error} />
    </>
  );
}

function Payouts({ payouts }: { payouts: ProviderPayout[] }) {
  const { t, lang } = useI18n();
  const { payoutState } = useProviderWords();
  return (
    <section aria-labelledby="payouts">
      <h2 id="payouts">{t("provider.payouts")}</h2>
      {payouts.length === 0 ? <p className="sub">{t("provider.payouts_none")}</p> : null}
      <ul className="rm-list">
        {payouts.map((payout) => {
          const standing =
            payout.is_whole === null ? "payout_by_hand" : payout.is_whole ? "payout_matches" : "payout_differs";
          const money = (minor: number) => writeMoney(minor, payout);
          return (
            <li key={payout.id}>
              <article className={payout.is_whole === false ? "rm-one ill" : "rm-one"}>
                <header>
                  <h3 className="num">{money(payout.amount_minor)}</h3>
                  <p className="sub num grow">
                    {t("provider.arrives", {
                      at: fullMoment(payout.arrives_at, lang),
                      state: payoutState(payout.status),
                    })}{" "}
                    · <span className="mono">{payout.id}</span>
                  </p>
                  <Link className="btn sm" from="/workspace/provider" to="." search={{ payout: payout.id }}>
                    {t("provider.items", { n: payout.items })}
                  </Link>
                </header>
                <p className="muted">{t(`provider.${standing}`, { amount: money(payout.items_minor) })}</p>
              </article>
            </li>
          );
        })}
      </ul>
    </section>
  );
}

function Movements({ account, filters }: { account: ProviderAccount; filters: ProviderFilters }) {
  const { t } = useI18n();
  const counted = new Map(account.counts.map(({ verdict, count }) => [verdict, count]));
  const isNarrowed = filters.verdict !== null || filters.payout !== null;
  return (
    <section aria-labelledby="movements">
      <h2 id="movements">{t("provider.movements")}</h2>
      <p className="chips">
        {VERDICTS.filter((verdict) => counted.has(verdict)).map((verdict) => (
          <Link
            key={verdict}
            className={`chip ${LOOKS[verdict]}`.trim()}
            from="/workspace/provider"
            to="."
            search={{ ...filters, verdict, p: null }}
          >
            {t(`provider.verdict_${verdict}`)} · {counted.get(verdict)}
          </Link>
        ))}
        {isNarrowed ? (
          <Link className="btn sm" to="/workspace/provider">
            {t("finance.clear_all")}
          </Link>
        ) : null}
      </p>
      {account.result.length === 0 ? <Empty title={t("provider.none")}>{t("provider.none_text")}</Empty> : null}
      <ul className="rm-list">
        {account.result.map((line) => (
          <li key={`${line.id}.${line.source}`}>
            <Movement line={line} />
          </li>
        ))}
      </ul>
      <Pages list="/workspace/provider" meta={account.meta} />
    </section>
  );
}

const LOOKS = {
  missing_here: "bad",
  missing_there: "bad",
  differing: "warn",
  matched: "ok",
  own: "",
} as const satisfies Record<ProviderLine["verdict"], string>;

function Movement({ line }: { line: ProviderLine }) {
  const { t, lang } = useI18n();
  const { movement } = useProviderWords();
  const money = (minor: number) => writeMoney(minor, line);
  const { decimals, here_minor, here_currency } = line;
  const here = here_minor === null ? "—" : writeMoney(here_minor, { decimals, currency: here_currency });
  return (
    <article className={LOOKS[line.verdict] === "bad" ? "rm-one ill" : "rm-one"}>
      <header>
        <h3 className="num">{writeSigned(line.amount_minor, line)}</h3>
        <p className="sub num grow">
          {movement(line.kind)} · {fullMoment(line.created_at, lang)} ·{" "}
          <span className="mono">{line.source ?? line.id}</span>
        </p>
        <span className={`chip ${LOOKS[line.verdict]}`.trim()}>{t(`provider.verdict_${line.verdict}`)}</span>
      </header>
      <p className="muted num">
        {t("provider.fee_and_net", { fee: money(line.fee_minor), net: money(line.net_minor) })}
        {line.payout_id === null ? null : (
          <>
            {" "}
            · <span className="mono">{line.payout_id}</span>
          </>
        )}
        {line.payment_id === null ? null : (
          <>
            {" "}
            ·{" "}
            <Link className="quiet-link" to="/workspace/finance" search={{ payment: line.payment_id }}>
              {line.payment_reference}
            </Link>
          </>
        )}
      </p>
      {line.verdict === "matched" && line.exchange_rate !== null ? (
        <p className="sub">{t("provider.exchanged", { here, rate: line.exchange_rate })}</p>
      ) : null}
      {line.verdict === "matched" ? null : <p className="sub">{t(`provider.because_${line.verdict}`, { here })}</p>}
    </article>
  );
}
