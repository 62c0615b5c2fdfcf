import type { PageLink, Shelf } from "../../contract/wire.ts";
import { useFormat, useI18n } from "../../i18n/i18n.tsx";
import type { MessageKey } from "../../i18n/keys.ts";
import type { PageOf } from "../../page.ts";
import { Link } from "../Link.tsx";
import "./content.css";

const titles: Record<Shelf, MessageKey> = {
  students: "shell.foot_students",
  house: "shell.foot_house",
  help: "shell.help",
};

/** `/sitemap` (D16): every public page once, by what people look for. */
export default function SiteMapPage({ page }: { page: PageOf<"site_map"> }) {
  const { t } = useI18n();
  const format = useFormat();
  const { countries, shelves } = page.data;
  return (
    <main id="main" className="wrap words-page words-wide-page">
      <h1>{t("content.site_map")}</h1>
      <div className="site-map">
        {countries.map(({ country, homes, cities }) => (
          <section key={country.href}>
            <h2 className="t-18">
              <Link href={country.href}>{country.name}</Link>{" "}
              <span className="t-14 muted num">{t("shell.homes", { n: homes, count: format.number(homes) })}</span>
            </h2>
            <Links links={cities} />
          </section>
        ))}
        {shelves.map(({ shelf, links }) => (
          <section key={shelf}>
            <h2 className="t-18">{t(titles[shelf])}</h2>
            <Links links={links} />
          </section>
        ))}
      </div>
    </main>
  );
}

function Links({ links }: { links: readonly PageLink[] }) {
  return (
    <ul>
      {links.map(({ href, name }) => (
        <li key={href}>
          <Link href={href}>{name}</Link>
        </li>
      ))}
    </ul>
  );
}
