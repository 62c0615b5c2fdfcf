import "./admin.css";
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { type FormEvent, useId, useState } from "react";
import type { SecondFactorOffer } from "../../contract/wire.ts";
import { useI18n } from "../../i18n/i18n.tsx";
import { FailureNote } from "../FailureNote.tsx";
import { useOnePress } from "../useOnePress.ts";
import { confirmSecondFactor, offerSecondFactor, passSecondFactor, secondFactorQuery } from "./adminCalls.ts";

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
  return <p className="muted">{t("second_step.is_on", { n: asked.data.recovery_left })}</p>;
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
  return (
    <CodeForm
      label={t("second_step.code_or_recovery")}
      hint={t("second_step.lost")}
      go={t("second_step.go_on")}
      press={passing}
    />
  );
}

function Enrolment({ onEnrolled }: { onEnrolled: (codes: string[]) => void }) {
  const { t } = useI18n();
  const [offer, setOffer] = useState<SecondFactorOffer | null>(null);
  const offering = useOnePress({ mutationFn: offerSecondFactor, onSuccess: setOffer });
  const confirming = useOnePress({
    mutationFn: confirmSecondFactor,
    onSuccess: ({ codes }) => onEnrolled(codes),
  });
  if (offer === null) {
    return (
      <div className="second-step">
        <p>{t("second_step.explained")}</p>
        <FailureNote error={offering.error} />
        <div className="row">
          <button type="button" className="btn pri" disabled={offering.isPending} onClick={() => offering.send()}>
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
      <CodeForm
        label={t("second_step.code")}
        hint={t("second_step.code_hint")}
        go={t("second_step.confirm")}
        press={confirming}
      />
    </div>
  );
}

interface CodeFormProps {
  label: string;
  hint: string;
  go: string;
  press: { error: Error | null; isPending: boolean; send: (code: string) => void };
}

function CodeForm({ label, hint, go, press }: CodeFormProps) {
  const id = useId();
  const [code, setCode] = useState("");
  const send = (event: FormEvent) => {
    event.preventDefault();
    if (code.trim() !== "") press.send(code.trim());
  };
  return (
    <form className="second-step" onSubmit={send}>
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
            onChange={(event) => setCode(event.target.value)}
          />
        </div>
      </div>
      <p className="sub" id={`${id}hint`}>
        {hint}
      </p>
      <FailureNote error={press.error} />
      <div className="row">
        <button type="submit" className="btn pri" disabled={code.trim() === "" || press.isPending}>
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
