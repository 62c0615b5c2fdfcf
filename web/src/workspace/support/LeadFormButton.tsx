import type { LeadRow } from "../../contract/wire.ts";
import { useI18n } from "../../i18n/i18n.tsx";
import { lazyPart } from "../../ui/lazyPart.tsx";
import { DialogButton } from "../DialogButton.tsx";
import { withTexts } from "../withTexts.ts";

const LeadFormDialog = lazyPart(
  async () => (await withTexts(import("./LeadFormDialog.tsx"), "lead_form", "booking")).LeadFormDialog,
);

/** A lead's form and documents, from its head. */
export function LeadFormButton({ lead }: { lead: LeadRow }) {
  const { t } = useI18n();
  return (
    <DialogButton
      icon="file"
      name={t("support.form_open")}
      dialog={(onClose) => <LeadFormDialog lead={lead} onClose={onClose} />}
    />
  );
}
