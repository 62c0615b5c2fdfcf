import "./admin.css";
import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { type ReactNode, useEffect, useState } from "react";
import type { ModelHealth, QueueHealth, SystemHealth } from "../../contract/wire.ts";
import { useFormat, useI18n } from "../../i18n/i18n.tsx";
import { localeOf } from "../../ui/localeOf.ts";
import { clockTime } from "../clock.ts";
import { Icon } from "../icon.tsx";
import { useMe } from "../session.ts";
import { Bone, Stopped } from "../TableStates.tsx";
import { healthQuery } from "./adminCalls.ts";
import { Check } from "./Check.tsx";
import { Feeds } from "./Feeds.tsx";
import { sayWhen } from "./sayWhen.ts";
import { type Trouble, troublesOf } from "./troubles.ts";

/** Looks of ten minutes, one every five seconds. */
const LOOKS = 120;

/** How the server's parts do: what needs somebody first, then figures, readers of the log, outbox and provider (row K9). */
export function HealthPage() {
  const { t } = useI18n();
  const asked = useQuery(healthQuery);
  useEffect(() => {
    document.title = `${t("workspace.health")} · ${t("workspace.title")}`;
  }, [t]);
  const troubles = asked.data === undefined ? null : troublesOf(asked.data);
  return (
    <main className="main" id="work">
      <header className="lead-top">
        <h1>{t("workspace.health")}</h1>
        {troubles === null ? (
          <span className="chip unseen">{t("admin.health_well")}</span>
        ) : (
          <span className={troubles.length === 0 ? "chip" : "chip warn"} role="status">
            <Icon name={troubles.length === 0 ? "check" : "alert"} size="s" />
            {troubles.length === 0 ? t("admin.health_well") : t("admin.health_needs", { n: troubles.length })}
          </span>
        )}
        <span className={asked.data === undefined ? "sub num health-at unseen" : "sub num health-at"}>
          {t("admin.health_at", { at: clockTime(asked.data?.checked_at ?? "2027-09-11T12:00:00Z") })}
        </span>
      </header>
      <div className="scroll hp" data-list-scroll>
        {asked.error === null ? null : (
          <Stopped error={asked.error} fetchedAt={asked.dataUpdatedAt} onRetry={() => void asked.refetch()} />
        )}
        {asked.data === undefined ? (
          asked.error === null ? (
            <Bone width={240} />
          ) : null
        ) : (
          <Parts health={asked.data} troubles={troubles ?? []} />
        )}
      </div>
    </main>
  );
}

function Parts({ health, troubles }: { health: SystemHealth; troubles: Trouble[] }) {
  return (
    <>
      {troubles.map((trouble) => (
        <Needs key={trouble.kind} trouble={trouble} />
      ))}
      <Figures health={health} />
      <div className="hgrid">
        <div className="col hcol">
          <Readers health={health} />
          <Feeds health={health} />
        </div>
        <div className="col hcol">
          <Outbox health={health} />
          <Provider health={health} />
        </div>
      </div>
    </>
  );
}

/** Pages that mend a trouble for administrators alone: a run's dead photos are told to nobody else. */
const FOR_ADMINISTRATORS: ReadonlySet<Trouble["to"]> = new Set(["/workspace/settings"] as const);

function Needs({ trouble }: { trouble: Trouble }) {
  const { t, tData } = useI18n();
  const me = useMe();
  return (
    <section className="parked" aria-label={tData(`admin.trouble_${trouble.kind}`, { n: trouble.count })}>
      <header>
        <Icon name="alert" size="s" />
        <h2>{tData(`admin.trouble_${trouble.kind}`, { n: trouble.count })}</h2>
      </header>
      <div className="pk">
        <p className="sub grow">
          {tData(`admin.trouble_${trouble.kind}_text`, { names: trouble.names.join(t("workspace.list_mark")) })}
        </p>
        {trouble.to === null || (FOR_ADMINISTRATORS.has(trouble.to) && !me.can.grants) ? null : (
          <Link className="btn pri" to={trouble.to}>
            {t("admin.health_mend")}
          </Link>
        )}
      </div>
    </section>
  );
}

function Figures({ health }: { health: SystemHealth }) {
  const { t, lang } = useI18n();
  const { number } = useFormat();
  const slowest = Math.max(0, ...health.read_models.map((model) => model.lag_seconds));
  const free = health.disk_free_bytes;
  return (
    <ul className="stats num">
      <Figure name={t("admin.log_position")} value={number(health.head)}>
        <Check ok={health.broken_events === 0}>
          {health.broken_events === 0
            ? t("admin.history_whole")
            : t("admin.history_broken", { n: health.broken_events })}
        </Check>
      </Figure>
      <Figure name={t("admin.writes")} value={t(`admin.writes_${health.writes}`)}>
        {health.maintenance ? <Check ok={false}>{t("admin.in_maintenance")}</Check> : null}
      </Figure>
      <Figure
        name={t("admin.events_today")}
        value={typeof health.events_today === "number" ? number(health.events_today) : t("admin.unknown")}
      />
      <Figure name={t("admin.slowest")} value={t("admin.seconds", { n: slowest.toFixed(1) })} />
      <Figure
        name={t("admin.disk_free")}
        value={typeof free === "number" ? gigabytes(free, lang) : t("admin.unknown")}
      />
      <Figure
        name={t("admin.last_backup")}
        value={health.last_backup_at ? sayWhen(health.last_backup_at, health.checked_at, lang) : t("admin.no_backup")}
      >
        <span className="sub">{backupNote(health, t)}</span>
      </Figure>
    </ul>
  );
}

