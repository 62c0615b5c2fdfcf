import type { HomeFact, HomeValues } from "../../../contract/wire.ts";
import type { MoneyLook } from "../../../i18n/format.ts";
import { useFormat, useI18n } from "../../../i18n/i18n.tsx";
import type { Counted } from "../../../typedNumber.ts";
import { plainDay } from "../../clock.ts";
import { Icon } from "../../icon.tsx";
import { languageName } from "../../languageName.ts";
import { usePastMoment } from "../../pastMoment.ts";
import { FactField } from "./FactField.tsx";
import { nameElement, readFactName, readLength } from "./factNames.ts";
import { type Draft, isOvertaken, keepMine, spellValue, takeTheirs, toggleGiven, typeOver } from "./homeEdit.ts";
import { useFactText } from "./useFactText.ts";

interface FactRowProps {
  fact: HomeFact;
  values: HomeValues;
  draft: Draft;
  counted: Counted & MoneyLook;
  /** Its number that cannot be read, or what the server refused of it. */
  fault: string | undefined;
  onChange: (draft: Draft) => void;
}

/** A fact: its name, its value as a field, and where the value comes from. */
export function FactRow({ fact, values, draft, counted, fault, onChange }: FactRowProps) {
  const label = useFactLabel()(fact.fact);
  const spelled = spellValue(fact.fact, fact.value, counted);
  const typed = draft.typed[fact.fact];
  const isGiven = draft.given.includes(fact.fact);
  const isChanged = typed !== undefined || isGiven;
  const faultId = nameElement("fault", fact.fact);
  return (
    <div className={isChanged ? "hfact chg" : "hfact"}>
      <span className="hfact-k" id={nameElement("label", fact.fact)}>
        {label}
      </span>
      <div className="hfact-v">
        <FactField
          fact={fact}
          counted={counted}
          text={typed?.text ?? spelled}
          faultId={fault === undefined ? undefined : faultId}
          onType={(text) => onChange(typeOver(draft, fact, text, spelled))}
        />
        {fault === undefined ? null : (
          <p className="err" id={faultId} role="alert">
            {fault}
          </p>
        )}
        {isOvertaken(draft, fact) ? <Overtaken {...{ fact, counted, draft, onChange }} /> : null}
      </div>
      <Source
        {...{ fact, label, values, counted, isGiven }}
        isTyped={typed !== undefined}
        onGive={() => onChange(toggleGiven(draft, fact.fact))}
      />
    </div>
  );
}

/** The name of a fact as staff read it. */
export function useFactLabel(): (fact: string) => string {
  const { t, tData, lang } = useI18n();
  const { date } = useFormat();
  return (fact) => {
    const name = readFactName(fact);
    switch (name.kind) {
      case "description":
        return t("homes.fact_description", { language: languageName(name.language, lang) });
      case "local_name":
        return t("homes.fact_local_name", { language: languageName(name.language, lang) });
      case "price": {
        const { n, unit } = readLength(name.stay.length);
        return t(`homes.stay_${unit}`, { n, day: date(name.stay.moveIn, "short") });
      }
      case "fixed": {
        const key = `homes.fact_${fact.replace(/^rooms\.[^.]+\./, "")}`;
        const said = tData(key);
        return said === key ? fact : said;
      }
      default:
        return t(`homes.fact_${name.kind}`);
    }
  };
}

type OvertakenProps = Pick<FactRowProps, "fact" | "draft" | "counted" | "onChange">;

/** Somebody changed the fact after it was typed over: both values, and the choice between them. */
function Overtaken({ fact, draft, counted, onChange }: OvertakenProps) {
  const { t } = useI18n();
  const value = useFactText()(fact.fact, fact.value, counted) ?? t("homes.not_said");
  return (
    <div className="note warn" role="alert">
      <div>
        <p>{t("homes.changed_meanwhile", { value })}</p>
        <div className="row wrapx">
          <button type="button" className="btn sm" onClick={() => onChange(keepMine(draft, fact))}>
            {t("homes.keep_mine")}
          </button>
          <button type="button" className="btn sm" onClick={() => onChange(takeTheirs(draft, fact))}>
            {t("homes.take_theirs")}
          </button>
        </div>
      </div>
    </div>
  );
}

interface SourceProps extends Pick<FactRowProps, "fact" | "values" | "counted"> {
  label: string;
  isTyped: boolean;
  isGiven: boolean;
  onGive: () => void;
}

/** Where a value comes from: a feed, or a person with day and reason; a person's value over a feed's can be taken back. */
function Source({ fact, label, values, counted, isTyped, isGiven, onGive }: SourceProps) {
  const { t, lang } = useI18n();
  const isPast = usePastMoment() !== null;
  const feedValue = useFactText()(fact.fact, fact.feed?.value ?? null, counted) ?? t("homes.not_said");
  const isHand = fact.from === "person" || isTyped;
  // Of a home without a feed, what lies beneath an edit is an earlier value of people: its history takes the edit back.
  const isOverFeed = fact.is_set && values.feed !== null;
  const said = fact.person ?? fact.feed;
  const day = said === null ? null : plainDay(said.at, lang);
  const lines = isTyped
    ? [t("homes.you_just_now")]
    : isGiven
      ? [t("homes.goes_back", { value: feedValue })]
      : [
          fact.from === "feed" ? t("homes.said_by_feed", { feed: values.feed ?? "", day: day ?? "" }) : null,
          fact.from === "person" && said !== null ? nameSaid(t, said.by.label, day ?? "") : null,
          said?.reason ? t("homes.reason_said", { reason: said.reason }) : null,
          fact.value === null ? t("homes.students_see_none") : null,
          // Of a place the feed's value is ids.
          isOverFeed && fact.fact !== "place" ? t("homes.feed_says", { value: feedValue }) : null,
        ].filter((line) => line !== null);
  return (
    <div className={isHand ? "from hand" : "from"}>
      <Icon name={isHand ? "pen" : "cloud"} size="s" />
      <div>
        {lines.map((line) => (
          <p key={line}>{line}</p>
        ))}
        {isOverFeed ? (
          <button type="button" className="link" disabled={isPast} title={fact.note} onClick={onGive}>
            {t(isGiven ? "homes.keep_persons" : "homes.take_feeds")}
            <span className="vh"> {label}</span>
          </button>
        ) : null}
      </div>
    </div>
  );
}

function nameSaid(t: ReturnType<typeof useI18n>["t"], name: string, day: string): string {
  return name === "" ? t("homes.said_on", { day }) : t("homes.said_by", { name, day });
}
