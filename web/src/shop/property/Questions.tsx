import type { PropertyPage } from "../../contract/wire.ts";
import { useI18n } from "../../i18n/i18n.tsx";
import { Button } from "../../ui/button.tsx";
import { Icon } from "../../ui/icon.tsx";
import { openLead } from "../ui/overlays.ts";
import { firstChoice } from "./choice.ts";
import { langOf } from "./langOf.ts";
import { leadSubject } from "./subject.ts";

/** Answers, and a way to ask what is not answered. */
export function Questions({ property }: { property: PropertyPage }) {
  const { t } = useI18n();
  if (property.faqs.length === 0) return null;
  const subject = leadSubject(property, firstChoice(property.room_types));
  return (
    <section className="psec" id="faq">
      <h2>{t("property.questions")}</h2>
      <div className="faq">
        {property.faqs.map(({ question, answer }, at) => (
          <details key={question} open={at === 0}>
            <summary lang={langOf(property, question)}>
              {question}
              <Icon name="chev-d" size={20} />
            </summary>
            <p lang={langOf(property, answer)}>{answer}</p>
          </details>
        ))}
      </div>
      <div className="ask-question row wrapx" style={{ gap: 12 }}>
        <Button onClick={() => openLead(subject, "ask_question_faq_cta")}>{t("property.ask_question")}</Button>
        <Button onClick={() => openLead(subject, "virtual_tour_enquiry")}>
          <Icon name="eye" size={20} />
          {t("property.virtual_tour")}
        </Button>
      </div>
    </section>
  );
}
