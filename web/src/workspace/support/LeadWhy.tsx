import { Suspense, useState } from "react";
import { lazyPart } from "../../ui/lazyPart.tsx";
import { useKeys } from "../keys.ts";
import { WhyButton } from "../WhyButton.tsx";
import { withTexts } from "../withTexts.ts";
import { useFieldText } from "./fieldText.ts";
import type { LeadField } from "./leadWhy.ts";

const LeadWhyDialog = lazyPart(async () => (await withTexts(import("./LeadWhyDialog.tsx"), "why")).LeadWhyDialog);

interface LeadWhyProps {
  leadId: string;
  field: LeadField;
}

/** "why?" beside a value of a lead, and the events that set it. */
export function LeadWhy({ leadId, field }: LeadWhyProps) {
  const { label } = useFieldText();
  const [isOpen, setIsOpen] = useState(false);
  return (
    <>
      <WhyButton field={label("lead", field)} onAsk={() => setIsOpen(true)} />
      {isOpen ? <OpenLeadWhy leadId={leadId} field={field} onClose={() => setIsOpen(false)} /> : null}
    </>
  );
}

/** The same under W, for the lead that is chosen in a list. */
export function LeadWhyKey({ leadId }: { leadId: string | undefined }) {
  const [isOpen, setIsOpen] = useState(false);
  useKeys({ w: () => setIsOpen(true) });
  if (!isOpen || leadId === undefined) return null;
  return <OpenLeadWhy leadId={leadId} field="status" onClose={() => setIsOpen(false)} />;
}

function OpenLeadWhy(props: LeadWhyProps & { onClose: () => void }) {
  return (
    <Suspense>
      <LeadWhyDialog {...props} />
    </Suspense>
  );
}
