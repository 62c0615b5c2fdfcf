import { useState } from "react";
import type { HomeFact, HomeValues } from "../../../contract/wire.ts";
import type { MoneyLook } from "../../../i18n/format.ts";
import { useFormat, useI18n } from "../../../i18n/i18n.tsx";
import { pageLanguages } from "../../../i18n/languages.ts";
import { type Counted, numberOf, readAmount } from "../../../typedNumber.ts";
import { readCurrency } from "../../homeCurrency.ts";
import { Icon } from "../../icon.tsx";
import { Scrolling } from "../../Scrolling.tsx";
import type { StaffHome, StaffRoom } from "../homeCalls.ts";
import { listAddressLines, readFactName, readLength, readParts } from "./factNames.ts";
import { AMOUNTS, type Draft, findShown } from "./homeEdit.ts";

interface StudentViewProps {
  home: StaffHome;
  values: HomeValues;
  draft: Draft;
  /** The picture is another one than students see by now. */
  isPictureNew?: boolean;
}

/** A line of the student's page with the fact that it tells. */
interface Line {
  fact: string;
  text: string;
}

/** The home as a student sees it, with the draft over it: what changes is outlined, what nobody says has no line. */
export function StudentView({ home, values, draft, isPictureNew = false }: StudentViewProps) {
  const { t, lang } = useI18n();
  const { money } = useFormat();
  const [tag, setTag] = useState<string>(lang);
  const { look, shown, outline } = useShown(values, draft);
  const local = `name.${tag}`;
  const named = shown(local) === null ? "name" : local;
  const address = readParts(shown("address") ?? "");
  const cheapest = findCheapest(values.values, draft, look);
  return (
    <section className="seen" aria-label={t("homes.seen")}>
      <header className="seen-h">
        <h2>{t("homes.seen")}</h2>
        <fieldset className="seg">
          <legend className="vh">{t("homes.seen_language")}</legend>
          {pageLanguages().map(([one, short]) => (
            <button key={one} type="button" aria-pressed={one === tag} onClick={() => setTag(one)}>
              {short}
            </button>
          ))}
        </fieldset>
      </header>
      <Scrolling className="stage" role="group" aria-label={t("homes.seen")}>
        <div className="sv">
          <div className={isPictureNew ? "new" : undefined}>
            <Picture home={home} />
          </div>
          <div className="sv-body">
            <h3 className={outline(named) ?? outline(local)}>{shown(named) ?? home.name}</h3>
            <p className={`muted ${outline("address") ?? ""}`}>
              {listAddressLines(address).join(t("workspace.list_mark"))}
            </p>
            {cheapest === null ? null : (
              <p className="sv-price">{t(`homes.from_${values.period}`, { price: money(cheapest, look) })}</p>
            )}
            <Told {...{ shown, outline, look }} />
            {home.rooms.map((room) => (
              <Room key={room.room_id} {...{ room, values, draft, outline, look, tag }} />
            ))}
            <Description {...{ values, shown, outline, tag }} />
          </div>
        </div>
        <Missing {...{ home, values, shown }} />
      </Scrolling>
    </section>
  );
}

/** What is shown of a fact, and the outline of one that the draft changes. */
function useShown(values: HomeValues, draft: Draft) {
  const look = readCurrency(values.currency);
  const facts = new Map(values.values.map((fact) => [fact.fact, fact]));
  return {
    look,
    shown: (fact: string) => findShown(draft, facts.get(fact), look),
    outline: (fact: string) => (fact in draft.typed || draft.given.includes(fact) ? "new" : undefined),
  };
}

type Shown = ReturnType<typeof useShown>;

function Picture({ home }: { home: StaffHome }) {
  const { t } = useI18n();
  const [first] = home.pictures;
  if (first === undefined) return <p className="sv-none">{t("homes.no_photos")}</p>;
  return <img className="sv-pic" src={first} alt={t("homes.photo_of", { n: 1, of: home.pictures.length })} />;
}

