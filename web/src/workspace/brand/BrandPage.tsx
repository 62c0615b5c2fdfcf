import "./brand.css";
import { useQuery } from "@tanstack/react-query";
import { getRouteApi } from "@tanstack/react-router";
import { useEffect } from "react";
import { useI18n } from "../../i18n/i18n.tsx";
import { Bone, Stopped } from "../TableStates.tsx";
import { brandQuery } from "./brandCalls.ts";
import { DraftDesk } from "./DraftDesk.tsx";

const route = getRouteApi("/workspace/brand");

/** The face of the house: a draft beside what readers would see of it, its publication, and earlier versions. */
export function BrandPage() {
  const { t } = useI18n();
  const { view } = route.useSearch();
  const asked = useQuery(brandQuery);
  useEffect(() => {
    document.title = `${t("workspace.brand")} · ${t("workspace.title")}`;
  }, [t]);
  return (
    <main className="main" id="work">
      {asked.data !== undefined ? (
        <DraftDesk brand={asked.data} isHistory={view === "history"} />
      ) : asked.error === null ? (
        <Bone width={320} />
      ) : (
        <Stopped error={asked.error} fetchedAt={asked.dataUpdatedAt} onRetry={() => void asked.refetch()} />
      )}
    </main>
  );
}
