import { useQuery } from "@tanstack/react-query";
import { getRouteApi, Link } from "@tanstack/react-router";
import { type FormEvent, Suspense, useEffect, useId, useState } from "react";
import type { LeadListPage, LeadView } from "../../contract/wire.ts";
import { useFormat, useI18n } from "../../i18n/i18n.tsx";
import { WHOLE } from "../../typedNumber.ts";
import { lazyPart } from "../../ui/lazyPart.tsx";
import { doubtText } from "../../ui/numberDoubt.ts";
import { Icon } from "../icon.tsx";
import { leadsQuery } from "../queries.ts";
import { NothingFound, Stopped } from "../TableStates.tsx";
import { AlarmMark } from "./AlarmMark.tsx";
import { LeadTable, LoadingLeads } from "./LeadTable.tsx";
import { listQuery } from "./leadFilterNames.ts";
import { leadFilters } from "./leadFilters.ts";
import { viewsQuery } from "./queueCalls.ts";
import { FIRST_STEP, inDigits, minutesDoubt, STEP_KINDS, type Step, spelled, stepsOf } from "./steps.ts";
import { useDeskLive } from "./useDeskLive.ts";

const ViewDialog = lazyPart(async () => (await import("./ViewDialog.tsx")).ViewDialog);

const route = getRouteApi("/workspace/segments");

/** Which leads went this way: steps one after another, each with its code, its time, or as one that did not happen. */
export function SegmentsPage() {
  const { t } = useI18n();
  const { steps } = route.useSearch();
  const counts = useDeskLive();
  const filters = leadFilters({ steps });
  const { data: views = [] } = useQuery(viewsQuery);
  const segments = views.filter((view) => view.filters.steps);
  const own = segments.find((view) => view.own && view.filters.steps === steps) ?? null;
  const hits = useQuery({ ...leadsQuery({ ...listQuery(filters), limit: 20 }), enabled: steps !== null });
  const [saving, setSaving] = useState(false);
  useEffect(() => {
    document.title = `${t("workspace.segments")} · ${t("workspace.title")}`;
  }, [t]);
  return (
    <main className="main" id="work">
      <div className="lead-top">
        <h1>{t("workspace.segments")}</h1>
      </div>
      <Saved segments={segments} counts={counts} current={steps} />
      <Builder key={steps} asked={steps} />
      {steps === null ? null : (
        <div className="w-bar">
          <span className="num" role="status">
            {hits.data === undefined
              ? ""
              : t("support.leads_count", { n: hits.data.meta.count, shown: hits.data.meta.count })}
          </span>
          <Link className="btn sm" to="/workspace/leads" search={filters}>
            {t("queues.open_in_list")}
          </Link>
          <button type="button" className="btn sm" onClick={() => setSaving(true)}>
            {t(own === null ? "queues.save_segment" : "queues.change")}
          </button>
        </div>
      )}
      <div className="scroll">{steps === null ? null : <Hits hits={hits} />}</div>
      {saving ? (
        <Suspense>
          <ViewDialog filters={filters} view={own} onClose={() => setSaving(false)} />
        </Suspense>
      ) : null}
    </main>
  );
}

interface SavedProps {
  segments: readonly LeadView[];
  counts: Record<string, number> | null;
  current: string | null;
}

/** Views that hold a sequence, with their live counts. */
function Saved({ segments, counts, current }: SavedProps) {
  const { t } = useI18n();
  const { number } = useFormat();
  if (segments.length === 0) return <p className="sub steps-hint">{t("queues.segment_hint")}</p>;
  return (
    <nav className="needs lead-views" aria-label={t("queues.segments_saved")}>
      {segments.map((view) => (
        <Link
          key={view.id}
          className={view.filters.steps === current ? "pill on" : "pill"}
          to="/workspace/segments"
          search={{ steps: view.filters.steps ?? null }}
          aria-current={view.filters.steps === current ? "page" : undefined}
        >
          <AlarmMark view={view} />
          {view.name} <b className="num">{number(counts?.[view.id] ?? view.count)}</b>
        </Link>
      ))}
    </nav>
  );
}

