import { useQuery } from "@tanstack/react-query";
import { useId, useState } from "react";
import type { LeadRow, WhatIf, WhatIfConditions } from "../../../contract/wire.ts";
import { useI18n } from "../../../i18n/i18n.tsx";
import { FailureNote } from "../../FailureNote.tsx";
import { faultsOf } from "../../failure.ts";
import { CloseButton, Overlay } from "../../Overlay.tsx";
import { Bone } from "../../TableStates.tsx";
import { deskQuery } from "../actCalls.ts";
import { ApplyForm } from "./ApplyForm.tsx";
import { ConditionFields } from "./ConditionFields.tsx";
import { isConditional } from "./conditionValue.ts";
import { Difference } from "./Difference.tsx";
import { StepForm } from "./StepForm.tsx";
import { StepList } from "./StepList.tsx";
import type { Moment } from "./WhatIfButton.tsx";
import { type Step, whatIfQuery } from "./whatIfCalls.ts";
import "./whatIf.css";

interface WhatIfDialogProps {
  lead: LeadRow;
  from: Moment | null;
  onClose: () => void;
}

/** Acts are tried one after another; beside them stands what they would come to. Nothing is written until they are applied. */
export function WhatIfDialog({ lead, from, onClose }: WhatIfDialogProps) {
  const { t } = useI18n();
  const heading = useId();
  const [steps, setSteps] = useState<readonly Step[]>([]);
  const [conditions, setConditions] = useState<WhatIfConditions>({});
  const desk = useQuery(deskQuery(lead.lead_id));
  const trying = useQuery(whatIfQuery(lead.lead_id, from?.position ?? null, steps, conditions));
  const tried = steps.length === 0 ? undefined : trying.data;
  return (
    <Overlay kind="centre" labelledBy={heading} onClose={onClose}>
      <div className="dlg what-if">
        <header>
          <div className="grow">
            <h2 id={heading}>{t("what_if.title", { reference: lead.reference })}</h2>
            <p className="sub">{from === null ? t("what_if.from_now") : t("what_if.from_event", { n: from.n })}</p>
          </div>
          <CloseButton onClose={onClose} />
        </header>
        <div className="body what-if-panes">
          <section aria-label={t("what_if.steps")}>
            <StepList steps={steps} answers={tried?.steps} desk={desk.data} onChange={setSteps} />
            {desk.data === undefined ? <DeskComing error={desk.error} /> : null}
            {desk.data === undefined ? null : (
              <StepForm desk={desk.data} isFirst={steps.length === 0} onAdd={(step) => setSteps([...steps, step])} />
            )}
            <ConditionFields conditions={conditions} faults={faultsOf(trying.error)} onChange={setConditions} />
          </section>
          <section aria-label={t("what_if.difference")} aria-live="polite" aria-busy={trying.isFetching}>
            <Outcome
              isEmpty={steps.length === 0}
              tried={tried}
              isRefused={conditions.provider_refuses === true}
              error={trying.error}
            />
          </section>
        </div>
        <ApplyForm
          lead={lead}
          tried={trying.isFetching ? undefined : tried}
          steps={steps}
          isConditional={isConditional(conditions)}
          onAgain={() => void trying.refetch()}
          onClose={onClose}
        />
      </div>
    </Overlay>
  );
}

function DeskComing({ error }: { error: Error | null }) {
  const { t } = useI18n();
  if (error !== null) return <FailureNote error={error} />;
  return (
    <p className="muted" role="status">
      {t("acts.loading")}
    </p>
  );
}

interface OutcomeProps {
  isEmpty: boolean;
  tried: WhatIf | undefined;
  /** The payment provider is taken to refuse refunds. */
  isRefused: boolean;
  error: Error | null;
}

function Outcome({ isEmpty, tried, isRefused, error }: OutcomeProps) {
  const { t } = useI18n();
  if (isEmpty) return <p className="muted">{t("what_if.empty")}</p>;
  if (error !== null) return <FailureNote error={error} />;
  if (tried !== undefined) return <Difference tried={tried} isRefused={isRefused} />;
  return (
    <>
      <p className="vh" role="status">
        {t("what_if.trying")}
      </p>
      <Bone width={240} />
    </>
  );
}
