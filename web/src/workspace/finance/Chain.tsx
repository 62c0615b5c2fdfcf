import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { type CSSProperties, useId } from "react";
import type { ChainStatus } from "../../contract/wire.ts";
import { useFormat, useI18n } from "../../i18n/i18n.tsx";
import { clockTime, fullMoment } from "../clock.ts";
import { Icon } from "../icon.tsx";
import { CloseButton, Overlay } from "../Overlay.tsx";
import { chainQuery } from "../queries.ts";
import { Scrolling } from "../Scrolling.tsx";
import { Bone, Stopped } from "../TableStates.tsx";
import type { AuditFilters } from "./auditFilters.ts";
import { MonthEnd } from "./MonthEnd.tsx";
import { segmentsOf } from "./segments.ts";

/** Up to which event the log is proved unbroken, in one line. */
export function ProofStrip({ filters }: { filters: AuditFilters }) {
  const { t } = useI18n();
  const { number } = useFormat();
  const { data, error } = useQuery(chainQuery);
  if (data === undefined) {
    return (
      <p className={error === null ? "proof asking" : "proof broken"} role="status">
        <Icon name={error === null ? "shield" : "alert"} />
        <b>{t(error === null ? "finance.verifying" : "finance.not_verified")}</b>
      </p>
    );
  }
  const { ok, verified_through, head, first_broken, checked_at } = data;
  return (
    <Link
      className={ok ? "proof" : "proof broken"}
      to="/workspace/finance"
      search={{ ...filters, chain: "1" }}
      resetScroll={false}
    >
      <Icon name={ok ? "shield" : "alert"} />
      <b className="num">
        {ok
          ? t("finance.verified_through", { n: number(verified_through) })
          : t("finance.broken_at", { n: number(first_broken ?? verified_through + 1) })}
      </b>
      <Segments chain={data} look="" />
      <span className="sub c-wide num">
        {t("finance.checked_at", { time: clockTime(checked_at) })}
        {head > verified_through
          ? ` · ${t("finance.newer_events", { n: head - verified_through, shown: number(head - verified_through) })}`
          : ""}
      </span>
      <span className="link">{t("finance.details")}</span>
    </Link>
  );
}

function filled(share: number): CSSProperties {
  return Object.fromEntries([["--f", `${Math.round(share * 100)}%`]]);
}

/** One block per 4,096 events, the open one partly filled, a broken one red. */
function Segments({ chain, look }: { chain: ChainStatus; look: "" | "big" }) {
  const blocks = segmentsOf(chain, look === "big" ? 48 : 16);
  return (
    <span className={`segs ${look}`.trim()} aria-hidden="true">
      {blocks.map(({ first, state, share }) => (
        <i key={first} className={state} style={filled(share)} />
      ))}
    </span>
  );
}

/** What was checked, and what a broken link would mean. */
export function ChainDrawer({ onClose }: { onClose: () => void }) {
  const { t } = useI18n();
  const heading = useId();
  const chain = useQuery(chainQuery);
  // Nothing is said of the chain before it was recomputed.
  const verdict = chain.data === undefined ? "verifying" : chain.data.ok ? "chain_whole" : "chain_broken";
  return (
    <Overlay kind="side" labelledBy={heading} onClose={onClose}>
      <div className="w-drawer narrow">
        <header>
          <div className="grow">
            <h2 id={heading}>{t(`finance.${verdict}`)}</h2>
            <p className="sub">{t("finance.chain_explained")}</p>
          </div>
          <CloseButton onClose={onClose} />
        </header>
        <Scrolling className="body">
          {chain.error === null ? null : (
            <Stopped error={chain.error} fetchedAt={chain.dataUpdatedAt} onRetry={() => void chain.refetch()} />
          )}
          {chain.data === undefined ? chain.error === null ? <LoadingVerdict /> : null : <Verdict chain={chain.data} />}
          <MonthEnd />
        </Scrolling>
        <footer>
          <button type="button" className="btn" disabled={chain.isFetching} onClick={() => void chain.refetch()}>
            <Icon name="refresh" size="s" />
            {t(chain.isFetching ? "finance.asking_again" : "finance.ask_again")}
          </button>
        </footer>
      </div>
    </Overlay>
  );
}

/** The same parts, grey. */
function LoadingVerdict() {
  return (
    <div className="loading-verdict" aria-busy="true">
      <span className="sk block" />
      <Bone width={140} />
      <span className="sk segments" />
      {[200, 120, 120, 80].map((width, line) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: four lines that never change
        <Bone key={line} width={width} look="s" />
      ))}
    </div>
  );
}

function Verdict({ chain }: { chain: ChainStatus }) {
  const { t, lang } = useI18n();
  const { number } = useFormat();
  const { ok, verified_through, head, first_broken, checked_at } = chain;
  const facts: [string, string][] = [
    [t("finance.chain_checked"), fullMoment(checked_at, lang)],
    [t("finance.chain_through"), number(verified_through)],
    [t("finance.chain_head"), number(head)],
    [t("finance.chain_first_broken"), first_broken === null ? t("finance.chain_none") : number(first_broken)],
  ];
  return (
    <>
      <div className={ok ? "verdict" : "verdict broken"} role="status">
        <Icon name={ok ? "shield" : "alert"} />
        <div>
          <p className="vbig num">
            {ok
              ? t("finance.verified_through", { n: number(verified_through) })
              : t("finance.broken_at", { n: number(first_broken ?? verified_through + 1) })}
          </p>
          <p className="sub">{t(ok ? "finance.chain_ok_text" : "finance.chain_broken_text")}</p>
        </div>
      </div>
      <div>
        <h3>{t("finance.segments", { n: Math.max(1, Math.ceil(head / 4096)) })}</h3>
        <Segments chain={chain} look="big" />
        <div className="row sub num between">
          <span>1</span>
          <span>{number(head)}</span>
        </div>
      </div>
      <dl className="kv2 wide">
        {facts.map(([name, value]) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd className="num">{value}</dd>
          </div>
        ))}
      </dl>
    </>
  );
}
