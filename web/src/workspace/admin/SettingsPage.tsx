import "./admin.css";
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { type FormEvent, useEffect, useId, useState } from "react";
import type { SiteSetting } from "../../contract/wire.ts";
import { type Translate, useFormat, useI18n } from "../../i18n/i18n.tsx";
import { readCount, WHOLE } from "../../typedNumber.ts";
import { doubtText } from "../../ui/numberDoubt.ts";
import { toast } from "../../ui/toast.tsx";
import { fullMoment } from "../clock.ts";
import { DecisionDialog } from "../DecisionDialog.tsx";
import { FailureNote } from "../FailureNote.tsx";
import { Bone, Stopped } from "../TableStates.tsx";
import { useOnePress } from "../useOnePress.ts";
import { readWholeAmount, wholeAmountDoubt } from "../wholeAmount.ts";
import { changeSetting, settingsQuery } from "./adminCalls.ts";

/** Settings that are changed while the server runs, each with its bounds, source and history; maintenance first (row K13). */
export function SettingsPage() {
  const { t } = useI18n();
  const asked = useQuery(settingsQuery);
  useEffect(() => {
    document.title = `${t("admin.settings")} · ${t("workspace.title")}`;
  }, [t]);
  return (
    <main className="main" id="work">
      <div className="lead-top">
        <h1>{t("admin.settings")}</h1>
      </div>
      <div className="scroll rm" data-list-scroll>
        <p className="muted">{t("admin.settings_text")}</p>
        {asked.error === null ? null : (
          <Stopped error={asked.error} fetchedAt={asked.dataUpdatedAt} onRetry={() => void asked.refetch()} />
        )}
        {asked.data === undefined ? (
          asked.error === null ? (
            <Bone width={240} />
          ) : null
        ) : (
          <ul className="rm-list">
            {asked.data.map((setting) => (
              <li key={setting.name}>
                <Setting setting={setting} />
              </li>
            ))}
          </ul>
        )}
      </div>
    </main>
  );
}

/** Changes one setting, and puts the answer in place of what was shown. */
function useChange(setting: SiteSetting, onDone?: () => void) {
  const { t, tData } = useI18n();
  const client = useQueryClient();
  return useOnePress<SiteSetting, string | null>({
    mutationFn: (value) => changeSetting(setting.name, value, setting.value),
    onSuccess: (changed) => {
      client.setQueryData(settingsQuery.queryKey, (all) =>
        all?.map((one) => (one.name === changed.name ? changed : one)),
      );
      toast(t("admin.setting_saved", { name: tData(`admin.setting_${changed.name}`, {}) }));
      onDone?.();
    },
    onError: () => client.invalidateQueries({ queryKey: settingsQuery.queryKey }),
  });
}

function Setting({ setting }: { setting: SiteSetting }) {
  const { t, tData, lang } = useI18n();
  const heading = useId();
  const name = tData(`admin.setting_${setting.name}`, {});
  const last = setting.changes[0];
  return (
    <article className="rm-one" aria-labelledby={heading}>
      <header>
        <h2 id={heading}>{name}</h2>
        <p className="sub grow">
          {t(`admin.source_${setting.source}`)}
          {last === undefined ? null : (
            <>
              {" · "}
              {t("admin.setting_changed_by", {
                by: last.by ?? t("workspace.grants_by_command"),
                at: fullMoment(last.at, lang),
              })}
            </>
          )}
        </p>
      </header>
      <p className="muted">{tData(`admin.setting_${setting.name}_text`, {})}</p>
      {setting.unit === "switch" ? (
        <Switch setting={setting} name={name} />
      ) : (
        <Value key={setting.value} setting={setting} name={name} labelledBy={heading} />
      )}
      <History setting={setting} />
    </article>
  );
}

