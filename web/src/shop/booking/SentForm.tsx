import { useEffect } from "react";
import type { BookingForm } from "../../contract/wire.ts";
import { useI18n } from "../../i18n/i18n.tsx";
import type { PageOf } from "../../page.ts";
import * as paths from "../../paths.ts";
import { Button } from "../../ui/button.tsx";
import { Icon } from "../../ui/icon.tsx";
import { navigate } from "../navigation.ts";
import { BookingSummary } from "./BookingSummary.tsx";
import { bookedOf } from "./booked.ts";

interface SentProps {
  page: PageOf<"booking_form"> | PageOf<"application">;
  form: BookingForm | null;
  /** It was completed here, and not found complete. */
  cameThrough: boolean;
  paid: boolean;
}

/** The form is complete: on to the payment by itself the first time, by a button for somebody who comes back. */
export function Sent({ page, form, cameThrough, paid }: SentProps) {
  const { t } = useI18n();
  const { property } = page.data;
  const to = form
    ? paths.payment(property.canonical_name, {
        lead_uuid: form.lead_uuid,
        inventory_id: form.inventory_id,
        form_uuid: form.form_uuid,
      })
    : paths.payment(property.canonical_name);
  useEffect(() => {
    if (cameThrough && !paid) void navigate(to);
  }, [cameThrough, paid, to]);
  return (
    <main id="main" className="wrap flow">
      <div>
        <span className="glyph glyph-ok">
          <Icon name="check" />
        </span>
        <h1>{t("booking.sent_title")}</h1>
        <p className="t-18 soft flow-lead">
          {t(paid ? "booking.sent_after" : property.flow === "apply" ? "booking.sent_text_apply" : "booking.sent_text")}
        </p>
        <div className="row flow-acts">
          <Button look="primary" size="large" onClick={() => void navigate(paid ? paths.bookings() : to)}>
            {t(paid ? "booking.finish" : "booking.continue_pay")}
          </Button>
        </div>
      </div>
      <BookingSummary page={page.data} booked={bookedOf(form, page.data)} paid={paid} />
    </main>
  );
}
