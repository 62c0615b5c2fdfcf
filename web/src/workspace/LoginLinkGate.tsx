import { ApiError, post } from "../api.ts";
import { useI18n } from "../i18n/i18n.tsx";
import { loginThen } from "../paths.ts";
import { GateNotice } from "./AccessPage.tsx";
import { FailureNote } from "./FailureNote.tsx";
import type { LoginLink } from "./loginLink.ts";
import { useOnePress } from "./useOnePress.ts";

/**
 * Stands before the workspace where its address holds a login. It waits for a press that names the account: a link that logs in by being
 * opened could put a person into an account that another one sent.
 */
export function LoginLinkGate({ link, onEntered }: { link: LoginLink; onEntered: () => void }) {
  const { t } = useI18n();
  const entering = useOnePress({
    mutationFn: () => post("/api/v0/users/login_email_otp", { body: { user: link } }),
    onSuccess: onEntered,
  });
  if (entering.error instanceof ApiError && entering.error.status === 422) {
    return (
      <GateNotice icon="lock" title={t("workspace.link_over_title")} text={t("workspace.link_over_text")}>
        <a className="btn pri" href={loginThen(location.pathname)}>
          {t("workspace.login")}
        </a>
      </GateNotice>
    );
  }
  return (
    <GateNotice icon="lock" title={t("workspace.link_title")} text={t("workspace.link_text", { email: link.email })}>
      <FailureNote error={entering.error} />
      <button type="button" className="btn pri" disabled={entering.isPending} onClick={() => entering.send()}>
        {t("workspace.login")}
      </button>
    </GateNotice>
  );
}
