import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { useI18n } from "../../i18n/i18n.tsx";
import { toast } from "../../ui/toast.tsx";
import { DialogFrame } from "../DialogFrame.tsx";
import { FailureNote } from "../FailureNote.tsx";
import { faultsOf } from "../failure.ts";
import { LabelledField } from "../LabelledField.tsx";
import { usePastMoment } from "../pastMoment.ts";
import { useIntent } from "../useIntent.ts";
import { useOnePress } from "../useOnePress.ts";
import { useUnsavedWarning } from "../useUnsavedWarning.ts";
import { type Feed, feedKeys, feedsQuery, type MissingRule, type Schedule, setSchedule } from "./feedCalls.ts";

const UNITS = ["m", "h", "d"] as const;
type Unit = (typeof UNITS)[number];

interface Typed {
  name: string;
  url: string;
  count: string;
  unit: Unit;
  missing: MissingRule;
}

/** Reads an interval such as `6h`; a day where there is none yet. */
export function readEvery(every: string | null): { count: string; unit: Unit } {
  const [, count = "1", letter = "d"] = /^(\d+)([mhd])$/.exec(every ?? "") ?? [];
  return { count, unit: UNITS.find((unit) => unit === letter) ?? "d" };
}

function begin(name: string, feed: Feed | undefined): Typed {
  return { name, url: "", ...readEvery(feed?.every ?? null), missing: feed?.missing ?? "report" };
}

/** A button that opens the schedule of a feed. */
export function ScheduleButton({ name }: { name: string }) {
  const { t } = useI18n();
  const isPast = usePastMoment() !== null;
  const [isOpen, setIsOpen] = useState(false);
  const { data } = useQuery(feedsQuery);
  const feed = data?.feeds.find((one) => one.name === name);
  if (feed?.set_in === "setting") return null;
  return (
    <>
      <button type="button" className="btn" disabled={isPast || data === undefined} onClick={() => setIsOpen(true)}>
        {t("imports.set_schedule")}
      </button>
      {isOpen ? <ScheduleDialog name={name} feed={feed} onClose={() => setIsOpen(false)} /> : null}
    </>
  );
}

interface ScheduleDialogProps {
  /** The feed's name; null for a new one, which is named here. */
  name: string | null;
  feed: Feed | undefined;
  onClose: () => void;
}

/** Reads a feed's file from an address again and again. */
export function ScheduleDialog({ name, feed, onClose }: ScheduleDialogProps) {
  const { t } = useI18n();
  const [typed, setTyped] = useState(() => begin(name ?? "", feed));
  const [wasTried, setWasTried] = useState(false);
  const isChanged = JSON.stringify(typed) !== JSON.stringify(begin(name ?? "", feed));
  useUnsavedWarning(isChanged);
  const press = useSaving(onClose);
  const faults = faultsOf(press.error);
  const isKnown = feed?.host != null;
  const lacks = {
    name: typed.name.trim() === "",
    url: typed.url.trim() === "" && !isKnown,
    every: !(Number(typed.count) > 0),
  };
  const submit = () => {
    setWasTried(true);
    if (lacks.name || lacks.url || lacks.every) return;
    press.send({ name: typed.name.trim(), body: writeSchedule(typed, feed) });
  };
  return (
    <DialogFrame
      title={name === null ? t("imports.schedule_new") : t("imports.schedule_title", { feed: name })}
      onSubmit={submit}
      onClose={onClose}
      footer={
        <>
          <button type="button" className="btn" onClick={onClose}>
            {t("imports.not_now")}
          </button>
          <button type="submit" className="btn pri" disabled={press.isPending}>
            {t(`imports.read_every_${typed.unit}`, { n: Number(typed.count) || 0 })}
          </button>
        </>
      }
    >
      <Fields
        typed={typed}
        isNew={name === null}
        host={feed?.host ?? null}
        faults={faults}
        lacks={wasTried ? lacks : NO_LACKS}
        onType={(part) => setTyped({ ...typed, ...part })}
      />
      <p className="sub acts16">{t(feed?.has_map ? "imports.schedule_map" : "imports.schedule_no_map")}</p>
      {faults.size === 0 ? <FailureNote error={press.error} /> : null}
      {faults.has("map") ? (
        <p className="err" role="alert">
          {faults.get("map")}
        </p>
      ) : null}
    </DialogFrame>
  );
}

