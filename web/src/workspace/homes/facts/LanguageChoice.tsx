import { useI18n } from "../../../i18n/i18n.tsx";
import { languageName } from "../../languageName.ts";
import { usePastMoment } from "../../pastMoment.ts";

interface LanguageChoiceProps {
  /** Tags of the languages that can be added. */
  tags: readonly string[];
  /** The text that gets a language more. */
  label: string;
  onAdd: (tag: string) => void;
}

/** Adds a language to a text; nothing where it has all of them. */
export function LanguageChoice({ tags, label, onAdd }: LanguageChoiceProps) {
  const { t, lang } = useI18n();
  const isPast = usePastMoment() !== null;
  if (tags.length === 0) return null;
  return (
    <div className="add-lang">
      <select
        aria-label={t("homes.add_language_to", { text: label })}
        className="inp"
        disabled={isPast}
        value=""
        onChange={(event) => event.target.value !== "" && onAdd(event.target.value)}
      >
        <option value="">{t("homes.add_language_to", { text: label })}</option>
        {tags.map((tag) => (
          <option key={tag} value={tag}>
            {languageName(tag, lang)}
          </option>
        ))}
      </select>
    </div>
  );
}
