import type { ReactNode } from "react";
import type { PagePayload } from "../contract/wire.ts";
import { LanguageProvider } from "../i18n/i18n.tsx";
import { PageContext } from "../pageContext.ts";
import type { Frame } from "./routes.tsx";
import { OnTheWay } from "./shell/OnTheWay.tsx";
import { SiteFrame } from "./shell/SiteFrame.tsx";

/** One page in its frame: the same tree on the server and in the browser. */
export function PageTree({ payload, frame, children }: { payload: PagePayload; frame: Frame; children: ReactNode }) {
  return (
    <LanguageProvider lang={payload.chrome.lang}>
      <PageContext.Provider value={payload}>
        {frame === "site" ? <SiteFrame payload={payload}>{children}</SiteFrame> : children}
        <OnTheWay />
      </PageContext.Provider>
    </LanguageProvider>
  );
}
