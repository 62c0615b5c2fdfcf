import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useId, useState } from "react";
import { newKey } from "../../api.ts";
import type { OpenReward } from "../../contract/wire.ts";
import { useI18n } from "../../i18n/i18n.tsx";
import { toast } from "../../ui/toast.tsx";
import { writeMoney } from "../amounts.ts";
import { plainDay } from "../clock.ts";
import { DecisionDialog } from "../DecisionDialog.tsx";
import { Stopped } from "../TableStates.tsx";
import { useOnePress } from "../useOnePress.ts";
import { payReward, rewardsQuery } from "./bookCalls.ts";

/** Rewards that are owed to referrers or back from them. Without any it takes no room. */
export function Rewards() {
  const { t } = useI18n();
  const { data, error, dataUpdatedAt, refetch } = useQuery(rewardsQuery);
  if (error !== null) return <Stopped error={error} fetchedAt={dataUpdatedAt} onRetry={() => void refetch()} />;
  if (data === undefined || data.length === 0) return null;
  return (
    <section className="returned" aria-labelledby="rewards">
      <h2 id="rewards">
        {t("books.rewards")} <span className="chip num">{data.length}</span>
      </h2>
      <p className="sub">{t("books.rewards_text")}</p>
      <ul className="rm-list">
        {data.map((reward) => (
          <li key={reward.referral_id}>
            <Reward reward={reward} />
          </li>
        ))}
      </ul>
    </section>
  );
}

function Reward({ reward }: { reward: OpenReward }) {
  const { t, lang } = useI18n();
  const due = useId();
  const [isAsking, setIsAsking] = useState(false);
  const { owed_minor, decimals, currency, lead_reference, is_due } = reward;
  const amount = writeMoney(Math.abs(owed_minor), { decimals, currency });
  const day = plainDay(reward.due_on, lang);
  return (
    <article className="rm-one">
      <header>
        <h3 className="num grow">{t("books.reward_of", { amount, reference: lead_reference })}</h3>
        {owed_minor > 0 ? (
          <button
            type="button"
            className="btn sm"
            disabled={!is_due}
            aria-describedby={due}
            onClick={() => setIsAsking(true)}
          >
            {t("books.reward_pay")}
          </button>
        ) : null}
      </header>
      <p className="sub" id={due}>
        {owed_minor > 0
          ? t(is_due ? "books.reward_due" : "books.reward_not_due", { day })
          : t("books.reward_owed_back")}
      </p>
      {isAsking ? <PayDialog reward={reward} amount={amount} onClose={() => setIsAsking(false)} /> : null}
    </article>
  );
}

interface PayDialogProps {
  reward: OpenReward;
  amount: string;
  onClose: () => void;
}

/** The bank has paid it: the books say so from then on. */
function PayDialog({ reward, amount, onClose }: PayDialogProps) {
  const { t } = useI18n();
  const client = useQueryClient();
  const [intent, setIntent] = useState(newKey);
  const press = useOnePress({
    mutationFn: () => payReward(reward.referral_id, intent),
    onSuccess: () => {
      toast(t("books.reward_paid"));
      onClose();
    },
    onError: () => setIntent(newKey()),
    onSettled: () => void client.invalidateQueries({ queryKey: ["books"] }),
  });
  return (
    <DecisionDialog
      title={t("books.reward_pay_title", { amount })}
      press={press}
      go={t("books.reward_pay")}
      onClose={onClose}
    >
      <p>{t("books.reward_pay_text", { reference: reward.lead_reference })}</p>
    </DecisionDialog>
  );
}
