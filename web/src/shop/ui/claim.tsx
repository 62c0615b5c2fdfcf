import { useEffect, useRef } from "react";
import { useI18n } from "../../i18n/i18n.tsx";
import { Banner } from "../../ui/banner.tsx";
import { Button } from "../../ui/button.tsx";
import { useSession } from "../session.ts";
import { openLogin } from "./overlays.ts";

/** Says that an enquiry belongs to an account by now, and opens the login over the page, which keeps what was typed. */
export function ClaimNotice() {
  const { t } = useI18n();
  const isUser = useSession().state === "user";
  return (
    <div data-claimed data-arrival>
      <Banner kind="warning">
        <p>{t(isUser ? "change.claimed_other" : "change.claimed")}</p>
        <div style={{ marginTop: 12 }}>
          <LogInButton />
        </div>
      </Banner>
    </div>
  );
}

/** Opens the login over whatever is on screen. */
export function LogInButton() {
  const { t } = useI18n();
  return (
    <Button look="primary" onClick={() => openLogin()}>
      {t("shell.log_in")}
    </Button>
  );
}

/** Calls back once somebody has logged in, or in as somebody else, while `isClaimed`. */
export function useLoginToGoOn(isClaimed: boolean, onLoggedIn: () => void): void {
  const session = useSession();
  const reader = session.state === "user" ? session.user.id : null;
  const refused = useRef<string | null>(null);
  const now = useRef({ reader, onLoggedIn });
  now.current = { reader, onLoggedIn };
  useEffect(() => {
    if (isClaimed) refused.current = now.current.reader;
  }, [isClaimed]);
  useEffect(() => {
    if (!isClaimed || reader === null || reader === refused.current) return;
    refused.current = reader;
    now.current.onLoggedIn();
  }, [isClaimed, reader]);
}
