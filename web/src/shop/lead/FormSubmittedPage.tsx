import { useEffect, useState } from "react";
import { get } from "../../api.ts";
import type { Lead } from "../../contract/wire.ts";
import { useI18n } from "../../i18n/i18n.tsx";
import type { PageOf } from "../../page.ts";
import * as paths from "../../paths.ts";
import { Icon } from "../../ui/icon.tsx";
import { ButtonLink } from "../ui/buttonLink.tsx";
import { Rich } from "../ui/rich.tsx";
import "./lead.css";

/** `/forms/submit`: a thank-you that survives a reload; with a lead it names the reference (D24). */
export default function FormSubmittedPage({ page }: { page: PageOf<"form_submitted"> }) {
  const { t } = useI18n();
  const lead = useLead(page.data.lead_uuid);
  return (
    <main id="main" className="wrap submitted">
      <span className="submitted-glyph">
        <Icon name="check" size={32} />
      </span>
      <h1>{t("lead.submitted_title")}</h1>
      {/* Its line is kept free until the reference comes. */}
      {page.data.lead_uuid === null ? null : (
        <p className="t-18 soft" style={lead ? undefined : { visibility: "hidden" }}>
          <Rich k="lead.submitted_reference" nodes={{ reference: <span className="ref">{lead?.reference}</span> }} />
        </p>
      )}
      <p className="t-18 soft">{t("lead.submitted_text")}</p>
      <div className="row wrapx g12">
        <ButtonLink look="primary" href={paths.bookings("enquired")}>
          {t("lead.submitted_bookings")}
        </ButtonLink>
        <ButtonLink href={paths.home()}>{t("lead.submitted_home")}</ButtonLink>
      </div>
    </main>
  );
}

/** Spec §8: a lead that cannot be fetched is ignored; the thank-you stands without it. */
function useLead(leadUuid: string | null): Lead | null {
  const [lead, setLead] = useState<Lead | null>(null);
  useEffect(() => {
    if (leadUuid === null) return;
    const leaving = new AbortController();
    get("/api/v0/leads/{id}", { path: { id: leadUuid }, fresh: true, signal: leaving.signal }).then(setLead, () =>
      setLead(null),
    );
    return () => leaving.abort();
  }, [leadUuid]);
  return lead;
}