/** Bills, guarantor and amounts: a line each, where somebody says it. */
function Told({ shown, outline, look }: Shown) {
  const { t, tData } = useI18n();
  const { money } = useFormat();
  const terms = readParts(shown("terms") ?? "");
  const choices = [
    ["kind", "property_kind"],
    ["bills_included", "bills"],
    ["guarantor", "guarantor"],
  ] as const;
  const lines: Line[] = choices.flatMap(([fact, kind]) => {
    const word = shown(fact);
    return word === null ? [] : [{ fact, text: tData(`homes.${kind}_${word}`) }];
  });
  if (terms.asks_no_deposit === "true") lines.push({ fact: "terms", text: t("homes.deposit_none") });
  for (const name of AMOUNTS) {
    const minor = readMinor(terms[name] ?? "", look);
    if (minor > 0) lines.push({ fact: "terms", text: `${t(`homes.${name}`)}: ${money(minor, look)}` });
  }
  return (
    <ul className="sv-facts">
      {lines.map(({ fact, text }) => (
        <li key={text} className={outline(fact)}>
          <Icon name="check" size="s" />
          {text}
        </li>
      ))}
    </ul>
  );
}

const readMinor = (typed: string, counted: Counted) => (typed === "" ? 0 : (numberOf(readAmount(typed, counted)) ?? 0));

interface RoomProps extends Pick<StudentViewProps, "values" | "draft">, Omit<Shown, "shown"> {
  room: StaffRoom;
  /** The language in which the home's own texts are read. */
  tag: string;
}

function Room({ room, values, draft, outline, look, tag }: RoomProps) {
  const { t } = useI18n();
  const { money, date } = useFormat();
  const names = readParts(
    findShown(
      draft,
      values.values.find(({ fact }) => fact === `rooms.${room.room_id}.name`),
      look,
    ) ?? "",
  );
  const own = Object.keys(names).length === 0 ? room.name : names;
  const prices = values.values.flatMap((fact) => {
    const name = readFactName(fact.fact);
    if (name.kind !== "price" || name.room !== room.room_id) return [];
    const minor = readMinor(findShown(draft, fact, look) ?? "", look);
    return minor === 0 ? [] : [{ fact: fact.fact, minor, ...name.stay }];
  });
  return (
    <div className="sv-row">
      <b className={outline(`rooms.${room.room_id}.name`)}>{own[tag] ?? Object.values(own)[0]}</b>
      <ul>
        {prices.map(({ fact, minor, moveIn, length }) => {
          const { n, unit } = readLength(length);
          return (
            <li key={fact} className={outline(fact)}>
              {t(`homes.stay_${unit}`, { n, day: date(moveIn, "short") })} <b>{money(minor, look)}</b>
            </li>
          );
        })}
      </ul>
    </div>
  );
}

type DescriptionProps = Pick<StudentViewProps, "values"> & Pick<Shown, "shown" | "outline"> & Pick<RoomProps, "tag">;

/** The text in the reader's language, else in the one that there is. */
function Description({ values, shown, outline, tag }: DescriptionProps) {
  const facts = values.values.filter(({ fact }) => fact.startsWith("description."));
  const fact = (facts.find((one) => one.fact === `description.${tag}`) ?? facts[0])?.fact;
  const text = fact === undefined ? null : shown(fact);
  return fact === undefined || text === null ? null : <p className={`sv-text ${outline(fact) ?? ""}`}>{text}</p>;
}

/** What a student will not read, as nobody says it. */
function Missing({ home, values, shown }: Omit<StudentViewProps, "draft"> & Pick<Shown, "shown">) {
  const { t } = useI18n();
  const hasText = values.values.some(({ fact }) => fact.startsWith("description.") && shown(fact) !== null);
  const missing = [
    home.pictures.length === 0 ? t("homes.lacks_photos") : null,
    home.rooms.every(({ leases }) => leases.length === 0) ? t("homes.lacks_leases") : null,
    hasText ? null : t("homes.lacks_description"),
    shown("bills_included") === null ? t("homes.lacks_bills") : null,
    shown("guarantor") === null ? t("homes.lacks_guarantor") : null,
  ].filter((word) => word !== null);
  if (missing.length === 0) return null;
  return <p className="sub">{t("homes.students_miss", { what: missing.join(t("workspace.list_mark")) })}</p>;
}

function findCheapest(facts: readonly HomeFact[], draft: Draft, look: Counted & MoneyLook): number | null {
  const prices = facts
    .filter(({ fact }) => readFactName(fact).kind === "price")
    .map((fact) => readMinor(findShown(draft, fact, look) ?? "", look))
    .filter((minor) => minor > 0);
  return prices.length === 0 ? null : Math.min(...prices);
}
