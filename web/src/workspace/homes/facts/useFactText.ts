import type { HomeFact } from "../../../contract/wire.ts";
import type { MoneyLook } from "../../../i18n/format.ts";
import { useFormat, useI18n } from "../../../i18n/i18n.tsx";
import { listAddressLines, readFactName } from "./factNames.ts";
import { AMOUNTS, isTerms, isTexts } from "./homeEdit.ts";

type Value = HomeFact["value"];

/** A value of a fact in words; null where nothing is said. */
export function useFactText(): (fact: string, value: Value, money: MoneyLook) => string | null {
  const { t, tData, lang } = useI18n();
  const format = useFormat();
  const say = (prefix: string, word: string) => {
    const said = tData(`${prefix}${word}`);
    return said === `${prefix}${word}` ? word.replaceAll("_", " ") : said;
  };
  const list = (words: readonly string[]) => words.join(t("workspace.list_mark")) || null;
  return (fact, value, money) => {
    if (value === null || value === "") return null;
    const { kind } = readFactName(fact);
    if (typeof value === "number") return kind === "price" ? format.money(value, money) : format.number(value);
    if (typeof value === "string") {
      const isChoice = kind === "guarantor" || kind === "bills" || kind === "property_kind";
      return isChoice ? say(`homes.${kind}_`, value) : value;
    }
    // A list of pictures says how many there are.
    if (Array.isArray(value) && fact.endsWith("photos")) return t("homes.photos_count", { n: value.length });
    if (Array.isArray(value))
      return list(value.map((word) => say(kind === "facilities" ? "feature." : "homes.type_", word)));
    if (isTerms(value)) {
      const said = AMOUNTS.filter((name) => value[name] > 0);
      const amounts = said.map((name) => `${t(`homes.${name}`)}: ${format.money(value[name], money)}`);
      return list(value.asks_no_deposit ? [t("homes.deposit_none"), ...amounts] : amounts);
    }
    if (!isTexts(value)) return null;
    if (kind === "room_name") return value[lang] ?? Object.values(value)[0] ?? null;
    if (kind !== "address") return list(Object.values(value));
    return list(listAddressLines(value));
  };
}
