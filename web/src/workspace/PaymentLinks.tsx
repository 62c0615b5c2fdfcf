import { Suspense, useState } from "react";
import type { LeadRow } from "../contract/wire.ts";
import { useI18n } from "../i18n/i18n.tsx";
import { lazyPart } from "../ui/lazyPart.tsx";
import { Icon } from "./icon.tsx";

const LinksDialog = lazyPart(async () => (await import("./LinksDialog.tsx")).LinksDialog);

/** The booking whose links are shown. */
export type LinkedLead = Pick<LeadRow, "lead_id" | "reference">;

/** The button in the head of a lead or of a payment, and the dialog behind it. */
export function PaymentLinks({ lead, past }: { lead: LinkedLead; past: boolean }) {
  const { t } = useI18n();
  const [isOpen, setIsOpen] = useState(false);
  return (
    <>
      <button
        type="button"
        className="btn quiet sq"
        aria-label={t("links.open")}
        disabled={past}
        title={past ? t("support.read_only") : t("links.open")}
        onClick={() => setIsOpen(true)}
      >
        <Icon name="link" size="s" />
      </button>
      {isOpen ? (
        <Suspense>
          <LinksDialog lead={lead} onClose={() => setIsOpen(false)} />
        </Suspense>
      ) : null}
    </>
  );
}
