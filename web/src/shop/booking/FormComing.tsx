import type { BookingFormPage } from "../../contract/wire.ts";
import { useI18n } from "../../i18n/i18n.tsx";
import { Button } from "../../ui/button.tsx";
import { TextField } from "../ui/field.tsx";
import { FlowFrame } from "../ui/flowFrame.tsx";
import { RoomChoice } from "../ui/roomChoice.tsx";
import { Outline } from "../ui/skeleton.tsx";
import { BookingSummary } from "./BookingSummary.tsx";
import { chosenOf, preselectedStay } from "./booked.ts";

/** The form while its answers are on their way: what the page knows already, and the rest in grey. */
export function FormComing({ page }: { page: BookingFormPage }) {
  const { t } = useI18n();
  const isNew = page.prefill.lead_uuid === null;
  return (
    <>
      <main id="main" className="wrap flow" aria-busy="true">
        <div>
          <p className="vh" role="status">
            {t("booking.loading")}
          </p>
          {isNew ? <RoomComing page={page} /> : <SectionComing />}
        </div>
        <BookingSummary page={page} booked={chosenOf(page, preselectedStay(null, page))} />
      </main>
      <div className="flow-foot">
        <div className="wrap row between">
          <Outline>
            <Button look="plain">{t("booking.back")}</Button>
            <Button look="primary" size="large">
              {t(isNew ? "booking.room_go" : "booking.continue")}
            </Button>
          </Outline>
        </div>
      </div>
    </>
  );
}

/** The form's page until its code has come: printed by the server. */
export function FormFrame() {
  return (
    <FlowFrame at={1}>
      <main id="main" className="wrap flow" aria-busy="true">
        <div>
          <SectionComing />
        </div>
      </main>
    </FlowFrame>
  );
}

/** The choice of a room and a stay, as it will stand there. */
export function RoomComing({ page }: { page: BookingFormPage }) {
  const { t } = useI18n();
  return (
    <Outline>
      <div className="stack g24">
        <div>
          <h1>{t("booking.room_title")}</h1>
          <p className="soft flow-lead">
            {t(page.property.flow === "apply" ? "booking.room_text_apply" : "booking.room_text")}
          </p>
        </div>
        <RoomChoice rooms={page.room_types} chosen={null} onChoose={() => undefined} />
      </div>
    </Outline>
  );
}

function SectionComing() {
  const { t } = useI18n();
  return (
    <Outline>
      <h1>{t("booking.title")}</h1>
      <p style={{ marginTop: 8 }}>{t("booking.text")}</p>
      <ol className="substeps">
        {(["personal_form", "emergency_form", "guarantor_form"] as const).map((section) => (
          <li key={section} className="substep">
            <span>
              <span className="m substep-go">{t(`booking.section_${section}`)}</span>
              <span className="t-12">{t("booking.minutes", { n: 2 })}</span>
            </span>
          </li>
        ))}
      </ol>
      <p className="elsewhere tap">{t("form_sync.elsewhere_title")}</p>
      <div className="fset fset-first">
        <h2>{t("booking.group_about")}</h2>
        <div className="fgrid">
          {["full_name", "dob", "phone", "email", "nationality", "city"].map((field) => (
            <TextField key={field} label={t("booking.group_about")} />
          ))}
        </div>
      </div>
    </Outline>
  );
}
