import { useInfiniteQuery, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { useI18n } from "../../../i18n/i18n.tsx";
import { toast } from "../../../ui/toast.tsx";
import { clockTime, dayOf, dayWithYear } from "../../clock.ts";
import { readCurrency } from "../../homeCurrency.ts";
import { Icon, type IconName } from "../../icon.tsx";
import { dropKeptWords } from "../../keptDraft.ts";
import { usePastMoment } from "../../pastMoment.ts";
import { ReasonDialog } from "../../ReasonDialog.tsx";
import { Bone, Stopped } from "../../TableStates.tsx";
import { useIntent } from "../../useIntent.ts";
import { useOnePress } from "../../useOnePress.ts";
import { useFactLabel } from "../facts/FactRow.tsx";
import { useFactText } from "../facts/useFactText.ts";
import { type HomeStep, historyKey, homeKeys, homeQuery, readHistory, type StaffHome, undoStep } from "../homeCalls.ts";

const ICONS: Partial<Record<HomeStep["kind"], IconName>> = {
  edited: "pen",
  taken_back: "undo",
  submitted: "eye",
  activated: "check",
  changes_asked: "mail",
  paused: "pause",
  reopened: "play",
  closed: "x",
  merged: "x",
  deleted: "x",
};

/** Every step of a home, the newest first, by days: who, why, from which value to which, and the way to undo it or why there is none. */
export function HomeHistory({ home }: { home: StaffHome }) {
  const { t } = useI18n();
  const asked = useInfiniteQuery({
    queryKey: historyKey(home.home_id),
    queryFn: ({ pageParam, signal }) => readHistory(home.home_id, pageParam, signal),
    initialPageParam: null as number | null,
    getNextPageParam: ({ next }) => next,
  });
  const steps = asked.data?.pages.flatMap((page) => page.steps);
  return (
    <div className="scroll pad" data-list-scroll>
      {asked.error === null ? null : (
        <Stopped error={asked.error} fetchedAt={asked.dataUpdatedAt} onRetry={() => void asked.refetch()} />
      )}
      {steps === undefined && asked.error === null ? <Bone width={320} /> : null}
      {steps === undefined ? null : <Days home={home} steps={steps} />}
      {asked.hasNextPage ? (
        <button
          type="button"
          className="btn"
          disabled={asked.isFetchingNextPage}
          onClick={() => void asked.fetchNextPage()}
        >
          {t("homes.older_steps")}
        </button>
      ) : null}
      <p className="sub">{t("homes.undo_text")}</p>
    </div>
  );
}

function Days({ home, steps }: { home: StaffHome; steps: HomeStep[] }) {
  const { lang } = useI18n();
  return groupByDay(steps).map(([day, those]) => (
    <section key={day} className="step-list">
      <h2>{dayWithYear(those[0]?.at ?? day, lang)}</h2>
      <ul>
        {those.map((step) => (
          <Step key={step.step} home={home} step={step} />
        ))}
      </ul>
    </section>
  ));
}

function groupByDay(steps: readonly HomeStep[]): [string, HomeStep[]][] {
  const days = new Map<string, HomeStep[]>();
  for (const step of steps) {
    const day = dayOf(step.at);
    days.set(day, [...(days.get(day) ?? []), step]);
  }
  return [...days];
}

function Step({ home, step }: { home: StaffHome; step: HomeStep }) {
  const { t } = useI18n();
  const [isAsking, setAsking] = useState(false);
  const isPast = usePastMoment() !== null;
  const isFeed = step.run_id !== null;
  const who = isFeed ? (home.feed ?? t("homes.a_feed")) : step.by.label || t(`homes.by_${step.by.kind}`);
  const said = t(`homes.change_${step.kind}`);
  return (
    <li>
      <span className="evi">
        <Icon name={ICONS[step.kind] ?? (isFeed ? "cloud" : "pen")} size="s" />
      </span>
      <div className="grow">
        <p>
          <b>{who}</b> · {said}
        </p>
        <Changes home={home} step={step} />
        <p className="sub">
          {[clockTime(step.at), step.reason === null ? null : t("homes.reason_said", { reason: step.reason })]
            .filter((part) => part !== null)
            .join(" · ")}
        </p>
      </div>
      {step.can_undo ? (
        <button type="button" className="btn sm" disabled={isPast} onClick={() => setAsking(true)}>
          <Icon name="undo" size="xs" />
          {t("homes.undo")}
          <span className="vh"> {said}</span>
        </button>
      ) : step.why_not === null ? null : (
        <p className="sub why-not">{step.why_not}</p>
      )}
      {isAsking ? <Undo home={home} step={step} said={said} onClose={() => setAsking(false)} /> : null}
    </li>
  );
}

function Changes({ home, step }: { home: StaffHome; step: HomeStep }) {
  const { t, lang } = useI18n();
  const label = useFactLabel();
  const say = useFactText();
  const money = readCurrency(home.currency);
  if (step.changes.length === 0) return null;
  return (
    <ul className="changes">
      {step.changes.map(({ fact, room_id, from, to }) => {
        const room = home.rooms.find((one) => one.room_id === room_id);
        const name = room?.name[lang] ?? Object.values(room?.name ?? {})[0];
        return (
          <li key={fact}>
            {[name, label(fact)].filter((part) => part !== undefined).join(" · ")}{" "}
            <del>{say(fact, from, money) ?? t("homes.not_said")}</del>{" "}
            <ins>{say(fact, to, money) ?? t("homes.not_said")}</ins>
          </li>
        );
      })}
    </ul>
  );
}

function Undo({ home, step, said, onClose }: { home: StaffHome; step: HomeStep; said: string; onClose: () => void }) {
  const { t } = useI18n();
  const client = useQueryClient();
  const keyOf = useIntent();
  const about = `home ${home.home_id} undo ${step.step}`;
  const press = useOnePress<StaffHome, string>({
    mutationFn: (reason) => undoStep(home.home_id, step.step, reason, keyOf(reason)),
    onSuccess: (changed) => {
      client.setQueryData(homeQuery(home.home_id).queryKey, changed);
      for (const queryKey of homeKeys(home.home_id)) void client.invalidateQueries({ queryKey });
      dropKeptWords(about);
      toast(t("homes.undone"));
      onClose();
    },
    onError: () => void client.invalidateQueries({ queryKey: historyKey(home.home_id) }),
  });
  return (
    <ReasonDialog
      about={about}
      title={t("homes.undo_title", { what: said })}
      text={t("homes.undo_text")}
      label={t("homes.why")}
      act={t("homes.undo")}
      sending={press}
      onClose={onClose}
    />
  );
}
