import "./workspace.css";
import "./support/leads.css";
import "./support/replay.css";
import "./finance/finance.css";
import "./frame.css";
import "./readModels.css";
import { QueryClientProvider, useQuery } from "@tanstack/react-query";
import { useEffect, useState } from "react";
import { ApiError } from "../api.ts";
import type { WorkspaceMe } from "../contract/wire.ts";
import { useI18n } from "../i18n/i18n.tsx";
import { Toasts } from "../ui/toast.tsx";
import { AccessPage, PlaceNotice } from "./AccessPage.tsx";
import { leadsPath, type Place, placeOf, useAddress } from "./address.ts";
import { FinancePage } from "./finance/FinancePage.tsx";
import { GrantsPage } from "./GrantsPage.tsx";
import { Palette } from "./Palette.tsx";
import { meQuery, newQueryClient } from "./queries.ts";
import { ReadModelsPage } from "./ReadModelsPage.tsx";
import { landOn, Shell } from "./Shell.tsx";
import { MeProvider } from "./session.ts";
import { LeadsPage } from "./support/LeadsPage.tsx";
import { ReplayPage } from "./support/ReplayPage.tsx";
import { WorkLink } from "./WorkLink.tsx";

const client = newQueryClient();

/** Everything below `/workspace` (D108). */
export default function WorkspacePage() {
  return (
    <QueryClientProvider client={client}>
      <Workspace />
    </QueryClientProvider>
  );
}

function Workspace() {
  const me = useQuery(meQuery);
  const [refusal, setRefusal] = useState<Error | null>(null);
  useEffect(() => {
    if (me.error !== null) setRefusal(me.error);
  }, [me.error]);
  // A role taken back, or a login that ended, closes the page that is open: what it had fetched is not shown any longer.
  const isShut = me.error instanceof ApiError && (me.error.status === 401 || me.error.status === 403);
  if (me.data === undefined || isShut) {
    // While the question is asked again, its last refusal stays on screen.
    const error = me.error ?? refusal;
    return error === null ? null : <AccessPage error={error} onRetry={() => void me.refetch()} />;
  }
  return <Staffed me={me.data} />;
}

function Staffed({ me }: { me: WorkspaceMe }) {
  const place = placeOf(useAddress().pathname);
  const [finding, setFinding] = useState(false);
  const start = place.page === "start";
  useEffect(() => {
    if (start) landOn(me);
  }, [start, me]);
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      if (!(event.ctrlKey || event.metaKey) || event.key.toLowerCase() !== "k") return;
      event.preventDefault();
      setFinding((open) => !open);
    };
    window.addEventListener("keydown", onKey);
    return () => window.removeEventListener("keydown", onKey);
  }, []);
  return (
    <MeProvider value={me}>
      <Shell me={me} place={place} onFind={() => setFinding(true)}>
        <PlaceShown me={me} place={place} />
        {finding ? <Palette onClose={() => setFinding(false)} /> : null}
      </Shell>
      <Toasts />
    </MeProvider>
  );
}

function PlaceShown({ me, place }: { me: WorkspaceMe; place: Place }) {
  switch (place.page) {
    case "start":
      return <main className="main" id="work" />;
    case "leads":
      return me.can.leads ? <LeadsPage /> : <NotYours />;
    case "replay":
      return me.can.leads ? <ReplayPage key={place.leadId} leadId={place.leadId} /> : <NotYours />;
    case "finance":
      return me.can.finance ? <FinancePage /> : <NotYours />;
    case "read_models":
      return <ReadModelsPage />;
    case "grants":
      return me.can.grants ? <GrantsPage /> : <NotYours />;
    case "unknown":
      return <NoSuchPlace />;
  }
}

function NotYours() {
  const { t } = useI18n();
  return (
    <PlaceNotice icon="lock" title={t("workspace.not_yours_title")} text={t("workspace.not_yours_text")}>
      <WorkLink className="btn" href="/workspace">
        {t("workspace.to_start")}
      </WorkLink>
    </PlaceNotice>
  );
}

function NoSuchPlace() {
  const { t } = useI18n();
  return (
    <PlaceNotice icon="search" title={t("workspace.missing_title")} text={t("workspace.missing_text")}>
      <WorkLink className="btn" href={leadsPath()}>
        {t("workspace.to_start")}
      </WorkLink>
    </PlaceNotice>
  );
}
