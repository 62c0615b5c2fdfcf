import { useQuery } from "@tanstack/react-query";
import { getRouteApi, Link } from "@tanstack/react-router";
import { type ReactNode, Suspense, useEffect, useState } from "react";
import type { AuditPage, AuditRow } from "../../contract/wire.ts";
import { useFormat, useI18n } from "../../i18n/i18n.tsx";
import { lazyPart } from "../../ui/lazyPart.tsx";
import { writeSigned } from "../amounts.ts";
import { DialogButton } from "../DialogButton.tsx";
import { Icon } from "../icon.tsx";
import { useKeys } from "../keys.ts";
import { Pages, PastTheEnd } from "../Pages.tsx";
import { usePastMoment } from "../pastMoment.ts";
import { auditQuery, csvUrl, workbookUrl } from "../queries.ts";
import { Scrolling } from "../Scrolling.tsx";
import { Empty, NothingFound, Stopped, useSlow } from "../TableStates.tsx";
import { withTexts } from "../withTexts.ts";
import { AsOfDialog, AsOfSwitch } from "./AsOf.tsx";
import { AuditFilterBar } from "./AuditFilterBar.tsx";
import { AuditTable, LoadingAudit } from "./AuditTable.tsx";
import {
  type AuditFilters,
  asked,
  auditFilters,
  isNarrowed,
  type Panel,
  type PanelSearch,
  panelOf,
  placeOf,
} from "./auditFilters.ts";
import { ChainDrawer, ProofStrip } from "./Chain.tsx";
import { FailedRefunds } from "./FailedRefunds.tsx";
import { MoneyWhyKey } from "./MoneyWhy.tsx";
import { PaymentDrawer } from "./PaymentDrawer.tsx";
import { RefundDialog } from "./RefundDialog.tsx";
import { Tiles, TilesComing } from "./Tiles.tsx";

const WaitingBand = lazyPart(async () => (await withTexts(import("./WaitingBand.tsx"), "approvals")).WaitingBand);
const PersonSearch = lazyPart(
  async () => (await withTexts(import("./PersonSearch.tsx"), "person_search")).PersonSearch,
);
const Alerts = lazyPart(async () => (await withTexts(import("./Alerts.tsx"), "approvals")).Alerts);

const route = getRouteApi("/workspace/finance");

/** Every payment event, with totals per currency, down to the lead and the event that caused it. */
export function FinancePage() {
  const { t } = useI18n();
  const search = route.useSearch();
  // Without what else an address may carry: the server refuses parameters that a list does not know.
  const filters = auditFilters(search);
  const navigate = route.useNavigate();
  const list = useQuery(auditQuery({ ...asked(filters), limit: 50 }));
  const [chosen, setChosen] = useState<string | null>(null);
  const rows = list.data?.result ?? [];
  const step = (by: number) => {
    const at = rows.findIndex((row) => placeOf(row) === chosen);
    const next = rows[Math.max(0, Math.min(rows.length - 1, at + by))];
    if (next !== undefined) setChosen(placeOf(next));
  };
  const [choosing, setChoosing] = useState(false);
  const isPast = usePastMoment() !== null;
  // A panel over the list leaves it where it is.
  const show = (panel: Partial<PanelSearch>) => void navigate({ search: { ...filters, ...panel }, resetScroll: false });
  const open = (row: AuditRow) => show({ payment: row.payment_id });
  useKeys({
    j: () => step(1),
    k: () => step(-1),
    enter: () => {
      const row = rows.find((one) => placeOf(one) === chosen);
      if (row !== undefined) open(row);
    },
    "/": () => document.getElementById("audit-search")?.focus(),
    t: () => setChoosing(true),
  });
  useEffect(() => {
    document.title = `${t("finance.title")} · ${t("workspace.title")}`;
  }, [t]);
  return (
    <main className="main" id="work">
      <Head filters={filters} count={list.data?.meta.count}>
        <AsOfSwitch onOpen={() => setChoosing(true)} />
      </Head>
      <div className="scroll" data-list-scroll>
        <Suspense>
          <WaitingBand />
          <Alerts />
        </Suspense>
        <FailedRefunds onOpen={(payment) => show({ payment })} onRefund={(payment) => show({ payment, refund: "1" })} />
        {list.data === undefined ? <TilesComing /> : <Tiles totals={list.data.totals} />}
        <ProofStrip filters={filters} />
        <AuditFilterBar filters={filters} page={list.data} />
        <Results list={list} filters={filters} chosen={chosen} onChoose={setChosen} onOpen={open} />
      </div>
      <Totals page={list.data} />
      <MoneyWhyKey row={rows.find((row) => placeOf(row) === chosen)} />
      <OpenPanel panel={panelOf(search)} past={isPast} onShow={show} />
      {choosing ? <AsOfDialog onClose={() => setChoosing(false)} /> : null}
    </main>
  );
}

interface HeadProps {
  filters: AuditFilters;
  count: number | undefined;
  children: ReactNode;
}

