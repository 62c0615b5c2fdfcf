import type { LeadRow } from "../../contract/wire.ts";
import { LeadPresence } from "./LeadPresence.tsx";
import { LeadStory } from "./LeadStory.tsx";
import { ReferralReview } from "./ReferralReview.tsx";

interface LeadBesideProps {
  lead: LeadRow;
  /** How many events its history has. */
  events: number;
  past: boolean;
}

/** What stands between a lead's head and its history, fetched after both: who else is here, the story, a review that waits. */
export function LeadBeside({ lead, events, past }: LeadBesideProps) {
  return (
    <>
      <LeadPresence leadId={lead.lead_id} />
      <LeadStory leadId={lead.lead_id} events={events} />
      <ReferralReview lead={lead} past={past} />
    </>
  );
}
