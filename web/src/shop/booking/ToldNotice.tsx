import { isYearFirst } from "../../i18n/format.ts";
import { useI18n } from "../../i18n/i18n.tsx";
import { Banner } from "../../ui/banner.tsx";
import { Button } from "../../ui/button.tsx";
import { labelOf, optionOf } from "../../ui/formWords.ts";
import type { Section } from "./bookingContext.ts";
import { shownDate } from "./checkAnswers.ts";
import type { Answer, Told } from "./fieldMerge.ts";

interface ToldNoticeProps {
  sections: readonly Section[];
  told: readonly Told[];
  /** The other word is put in the place of the one that holds. */
  onOther: (told: Told) => void;
  onDone: (told: Told) => void;
}

/** Another device answered a field otherwise: the last word holds, both are shown, and it can be taken back (D79). */
export function ToldNotice({ sections, told, onOther, onDone }: ToldNoticeProps) {
  const { t, lang } = useI18n();
  const shown = ({ section, field }: Told, answer: Answer) => {
    if (typeof answer === "boolean") return t(answer ? "form_sync.ticked" : "form_sync.not_ticked");
    const asked = sections.find(({ key }) => key === section)?.fields.find(({ key }) => key === field);
    if (answer === "") return t("form_sync.nothing");
    if (asked?.type === "select") return optionOf(answer, t);
    return asked?.type === "date" ? shownDate(answer, isYearFirst(lang)) : answer;
  };
  return (
    <>
      {told.map((one) => {
        const field = labelOf({ key: one.field }, t);
        const [mine, theirs] = [shown(one, one.here), shown(one, one.there)];
        return (
          <div className="fnotice" key={`${one.section}/${one.field}`} data-told={one.field}>
            <Banner kind="info">
              <p>{t(one.kept === "here" ? "form_sync.kept_here" : "form_sync.kept_there", { field, mine, theirs })}</p>
              <div className="row wrapx" style={{ gap: 8, marginTop: 12 }}>
                <Button onClick={() => onOther(one)}>
                  {t(one.kept === "here" ? "form_sync.take_theirs" : "form_sync.take_mine", { field })}
                </Button>
                <Button look="plain" onClick={() => onDone(one)}>
                  {t("form_sync.fine")}
                </Button>
              </div>
            </Banner>
          </div>
        );
      })}
    </>
  );
}
