import { lazy, Suspense, useState } from "react";
import type { LeadRow } from "../../contract/wire.ts";
import { loadAreas } from "../../i18n/catalogue.ts";
import { useI18n } from "../../i18n/i18n.tsx";
import { Icon } from "../icon.tsx";

const LeadFormDialog = lazy(async () => {
  const lang = document.documentElement.lang === "zh" ? "zh" : "en";
  const [{ LeadFormDialog: loaded }] = await Promise.all([
    import("./LeadFormDialog.tsx"),
    loadAreas(lang, ["lead_form"]),
  ]);
  return { default: loaded };
});

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
