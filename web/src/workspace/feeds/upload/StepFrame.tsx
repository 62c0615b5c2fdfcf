import { type ReactNode, useEffect, useRef } from "react";
import { useI18n } from "../../../i18n/i18n.tsx";
import { Icon } from "../../icon.tsx";
import { STEPS, type Step } from "./uploadMachine.ts";

/** The steps of an import in a row: done, current and to come. */
export function StepBar({ step }: { step: Step }) {
  const { t } = useI18n();
  const at = STEPS.indexOf(step);
  return (
    <ol className="up-steps" aria-label={t("imports.steps")}>
      {STEPS.map((one, place) =>
        place < at ? (
          <li key={one} className="done">
            <Icon name="check" size="s" />
            <span>{t(`imports.step_${one}`)}</span>
            <span className="vh">{t("imports.step_done")}</span>
          </li>
        ) : (
          <li key={one} aria-current={place === at ? "step" : undefined}>
            <span>{t("imports.step_n", { n: place + 1, name: t(`imports.step_${one}`) })}</span>
          </li>
        ),
      )}
    </ol>
  );
}

interface StepFrameProps {
  title: string;
  /** What the step is about, below its title. */
  text?: ReactNode;
  /** The bar at the foot: what is so, and the buttons. */
  bar?: ReactNode;
  /** The step follows another one: its heading takes the keyboard. */
  takesFocus: boolean;
  children: ReactNode;
}

/** One step: its heading, what it shows, and the bar with its act. */
export function StepFrame({ title, text, bar, takesFocus, children }: StepFrameProps) {
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => {
    if (takesFocus) heading.current?.focus();
  }, [takesFocus]);
  return (
    <>
      <div className="scroll pad stackv" data-list-scroll>
        <div>
          <h2 className="up-title" ref={heading} tabIndex={-1}>
            {title}
          </h2>
          {text === undefined ? null : <p className="muted">{text}</p>}
        </div>
        {children}
      </div>
      {bar === undefined ? null : <div className="actbar">{bar}</div>}
    </>
  );
}
