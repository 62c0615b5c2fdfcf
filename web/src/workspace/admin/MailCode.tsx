import { useId, useState } from "react";
import { ApiError, post } from "../../api.ts";
import { useI18n } from "../../i18n/i18n.tsx";
import { loginThen } from "../../paths.ts";
import { FailureNote } from "../FailureNote.tsx";
import { useOnePress } from "../useOnePress.ts";
import { sendMailCode } from "./adminCalls.ts";

/** A code of one's own mail, by which a change of what guards a login is proved: asked for by a press, then typed. */
export function useMailCode() {
  const [session, setSession] = useState<string | null>(null);
  const [otp, setOtp] = useState("");
  const asking = useOnePress({
    mutationFn: sendMailCode,
    onSuccess: (sent) => {
      setOtp("");
      setSession(sent.session_uuid);
    },
  });
  return {
    ask: () => asking.send(),
    error: asking.error,
    isPending: asking.isPending,
    isSent: session !== null,
    isTyped: otp.trim() !== "",
    otp,
    setOtp,
    proof: { otp: otp.trim(), session_uuid: session ?? "" },
  };
}

/** Where the code of the mail is typed. */
export function MailCodeField({ mail }: { mail: ReturnType<typeof useMailCode> }) {
  const { t } = useI18n();
  return (
    <CodeField
      label={t("second_step.mail_code")}
      hint={t("second_step.mail_code_hint")}
      code={mail.otp}
      onCode={mail.setOtp}
    />
  );
}

interface CodeFieldProps {
  label: string;
  hint: string;
  code: string;
  onCode: (code: string) => void;
}

/** One code, with where it comes from. */
export function CodeField({ label, hint, code, onCode }: CodeFieldProps) {
  const id = useId();
  return (
    <div>
      <label className="label" htmlFor={id}>
        {label}
      </label>
      <div className="field">
        <input
          id={id}
          value={code}
          autoComplete="one-time-code"
          aria-describedby={`${id}hint`}
          onChange={(event) => onCode(event.target.value)}
        />
      </div>
      <p className="sub" id={`${id}hint`}>
        {hint}
      </p>
    </div>
  );
}

/** The failure in words; a login of too long ago has its way out beside it. */
export function ProofRefused({ error }: { error: Error | null }) {
  const { t } = useI18n();
  const logInAgain = async () => {
    await post("/api/v0/users/logout");
    location.assign(loginThen(location.pathname + location.search));
  };
  return (
    <>
      <FailureNote error={error} />
      {error instanceof ApiError && error.code === "login_too_old" ? (
        <div className="row">
          <button type="button" className="btn" onClick={() => void logInAgain().catch(() => undefined)}>
            {t("second_step.log_in_again")}
          </button>
        </div>
      ) : null}
    </>
  );
}
