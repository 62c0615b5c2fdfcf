import { useI18n } from "../../i18n/i18n.tsx";
import { useChrome } from "../../pageContext.ts";
import * as paths from "../../paths.ts";
import { Icon } from "../../ui/icon.tsx";
import { Link } from "../Link.tsx";
import { useSession } from "../session.ts";
import { Dialog } from "../ui/dialog.tsx";
import { openLead, openLogin } from "../ui/overlays.ts";
import { LanguageToggle } from "./LanguageToggle.tsx";

/** The menu over the page: account, popular cities by country, help, language. */
export default function MenuOverlay({ onClose }: { onClose: () => void }) {
  const { t } = useI18n();
  const { countries } = useChrome();
  const session = useSession();
  return (
    <Dialog title={t("shell.menu")} shape="drawer" onClose={onClose}>
      <nav className="menu" aria-label={t("shell.menu")}>
        <ul>
          {session.state === "user" ? (
            <Row href={paths.bookings()} onClose={onClose} text={t("shell.bookings")} />
          ) : (
            <li>
              <button type="button" onClick={() => openLogin()}>
                {t("shell.log_in")}
              </button>
            </li>
          )}
          <Row href={paths.shortlist()} onClose={onClose} text={t("shell.shortlist")} />
          <Row href="/how-it-works" onClose={onClose} text={t("shell.page_how-it-works")} />
          <Row href="/help" onClose={onClose} text={t("shell.page_help")} />
          <Row href="/contact" onClose={onClose} text={t("shell.page_contact")} />
          <li>
            <button type="button" onClick={() => openLead(null, "get_help")}>
              {t("shell.help")}
            </button>
          </li>
        </ul>
        <h3 className="t-14 muted regular">{t("shell.popular")}</h3>
        {countries.map((country) => (
          <details key={country.key} name="menu-country">
            <summary>
              {country.name}
              <Icon name="chev-d" size={20} />
            </summary>
            <ul>
              <Row
                href={paths.search(country.canonical_name)}
                onClose={onClose}
                text={t("shell.all_of", { place: country.name })}
              />
              {country.cities.map((city) => (
                <Row key={city.id} href={paths.search(city.canonical_name)} onClose={onClose} text={city.name} />
              ))}
            </ul>
          </details>
        ))}
      </nav>
      <LanguageToggle />
    </Dialog>
  );
}

function Row({ href, text, onClose }: { href: string; text: string; onClose: () => void }) {
  return (
    <li>
      <Link href={href} onClick={onClose}>
        {text}
      </Link>
    </li>
  );
}
