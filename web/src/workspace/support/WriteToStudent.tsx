import type { LeadRow } from "../../contract/wire.ts";
import { useI18n } from "../../i18n/i18n.tsx";
import { lazyPart } from "../../ui/lazyPart.tsx";
import { DialogButton } from "../DialogButton.tsx";
import { withTexts } from "../withTexts.ts";

const WriteDialog = lazyPart(async () => (await withTexts(import("./WriteDialog.tsx"), "desk")).WriteDialog);

/** A lead's conversations and a new message, from its head. */
export function WriteToStudent({ lead, past }: { lead: LeadRow; past: boolean }) {
  const { t } = useI18n();
  return (
    <DialogButton
      icon="mail"
      name={t("support.write")}
      past={past}
      dialog={(onClose) => <WriteDialog lead={lead} onClose={onClose} />}
    />
  );
}
