import { createContext, type ReactNode, useContext } from "react";
import type { Chrome, Head, PagePayload } from "./contract/wire.ts";
import { LanguageProvider } from "./i18n/i18n.tsx";
import type { Frame } from "./routes.tsx";
import { SiteFrame } from "./shell/SiteFrame.tsx";

const PageContext = createContext<PagePayload | null>(null);

/** Brand, language and menus of the page on screen. */
export function useChrome(): Chrome {
  const page = useContext(PageContext);
  if (!page) throw new Error("useChrome outside a page");
  return page.chrome;
}

export function useHead(): Head {
  const page = useContext(PageContext);
  if (!page) throw new Error("useHead outside a page");
  return page.head;
}

/** One page in its frame: the same tree on the server and in the browser. */
export function PageTree({ payload, frame, children }: { payload: PagePayload; frame: Frame; children: ReactNode }) {
  return (
    <LanguageProvider lang={payload.chrome.lang}>
      <PageContext.Provider value={payload}>
        {frame === "site" ? <SiteFrame payload={payload}>{children}</SiteFrame> : children}
      </PageContext.Provider>
    </LanguageProvider>
  );
}
