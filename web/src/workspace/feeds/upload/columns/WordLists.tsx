import { useI18n } from "../../../../i18n/i18n.tsx";
import { Icon } from "../../../icon.tsx";
import type { FeedFields } from "../../feedCalls.ts";
import type { ColumnRow } from "./columnRows.ts";
import { type FeedMap, setMeaning } from "./feedMap.ts";

interface WordListsProps {
  rows: readonly ColumnRow[];
  map: FeedMap;
  fields: FeedFields;
  onChange: (map: FeedMap) => void;
}

/** The words of columns that name kinds of rooms or periods, each with its meaning. */
export function WordLists({ rows, map, fields, onChange }: WordListsProps) {
  const { t, tData } = useI18n();
  const worded = rows.filter(({ becomes, words }) => becomes !== null && words.length > 0);
  if (worded.length === 0) return null;
  return (
    <div className="up-two">
      {worded.map(({ column, becomes, words }) => {
        const field = becomes?.field ?? "";
        const meanings = field === "price_per" ? fields.periods : fields.kinds;
        return (
          <section key={column.name} className="fd-card" aria-label={t("imports.words_of", { column: column.name })}>
            <h3>{t("imports.words_of", { column: column.name })}</h3>
            <ul className="up-words">
              {words.map(({ word, meaning, isKnown }) => (
                <li key={word}>
                  <span className="grow">{word}</span>
                  {isKnown ? (
                    <span className="ok">
                      <Icon name="check" size="xs" />
                    </span>
                  ) : (
                    <span className="warn">
                      <Icon name="alert" size="xs" />
                    </span>
                  )}
                  <select
                    className="inp"
                    aria-label={t("imports.word_means", { word })}
                    value={meaning ?? AS_IT_IS}
                    onChange={(event) =>
                      onChange(
                        setMeaning(map, field, word, event.target.value === AS_IT_IS ? null : event.target.value),
                      )
                    }
                  >
                    <option value={AS_IT_IS}>
                      {isKnown && meaning === null ? t("imports.as_it_is") : t("imports.choose")}
                    </option>
                    {listMeanings(meanings, meaning).map((one) => (
                      <option key={one} value={one}>
                        {tData(`imports.means_${one.replaceAll(" ", "_")}`)}
                      </option>
                    ))}
                    <option value="">{t("imports.means_nothing")}</option>
                  </select>
                </li>
              ))}
            </ul>
          </section>
        );
      })}
    </div>
  );
}

/** Stands for a word without a meaning of its own; a meaning may be empty. */
const AS_IT_IS = "*";

/** The words that may be meant, with one that a map of an earlier file says otherwise. */
function listMeanings(meanings: readonly string[], chosen: string | null): readonly string[] {
  return chosen === null || chosen === "" || meanings.includes(chosen) ? meanings : [...meanings, chosen];
}
