import { type ReactNode, Suspense, useState } from "react";
import { useI18n } from "../i18n/i18n.tsx";
import { Icon, type IconName } from "./icon.tsx";

interface DialogButtonProps {
  icon: IconName;
  /** What the button does, for readers and under the pointer. */
  name: string;
  /** The past is for looking: a button that changes something is off there. */
  past?: boolean;
  /** The dialog behind it; its code may come with the press. */
  dialog: (onClose: () => void) => ReactNode;
}

/** A button in a head that shows only its picture, and the dialog behind it. */
export function DialogButton({ icon, name, past = false, dialog }: DialogButtonProps) {
  const { t } = useI18n();
  const [isOpen, setIsOpen] = useState(false);
  return (
    <>
      <button
        type="button"
        className="btn quiet sq"
        aria-label={name}
        disabled={past}
        title={past ? t("support.read_only") : name}
        onClick={() => setIsOpen(true)}
      >
        <Icon name={icon} size="s" />
      </button>
      {isOpen ? <Suspense>{dialog(() => setIsOpen(false))}</Suspense> : null}
    </>
  );
}
