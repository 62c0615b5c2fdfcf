import { type FormEvent, useState } from "react";
import type { SnapshotFrom } from "xstate";
import { useI18n } from "../../i18n/i18n.tsx";
import { focusFirstFault } from "../../ui/arrival.ts";
import { Banner } from "../../ui/banner.tsx";
import { Button } from "../../ui/button.tsx";
import { Link } from "../Link.tsx";
import { emailFault, type Fault, phoneFault } from "../ui/contact.ts";
import { firstPhoneCode, internationalPhone } from "../ui/dialCodes.ts";
import { TextField } from "../ui/field.tsx";
import { PhoneField } from "../ui/phoneField.tsx";
import { Rich } from "../ui/rich.tsx";
import { usedContact } from "../ui/usedContact.ts";
import type { Handle, LoginEvent, LoginMethod, loginMachine } from "./loginMachine.ts";
import { useTroubleText } from "./useTroubleText.ts";

interface HandlePageProps {
  snapshot: SnapshotFrom<typeof loginMachine>;
  send: (event: LoginEvent) => void;
  onClose: () => void;
}

/** Where the code goes: an address or a phone. */
export function HandlePage({ snapshot, send, onClose }: HandlePageProps) {
  const { t } = useI18n();
  const { method } = snapshot.context;
  const busy = snapshot.hasTag("busy");
  const typed = useHandle(snapshot);
  const trouble = useTroubleText(snapshot.context.generationError);
  const changed = (change: () => void) => {
    change();
    send({ type: "login.handle_changed" });
  };
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    typed.check();
    if (typed.fault !== null) focusFirstFault(event.currentTarget);
    else if (!busy) send({ type: "login.send", handle: typed.handle });
  };
  const error = typed.shownFault ? t(typed.shownFault) : trouble;
  return (
    <form className="dialog-body stack login-body" noValidate onSubmit={submit}>
      <MethodTabs method={method} onChange={(next) => send({ type: "login.method", method: next })} />
      {method === "email" ? (
        <TextField
          label={t("login.email")}
          hint={t("login.hint")}
          error={error}
          type="email"
          name="email"
          autoComplete="email"
          value={typed.email}
          onBlur={typed.leave}
          onChange={(event) => changed(() => typed.setEmail(event.target.value))}
        />
      ) : (
        <PhoneField
          id="login-phone"
          label={t("login.phone")}
          hint={t("login.hint")}
          error={error}
          phoneCode={typed.phoneCode}
          number={typed.number}
          onBlur={typed.leave}
          onPhoneCode={(code) => changed(() => typed.setPhoneCode(code))}
          onNumber={(number) => changed(() => typed.setNumber(number))}
        />
      )}
      {navigator.cookieEnabled === false ? <Banner kind="warning">{t("login.cookies_off")}</Banner> : null}
      <Button type="submit" look="primary" size="large" block busy={busy}>
        {t(busy ? "login.sending" : "login.send")}
      </Button>
      {/* Spec §3: terms count as accepted by going on; the sentence says so before the press. */}
      <p className="t-12 muted login-terms">
        <Rich
          k="login.consent"
          nodes={{
            terms: (
              <Link href="/terms" onClick={onClose}>
                {t("login.terms")}
              </Link>
            ),
            privacy: (
              <Link href="/privacy" onClick={onClose}>
                {t("login.privacy")}
              </Link>
            ),
          }}
        />
      </p>
    </form>
  );
}

function MethodTabs({ method, onChange }: { method: LoginMethod; onChange: (method: LoginMethod) => void }) {
  const { t } = useI18n();
  return (
    <fieldset className="seg login-methods">
      <legend className="vh">{t("login.method")}</legend>
      {(["email", "phone"] as const).map((one) => (
        <button
          key={one}
          type="button"
          className="grow"
          aria-pressed={one === method}
          onClick={() => one === method || onChange(one)}
        >
          {t(one === "email" ? "login.email_tab" : "login.phone_tab")}
        </button>
      ))}
    </fieldset>
  );
}

/** What is typed, beginning with what was used on this device last; checked on leaving the field and on Send. */
function useHandle(snapshot: SnapshotFrom<typeof loginMachine>) {
  const { method, handle } = snapshot.context;
  const kept = (one: LoginMethod) => (handle?.method === one ? handle.value : null);
  const [used] = useState(usedContact);
  const [email, setEmail] = useState(kept("email") ?? used.email);
  const [number, setNumber] = useState(kept("phone") ?? used.number);
  const [phoneCode, setPhoneCode] = useState(() => used.phoneCode || firstPhoneCode(null));
  const [checked, setChecked] = useState<LoginMethod | null>(null);
  const fault: Fault | null = method === "email" ? emailFault(email) : phoneFault(phoneCode, number);
  const value = method === "email" ? email.trim() : internationalPhone(phoneCode, number);
  const current: Handle = { method, value };
  return {
    ...{ email, setEmail, number, setNumber, phoneCode, setPhoneCode, fault, handle: current },
    shownFault: checked === method ? fault : null,
    check: () => setChecked(method),
    leave: () => (method === "email" ? email : number) !== "" && setChecked(method),
  };
}
