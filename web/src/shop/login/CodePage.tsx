import { type ChangeEvent, useEffect, useState } from "react";
import type { SnapshotFrom } from "xstate";
import { useI18n } from "../../i18n/i18n.tsx";
import { Icon } from "../../ui/icon.tsx";
import { oneTimeCode } from "../ui/pasted.ts";
import { Rich } from "../ui/rich.tsx";
import type { LoginEvent, loginMachine } from "./loginMachine.ts";
import { useTroubleText } from "./useTroubleText.ts";

interface CodePageProps {
  snapshot: SnapshotFrom<typeof loginMachine>;
  send: (event: LoginEvent) => void;
}

/** D68: six digits. */
const DIGITS = 6;

/** Six boxes over one real field; the last digit sends them. */
export function CodePage({ snapshot, send }: CodePageProps) {
  const { t } = useI18n();
  const { handle, sent, method } = snapshot.context;
  const busy = snapshot.hasTag("busy");
  const trouble = useTroubleText(snapshot.context.verificationError);
  const minutes = Math.round((sent?.expires_in_s ?? 600) / 60);
  const switchMethod = () => {
    send({ type: "login.back" });
    send({ type: "login.method", method: method === "email" ? "phone" : "email" });
  };
  return (
    <div className="dialog-body stack login-code">
      <div>
        <h3 className="t-22 b">{t("login.code_title")}</h3>
        <p className="soft" style={{ marginTop: 6 }}>
          <Rich
            k="login.sent_to"
            nodes={{
              handle: <span className="m login-handle">{handle?.value ?? ""}</span>,
              change: (
                <button type="button" className="link" onClick={() => send({ type: "login.back" })}>
                  {t("login.change")}
                </button>
              ),
            }}
          />
        </p>
      </div>
      <div>
        <CodeField busy={busy} bad={trouble !== null} send={send} />
        {trouble === null ? (
          <p className="hint" id="login-code-hint" role="status" style={{ marginTop: 12 }}>
            {busy ? t("login.checking") : t("login.code_hint", { n: minutes })}
          </p>
        ) : (
          <p className="err" id="login-code-hint" role="alert" style={{ marginTop: 12 }}>
            <Icon name="alert" size={16} />
            <span>{trouble}</span>
          </p>
        )}
      </div>
      <div className="row between">
        <Resend key={snapshot.context.sends} snapshot={snapshot} send={send} />
        <button type="button" className="link t-14 tap" onClick={switchMethod}>
          {t(method === "email" ? "login.use_phone" : "login.use_email")}
        </button>
      </div>
    </div>
  );
}

function CodeField({ busy, bad, send }: { busy: boolean; bad: boolean; send: (event: LoginEvent) => void }) {
  const { t } = useI18n();
  const [code, setCode] = useState("");
  // A refused code is typed anew, not mended.
  useEffect(() => {
    if (bad) setCode("");
  }, [bad]);
  const type = (event: ChangeEvent<HTMLInputElement>) => {
    const digits = oneTimeCode(event.target.value);
    setCode(digits);
    if (bad) send({ type: "login.code_changed" });
    if (digits.length === DIGITS) send({ type: "login.verify", code: digits });
  };
  return (
    <div className="otp-field">
      <label className="vh" htmlFor="login-code">
        {t("login.code_label")}
      </label>
      <input
        id="login-code"
        data-arrival
        className="otp-input"
        inputMode="numeric"
        autoComplete="one-time-code"
        value={code}
        readOnly={busy}
        aria-invalid={bad || undefined}
        aria-describedby="login-code-hint"
        onChange={type}
      />
      <div className={`otp${bad ? " otp-bad" : ""}`} aria-hidden="true">
        {Array.from({ length: DIGITS }, (_, at) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: the six boxes never move
          <span key={at} className={at === Math.min(code.length, DIGITS - 1) && !busy ? "now" : ""}>
            {code[at] ?? ""}
          </span>
        ))}
      </div>
    </div>
  );
}

/** Counts down on screen; whether a new code may be asked for is the machine's word. */
function Resend({ snapshot, send }: CodePageProps) {
  const { t } = useI18n();
  const [left, setLeft] = useState(snapshot.context.sent?.resend_after_s ?? 30);
  useEffect(() => {
    const timer = window.setInterval(() => setLeft((seconds) => Math.max(0, seconds - 1)), 1000);
    return () => window.clearInterval(timer);
  }, []);
  if (snapshot.can({ type: "login.resend" })) {
    return (
      <button type="button" className="link t-14 tap" onClick={() => send({ type: "login.resend" })}>
        {t("login.resend")}
      </button>
    );
  }
  const time = `${Math.floor(left / 60)}:${String(left % 60).padStart(2, "0")}`;
  return <span className="t-14 muted num">{t("login.new_code_in", { time })}</span>;
}
