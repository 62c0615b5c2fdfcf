import { useFormat, useI18n } from "../../../i18n/i18n.tsx";
import { pageLanguages } from "../../../i18n/languages.ts";
import { LabelledField } from "../../LabelledField.tsx";
import { languageName } from "../../languageName.ts";
import type { BrandDesk } from "../useBrandDesk.ts";

interface WordsFieldProps {
  desk: BrandDesk;
  name: "tagline" | "hero" | "hero_lede";
  most: number;
}

/** A text in every language of the pages, with how long it is and may be. */
export function WordsField({ desk, name, most }: WordsFieldProps) {
  const { t, lang } = useI18n();
  const { number } = useFormat();
  const words = desk.shown[name] ?? {};
  const fault = desk.faults.get(name);
  const lengthOf = (tag: string) => [...(words[tag]?.trim() ?? "")].length;
  const tags = pageLanguages().map(([tag]) => tag);
  const refused = fault === undefined ? undefined : (tags.find((tag) => lengthOf(tag) > most) ?? tags[0]);
  return tags.map((tag) => (
    <div key={tag}>
      <LabelledField
        label={t("brand.in_language", { value: t(`brand.value_${name}`), language: languageName(tag, lang) })}
        hint={t("brand.letters", { n: number(lengthOf(tag)), most: number(most) })}
        fault={tag === refused ? fault : undefined}
      >
        {(its) => (
          <input
            {...its}
            className="field"
            lang={tag}
            disabled={desk.isPast}
            value={words[tag] ?? ""}
            onChange={(event) => desk.change({ [name]: { ...words, [tag]: event.target.value } })}
          />
        )}
      </LabelledField>
    </div>
  ));
}
