import { useI18n } from "../i18n/i18n.tsx";
import { Dialog } from "../ui/dialog.tsx";

/** The login dialog. */
export default function LoginModal({ onClose }: { next: string | null; onClose: () => void }) {
  const { t } = useI18n();
  return (
    <Dialog title={t("shell.log_in")} shape="login" onClose={onClose}>
      {null}
    </Dialog>
  );
}
