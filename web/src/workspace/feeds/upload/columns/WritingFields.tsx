import { useI18n } from "../../../../i18n/i18n.tsx";
import { pageLanguages } from "../../../../i18n/languages.ts";
import { LabelledField } from "../../../LabelledField.tsx";
import { languageName } from "../../../languageName.ts";
import type { FeedUpload } from "../../feedCalls.ts";
import { ENCODINGS, type FeedMap, setWriting, type Writing } from "./feedMap.ts";

interface WritingFieldsProps {
  upload: FeedUpload;
  map: FeedMap;
  onChange: (map: FeedMap) => void;
}

const CHOICES = {
  decimal: [".", ","],
  day_order: ["day_first", "month_first"],
  doubtful: ["reject", "accept"],
} as const;

/** How the file writes numbers, days and letters; open where a row was rejected or letters were lost. */
export function WritingFields({ upload, map, onChange }: WritingFieldsProps) {
  const { t, tData, lang } = useI18n();
  const { look } = upload;
  const choice = (name: Writing, options: readonly (readonly [value: string, text: string])[]) => (
    <div>
      <LabelledField label={t(`imports.writing_${name}`)} fault={undefined}>
        {(its) => (
          <select
            {...its}
            className="field"
            value={map[name] ?? ""}
            onChange={(event) => onChange(setWriting(map, name, event.target.value))}
          >
            <option value="">{t("imports.as_file_shows")}</option>
            {options.map(([value, text]) => (
              <option key={value} value={value}>
                {text}
              </option>
            ))}
          </select>
        )}
      </LabelledField>
    </div>
  );
  return (
    <details className="fd-card" open={look !== null && (look.has_unreadable_letters || look.rejected.length > 0)}>
      <summary>{t("imports.writing")}</summary>
      <div className="halves">
        {choice("decimal", [
          [CHOICES.decimal[0], t("imports.decimal_point")],
          [CHOICES.decimal[1], t("imports.decimal_comma")],
        ])}
        {choice(
          "day_order",
          CHOICES.day_order.map((word) => [word, tData(`imports.${word}`)]),
        )}
        {choice(
          "encoding",
          ENCODINGS.map((word) => [word, word]),
        )}
        {choice(
          "language",
          pageLanguages().map(([tag]) => [tag, languageName(tag, lang)]),
        )}
        {choice(
          "doubtful",
          CHOICES.doubtful.map((word) => [word, tData(`imports.doubtful_${word}`)]),
        )}
      </div>
    </details>
  );
}
