/** Prices and numbers of rooms of an edit, as the server tries them before they are saved. */
import type { HomeFact, HomeValues, RoomEdit } from "../../../contract/wire.ts";
import { readCurrency } from "../../homeCurrency.ts";
import { readFactName } from "../facts/factNames.ts";
import { buildEdit, type Draft, findDoubt, findShown } from "../facts/homeEdit.ts";

/** Lists what an edit changes of prices and numbers of rooms; a number that cannot be read is left out until it can. */
export function listTried(home: HomeValues, draft: Draft): RoomEdit[] {
  const counted = readCurrency(home.currency);
  const changed = home.values.filter(
    (fact) => isTriable(fact) && (fact.fact in draft.typed || draft.given.includes(fact.fact)),
  );
  const typed = changed.flatMap((fact) => {
    const text = findShown(draft, fact, counted);
    if (text === null || findDoubt(fact.fact, text, counted) !== null) return [];
    return [[fact.fact, { text, over: "" }] as const];
  });
  return buildEdit(home, { typed: Object.fromEntries(typed), given: [] }, "").rooms ?? [];
}

function isTriable({ fact }: HomeFact): boolean {
  const { kind } = readFactName(fact);
  return kind === "price" || kind === "count";
}
