import type { LeadVariant } from "../contract/wire.ts";
import { useI18n } from "../i18n/i18n.tsx";
import type { LeadInventory } from "../shell/overlays.ts";
import { Dialog } from "../ui/dialog.tsx";

interface LeadModalProps {
  inventory: LeadInventory | null;
  variant: LeadVariant;
  onClose: () => void;
}

/** The enquiry dialog. */
export default function LeadModal({ inventory, onClose }: LeadModalProps) {
  const { t } = useI18n();
  return (
    <Dialog title={inventory?.name ?? t("shell.help")} onClose={onClose}>
      {null}
    </Dialog>
  );
}
