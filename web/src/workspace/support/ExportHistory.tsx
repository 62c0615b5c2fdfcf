import type { LeadRow } from "../../contract/wire.ts";
import { useI18n } from "../../i18n/i18n.tsx";
import { lazyPart } from "../../ui/lazyPart.tsx";
import { DialogButton } from "../DialogButton.tsx";
import { withTexts } from "../withTexts.ts";

const ExportDialog = lazyPart(async () => (await withTexts(import("./ExportDialog.tsx"), "export")).ExportDialog);

/** A lead's history as a file, from its head. */
export function ExportHistory({ lead, past }: { lead: LeadRow; past: boolean }) {
  const { t } = useI18n();
  return (
    <DialogButton
      icon="export"
      name={t("support.export")}
      past={past}
      dialog={(onClose) => <ExportDialog lead={lead} onClose={onClose} />}
    />
  );
}
