import { useId, useState } from "react";
import { useI18n } from "../../../i18n/i18n.tsx";
import { DecisionDialog } from "../../DecisionDialog.tsx";
import { Icon, type IconName } from "../../icon.tsx";
import { useKeptWords } from "../../keptDraft.ts";
import { ReasonChoice } from "../../ReasonChoice.tsx";
import type { HomeActWord, StaffHome } from "../homeCalls.ts";

/** An act as its dialog has it. */
export interface Asked {
  reason: string;
  reopens_on: string | null;
}

interface HomeActDialogProps {
  act: HomeActWord;
  /** Its homes: one by its name, or how many. */
  homes: { name: string | null; n: number };
  /** What the act meets; how many wait is not counted for several homes. */
  stakes: Omit<StaffHome["stakes"], "waiting"> & { waiting: number | null };
  /** Keeps the words until they are sent. */
  about: string;
  press: { error: Error | null; isPending: boolean; send: (asked: Asked) => void };
  onClose: () => void;
}

/** The usual reasons of each act. */
const REASONS = {
  pause: ["provider_asked", "page_wrong", "complaint"],
  reopen: ["pause_over", "provider_asked"],
  close: ["no_longer_let", "provider_left", "entered_twice", "not_safe"],
  ask_changes: ["texts_missing", "price_wrong"],
  submit: ["complete"],
  activate: ["checked"],
} as const satisfies Record<HomeActWord, readonly string[]>;

type ActReason = (typeof REASONS)[HomeActWord][number];

const REASON_LEAST = 3;
const REASON_MAX = 500;

/** The reason as it is recorded: the chosen one, and the own words behind it. */
function joinReason(chosen: string, words: string): string {
  const own = words.trim();
  return [chosen, own].filter((part) => part !== "").join(": ");
}

/** Asks for the reason of an act on homes, beside what will happen and what stays. */
export function HomeActDialog({ act, homes, stakes, about, press, onClose }: HomeActDialogProps) {
  const { t } = useI18n();
  const [why, day] = [useId(), useId()];
  const [words, setWords] = useKeptWords(about);
  const [chosen, setChosen] = useState<ActReason | null>(null);
  const [reopensOn, setReopensOn] = useState("");
  const { name, n } = homes;
  const reasonText = (one: ActReason) => t(`homes.reason_${one}`);
  const choice = chosen === null ? "" : reasonText(chosen);
  const reason = joinReason(choice, words);
  return (
    <DecisionDialog
      title={name === null ? t(`homes.${act}_several`, { n }) : t(`homes.${act}_title`, { name })}
      press={{
        ...press,
        send: () => press.send({ reason, reopens_on: act === "pause" ? reopensOn || null : null }),
      }}
      go={name === null ? t(`homes.${act}_several`, { n }) : t(`homes.${act}_go`)}
      look={act === "close" ? "danger" : "pri"}
      ready={reason.length >= REASON_LEAST}
      missing={t("homes.why_missing")}
      onClose={onClose}
    >
      <div className="act-two">
        <div>
          <ReasonChoice<ActReason>
            legend={t("homes.why")}
            reasons={REASONS[act]}
            reason={chosen}
            text={reasonText}
            onChoose={setChosen}
          />
          <label className="label" htmlFor={why}>
            {t("homes.own_words")}{" "}
            <span className="optional">{t(chosen === null ? "homes.own_words_alone" : "homes.optional")}</span>
          </label>
          <textarea
            id={why}
            className="area"
            maxLength={REASON_MAX - choice.length - 2}
            value={words}
            onChange={(event) => setWords(event.target.value)}
          />
          {act === "pause" ? (
            <>
              <label className="label" htmlFor={day}>
                {t("homes.reopens_on")} <span className="optional">{t("homes.optional")}</span>
              </label>
              <input
                id={day}
                className="field"
                type="date"
                value={reopensOn}
                onChange={(event) => setReopensOn(event.target.value)}
              />
            </>
          ) : null}
        </div>
        <Consequences act={act} stakes={stakes} />
      </div>
    </DecisionDialog>
  );
}

type Line = readonly [icon: IconName, text: string] | null;

/** What an act does to search, page, holds and those who wait, and what it leaves as it is. */
function Consequences({ act, stakes }: Pick<HomeActDialogProps, "act" | "stakes">) {
  const { t } = useI18n();
  const { free, held, booked, waiting } = stakes;
  const isEnd = act === "pause" || act === "close";
  const isBegin = act === "reopen" || act === "activate";
  const holds: Line = held > 0 ? ["clock", t("homes.then_held", { n: held })] : null;
  const waits = (text: "homes.then_waiting_pause" | "homes.then_waiting_close" | "homes.then_waiting_reopen"): Line =>
    waiting === null || waiting === 0 ? null : ["mail", t(text, { n: waiting })];
  const lines: Line[] = [
    isEnd ? ["search", t("homes.then_unlisted", { n: free })] : null,
    isBegin ? ["search", t("homes.then_listed")] : null,
    act === "pause" ? ["home", t("homes.then_paused_page")] : null,
    act === "close" ? ["home", t("homes.then_closed_page")] : null,
    act === "submit" ? ["eye", t("homes.then_submitted")] : null,
    act === "ask_changes" ? ["mail", t("homes.then_changes_asked")] : null,
    isEnd ? holds : null,
    act === "pause" ? waits("homes.then_waiting_pause") : null,
    act === "close" ? waits("homes.then_waiting_close") : null,
    act === "reopen" ? waits("homes.then_waiting_reopen") : null,
  ];
  return (
    <div className="act-then">
      <h3 className="part">{t("homes.happens")}</h3>
      <ul className="then">
        {lines
          .filter((line) => line !== null)
          .map(([icon, text]) => (
            <li key={text}>
              <Icon name={icon} size="s" />
              {text}
            </li>
          ))}
      </ul>
      {isEnd ? (
        <>
          <h3 className="part">{t("homes.stays")}</h3>
          <ul className="then">
            <li>
              <Icon name="check" size="s" />
              {t("homes.stay_bookings", { n: booked })}
            </li>
            <li>
              <Icon name="check" size="s" />
              {t("homes.stay_feed")}
            </li>
          </ul>
        </>
      ) : null}
      <p className="sub">{t("homes.act_noted")}</p>
    </div>
  );
}
