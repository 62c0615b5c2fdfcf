import "./reconciliation.css";
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { Suspense, useEffect } from "react";
import type { Reconciliation } from "../../contract/wire.ts";
import { useI18n } from "../../i18n/i18n.tsx";
import { lazyPart } from "../../ui/lazyPart.tsx";
import { toast } from "../../ui/toast.tsx";
import { exact } from "../amounts.ts";
import { fullMoment } from "../clock.ts";
import { useFailureText } from "../failure.ts";
import { Icon } from "../icon.tsx";
import { Bone, Empty, Stopped } from "../TableStates.tsx";
import { useOnePress } from "../useOnePress.ts";
import { withTexts } from "../withTexts.ts";
import { ExceptionCard } from "./ExceptionCard.tsx";
import { pullEvents, reconciliationQuery, runReconciliation } from "./reconciliationCalls.ts";

const FileComparison = lazyPart(
  async () => (await withTexts(import("./FileComparison.tsx"), "bank_file")).FileComparison,
);

/** Our books against the provider's account: a tile a check, both totals, and each exception with its reason and cure. */
export function ReconciliationPage() {
  const { t } = useI18n();
  const asked = useQuery(reconciliationQuery);
  useEffect(() => {
    document.title = `${t("reconciliation.title")} · ${t("workspace.title")}`;
  }, [t]);
  return (
    <main className="main" id="work">
      <Head />
      <div className="scroll rm prov" data-list-scroll>
        <p className="muted">{t("reconciliation.text")}</p>
        {asked.error === null ? null : (
          <Stopped error={asked.error} fetchedAt={asked.dataUpdatedAt} onRetry={() => void asked.refetch()} />
        )}
        {asked.data === undefined ? asked.error === null && <Bone width={240} /> : <Compared run={asked.data} />}
        <Suspense>
          <FileComparison />
        </Suspense>
      </div>
    </main>
  );
}

function Head() {
  const { t } = useI18n();
  const client = useQueryClient();
  const failureText = useFailureText();
  const again = () => {
    for (const key of ["reconciliation", "provider", "books"]) void client.invalidateQueries({ queryKey: [key] });
  };
  const running = useOnePress({
    mutationFn: runReconciliation,
    onSuccess: () => toast(t("reconciliation.was_run")),
    onSettled: again,
  });
  const pulling = useOnePress({
    mutationFn: pullEvents,
    onSuccess: () => toast(t("reconciliation.was_pulled")),
    onSettled: again,
  });
  const isBusy = running.isPending || pulling.isPending;
  const error = running.error ?? pulling.error;
  return (
    <>
      <header className="head fin-h">
        <h1>{t("reconciliation.title")}</h1>
        <div className="right row">
          <button type="button" className="btn" disabled={isBusy} onClick={() => pulling.send()}>
            <Icon name="down" size="s" />
            {t("reconciliation.pull")}
          </button>
          <button type="button" className="btn pri" disabled={isBusy} onClick={() => running.send()}>
            <Icon name="refresh" size="s" />
            {t("reconciliation.run")}
          </button>
        </div>
      </header>
      {error === null ? null : (
        <p className="note bad" role="alert">
          {failureText(error)}
        </p>
      )}
    </>
  );
}

function Compared({ run }: { run: Reconciliation }) {
  const { t, lang } = useI18n();
  // Nothing agrees before anything was compared.
  if (run.newest === null && run.exceptions.length === 0)
    return <Empty title={t("reconciliation.never")}>{t("reconciliation.never_text")}</Empty>;
  const differs = run.totals.some(({ difference_minor }) => difference_minor !== 0);
  return (
    <>
      <p className="sub num">
        {run.newest === null
          ? t("reconciliation.never")
          : t("reconciliation.newest", { at: fullMoment(run.newest, lang) })}
      </p>
      <section aria-labelledby="checks">
        <h2 id="checks">{t("reconciliation.checks")}</h2>
        <ul className="rc-tiles">
          {run.tiles.map(({ check, count, example }) => (
            <li key={check} className={count === 0 ? "ok" : "bad"}>
              <Icon name={count === 0 ? "check" : "alert"} />
              <b>{t(`reconciliation.check_${check}`)}</b>
              <span>{count === 0 ? t("reconciliation.green") : t("reconciliation.red", { n: count })}</span>
              {example === null ? null : <span className="mono sub">{example}</span>}
            </li>
          ))}
        </ul>
      </section>
      <Totals run={run} />
      <section aria-labelledby="exceptions">
        <h2 id="exceptions">{t("reconciliation.exceptions")}</h2>
        {run.exceptions.length > 0 ? null : differs ? (
          <p className="note">{t("reconciliation.unexplained")}</p>
        ) : (
          <Empty title={t("reconciliation.none")}>{t("reconciliation.none_text")}</Empty>
        )}
        <ul className="rm-list">
          {run.exceptions.map((exception) => (
            <li key={exception.item}>
              <ExceptionCard exception={exception} />
            </li>
          ))}
        </ul>
      </section>
    </>
  );
}

function Totals({ run }: { run: Reconciliation }) {
  const { t } = useI18n();
  if (run.totals.length === 0) return null;
  return (
    <section aria-labelledby="totals">
      <h2 id="totals">{t("reconciliation.totals")}</h2>
      <ul className="rc-tiles">
        {run.totals.map(({ currency, decimals, there_minor, here_minor, difference_minor, newer_minor }) => (
          <li key={currency} className={difference_minor === 0 ? "ok" : "bad"}>
            <Icon name={difference_minor === 0 ? "check" : "alert"} />
            <b>{currency}</b>
            <span className="num">
              {t("reconciliation.there")} {exact(there_minor, decimals)}
            </span>
            <span className="num">
              {t("reconciliation.here")} {exact(here_minor, decimals)}
            </span>
            <span className="num">
              {t("reconciliation.difference")} <b>{exact(difference_minor, decimals)}</b>
            </span>
            {newer_minor === 0 ? null : (
              <span className="sub num">{t("reconciliation.newer", { amount: exact(newer_minor, decimals) })}</span>
            )}
          </li>
        ))}
      </ul>
    </section>
  );
}