function Head({ filters, count, children }: HeadProps) {
  const { t } = useI18n();
  const { number } = useFormat();
  const { p: _page, ...narrowing } = asked(filters);
  return (
    <header className="head fin-h">
      <h1>{t("finance.title")}</h1>
      <span className="sub c-wide">{t("finance.subtitle")}</span>
      <div className="right row">
        <DialogButton
          icon="search"
          name={t("finance.find_person")}
          dialog={(onClose) => <PersonSearch onClose={onClose} />}
        />
        {children}
        <a
          className="btn"
          href={csvUrl(narrowing)}
          download
          title={t("finance.export_hint", { n: number(count ?? 0) })}
        >
          <Icon name="export" size="s" />
          {t("finance.export_csv")}
        </a>
        <a className="btn c-wide" href={workbookUrl(narrowing)} download>
          <Icon name="export" size="s" />
          {t("finance.export_xlsx")}
        </a>
      </div>
    </header>
  );
}

interface ResultsProps {
  list: ReturnType<typeof useQuery<AuditPage>>;
  filters: AuditFilters;
  chosen: string | null;
  onChoose: (place: string) => void;
  onOpen: (row: AuditRow) => void;
}

function Results({ list, filters, chosen, onChoose, onOpen }: ResultsProps) {
  const slow = useSlow(list.isPending);
  const { data, error } = list;
  const stopped =
    error === null ? null : (
      <Stopped error={error} fetchedAt={list.dataUpdatedAt} onRetry={() => void list.refetch()} />
    );
  if (data === undefined) return stopped ?? (slow ? <LoadingAudit /> : null);
  if (data.result.length === 0 && data.meta.count > 0) {
    return stopped ?? <PastTheEnd list="/workspace/finance" />;
  }
  if (data.result.length === 0) return stopped ?? <NoEvents filters={filters} />;
  return (
    <>
      {stopped}
      <AuditTable rows={data.result} old={stopped !== null} {...{ chosen, onChoose, onOpen }} />
      <Pages list="/workspace/finance" meta={data.meta} />
    </>
  );
}

function NoEvents({ filters }: { filters: AuditFilters }) {
  const { t } = useI18n();
  const isPast = usePastMoment() !== null;
  const isMoney = filters.steps === null && filters.kind === null;
  if (isMoney) {
    return (
      <NothingFound
        title={t(isNarrowed(filters) ? "finance.none_found" : "finance.no_money_moved")}
        actions={
          <>
            <Link className="btn" to="/workspace/finance" search={{ ...filters, steps: "all", p: null }}>
              {t("finance.steps_all")}
            </Link>
            {isNarrowed(filters) ? (
              <Link className="btn quiet" to="/workspace/finance" search={{}}>
                {t("finance.clear_all")}
              </Link>
            ) : null}
          </>
        }
      >
        {t("finance.steps_hidden")}
      </NothingFound>
    );
  }
  if (!isNarrowed(filters)) {
    const words = t(isPast ? "finance.as_of_empty" : "finance.empty_text");
    return <Empty title={t("finance.empty_title")}>{words}</Empty>;
  }
  return (
    <NothingFound
      title={t("finance.none_found")}
      actions={
        <Link className="btn" to="/workspace/finance" search={{ steps: filters.steps }}>
          {t("finance.clear_all")}
        </Link>
      }
    >
      {t("finance.none_found_text")}
    </NothingFound>
  );
}

/** What the listed events come to, one sum per currency and never one over two. */
function Totals({ page }: { page: AuditPage | undefined }) {
  const { t } = useI18n();
  const { number } = useFormat();
  if (page === undefined) return null;
  const count = page.meta.count;
  return (
    <Scrolling as="section" className="totals num" aria-label={t("finance.totals_listed")}>
      <span className="sub">{t("finance.net_of", { n: count, shown: number(count) })}</span>
      {page.totals.map((total) => (
        <span key={total.currency}>{writeSigned(total.net_minor, total)}</span>
      ))}
      <span className="end sub c-wide">
        <kbd>J</kbd> <kbd>K</kbd> {t("workspace.key_move")} <kbd>↵</kbd> {t("finance.key_ledger")} <kbd>T</kbd>{" "}
        {t("finance.key_as_of")} <kbd>W</kbd> {t("support.key_why")}
      </span>
    </Scrolling>
  );
}

interface OpenPanelProps {
  panel: Panel;
  /** The books are shown as they stood. */
  past: boolean;
  onShow: (panel: Partial<PanelSearch>) => void;
}

function OpenPanel({ panel, past, onShow }: OpenPanelProps) {
  const close = () => onShow({});
  switch (panel.panel) {
    case "none":
      return null;
    case "chain":
      return <ChainDrawer onClose={close} />;
    case "ledger":
      return (
        <PaymentDrawer
          paymentId={panel.paymentId}
          past={past}
          onClose={close}
          onRefund={() => onShow({ payment: panel.paymentId, refund: "1" })}
        />
      );
    case "refund":
      return <RefundDialog paymentId={panel.paymentId} onClose={() => onShow({ payment: panel.paymentId })} />;
  }
}
