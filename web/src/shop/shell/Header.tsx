import type { PagePayload } from "../../contract/wire.ts";
import { useI18n } from "../../i18n/i18n.tsx";
import { useChrome } from "../../pageContext.ts";
import * as paths from "../../paths.ts";
import { IconButton } from "../../ui/button.tsx";
import { Icon } from "../../ui/icon.tsx";
import { Initials } from "../../ui/initials.tsx";
import { Link } from "../Link.tsx";
import { useSession } from "../session.ts";
import { openLead, openLogin, openMenu, openSearch } from "../ui/overlays.ts";
import { Ticker } from "../ui/search/Ticker.tsx";
import { LanguageToggle } from "./LanguageToggle.tsx";
import { Logo } from "./Logo.tsx";

/** Logo, search, language and account. Home has its own large search, so its header has none. */
export function Header({ payload }: { payload: PagePayload }) {
  const { t } = useI18n();
  const { brand_name } = useChrome();
  const onHome = payload.route === "home";
  return (
    <header className={`site-head${onHome ? " on-home" : ""}`}>
      <div className={`${payload.route === "search" ? "widewrap" : "wrap"} site-head-in`}>
        <Link className="logo" href={paths.home()} aria-label={t("shell.home_link", { brand: brand_name })}>
          <Logo />
          <span>{brand_name}</span>
        </Link>
        {onHome ? null : <SearchTrigger place={placeOf(payload)} />}
        <nav className="site-nav" aria-label={t("shell.main_nav")}>
          {onHome ? (
            <Link className="navlink only-wide" href="/how-it-works">
              {t("shell.page_how-it-works")}
            </Link>
          ) : null}
          <Link className="navlink only-wide" href={paths.shortlist()}>
            {t("shell.shortlist")}
          </Link>
          <button type="button" className="navlink only-wide" onClick={() => openLead(null, "get_help")}>
            {t("shell.help")}
          </button>
          <LanguageToggle />
          <Account />
          <IconButton icon="menu" label={t("shell.menu")} className="only-narrow" onClick={openMenu} />
        </nav>
      </div>
    </header>
  );
}

function placeOf(payload: PagePayload): string | null {
  if (payload.route === "search") return payload.data.region.name;
  if (payload.route === "property") return payload.data.region.name;
  return null;
}

function SearchTrigger({ place }: { place: string | null }) {
  const { t } = useI18n();
  return (
    <button type="button" className="hsearch" onClick={openSearch}>
      <Icon name="search" size={20} />
      <span className="vh">{t("shell.search_label")}</span>
      {place ? <span className="clip">{place}</span> : <Ticker />}
    </button>
  );
}

function Account() {
  const { t } = useI18n();
  const session = useSession();
  if (session.state === "user") {
    const { name, email } = session.user;
    return (
      <Link className="avatar" href={paths.bookings()}>
        <span aria-hidden="true">
          <Initials of={name ?? email ?? ""} />
        </span>
        <span className="vh">{t("shell.account")}</span>
      </Link>
    );
  }
  return (
    <>
      <IconButton icon="user" label={t("shell.log_in")} className="only-narrow" onClick={() => openLogin()} />
      <button type="button" className="btn btn-quiet only-wide hlogin" onClick={() => openLogin()}>
        {t("shell.log_in")}
      </button>
    </>
  );
}
