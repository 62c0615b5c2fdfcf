import "./mirror.css";
import { useMutation } from "@tanstack/react-query";
import { getRouteApi, Link } from "@tanstack/react-router";
import { type FormEvent, useEffect, useId, useMemo, useState } from "react";
import { ApiError } from "../../api.ts";
import type { MirrorReport, Nudge, StaffMirror } from "../../contract/wire.ts";
import { useI18n } from "../../i18n/i18n.tsx";
import { useOwnTime } from "../../ownTime.ts";
import { labelOf } from "../../ui/formWords.ts";
import { Icon } from "../icon.tsx";
import { LabelledField } from "../LabelledField.tsx";
import { inWords } from "../StatusRing.tsx";
import { MachinePicture } from "./MachinePicture.tsx";
import { beginMirror, endMirror, nudgePerson } from "./mirrorCalls.ts";
import { drawnWay } from "./mirrorLayout.ts";
import { useMirror } from "./useMirror.ts";

const route = getRouteApi("/workspace/mirror");
const NUDGES: readonly Nudge[] = ["goes_here", "check_this", "missing", "choose_one", "try_again"];

/** Where a student stands, while they let us see it: the state of their page, what holds it up, and a hint for one of its fields. */
export function MirrorPage() {
  const { t } = useI18n();
  const { id, lead } = route.useSearch();
  useEffect(() => {
    document.title = `${t("workspace.mirror")} · ${t("workspace.title")}`;
  }, [t]);
  return (
    <main className="main" id="work">
      <div className="lead-top">
        <h1>{t("workspace.mirror")}</h1>
        {lead === null ? null : (
          <Link className="btn sm" to="/workspace/leads/$leadId" params={{ leadId: lead }}>
            <Icon name="left" size="xs" />
            {t("mirror_desk.to_lead")}
          </Link>
        )}
      </div>
      <div className="scroll">{id === null ? <CodeForm /> : <Mirrored key={id} id={id} />}</div>
    </main>
  );
}

/** The code that the student reads out. */
function CodeForm() {
  const { t } = useI18n();
  const navigate = route.useNavigate();
  const [code, setCode] = useState("");
  const begin = useMutation({
    mutationFn: () => beginMirror(code),
    onSuccess: (mirror) => void navigate({ search: (now) => ({ ...now, id: mirror.mirror_id }) }),
  });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    begin.mutate();
  };
  const refused =
    begin.error instanceof ApiError && begin.error.status > 0 ? begin.error.message : t("mirror_desk.failed");
  return (
    <form className="mirror-code-form" onSubmit={submit}>
      <p>{t("mirror_desk.how")}</p>
      <LabelledField label={t("mirror_desk.code")} fault={begin.isError ? refused : undefined}>
        {(its) => (
          <input
            {...its}
            className="field num"
            inputMode="numeric"
            autoComplete="off"
            maxLength={12}
            value={code}
            onChange={(event) => setCode(event.target.value)}
          />
        )}
      </LabelledField>
      <button type="submit" className="btn pri" disabled={begin.isPending || code.trim() === ""}>
        {t("mirror_desk.begin")}
      </button>
    </form>
  );
}

function Mirrored({ id }: { id: string }) {
  const { t } = useI18n();
  const navigate = route.useNavigate();
  const watched = useMirror(id);
  const another = (
    <button type="button" className="btn" onClick={() => void navigate({ search: (now) => ({ ...now, id: null }) })}>
      {t("mirror_desk.another")}
    </button>
  );
  if (watched.kind === "connecting")
    return (
      <p className="mirror-note" role="status">
        {t("mirror_desk.connecting")}
      </p>
    );
  if (watched.kind === "refused") {
    return (
      <div className="mirror-end">
        <p role="alert">{t("mirror_desk.no_consent")}</p>
        {another}
      </div>
    );
  }
  const { mirror, isLive } = watched;
  return (
    <>
      <Head mirror={mirror} isLive={isLive} />
      {mirror.ended_by === null ? null : <div className="mirror-end">{another}</div>}
      {mirror.report === null ? (
        <p className="muted mirror-note">{t("mirror_desk.nothing_yet")}</p>
      ) : (
        <div className="mirror-panes">
          <Steps mirror={mirror} report={mirror.report} isLive={isLive} />
          <Way mirror={mirror} report={mirror.report} />
        </div>
      )}
    </>
  );
}

function Head({ mirror, isLive }: { mirror: StaffMirror; isLive: boolean }) {
  const { t } = useI18n();
  const own = useOwnTime();
  const end = useMutation({ mutationFn: () => endMirror(mirror.mirror_id) });
  const said =
    mirror.ended_by !== null
      ? t(`mirror_desk.over_${mirror.ended_by}`)
      : isLive
        ? t("mirror_desk.live", { until: mirror.ends_at === null ? "" : own.time(mirror.ends_at) })
        : t("mirror_desk.broken");
  return (
    <div className="w-bar mirror-head">
      <span role="status" data-live={isLive}>
        <Icon name="eye" size="s" /> {said}
      </span>
      {mirror.ended_by === null ? (
        <button type="button" className="btn sm" disabled={end.isPending} onClick={() => end.mutate()}>
          {t("mirror_desk.end")}
        </button>
      ) : null}
      {end.isError ? <span role="alert">{t("mirror_desk.failed")}</span> : null}
    </div>
  );
}

