import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useEffect } from "react";
import type { ReadModelStanding, ReadModels, TakenIn } from "../contract/wire.ts";
import { useFormat, useI18n } from "../i18n/i18n.tsx";
import { FALLBACK } from "../i18n/languages.ts";
import { toast } from "../ui/toast.tsx";
import { fullMoment } from "./clock.ts";
import { useFailureToast } from "./failure.ts";
import { Icon } from "./icon.tsx";
import { mend, readModelsQuery } from "./queries.ts";
import { RollBack } from "./RollBack.tsx";
import { useMe } from "./session.ts";
import { Bone, Stopped } from "./TableStates.tsx";
import { useOnePress } from "./useOnePress.ts";

/** How far each read model has come, what it leaves out, and another try. */
export function ReadModelsPage() {
  const { t } = useI18n();
  const asked = useQuery(readModelsQuery);
  useEffect(() => {
    document.title = `${t("workspace.read_models")} · ${t("workspace.title")}`;
  }, [t]);
  return (
    <main className="main" id="work">
      <div className="lead-top">
        <h1>{t("workspace.read_models")}</h1>
      </div>
      <div className="scroll rm" data-list-scroll>
        <p className="muted">{t("workspace.read_models_text")}</p>
        {asked.error === null ? null : (
          <Stopped error={asked.error} fetchedAt={asked.dataUpdatedAt} onRetry={() => void asked.refetch()} />
        )}
        {asked.data === undefined ? asked.error === null ? <Bone width={240} /> : null : <Standing all={asked.data} />}
      </div>
    </main>
  );
}

function Standing({ all }: { all: ReadModels }) {
  const { t } = useI18n();
  const { number } = useFormat();
  const { owner } = all;
  const folds = all.folds_here
    ? t("workspace.rm_folds_here")
    : owner === null
      ? t("workspace.rm_folds_nobody")
      : t("workspace.rm_folds_there", { owner });
  return (
    <>
      <p className="sub num">
        {t("workspace.rm_head", { n: number(all.head) })} · {folds}
      </p>
      <ul className="rm-list">
        {all.read_models.map((model) => (
          <li key={model.name}>
            <Model model={model} />
          </li>
        ))}
      </ul>
    </>
  );
}

function Model({ model }: { model: ReadModelStanding }) {
  const { t } = useI18n();
  const { number } = useFormat();
  const ill = model.error !== null || model.parked > 0;
  return (
    <article className={ill ? "rm-one ill" : "rm-one"} aria-labelledby={`rm-${model.name}`}>
      <header>
        <Icon name={ill ? "alert" : "check"} size="s" />
        <h2 id={`rm-${model.name}`} className="mono" tabIndex={-1}>
          {model.name}
        </h2>
        <p className="sub num grow">
          {t("workspace.rm_version", { n: model.version })} ·{" "}
          {t("workspace.rm_position", { n: number(model.position) })} · <Lag model={model} />
          {typeof model.kept_through === "number" ? (
            <> · {t("workspace.rm_kept", { n: number(model.kept_through) })}</>
          ) : null}
        </p>
        <Mending model={model} />
      </header>
      {model.error === null ? null : (
        <p className="muted" lang={FALLBACK}>
          {model.error}
        </p>
      )}
      {model.parked === 0 ? null : <LeftOut model={model} />}
    </article>
  );
}

function Lag({ model }: { model: ReadModelStanding }) {
  const { t } = useI18n();
  const { number } = useFormat();
  if (model.error !== null) return t("workspace.rm_rests");
  if (model.lag === 0) return t(model.parked === 0 ? "workspace.rm_up_to_date" : "workspace.rm_up_to_date_but");
  return t("workspace.rm_behind", { shown: number(model.lag), seconds: number(Math.round(model.lag_seconds)) });
}

/** What administrators may do about it. */
function Mending({ model }: { model: ReadModelStanding }) {
  const { t } = useI18n();
  const me = useMe();
  const client = useQueryClient();
  const tellFailure = useFailureToast();
  const mending = useOnePress({
    mutationFn: (way: "retry" | "rebuild") => mend(model.name, way),
    onSuccess: (taken, way) => {
      toast(outcome(t, taken, way), taken.parked > 0 ? "info" : "success");
      // The button to try again goes with its cause; what it belonged to stays.
      if (way === "retry" && taken.parked === 0) document.getElementById(`rm-${model.name}`)?.focus();
    },
    onError: tellFailure,
    onSettled: () => client.invalidateQueries({ queryKey: readModelsQuery.queryKey }),
  });
  if (!me.can.grants) return null;
  const button = (way: "retry" | "rebuild") => (
    <button
      type="button"
      className="btn sm"
      // Disabled outright, it would lose the keyboard's place.
      aria-disabled={mending.isPending || undefined}
      aria-describedby={`rm-${model.name}`}
      onClick={() => mending.send(way)}
    >
      {mending.isPending && mending.variables === way ? t("workspace.rm_working") : t(`workspace.rm_${way}`)}
    </button>
  );
  return (
    <div className="row">
      {model.parked > 0 ? button("retry") : null}
      {button("rebuild")}
      {typeof model.kept_through === "number" ? (
        <RollBack model={model} kept={model.kept_through} busy={mending.isPending} />
      ) : null}
    </div>
  );
}

function outcome(t: ReturnType<typeof useI18n>["t"], taken: TakenIn, way: "retry" | "rebuild"): string {
  if (taken.parked > 0) return t("workspace.rm_still_parked", { n: taken.parked });
  if (way === "retry") return t("workspace.rm_taken_in");
  return taken.repaired === 0 ? t("workspace.rm_same") : t("workspace.rm_rebuilt", { n: taken.repaired });
}

/** The streams behind, with the event at fault first. */
function LeftOut({ model }: { model: ReadModelStanding }) {
  const { t, lang } = useI18n();
  const { number } = useFormat();
  return (
    <>
      <p className="b">{t("workspace.rm_parked", { n: model.parked })}</p>
      <ul className="rm-parked">
        {model.left_out.map((event) => (
          <li key={event.position}>
            <dl className="kv2">
              <div>
                <dt>{t("workspace.rm_event")}</dt>
                <dd className="num">
                  {number(event.position)} {event.event_type}
                </dd>
              </div>
              <div>
                <dt>{t("workspace.rm_stream")}</dt>
                <dd className="mono">{event.stream}</dd>
              </div>
              <div>
                <dt>{t("workspace.rm_error")}</dt>
                <dd>
                  <Why reason={event.error} />
                </dd>
              </div>
              {event.since === null || event.since === undefined ? null : (
                <div>
                  <dt>{t("workspace.rm_since")}</dt>
                  <dd className="num">{fullMoment(event.since, lang)}</dd>
                </div>
              )}
            </dl>
          </li>
        ))}
      </ul>
    </>
  );
}

/** The server's word for an event that is left out because an earlier one of its stream is (projections/src/run.rs). */
const BEHIND = "an event of this stream before it is parked";

/** Why an event is left out; what only the server has words for stands below ours as it was written. */
function Why({ reason }: { reason: string }) {
  const { t } = useI18n();
  if (reason === BEHIND) return t("workspace.rm_behind_parked");
  return (
    <>
      {t("workspace.rm_not_taken_in")}
      <code className="rm-raw" lang={FALLBACK}>
        {reason}
      </code>
    </>
  );
}
