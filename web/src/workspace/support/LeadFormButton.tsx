import { Suspense, useState } from "react";
import type { LeadRow } from "../../contract/wire.ts";
import { useI18n } from "../../i18n/i18n.tsx";
import { lazyPart } from "../../ui/lazyPart.tsx";
import { Icon } from "../icon.tsx";
import { withTexts } from "../withTexts.ts";

const LeadFormDialog = lazyPart(
  async () => (await withTexts(import("./LeadFormDialog.tsx"), "lead_form", "booking")).LeadFormDialog,
);

/** The button in the head of a lead, and the dialog behind it. */
export function LeadFormButton({ lead }: { lead: LeadRow }) {
  const { t } = useI18n();
  const [isOpen, setIsOpen] = useState(false);
  return (
    <>
      <button
        type="button"
        className="btn quiet sq"
        aria-label={t("support.form_open")}
        title={t("support.form_open")}
        onClick={() => setIsOpen(true)}
      >
        <Icon name="file" size="s" />
      </button>
      {isOpen ? (
        <Suspense>
          <LeadFormDialog lead={lead} onClose={() => setIsOpen(false)} />
        </Suspense>
      ) : null}
    </>
  );
}
