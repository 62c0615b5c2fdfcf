import { Suspense, useState } from "react";
import type { LeadRow } from "../../contract/wire.ts";
import { useI18n } from "../../i18n/i18n.tsx";
import { lazyPart } from "../../ui/lazyPart.tsx";
import { Icon } from "../icon.tsx";
import { withTexts } from "../withTexts.ts";

const WriteDialog = lazyPart(async () => (await withTexts(import("./WriteDialog.tsx"), "desk")).WriteDialog);

/** The button in the head of a lead, and the dialog behind it: its conversations, and a new message. */
export function WriteToStudent({ lead, past }: { lead: LeadRow; past: boolean }) {
  const { t } = useI18n();
  const [isOpen, setIsOpen] = useState(false);
  return (
    <>
      <button
        type="button"
        className="btn quiet sq"
        aria-label={t("support.write")}
        disabled={past}
        title={past ? t("support.read_only") : t("support.write")}
        onClick={() => setIsOpen(true)}
      >
        <Icon name="mail" size="s" />
      </button>
      {isOpen ? (
        <Suspense>
          <WriteDialog lead={lead} onClose={() => setIsOpen(false)} />
        </Suspense>
      ) : null}
    </>
  );
}
