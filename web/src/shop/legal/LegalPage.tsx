import { useFormat, useI18n } from "../../i18n/i18n.tsx";
import type { MessageKey } from "../../i18n/keys.ts";
import type { PageOf } from "../../page.ts";
import { useChrome } from "../../pageContext.ts";
import { Rich } from "../ui/rich.tsx";
import "./legal.css";
import { IN_FORCE } from "./versions.ts";

type Section = [title: MessageKey, text: MessageKey];

const texts: Record<"terms" | "privacy", { title: MessageKey; sections: Section[] }> = {
  terms: {
    title: "legal.terms_title",
    sections: [
      ["legal.terms_1_title", "legal.terms_1_text"],
      ["legal.terms_2_title", "legal.terms_2_text"],
      ["legal.terms_3_title", "legal.terms_3_text"],
      ["legal.terms_4_title", "legal.terms_4_text"],
      ["legal.terms_5_title", "legal.terms_5_text"],
      ["legal.terms_6_title", "legal.terms_6_text"],
      ["legal.terms_7_title", "legal.terms_7_text"],
    ],
  },
  privacy: {
    title: "legal.privacy_title",
    sections: [
      ["legal.privacy_1_title", "legal.privacy_1_text"],
      ["legal.privacy_2_title", "legal.privacy_2_text"],
      ["legal.privacy_3_title", "legal.privacy_3_text"],
      ["legal.privacy_4_title", "legal.privacy_4_text"],
      ["legal.privacy_5_title", "legal.privacy_5_text"],
      ["legal.privacy_6_title", "legal.privacy_6_text"],
    ],
  },
};

/** `/terms` and `/privacy`: what a login and an enquiry accept, to be read before (D17). */
export default function LegalPage({ page }: { page: PageOf<"legal"> }) {
  const { t } = useI18n();
  const format = useFormat();
  const { brand_name, support_email } = useChrome();
  const { title, sections } = texts[page.data.page];
  return (
    <main id="main" className="wrap legal-page">
      <h1>{t(title)}</h1>
      <p className="muted">{t("legal.updated", { date: format.date(IN_FORCE[page.data.page]) })}</p>
      {sections.map(([heading, text]) => (
        <section key={heading}>
          <h2 className="t-22">{t(heading)}</h2>
          <p>{t(text, { brand: brand_name, hold: page.data.hold })}</p>
        </section>
      ))}
      {page.data.page === "privacy" && page.data.processors.length > 0 ? (
        <section>
          <h2 className="t-22">{t("legal.processors_title")}</h2>
          <ul>
            {page.data.processors.map((processor) => (
              <li key={processor}>{processor}</li>
            ))}
          </ul>
        </section>
      ) : null}
      {support_email ? (
        <p>
          <Rich k="legal.contact" nodes={{ email: <a href={`mailto:${support_email}`}>{support_email}</a> }} />
        </p>
      ) : null}
    </main>
  );
}
