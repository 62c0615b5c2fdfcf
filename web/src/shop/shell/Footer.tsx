import { useI18n } from "../../i18n/i18n.tsx";
import { useChrome } from "../../pageContext.ts";
import * as paths from "../../paths.ts";
import { Link } from "../Link.tsx";
import { openLead } from "../ui/overlays.ts";
import { BrandWords } from "./BrandWords.tsx";
import { LanguageToggle } from "./LanguageToggle.tsx";
import { Logo } from "./Logo.tsx";

/** Pages of words by their addresses. */
const students = ["how-it-works", "group-booking", "scholarship", "exams", "ambassador", "blog"] as const;
const house = ["about", "career", "news", "media", "podcast", "partner", "university-partnerships"] as const;
const help = ["help", "contact"] as const;
const law = ["terms", "privacy", "cookies", "imprint", "sitemap"] as const;

type PageName = (typeof students | typeof house | typeof help | typeof law)[number];

/** Places, pages of words and help: only what leads somewhere. */
export function Footer() {
  const { t } = useI18n();
  const { brand_name, countries, support_email } = useChrome();
  const named = (page: PageName) => ({ href: `/${page}`, name: t(`shell.page_${page}`) });
  const cities = countries.flatMap(({ cities: [first] }) => first ?? []).slice(0, 6);
  return (
    <footer className="site-foot">
      <div className="wrap">
        <div className="foot-grid">
          <div className="foot-brand">
            <Link className="logo" href={paths.home()} aria-label={t("shell.home_link", { brand: brand_name })}>
              <Logo />
              <span>{brand_name}</span>
            </Link>
            <BrandWords />
          </div>
          <Column
            title={t("shell.foot_cities")}
            links={cities.map((city) => ({ name: city.name, href: paths.search(city.canonical_name) }))}
          />
          <Column
            title={t("shell.foot_students")}
            links={[{ name: t("shell.bookings"), href: paths.bookings() }, ...students.map(named)]}
          />
          <Column title={t("shell.foot_house")} links={house.map(named)} />
          <div>
            <h2 className="t-14 m">{t("shell.help")}</h2>
            <ul>
              <li>
                <button type="button" className="foot-link" onClick={() => openLead(null, "get_help")}>
                  {t("shell.ask_us")}
                </button>
              </li>
              {help.map(named).map((link) => (
                <li key={link.href}>
                  <Link href={link.href}>{link.name}</Link>
                </li>
              ))}
              {support_email ? (
                <li>
                  <a href={`mailto:${support_email}`}>{support_email}</a>
                </li>
              ) : null}
            </ul>
          </div>
        </div>
        <hr />
        <div className="foot-end t-14 muted">
          <span>© 2026 {brand_name}</span>
          {law.map(named).map((link) => (
            <Link key={link.href} href={link.href}>
              {link.name}
            </Link>
          ))}
          <LanguageToggle />
        </div>
      </div>
    </footer>
  );
}

function Column({ title, links }: { title: string; links: { name: string; href: string }[] }) {
  if (links.length === 0) return null;
  return (
    <nav aria-label={title}>
      <h2 className="t-14 m">{title}</h2>
      <ul>
        {links.map((link) => (
          <li key={link.href}>
            <Link href={link.href}>{link.name}</Link>
          </li>
        ))}
      </ul>
    </nav>
  );
}