type Lacks = Readonly<Record<"name" | "url" | "every", boolean>>;

const NO_LACKS: Lacks = { name: false, url: false, every: false };

function writeSchedule({ url, count, unit, missing }: Typed, feed: Feed | undefined): Schedule {
  return {
    url: url.trim() || null,
    every: `${count.trim()}${unit}`,
    missing,
    is_paused: feed?.is_paused ?? false,
    map: null,
    version: feed?.version ?? null,
  };
}

function useSaving(onSaved: () => void) {
  const { t } = useI18n();
  const client = useQueryClient();
  const keyOf = useIntent();
  return useOnePress<Feed, { name: string; body: Schedule }>({
    mutationFn: (asked) => setSchedule(asked.name, asked.body, keyOf(asked)),
    onSuccess: (feed) => {
      toast(t("imports.schedule_saved", { feed: feed.name }));
      onSaved();
    },
    // A refusal may be that a colleague changed it: the next try is about what is so now.
    onSettled: () => {
      for (const queryKey of feedKeys) void client.invalidateQueries({ queryKey, exact: true });
    },
  });
}

interface FieldsProps {
  typed: Typed;
  isNew: boolean;
  /** The host of the address that is known. */
  host: string | null;
  faults: ReadonlyMap<string, string>;
  lacks: Lacks;
  onType: (part: Partial<Typed>) => void;
}

function Fields({ typed, isNew, host, faults, lacks, onType }: FieldsProps) {
  const { t } = useI18n();
  return (
    <>
      {isNew ? (
        <LabelledField
          label={t("imports.feed_name")}
          hint={t("imports.feed_name_hint")}
          fault={faults.get("feed") ?? (lacks.name ? t("imports.feed_missing") : undefined)}
        >
          {(its) => (
            <input
              {...its}
              className="field full"
              maxLength={64}
              value={typed.name}
              onChange={(event) => onType({ name: event.target.value })}
            />
          )}
        </LabelledField>
      ) : null}
      <LabelledField
        label={t("imports.address")}
        hint={host === null ? t("imports.address_hint") : t("imports.address_known", { host })}
        fault={faults.get("url") ?? (lacks.url ? t("imports.address_missing") : undefined)}
      >
        {(its) => (
          <input
            {...its}
            className="field full"
            type="url"
            placeholder="https://"
            autoComplete="off"
            value={typed.url}
            onChange={(event) => onType({ url: event.target.value })}
          />
        )}
      </LabelledField>
      <LabelledField
        label={t("imports.every")}
        hint={t("imports.every_hint")}
        fault={faults.get("every") ?? (lacks.every ? t("imports.every_missing") : undefined)}
      >
        {(its) => (
          <span className="row">
            <input
              {...its}
              className="field fd-count"
              inputMode="numeric"
              value={typed.count}
              onChange={(event) => onType({ count: event.target.value })}
            />
            <select
              className="field"
              aria-label={t("imports.every_unit")}
              value={typed.unit}
              onChange={(event) => onType({ unit: UNITS.find((unit) => unit === event.target.value) ?? "d" })}
            >
              {UNITS.map((unit) => (
                <option key={unit} value={unit}>
                  {t(`imports.every_${unit}`)}
                </option>
              ))}
            </select>
          </span>
        )}
      </LabelledField>
      <MissingRules rule={typed.missing} onChoose={(missing) => onType({ missing })} />
    </>
  );
}

const RULES = ["report", "withdraw", "keep"] as const;

function MissingRules({ rule, onChoose }: { rule: MissingRule; onChoose: (rule: MissingRule) => void }) {
  const { t } = useI18n();
  return (
    <fieldset>
      <legend className="label">{t("imports.when_missing")}</legend>
      {RULES.map((one) => (
        <label key={one} className={one === rule ? "radio on" : "radio"}>
          <input type="radio" className="vh" name="missing" checked={one === rule} onChange={() => onChoose(one)} />
          {t(`imports.rule_${one}`)}
        </label>
      ))}
      {rule === "withdraw" ? <p className="sub acts16">{t("imports.rule_withdraw_text")}</p> : null}
    </fieldset>
  );
}
