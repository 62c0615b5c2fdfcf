import type { PagePayload } from "../contract/wire.ts";
import { useI18n } from "../i18n/i18n.tsx";
import { Link } from "../Link.tsx";
import { useChrome } from "../PageTree.tsx";
import * as paths from "../paths.ts";
import { Button } from "../ui/button.tsx";
import { Logo } from "./Logo.tsx";
import { openLogin } from "./overlays.ts";

/** Logo, search, language and account. */
export function Header({ payload }: { payload: PagePayload }) {
  const { t } = useI18n();
  const chrome = useChrome();
  return (
    <header className={`site-head${payload.route === "home" ? " on-home" : ""}`}>
      <div className="wrap site-head-in">
        <Link className="logo" href={paths.home()} aria-label={t("shell.home_link", { brand: chrome.brand_name })}>
          <Logo />
          <span>{chrome.brand_name}</span>
        </Link>
        <nav className="site-nav" aria-label={t("shell.main_nav")}>
          <Button onClick={() => openLogin()}>{t("shell.log_in")}</Button>
        </nav>
      </div>
    </header>
  );
}