function Builder({ asked }: { asked: string | null }) {
  const { t } = useI18n();
  const navigate = route.useNavigate();
  const [steps, setSteps] = useState<Step[]>(() => stepsOf(asked));
  const [pressed, setPressed] = useState(false);
  const change = (place: number, changed: Partial<Step>) =>
    setSteps(steps.map((step, at) => (at === place ? { ...step, ...changed } : step)));
  const submit = (event: FormEvent) => {
    event.preventDefault();
    setPressed(true);
    if (steps.every((step) => minutesDoubt(step) === null))
      void navigate({ search: { steps: spelled(steps.map(inDigits)) } });
  };
  return (
    <form className="steps-form" onSubmit={submit}>
      <ol>
        {steps.map((step, place) => (
          <StepFields
            // biome-ignore lint/suspicious/noArrayIndexKey: steps have no names, a step is its place
            key={place}
            step={step}
            place={place}
            pressed={pressed}
            onChange={(changed) => change(place, changed)}
            onRemove={() => setSteps(steps.filter((_, at) => at !== place))}
          />
        ))}
      </ol>
      <div className="row">
        <button
          type="button"
          className="btn sm"
          disabled={steps.length >= 8}
          onClick={() => setSteps([...steps, { ...FIRST_STEP, kind: "paid" }])}
        >
          <Icon name="plus" size="s" /> {t("queues.add_step")}
        </button>
        <button type="submit" className="btn pri sm">
          {t("queues.find")}
        </button>
      </div>
    </form>
  );
}

interface StepFieldsProps {
  step: Step;
  place: number;
  /** What is wrong is said once the form was sent. */
  pressed: boolean;
  onChange: (changed: Partial<Step>) => void;
  onRemove: () => void;
}

function StepFields({ step, place, pressed, onChange, onRemove }: StepFieldsProps) {
  const { t, tData } = useI18n();
  const base = useId();
  const doubt = pressed ? minutesDoubt(step) : null;
  const n = place + 1;
  return (
    <li>
      <label className="vh" htmlFor={`${base}kind`}>
        {t("queues.step_n", { n })}
      </label>
      <select
        id={`${base}kind`}
        className="field sm"
        value={step.kind}
        onChange={(event) => onChange({ kind: event.target.value })}
      >
        {STEP_KINDS.map((kind) => (
          <option key={kind} value={kind}>
            {tData(`queues.step_${kind}`)}
          </option>
        ))}
      </select>
      {place === 0 ? null : (
        <label className="check">
          <input
            type="checkbox"
            checked={step.absent}
            onChange={(event) => onChange({ absent: event.target.checked })}
          />
          <span>{t("queues.did_not")}</span>
        </label>
      )}
      <label className="inline">
        <span>{t("queues.within")}</span>
        <input
          className="field sm"
          inputMode="numeric"
          aria-invalid={doubt !== null}
          aria-describedby={doubt === null ? undefined : `${base}doubt`}
          value={step.within}
          onChange={(event) => onChange({ within: event.target.value })}
        />
        <span>{t("queues.minutes")}</span>
      </label>
      {doubt === null ? null : (
        <span id={`${base}doubt`} className="err" role="alert">
          {doubtText(t, t("queues.minutes_name"), step.within, doubt, WHOLE)}
        </span>
      )}
      {step.kind === "declined" ? (
        <label className="inline">
          <span>{t("queues.code")}</span>
          <input className="field sm" value={step.code} onChange={(event) => onChange({ code: event.target.value })} />
        </label>
      ) : null}
      {place === 0 ? null : (
        <button
          type="button"
          className="btn quiet sq sm"
          aria-label={t("queues.remove_step", { n })}
          onClick={onRemove}
        >
          <Icon name="x" size="s" />
        </button>
      )}
    </li>
  );
}

/** The hits, which can be marked as in the list. */
function Marked({ rows }: { rows: LeadListPage["result"] }) {
  const [marked, setMarked] = useState<ReadonlySet<string>>(new Set());
  const mark = (leadId: string) => {
    const next = new Set(marked);
    if (!next.delete(leadId)) next.add(leadId);
    setMarked(next);
  };
  return (
    <LeadTable rows={rows} old={false} selected={undefined} marked={marked} onChoose={() => undefined} onMark={mark} />
  );
}

interface HitsProps {
  hits: ReturnType<typeof useQuery<LeadListPage>>;
}

function Hits({ hits }: HitsProps) {
  const { t } = useI18n();
  const { data, error } = hits;
  if (error !== null)
    return <Stopped error={error} fetchedAt={hits.dataUpdatedAt} onRetry={() => void hits.refetch()} />;
  if (data === undefined) return <LoadingLeads />;
  if (data.result.length === 0)
    return (
      <NothingFound title={t("queues.no_hits")} actions={null}>
        {t("queues.no_hits_text")}
      </NothingFound>
    );
  return <Marked rows={data.result} />;
}
