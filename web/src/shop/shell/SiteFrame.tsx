import type { ReactNode } from "react";
import type { PagePayload } from "../../contract/wire.ts";
import { useI18n } from "../../i18n/i18n.tsx";
import { Banner } from "../../ui/banner.tsx";
import { Toasts } from "../../ui/toast.tsx";
import { Footer } from "./Footer.tsx";
import { Header } from "./Header.tsx";
import { Overlays } from "./Overlays.tsx";

/** Header, page, footer, and what may stand over them. */
export function SiteFrame({ payload, children }: { payload: PagePayload; children: ReactNode }) {
  const { t } = useI18n();
  return (
    <>
      <a className="skip" href="#main">
        {t("shell.skip")}
      </a>
      <Header payload={payload} />
      {payload.chrome.maintenance ? <Banner kind="warning">{t("shell.maintenance")}</Banner> : null}
      {children}
      <Footer />
      <Overlays />
      <Toasts />
    </>
  );
}
