import "./admin.css";
import { useQueryClient } from "@tanstack/react-query";
import { useEffect } from "react";
import { useI18n } from "../../i18n/i18n.tsx";
import { secondFactorQuery } from "./adminCalls.ts";
import { SecondStep } from "./SecondStep.tsx";

/** One's own second login step, for staff who want it before it is required. */
export function SecondStepPage() {
  const { t } = useI18n();
  const client = useQueryClient();
  useEffect(() => {
    document.title = `${t("second_step.title")} · ${t("workspace.title")}`;
  }, [t]);
  return (
    <main className="main" id="work">
      <div className="lead-top">
        <h1>{t("second_step.title")}</h1>
      </div>
      <div className="scroll rm" data-list-scroll>
        <SecondStep onPassed={() => void client.invalidateQueries({ queryKey: secondFactorQuery.queryKey })} />
      </div>
    </main>
  );
}
