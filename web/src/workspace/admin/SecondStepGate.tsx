import "./admin.css";
import { useI18n } from "../../i18n/i18n.tsx";
import { rememberedGround } from "../ground.ts";
import { Icon, Mark } from "../icon.tsx";
import { SecondStep } from "./SecondStep.tsx";

/** Stands before the workspace until the second step of this login is passed. */
export function SecondStepGate({ onPassed }: { onPassed: () => void }) {
  const { t } = useI18n();
  return (
    <div className="ws" data-theme={rememberedGround()}>
      <main className="gate">
        <Mark />
        <div className="gate-card">
          <span className="evi">
            <Icon name="lock" />
          </span>
          <h1>{t("second_step.gate_title")}</h1>
          <p className="muted">{t("second_step.gate_text")}</p>
          <SecondStep onPassed={onPassed} />
        </div>
      </main>
    </div>
  );
}
