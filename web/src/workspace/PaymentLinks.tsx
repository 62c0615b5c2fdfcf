import type { LeadRow } from "../contract/wire.ts";
import { useI18n } from "../i18n/i18n.tsx";
import { lazyPart } from "../ui/lazyPart.tsx";
import { DialogButton } from "./DialogButton.tsx";

const LinksDialog = lazyPart(async () => (await import("./LinksDialog.tsx")).LinksDialog);

/** The booking whose links are shown. */
export type LinkedLead = Pick<LeadRow, "lead_id" | "reference">;

/** The payment links of a booking, from the head of a lead or of a payment. */
export function PaymentLinks({ lead, past }: { lead: LinkedLead; past: boolean }) {
  const { t } = useI18n();
  return (
    <DialogButton
      icon="link"
      name={t("links.open")}
      past={past}
      dialog={(onClose) => <LinksDialog lead={lead} onClose={onClose} />}
    />
  );
}
