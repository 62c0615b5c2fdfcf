import { useI18n } from "../../i18n/i18n.tsx";
import * as paths from "../../paths.ts";
import { Button } from "../../ui/button.tsx";
import { ButtonLink } from "../ui/buttonLink.tsx";
import { Outcome } from "./Outcome.tsx";

interface SecondHomeProps {
  /** Which home is booked, and for when, in the server's words. */
  booked: string;
  onWanted: () => void;
}

/** Asks whether a second home for the same time is meant, before a room is held for it. */
export function SecondHome({ booked, onWanted }: SecondHomeProps) {
  const { t } = useI18n();
  return (
    <Outcome icon="door" tone="info" title={t("payment.second_title")}>
      <p className="t-18 soft flow-lead">{booked}</p>
      <p className="soft">{t("payment.second_text")}</p>
      <div className="row wrapx flow-acts">
        <ButtonLink look="primary" href={paths.bookings()}>
          {t("payment.view_bookings")}
        </ButtonLink>
        <Button look="quiet" onClick={onWanted}>
          {t("payment.second_go")}
        </Button>
      </div>
    </Outcome>
  );
}