/** The word for a state of a page. */
function useStateWord(page: MirrorReport["page"]): (state: string) => string {
  const { tData } = useI18n();
  return (state) => {
    const key = `mirror_desk.${page}_${state.replace(".", "_")}`;
    const text = tData(key);
    return text === key ? inWords(state) : text;
  };
}

/** The student's own sentence for a fault, or its code in words. */
function useFaultWord(): (code: string) => string {
  const { tData } = useI18n();
  return (code) => {
    const text = tData(code, { format: "" });
    return text === code ? inWords(code.replace(/^.*fault_/, "")) : text;
  };
}

interface StepsProps {
  mirror: StaffMirror;
  report: MirrorReport;
  isLive: boolean;
}

function Steps({ mirror, report, isLive }: StepsProps) {
  const { t } = useI18n();
  const stateWord = useStateWord(report.page);
  const faultWord = useFaultWord();
  return (
    <section aria-labelledby="mirror-steps" data-state={report.state}>
      <h2 id="mirror-steps">{t(`mirror_desk.page_${report.page}`)}</h2>
      <p className="mirror-state" role="status">
        {stateWord(report.state)}
      </p>
      <ul className="mirror-facts">
        {report.guards.map((guard) => (
          <li key={guard}>
            <Icon name="alert" size="s" /> {t(`mirror_desk.guard_${guard}`)}
          </li>
        ))}
        {report.guards.length === 0 ? (
          <li>
            <Icon name="check" size="s" /> {t("mirror_desk.no_guard")}
          </li>
        ) : null}
        <li>
          <Icon name="refresh" size="s" /> {t("mirror_desk.retries", { n: report.retries })}
        </li>
        {report.declined ? (
          <li>
            <Icon name="card" size="s" /> {t(`mirror_desk.declined_${report.declined}`)}
          </li>
        ) : null}
      </ul>
      {report.faults.length === 0 ? null : (
        <>
          <h3>{t("mirror_desk.faults")}</h3>
          <ul className="mirror-faults">
            {report.faults.map(({ field, code }) => (
              <li key={field}>
                <b>{labelOf({ key: field }, t)}</b> {faultWord(code)}
              </li>
            ))}
          </ul>
        </>
      )}
      {isLive && report.fields.length > 0 ? <NudgeForm id={mirror.mirror_id} report={report} /> : null}
    </section>
  );
}

/** A ready sentence for one of the fields on the student's screen. */
function NudgeForm({ id, report }: { id: string; report: MirrorReport }) {
  const { t } = useI18n();
  const base = useId();
  const first = report.faults[0]?.field ?? report.fields[0] ?? "";
  const [chosen, setChosen] = useState<string | null>(null);
  const [sentence, setSentence] = useState<Nudge>("goes_here");
  const field = chosen !== null && report.fields.includes(chosen) ? chosen : first;
  const nudge = useMutation({ mutationFn: () => nudgePerson(id, field, sentence) });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    nudge.mutate();
  };
  return (
    <form className="mirror-nudge-form" onSubmit={submit}>
      <h3>{t("mirror_desk.nudge")}</h3>
      <label htmlFor={`${base}f`}>{t("mirror_desk.field")}</label>
      <select id={`${base}f`} className="field sm" value={field} onChange={(event) => setChosen(event.target.value)}>
        {report.fields.map((name) => (
          <option key={name} value={name}>
            {labelOf({ key: name }, t)}
          </option>
        ))}
      </select>
      <label htmlFor={`${base}s`}>{t("mirror_desk.sentence")}</label>
      <select
        id={`${base}s`}
        className="field sm"
        value={sentence}
        onChange={(event) => setSentence(NUDGES.find((known) => known === event.target.value) ?? "goes_here")}
      >
        {NUDGES.map((name) => (
          <option key={name} value={name}>
            {t(`mirror_desk.nudge_${name}`)}
          </option>
        ))}
      </select>
      <button type="submit" className="btn sm" disabled={nudge.isPending}>
        {t("mirror_desk.send_nudge")}
      </button>
      <span role="status">
        {nudge.isSuccess ? t("mirror_desk.nudged") : nudge.isError ? t("mirror_desk.failed") : ""}
      </span>
    </form>
  );
}

function Way({ mirror, report }: { mirror: StaffMirror; report: MirrorReport }) {
  const { t } = useI18n();
  const stateWord = useStateWord(report.page);
  const drawn = useMemo(() => drawnWay(report.page, mirror.way), [report.page, mirror.way]);
  return (
    <section className="mach" aria-label={t("support.path")}>
      <MachinePicture drawn={drawn} stateName={stateWord} />
    </section>
  );
}
