import { useState } from "react";
import { useI18n } from "../../../../i18n/i18n.tsx";
import { LabelledField } from "../../../LabelledField.tsx";
import type { FeedFields } from "../../feedCalls.ts";
import type { ColumnRow } from "./columnRows.ts";
import { type FeedMap, listConstants, NEEDED, readConstant, setConstant } from "./feedMap.ts";

interface ConstantsProps {
  rows: readonly ColumnRow[];
  map: FeedMap;
  fields: FeedFields["fields"];
  onChange: (map: FeedMap) => void;
}

/** What the file does not say and is the same for all of its homes: needed facts first. */
export function Constants({ rows, map, fields, onChange }: ConstantsProps) {
  const { t, tData } = useI18n();
  const read = new Set(rows.map(({ becomes }) => becomes?.field));
  const [added, setAdded] = useState<readonly string[]>([]);
  const needed = NEEDED.filter((field) => !read.has(field));
  const shown = [...new Set<string>([...needed, ...listConstants(map), ...added])];
  const others = fields.filter(({ key, shape }) => shape === "one" && !read.has(key) && !shown.includes(key));
  return (
    <section className="fd-card">
      <h3>{t("imports.constants")}</h3>
      <p className="muted">{t("imports.constants_text")}</p>
      <div className="halves">
        {shown.map((field) => (
          <div key={field}>
            <LabelledField label={tData(`imports.field_${field}`)} fault={undefined} hint={hintOf(field, t)}>
              {(its) => (
                <input
                  {...its}
                  className="field"
                  value={readConstant(map, field) ?? ""}
                  onChange={(event) => onChange(setConstant(map, field, event.target.value))}
                />
              )}
            </LabelledField>
          </div>
        ))}
        <div>
          <LabelledField label={t("imports.add_constant")} fault={undefined}>
            {(its) => (
              <select
                {...its}
                className="field"
                value=""
                onChange={(event) => setAdded([...added, event.target.value])}
              >
                <option value="">{t("imports.choose")}</option>
                {others.map(({ key }) => (
                  <option key={key} value={key}>
                    {tData(`imports.field_${key}`)}
                  </option>
                ))}
              </select>
            )}
          </LabelledField>
        </div>
      </div>
    </section>
  );
}

/** How a needed fact is written, by an example. */
function hintOf(field: string, t: ReturnType<typeof useI18n>["t"]): string | undefined {
  const known = NEEDED.find((one) => one === field);
  return known === undefined ? undefined : t(`imports.hint_${known}`);
}
