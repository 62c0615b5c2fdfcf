import { useFormat, useI18n } from "../../i18n/i18n.tsx";
import type { PageOf } from "../../page.ts";
import * as paths from "../../paths.ts";
import { Icon } from "../../ui/icon.tsx";
import { Link } from "../Link.tsx";

/** Places to go on to: what lies below a country or state, or the universities and areas of a city. */
export function Places({ page }: { page: PageOf<"search"> }) {
  const { t } = useI18n();
  const { is_region_page, children, universities, center } = page.data;
  if (is_region_page)
    return <PlaceGrid title={t("search.places_in", { place: page.data.region.name })} links={children} />;
  if (center.is_university || universities.length === 0) return null;
  return (
    <nav className="hscroll near-universities" aria-label={t("search.universities")}>
      {universities.slice(0, 8).map((university) => (
        <Link key={university.id} className="chip" href={paths.search(university.canonical_name)}>
          <Icon name="cap" size={16} />
          {university.name}
        </Link>
      ))}
    </nav>
  );
}

function PlaceGrid({ title, links }: { title: string; links: PageOf<"search">["data"]["children"] }) {
  const { t } = useI18n();
  const format = useFormat();
  if (links.length === 0) return null;
  return (
    <section className="places">
      <h2 className="t-22">{title}</h2>
      <ul>
        {links.slice(0, 24).map((link) => (
          <li key={link.id}>
            <Link href={paths.search(link.canonical_name)}>
              <span className="m">{link.name}</span>
              <span className="t-14 soft num">
                {t("search.homes", { n: link.homes, count: format.number(link.homes) })}
              </span>
            </Link>
          </li>
        ))}
      </ul>
    </section>
  );
}

/** Questions about the place, and its areas. */
export function Questions({ page }: { page: PageOf<"search"> }) {
  const { t } = useI18n();
  const { faqs, areas } = page.data;
  return (
    <>
      {areas.length > 0 ? <PlaceGrid title={t("search.areas")} links={areas} /> : null}
      {faqs.length > 0 ? (
        <section className="faq places">
          <h2 className="t-22">{t("search.questions")}</h2>
          {faqs.map(({ question, answer }) => (
            <details key={question}>
              <summary>
                {question}
                <Icon name="chev-d" size={20} />
              </summary>
              <p>{answer}</p>
            </details>
          ))}
        </section>
      ) : null}
    </>
  );
}
