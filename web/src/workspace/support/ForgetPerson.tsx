import { useI18n } from "../../i18n/i18n.tsx";
import { lazyPart } from "../../ui/lazyPart.tsx";
import { DialogButton } from "../DialogButton.tsx";
import { useMe } from "../session.ts";

const ForgetDialog = lazyPart(async () => (await import("./ForgetDialog.tsx")).ForgetDialog);

export interface ForgetPersonProps {
  leadId: string;
  reference: string;
  /** The past is for looking: nothing can be changed there. */
  past: boolean;
}

/** Administrators only: the question before a person is erased, from the head of a lead. */
export function ForgetPerson({ leadId, reference, past }: ForgetPersonProps) {
  const { t } = useI18n();
  const me = useMe();
  if (!me.can.grants) return null;
  return (
    <DialogButton
      icon="erase"
      name={t("support.forget")}
      past={past}
      dialog={(onClose) => <ForgetDialog leadId={leadId} reference={reference} onClose={onClose} />}
    />
  );
}
