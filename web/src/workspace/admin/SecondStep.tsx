import "./admin.css";
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { type FormEvent, type ReactNode, useState } from "react";
import type { SecondFactorOffer } from "../../contract/wire.ts";
import { useI18n } from "../../i18n/i18n.tsx";
import { FailureNote } from "../FailureNote.tsx";
import { useOnePress } from "../useOnePress.ts";
import {
  confirmSecondFactor,
  offerSecondFactor,
  passSecondFactor,
  removeSecondFactor,
  renewRecoveryCodes,
  secondFactorQuery,
} from "./adminCalls.ts";
import { CodeField, MailCodeField, ProofRefused, useMailCode } from "./MailCode.tsx";

/** The second step of a staff login: enrolling a device, or a code of the one that is enrolled. */
export function SecondStep({ onPassed }: { onPassed: () => void }) {
  const { t } = useI18n();
  const asked = useQuery(secondFactorQuery);
  const [recovery, setRecovery] = useState<string[] | null>(null);
  if (recovery !== null) return <Recovery codes={recovery} onDone={onPassed} />;
  if (asked.data === undefined) {
    return asked.error === null ? (
      <p className="muted">{t("second_step.loading")}</p>
    ) : (
      <FailureNote error={asked.error} />
    );
  }
  if (!asked.data.enrolled) return <Enrolment onEnrolled={setRecovery} />;
  if (!asked.data.passed) return <Passing onPassed={onPassed} />;
  return <Enrolled left={asked.data.recovery_left} onRenewed={setRecovery} />;
}

/** The device is there: its owner makes fresh recovery codes or takes it away. */
function Enrolled({ left, onRenewed }: { left: number; onRenewed: (codes: string[]) => void }) {
  const { t } = useI18n();
  const client = useQueryClient();
  const [change, setChange] = useState<"renew" | "remove" | null>(null);
  const mail = useMailCode();
  const changing = useOnePress({
    mutationFn: async () => {
      if (change === "renew") onRenewed((await renewRecoveryCodes(mail.proof)).codes);
      else client.setQueryData(secondFactorQuery.queryKey, await removeSecondFactor(mail.proof));
    },
  });
  const begin = (one: "renew" | "remove") => {
    setChange(one);
    mail.ask();
  };
  return (
    <div className="second-step">
      <p className="muted">{t("second_step.is_on", { n: left })}</p>
      {change === null || !mail.isSent ? (
        <>
          <ProofRefused error={mail.error} />
          <div className="row">
            <button type="button" className="btn" disabled={mail.isPending} onClick={() => begin("renew")}>
              {t("second_step.renew")}
            </button>
            <button type="button" className="btn" disabled={mail.isPending} onClick={() => begin("remove")}>
              {t("second_step.remove")}
            </button>
          </div>
        </>
      ) : (
        <StepForm go={t(`second_step.${change}`)} ready={mail.isTyped} press={changing} onLeave={() => setChange(null)}>
          <p>{t(`second_step.${change}_text`)}</p>
          <MailCodeField mail={mail} />
        </StepForm>
      )}
    </div>
  );
}

function Passing({ onPassed }: { onPassed: () => void }) {
  const { t } = useI18n();
  const client = useQueryClient();
  const passing = useOnePress({
    mutationFn: passSecondFactor,
    onSuccess: (state) => {
      client.setQueryData(secondFactorQuery.queryKey, state);
      onPassed();
    },
  });
  const [code, setCode] = useState("");
  const press = { ...passing, send: () => passing.send(code.trim()) };
  return (
    <StepForm go={t("second_step.go_on")} ready={code.trim() !== ""} press={press}>
      <CodeField label={t("second_step.code_or_recovery")} hint={t("second_step.lost")} code={code} onCode={setCode} />
    </StepForm>
  );
}

function Enrolment({ onEnrolled }: { onEnrolled: (codes: string[]) => void }) {
  const { t } = useI18n();
  const [offer, setOffer] = useState<SecondFactorOffer | null>(null);
  const [code, setCode] = useState("");
  const mail = useMailCode();
  const offering = useOnePress({
    mutationFn: offerSecondFactor,
    onSuccess: (offered) => {
      setOffer(offered);
      mail.ask();
    },
  });
  const confirming = useOnePress({
    mutationFn: () => confirmSecondFactor({ ...mail.proof, code: code.trim() }),
    onSuccess: ({ codes }) => onEnrolled(codes),
  });
  if (offer === null || !mail.isSent) {
    const begin = () => (offer === null ? offering.send() : mail.ask());
    return (
      <div className="second-step">
        <p>{t("second_step.explained")}</p>
        <ProofRefused error={offering.error ?? mail.error} />
        <div className="row">
          <button type="button" className="btn pri" disabled={offering.isPending || mail.isPending} onClick={begin}>
            {t("second_step.begin")}
          </button>
        </div>
      </div>
    );
  }
  return (
    <div className="second-step">
      <p>{t("second_step.scan")}</p>
      <svg
        className="qr"
        role="img"
        aria-label={t("second_step.picture")}
        viewBox={`-4 -4 ${offer.qr_size + 8} ${offer.qr_size + 8}`}
        shapeRendering="crispEdges"
      >
        <path d={offer.qr_path} fill="#000" />
      </svg>
      <p className="sub">
        {t("second_step.or_type")} <code className="mono">{offer.secret.replace(/(.{4})/g, "$1 ").trim()}</code>
      </p>
      <StepForm go={t("second_step.confirm")} ready={mail.isTyped && code.trim() !== ""} press={confirming}>
        <CodeField label={t("second_step.code")} hint={t("second_step.code_hint")} code={code} onCode={setCode} />
        <MailCodeField mail={mail} />
      </StepForm>
    </div>
  );
}

interface StepFormProps {
  go: string;
  ready: boolean;
  press: { error: Error | null; isPending: boolean; send: () => void };
  onLeave?: () => void;
  children: ReactNode;
}

/** The fields of one step, what the server said to it, and its button. */
function StepForm({ go, ready, press, onLeave, children }: StepFormProps) {
  const { t } = useI18n();
  const send = (event: FormEvent) => {
    event.preventDefault();
    if (ready) press.send();
  };
  return (
    <form className="second-step" onSubmit={send}>
      {children}
      <ProofRefused error={press.error} />
      <div className="row">
        {onLeave === undefined ? null : (
          <button type="button" className="btn" onClick={onLeave}>
            {t("second_step.leave")}
          </button>
        )}
        <button type="submit" className="btn pri" disabled={!ready || press.isPending}>
          {go}
        </button>
      </div>
    </form>
  );
}

function Recovery({ codes, onDone }: { codes: string[]; onDone: () => void }) {
  const { t } = useI18n();
  return (
    <div className="second-step">
      <p>{t("second_step.recovery")}</p>
      <ul className="codes">
        {codes.map((code) => (
          <li key={code}>{code}</li>
        ))}
      </ul>
      <div className="row">
        <button type="button" className="btn pri" onClick={onDone}>
          {t("second_step.kept")}
        </button>
      </div>
    </div>
  );
}
