import "./mirror.css";
import { useEffect, useRef, useState, useSyncExternalStore } from "react";
import { createPortal } from "react-dom";
import type { MirrorNudge } from "../../contract/wire.ts";
import { useI18n } from "../../i18n/i18n.tsx";
import { moveFocus } from "../../ui/arrival.ts";
import { Button } from "../../ui/button.tsx";
import { Icon } from "../../ui/icon.tsx";
import { openLogin } from "../ui/overlays.ts";
import { begin, current, end, type MirrorView, nameOf, offer, putAway, subscribe } from "./mirrorSession.ts";
import { plainName } from "./report.ts";

/** A person shows support where they are: the code, the bar while support sees it, and the end (row N11). */
export function Mirror({ inDialog }: { inDialog?: "above" | "below" | undefined }) {
  const { t } = useI18n();
  const view = useSyncExternalStore(subscribe, current, current);
  const place = useRef<HTMLElement>(null);
  useEffect(begin, []);
  // A code, or the way to one, stands where it was asked for, below the fields; what support sees is said above them.
  const isOn = view.kind === "open" || view.kind === "over";
  const isAsked = !isOn && view.kind !== "asking";
  useEffect(() => {
    if (isAsked && place.current) moveFocus(place.current);
  }, [isAsked]);
  if (inDialog !== undefined && (inDialog === "above") !== isOn) return null;
  const nudge = view.kind === "open" ? view.nudge : null;
  const frame = `mirror-bar${inDialog ? " mirror-in" : ""}${isOn ? " mirror-on" : ""}`;
  return (
    <>
      <aside ref={place} className={frame} aria-label={t("mirror.title")}>
        <Said view={view} />
      </aside>
      {nudge === null ? null : <NudgeHint key={nudge.at} nudge={nudge} />}
    </>
  );
}

function Said({ view }: { view: MirrorView }) {
  const { t } = useI18n();
  switch (view.kind) {
    case "asking":
      return <p role="status">{t("mirror.asking")}</p>;
    case "visitor":
      return <LogInFirst />;
    case "failed":
      return (
        <>
          <p role="alert">{view.message ?? t("mirror.failed")}</p>
          <div className="row">
            <Button onClick={() => void offer()}>{t("mirror.try_again")}</Button>
            <Close />
          </div>
        </>
      );
    case "waiting":
      return <Code code={view.code} />;
    case "open":
      return (
        <>
          <p role="status">
            <Icon name="headset" size={20} /> {t("mirror.seen")}
          </p>
          <Button onClick={() => void end()}>{t("mirror.end")}</Button>
        </>
      );
    case "over":
      return (
        <>
          <p role="status">{t(`mirror.over_${view.reason ?? "student"}`)}</p>
          <Close />
        </>
      );
  }
}

function Close() {
  const { t } = useI18n();
  const close = () => {
    putAway();
    // The press that asked for it is there again.
    requestAnimationFrame(() => document.querySelector<HTMLElement>(".mirror-ask button")?.focus());
  };
  return (
    <Button look="plain" onClick={close}>
      {t("ui.close")}
    </Button>
  );
}

/** Only an account has a history that keeps what was seen. */
function LogInFirst() {
  const { t } = useI18n();
  const logIn = () => {
    putAway();
    openLogin();
  };
  return (
    <>
      <p role="status">{t("mirror.log_in_first")}</p>
      <div className="row">
        <Button onClick={logIn}>{t("mirror.log_in")}</Button>
        <Close />
      </div>
    </>
  );
}

function Code({ code }: { code: string }) {
  const { t } = useI18n();
  return (
    <>
      <div role="status">
        <p>{t("mirror.read_out")}</p>
        <p className="mirror-code num">{code}</p>
        <p className="t-14 soft">{t("mirror.what_is_seen")}</p>
      </div>
      <Button look="plain" onClick={() => void end().then(putAway)}>
        {t("mirror.cancel")}
      </Button>
    </>
  );
}

/** Support's sentence beside the field that it is about, which comes into view. */
function NudgeHint({ nudge }: { nudge: MirrorNudge }) {
  const { t } = useI18n();
  const [place, setPlace] = useState<Element | null>(null);
  useEffect(() => {
    const controls = [...document.querySelectorAll<HTMLElement>("input, select, textarea")];
    const control = controls.find((it) => plainName(nameOf(it)) === nudge.field);
    const field = control?.closest(".field, .check")?.parentElement
      ? control.closest(".field, .check")
      : control?.parentElement;
    if (!control || !field) return;
    setPlace(field);
    field.classList.add("mirror-field");
    control.scrollIntoView({ block: "center" });
    return () => field.classList.remove("mirror-field");
  }, [nudge.field]);
  if (place === null) return null;
  return createPortal(
    <p className="mirror-nudge" role="status">
      {t("mirror.support_says", { sentence: t(`mirror.nudge_${nudge.sentence}`) })}
    </p>,
    place,
  );
}
