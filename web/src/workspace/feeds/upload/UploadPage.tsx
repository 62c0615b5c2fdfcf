import "../../recordPages.css";
import "../feeds.css";
import "./upload.css";
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { getRouteApi, Link } from "@tanstack/react-router";
import { useMachine } from "@xstate/react";
import { useEffect, useRef } from "react";
import { ApiError } from "../../../api.ts";
import { useFormat, useI18n } from "../../../i18n/i18n.tsx";
import { PlaceNotice } from "../../AccessPage.tsx";
import { Icon } from "../../icon.tsx";
import { useKeys } from "../../keys.ts";
import { Bone, Stopped } from "../../TableStates.tsx";
import { type FeedUpload, feedKeys, uploadQuery } from "../feedCalls.ts";
import { ColumnStep } from "./columns/ColumnStep.tsx";
import { FileStep } from "./file/FileStep.tsx";
import { HomesStep } from "./HomesStep.tsx";
import { ResultStep } from "./ResultStep.tsx";
import { RunStep } from "./RunStep.tsx";
import { StepBar } from "./StepFrame.tsx";
import { isBusy, type Step, stepOf, type UploadEvent, uploadMachine } from "./uploadMachine.ts";

const route = getRouteApi("/workspace/feeds/new");

/** An import by upload, step by step; nothing changes before its last press. */
export function UploadPage() {
  const { t } = useI18n();
  const { upload: id } = route.useSearch();
  const asked = useQuery({ ...uploadQuery(id ?? ""), enabled: id !== null });
  useEffect(() => {
    document.title = `${t("imports.new")} · ${t("workspace.title")}`;
  }, [t]);
  if (id === null) return <Upload upload={null} />;
  if (asked.data !== undefined) return <Upload upload={asked.data} />;
  if (asked.error instanceof ApiError && asked.error.status === 404) return <NoSuchUpload />;
  return (
    <main className="main" id="work" aria-busy={asked.isPending}>
      {asked.error === null ? null : <Stopped error={asked.error} fetchedAt={0} onRetry={() => void asked.refetch()} />}
      <div className="pad stackv" aria-hidden="true">
        <Bone width={240} />
        <Bone width={420} />
      </div>
    </main>
  );
}

/** What every step is given. */
export interface StepProps {
  /** The step follows another one on this page. */
  takesFocus: boolean;
  send: (event: UploadEvent) => void;
  /** Takes in what the server answered. */
  onArrived: (upload: FeedUpload) => void;
}

function Upload({ upload }: { upload: FeedUpload | null }) {
  const [snapshot, send] = useMachine(uploadMachine, { input: { upload } });
  const arrived = useArrived();
  const navigate = route.useNavigate();
  const shown = snapshot.context.upload;
  const step = stepOf((one) => snapshot.matches(one));
  const begun = useRef(step);
  const isMoved = begun.current !== step;
  useEffect(() => {
    if (upload !== null) send({ type: "upload.arrived", upload });
    else send({ type: "upload.left" });
  }, [upload, send]);
  useKeys({
    escape: () => {
      const back = BACK[step];
      if (back === null) void navigate({ to: "/workspace/feeds" });
      else send({ type: "step.go", to: back });
    },
  });
  const given: StepProps = { takesFocus: isMoved, send, onArrived: arrived };
  return (
    <main className="main" id="work">
      <Head upload={shown} />
      <StepBar step={step} />
      {shown === null || step === "file" ? (
        <FileStep
          key={shown?.upload_id}
          {...given}
          upload={shown}
          sent={snapshot.matches({ file: "sending" }) ? snapshot.context.sent : null}
        />
      ) : step === "columns" ? (
        <ColumnStep
          key={shown.upload_id}
          {...given}
          upload={shown}
          isSaving={snapshot.matches({ columns: "saving" })}
        />
      ) : step === "homes" ? (
        <HomesStep {...given} upload={shown} />
      ) : isBusy(shown) ? (
        <RunStep {...given} upload={shown} />
      ) : (
        <ResultStep key={shown.work} {...given} upload={shown} />
      )}
    </main>
  );
}

/** Where Escape leads from a step; null for the list of feeds. */
const BACK: Record<Step, "columns" | "homes" | null> = {
  file: null,
  columns: null,
  homes: "columns",
  dry_run: "homes",
  import: null,
};

/** Keeps what the server answered, and names the upload in the address, so that a reload comes back to it. */
function useArrived(): (upload: FeedUpload) => void {
  const client = useQueryClient();
  const navigate = route.useNavigate();
  return (upload) => {
    client.setQueryData(uploadQuery(upload.upload_id).queryKey, upload);
    for (const queryKey of feedKeys) void client.invalidateQueries({ queryKey, exact: true });
    void navigate({ search: { upload: upload.upload_id }, replace: true });
  };
}

function Head({ upload }: { upload: FeedUpload | null }) {
  const { t } = useI18n();
  const { number } = useFormat();
  const records = upload?.look?.records;
  return (
    <header className="hh">
      <Link className="btn quiet sq" to="/workspace/feeds" aria-label={t("imports.to_list")}>
        <Icon name="left" />
      </Link>
      <div className="grow">
        <h1>{upload === null ? t("imports.new") : t("imports.new_for", { feed: upload.feed })}</h1>
        <p className="sub">
          {upload === null
            ? t("imports.nothing_changes")
            : records === undefined
              ? upload.file
              : t("imports.file_rows", { file: upload.file, n: records, shown: number(records) })}
        </p>
      </div>
    </header>
  );
}

function NoSuchUpload() {
  const { t } = useI18n();
  return (
    <PlaceNotice icon="clock" title={t("imports.no_upload")} text={t("imports.no_upload_text")}>
      <Link className="btn pri" to="/workspace/feeds/new">
        {t("imports.new")}
      </Link>
      <Link className="btn" to="/workspace/feeds">
        {t("imports.to_list")}
      </Link>
    </PlaceNotice>
  );
}