function backupNote(health: SystemHealth, t: ReturnType<typeof useI18n>["t"]): string {
  if (health.last_backup_at === null || health.last_backup_at === undefined) return t("admin.backup_unseen");
  const since = health.events_since_backup;
  return typeof since === "number" ? t("admin.backup_since", { n: since }) : "";
}

function gigabytes(bytes: number, lang: string): string {
  return `${new Intl.NumberFormat(localeOf(lang), { maximumFractionDigits: 1 }).format(bytes / 1e9)} GB`;
}

function Figure({ name, value, children }: { name: string; value: string; children?: ReactNode }) {
  return (
    <li>
      <span className="sub">{name}</span>
      <b>{value}</b>
      {children}
    </li>
  );
}

/** How far each reader was behind at the looks of the last ten minutes while the page was open. */
function useLags(health: SystemHealth): Map<string, number[]> {
  const [lags, setLags] = useState(new Map<string, number[]>());
  useEffect(() => {
    setLags(
      (before) =>
        new Map(
          health.read_models.map((model) => [
            model.name,
            [...(before.get(model.name) ?? []), model.lag_seconds].slice(-LOOKS),
          ]),
        ),
    );
  }, [health]);
  return lags;
}

/** A line of seconds; a second fills a third of its height at least, so that noise looks small. */
function LagLine({ lags }: { lags: number[] }) {
  const top = Math.max(3, ...lags);
  const points = lags.map((lag, at) => `${(at / (LOOKS - 1)) * 96} ${20 - (lag / top) * 18}`);
  const hot = (lags.at(-1) ?? 0) >= 10;
  return (
    <svg className={hot ? "lagline hot" : "lagline"} viewBox="0 0 96 22" preserveAspectRatio="none" aria-hidden="true">
      {points.length < 2 ? null : <path d={`M${points.join("L")}`} />}
    </svg>
  );
}

function Readers({ health }: { health: SystemHealth }) {
  return <ReadersTable models={health.read_models} head={health.head} lags={useLags(health)} />;
}

function ReadersTable({ models, head, lags }: { models: ModelHealth[]; head: number; lags: Map<string, number[]> }) {
  const { t, tData } = useI18n();
  const { number } = useFormat();
  const named = (name: string) => {
    const said = tData(`admin.model_${name}`, {});
    return said.startsWith("admin.") ? name : said;
  };
  return (
    <section className="card" aria-labelledby="readers">
      <header>
        <h2 id="readers">{t("admin.readers")}</h2>
        <Link className="sub" to="/workspace/read_models">
          {t("admin.readers_more", { n: models.length })}
        </Link>
      </header>
      <table className="tbl hl">
        <thead>
          <tr>
            <th scope="col">{t("admin.reader")}</th>
            <th scope="col" className="c-wide">
              {t("admin.version")}
            </th>
            <th scope="col" className="num c-wide">
              {t("admin.read_to")}
            </th>
            <th scope="col" className="num">
              {t("admin.behind")}
            </th>
            <th scope="col" className="c-wide">
              {t("admin.last_minutes")}
            </th>
            <th scope="col">{t("admin.state")}</th>
          </tr>
        </thead>
        <tbody>
          {models.map((model) => (
            <tr key={model.name} className={isIll(model) ? "att" : undefined}>
              <td>{named(model.name)}</td>
              <td className="muted c-wide">v{model.version}</td>
              <td className="num c-wide">{number(Math.min(model.position, head))}</td>
              <td className="num">{t("admin.seconds", { n: model.lag_seconds.toFixed(1) })}</td>
              <td className="c-wide">
                <LagLine lags={lags.get(model.name) ?? []} />
              </td>
              <td>
                <Check ok={!isIll(model)}>{stateOf(model, t, number)}</Check>
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}

const isIll = (model: ModelHealth) => model.rests || model.parked > 0;

function stateOf(model: ModelHealth, t: ReturnType<typeof useI18n>["t"], number: (n: number) => string): string {
  if (model.rests) return t("admin.model_rests");
  if (model.parked > 0) return t("admin.model_parked", { n: model.parked });
  return model.lag === 0 ? t("admin.model_up_to_date") : t("admin.model_behind", { shown: number(model.lag) });
}

function Outbox({ health }: { health: SystemHealth }) {
  const { t } = useI18n();
  return (
    <section className="card" aria-labelledby="outbox">
      <header>
        <h2 id="outbox">{t("admin.outbox")}</h2>
      </header>
      <table className="ob">
        <thead>
          <tr>
            <th scope="col">
              <span className="vh">{t("admin.queue")}</span>
            </th>
            <th scope="col" className="num">
              {t("admin.waiting")}
            </th>
            <th scope="col" className="num">
              {t("admin.failing")}
            </th>
          </tr>
        </thead>
        <tbody>
          <Queue name={t("admin.queue_effects")} queue={health.outbox ?? null} />
          <Queue name={t("admin.queue_mails")} queue={health.mails ?? null} />
        </tbody>
      </table>
    </section>
  );
}

function Queue({ name, queue }: { name: string; queue: QueueHealth | null }) {
  const { t } = useI18n();
  const { number } = useFormat();
  return (
    <tr>
      <td>{name}</td>
      <td className="num">{queue === null ? t("admin.unknown") : number(queue.waiting)}</td>
      <td className="num">{queue === null ? "" : number(queue.failing)}</td>
    </tr>
  );
}

function Provider({ health }: { health: SystemHealth }) {
  const { t, tData } = useI18n();
  const { kind, state } = health.payment_provider;
  return (
    <section className="card" aria-labelledby="provider">
      <header>
        <h2 id="provider">{t("admin.provider")}</h2>
      </header>
      <p className="row health-provider">
        <span className="grow">{tData(`admin.provider_${kind}`, {})}</span>
        <Check ok={state === "reachable"}>{t(`admin.provider_${state}`)}</Check>
      </p>
    </section>
  );
}
