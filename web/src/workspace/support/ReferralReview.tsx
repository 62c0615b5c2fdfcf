import { useQueryClient } from "@tanstack/react-query";
import type { LeadRow } from "../../contract/wire.ts";
import { useI18n } from "../../i18n/i18n.tsx";
import { toast } from "../../ui/toast.tsx";
import { useFailureToast } from "../failure.ts";
import { reviewReferral } from "../queries.ts";
import { useOnePress } from "../useOnePress.ts";

interface ReferralReviewProps {
  lead: LeadRow;
  /** The past is for looking: nothing can be changed there. */
  past: boolean;
}

/** Asks whether a referral held for review is between two people; nothing where none is held. */
export function ReferralReview({ lead, past }: ReferralReviewProps) {
  const { t } = useI18n();
  const client = useQueryClient();
  const tellFailure = useFailureToast();
  const review = useOnePress({
    mutationFn: (accepted: boolean) => reviewReferral(lead.lead_id, accepted),
    onSuccess: (_, accepted) => {
      toast(t(accepted ? "support.referral_accepted" : "support.referral_refused"));
      void client.invalidateQueries();
    },
    onError: tellFailure,
  });
  if (!lead.attention.includes("referral_held")) return null;
  const button = (accepted: boolean) => (
    <button type="button" className="btn" disabled={past || review.isPending} onClick={() => review.send(accepted)}>
      {t(accepted ? "support.referral_accept" : "support.referral_refuse")}
    </button>
  );
  return (
    <section className="referral" aria-label={t("support.needs_referral_held")}>
      <p>{t("support.referral_question")}</p>
      {button(true)}
      {button(false)}
    </section>
  );
}
