import type { LeadRow } from "../../contract/wire.ts";
import { PaymentLinks } from "../PaymentLinks.tsx";
import { ForgetPerson } from "./ForgetPerson.tsx";
import { LeadFormButton } from "./LeadFormButton.tsx";
import { WriteToStudent } from "./WriteToStudent.tsx";

/** The buttons of a lead's head that open a dialog each; their code comes after the page's own. */
export function LeadHeadButtons({ lead, past }: { lead: LeadRow; past: boolean }) {
  return (
    <>
      <LeadFormButton lead={lead} />
      <WriteToStudent lead={lead} past={past} />
      <PaymentLinks lead={lead} past={past} />
      <ForgetPerson leadId={lead.lead_id} reference={lead.reference} past={past} />
    </>
  );
}
