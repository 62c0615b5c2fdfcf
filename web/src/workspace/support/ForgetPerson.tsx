import { Suspense, useState } from "react";
import { useI18n } from "../../i18n/i18n.tsx";
import { lazyPart } from "../../ui/lazyPart.tsx";
import { Icon } from "../icon.tsx";
import { useMe } from "../session.ts";

const ForgetDialog = lazyPart(async () => (await import("./ForgetDialog.tsx")).ForgetDialog);

export interface ForgetPersonProps {
  leadId: string;
  reference: string;
  /** The past is for looking: nothing can be changed there. */
  past: boolean;
}

/** Administrators only: the button, and the question behind it. */
export function ForgetPerson({ leadId, reference, past }: ForgetPersonProps) {
  const { t } = useI18n();
  const me = useMe();
  const [asking, setAsking] = useState(false);
  if (!me.can.grants) return null;
  return (
    <>
      <button
        type="button"
        className="btn quiet sq"
        aria-label={t("support.forget")}
        disabled={past}
        title={past ? t("support.read_only") : t("support.forget")}
        onClick={() => setAsking(true)}
      >
        <Icon name="erase" size="s" />
      </button>
      {asking ? (
        <Suspense>
          <ForgetDialog leadId={leadId} reference={reference} onClose={() => setAsking(false)} />
        </Suspense>
      ) : null}
    </>
  );
}
