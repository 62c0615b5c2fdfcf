import { useState } from "react";
import type { LeadRow } from "../../contract/wire.ts";
import { lazyPart } from "../../ui/lazyPart.tsx";
import { useKeys } from "../keys.ts";
import { PaymentLinks } from "../PaymentLinks.tsx";
import { withTexts } from "../withTexts.ts";
import { ActsButton, OpenActs, type Opening } from "./ActsButton.tsx";
import { ExportHistory } from "./ExportHistory.tsx";
import { ForgetPerson } from "./ForgetPerson.tsx";
import { LeadFormButton } from "./LeadFormButton.tsx";
import { WriteToStudent } from "./WriteToStudent.tsx";
import type { Moment } from "./whatIf/WhatIfButton.tsx";

const WhatIfButton = lazyPart(
  async () => (await withTexts(import("./whatIf/WhatIfButton.tsx"), "what_if")).WhatIfButton,
);

interface LeadHeadButtonsProps {
  lead: LeadRow;
  past: boolean;
  /** The moment that is shown, where it is one of the past. */
  from: Moment | null | undefined;
}

/** The buttons of a lead's head that open a dialog each; their code comes with the page: the head is as high as it stays. */
export function LeadHeadButtons({ lead, past, from }: LeadHeadButtonsProps) {
  return (
    <>
      <ActsButton lead={lead} past={past} />
      <ActKeys lead={lead} past={past} />
      <WhatIfButton lead={lead} from={from} />
      <LeadFormButton lead={lead} />
      <WriteToStudent lead={lead} past={past} />
      <ExportHistory lead={lead} past={past} />
      <PaymentLinks lead={lead} past={past} />
      <ForgetPerson leadId={lead.lead_id} reference={lead.reference} past={past} />
    </>
  );
}

/** The acts under their keys; the past is for looking. */
function ActKeys({ lead, past }: { lead: LeadRow; past: boolean }) {
  const [opening, setOpening] = useState<Opening | null>(null);
  const open = (act: Opening) => () => past || setOpening(act);
  useKeys({ m: open("menu"), n: open("note") });
  return <OpenActs lead={lead} opening={opening} onClose={() => setOpening(null)} />;
}