/** A switch is turned after a question: what it does is felt by everybody at once. */
function Switch({ setting, name }: { setting: SiteSetting; name: string }) {
  const { t } = useI18n();
  const [asking, setAsking] = useState(false);
  const isOn = setting.value === "true";
  const change = useChange(setting, () => setAsking(false));
  return (
    <div className="row">
      <span className={isOn ? "chip warn" : "chip"}>{t(isOn ? "admin.switch_on" : "admin.switch_off")}</span>
      <button type="button" className="btn" onClick={() => setAsking(true)}>
        {t(isOn ? "admin.switch_turn_off" : "admin.switch_turn_on")}
        <span className="vh"> {name}</span>
      </button>
      {asking ? (
        <DecisionDialog
          title={t(isOn ? "admin.maintenance_end_title" : "admin.maintenance_begin_title")}
          press={{ ...change, send: () => change.send(isOn ? "false" : "true") }}
          go={t(isOn ? "admin.maintenance_end" : "admin.maintenance_begin")}
          onClose={() => setAsking(false)}
        >
          <p>{t(isOn ? "admin.maintenance_end_text" : "admin.maintenance_begin_text")}</p>
        </DecisionDialog>
      ) : null}
    </div>
  );
}

/** The fault of a typed number, said with what to write; null for other texts, which the server judges. */
function numberFault(t: Translate, { unit }: SiteSetting, name: string, typed: string): string | null {
  if (unit === "money") {
    const reading = readWholeAmount(typed);
    return "doubt" in reading ? wholeAmountDoubt(t, name, typed, reading.doubt) : null;
  }
  if (unit !== "hours" && unit !== "days" && unit !== "minutes") return null;
  const reading = readCount(typed);
  return "doubt" in reading ? doubtText(t, name, typed, reading.doubt, WHOLE) : null;
}

interface ValueProps {
  setting: SiteSetting;
  name: string;
  labelledBy: string;
}

function Value({ setting, name, labelledBy }: ValueProps) {
  const { t } = useI18n();
  const { number } = useFormat();
  const [typed, setTyped] = useState(setting.value);
  const [wasLeft, setWasLeft] = useState(false);
  const change = useChange(setting);
  const doubt = numberFault(t, setting, name, typed);
  const fault = wasLeft ? doubt : null;
  const isRefused = fault !== null || change.error !== null;
  const [field, label, problem] = [useId(), useId(), useId()];
  const isNumber = ["money", "hours", "days", "minutes"].includes(setting.unit);
  const save = (event: FormEvent) => {
    event.preventDefault();
    setWasLeft(true);
    if (doubt === null) change.send(typed);
  };
  return (
    <form className="setting-form" onSubmit={save}>
      <label className="label" id={label} htmlFor={field}>
        {t(`admin.unit_${setting.unit}`)}
        {isNumber ? ` · ${t("admin.bounds", { least: number(setting.least), most: number(setting.most) })}` : null}
      </label>
      <div className="field">
        <input
          id={field}
          aria-labelledby={`${labelledBy} ${label}`}
          inputMode={isNumber ? "numeric" : "text"}
          aria-invalid={isRefused}
          aria-describedby={isRefused ? problem : undefined}
          value={typed}
          onBlur={() => setWasLeft(true)}
          onChange={(event) => setTyped(event.target.value)}
        />
      </div>
      <div className="row">
        <button type="submit" className="btn pri" disabled={typed === setting.value || change.isPending}>
          {t(change.isPending ? "admin.saving" : "admin.save")}
        </button>
        {setting.source === "here" ? (
          <button type="button" className="btn" disabled={change.isPending} onClick={() => change.send(null)}>
            {t("admin.give_back", { value: setting.without_here || t("admin.nothing") })}
          </button>
        ) : null}
      </div>
      {fault === null ? (
        <FailureNote error={change.error} id={problem} />
      ) : (
        <p id={problem} className="err" role="alert">
          {fault}
        </p>
      )}
    </form>
  );
}

/** The latest changes; the one before the last can be put back. */
function History({ setting }: { setting: SiteSetting }) {
  const { t, lang } = useI18n();
  const change = useChange(setting);
  if (setting.changes.length === 0) return null;
  const before = setting.changes[1]?.value ?? null;
  return (
    <details className="setting-history">
      <summary>{t("admin.changes", { n: setting.changes.length })}</summary>
      <ul>
        {setting.changes.map((one) => (
          <li key={one.at} className="num">
            {fullMoment(one.at, lang)} · {one.by ?? t("workspace.grants_by_command")} ·{" "}
            {one.value === null ? t("admin.given_back") : one.value || t("admin.nothing")}
          </li>
        ))}
      </ul>
      <button type="button" className="btn sm" disabled={change.isPending} onClick={() => change.send(before)}>
        {t("admin.undo", { value: (before ?? setting.without_here) || t("admin.nothing") })}
      </button>
      <FailureNote error={change.error} />
    </details>
  );
}
