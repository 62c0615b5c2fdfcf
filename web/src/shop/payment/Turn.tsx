import { useState } from "react";
import type { Payment, WaitlistView } from "../../contract/wire.ts";
import { useI18n } from "../../i18n/i18n.tsx";
import * as paths from "../../paths.ts";
import { Button } from "../../ui/button.tsx";
import { toast } from "../../ui/toast.tsx";
import { navigate } from "../navigation.ts";
import { ButtonLink } from "../ui/buttonLink.tsx";
import { Outcome } from "./Outcome.tsx";
import { PriceSummary } from "./PriceSummary.tsx";
import { WaitProof } from "./WaitProof.tsx";
import { leaveWaitlist, takeOffer } from "./waitlistCalls.ts";

interface TurnProps {
  payment: Payment;
  view: WaitlistView;
  change: (view: WaitlistView) => void;
}

/** The room is kept for this place, on whichever device the link is opened: by when it is to be taken, and the one button that takes it. */
export function Turn({ payment, view, change }: TurnProps) {
  const { t } = useI18n();
  const [busy, setBusy] = useState(false);
  const press = (act: () => Promise<unknown>) => {
    setBusy(true);
    act()
      .catch((error: unknown) => toast(error instanceof Error ? error.message : t("stay.wait_failed"), "error"))
      .finally(() => setBusy(false));
  };
  const take = () =>
    press(() => takeOffer(payment.token).then(({ token }) => navigate(paths.paymentToken(token), { replace: true })));
  const until = view.place?.kept_until ?? "";
  const names = { room: payment.room.name, home: payment.inventory_root.name };
  return (
    <Outcome
      icon="door"
      tone="success"
      title={t("stay.turn_title", names)}
      aside={<PriceSummary payment={payment} outcome="nothing" />}
    >
      <p className="t-18 soft flow-lead">{t("stay.turn_by", { until })}</p>
      <div className="row wrapx flow-acts">
        <Button look="primary" size="large" busy={busy} onClick={take}>
          {t("stay.wait_take")}
        </Button>
      </div>
      <section className="stack g12" style={{ marginTop: 24 }} data-waitlist>
        <p className="soft">{t("stay.turn_else")}</p>
        <p>
          <button
            type="button"
            className="link t-14"
            disabled={busy}
            onClick={() => press(() => leaveWaitlist(payment.token).then(change))}
          >
            {t("stay.turn_leave")}
          </button>
        </p>
        <WaitProof view={view} />
      </section>
    </Outcome>
  );
}

/** The turn was taken elsewhere: the payment that it opened is the reader's own, so no other payer is named. */
export function TurnTaken({ payment, view }: Pick<TurnProps, "payment" | "view">) {
  const { t } = useI18n();
  const names = { room: payment.room.name, home: payment.inventory_root.name };
  return (
    <Outcome
      icon="door"
      tone="info"
      title={t("stay.taken_title", names)}
      aside={<PriceSummary payment={payment} outcome="nothing" />}
    >
      <p className="t-18 soft flow-lead">{t("stay.taken_text")}</p>
      <div className="row wrapx flow-acts">
        <ButtonLink look="primary" href={paths.bookings("enquired")}>
          {t("payment.view_bookings")}
        </ButtonLink>
      </div>
      <section data-waitlist>
        <WaitProof view={view} />
      </section>
    </Outcome>
  );
}
