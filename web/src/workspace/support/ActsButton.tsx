import { Suspense, useState } from "react";
import type { LeadRow } from "../../contract/wire.ts";
import { useI18n } from "../../i18n/i18n.tsx";
import { lazyPart } from "../../ui/lazyPart.tsx";
import { withTexts } from "../withTexts.ts";
import type { MenuAct } from "./actList.ts";

const ActsDialog = lazyPart(async () => (await withTexts(import("./ActsDialog.tsx"), "acts")).ActsDialog);

/** The act that is asked for; `menu` for all of them. */
export type Opening = MenuAct | "menu";

interface OpenActsProps {
  lead: LeadRow | undefined;
  opening: Opening | null;
  onClose: () => void;
}

/** The dialog of acts, where it is open. */
export function OpenActs({ lead, opening, onClose }: OpenActsProps) {
  if (lead === undefined || opening === null) return null;
  return (
    <Suspense>
      <ActsDialog lead={lead} first={opening === "menu" ? null : opening} onClose={onClose} />
    </Suspense>
  );
}

/** The button for all acts on a lead. */
export function ActsButton({ lead, past, small = false }: { lead: LeadRow; past: boolean; small?: boolean }) {
  const { t } = useI18n();
  const [isOpen, setIsOpen] = useState(false);
  return (
    <>
      <button
        type="button"
        className={small ? "btn quiet sm" : "btn"}
        disabled={past}
        title={past ? t("support.read_only") : undefined}
        onClick={() => setIsOpen(true)}
      >
        {t("support.acts")} {small ? <span className="vh">{lead.reference}</span> : <kbd>M</kbd>}
      </button>
      <OpenActs lead={lead} opening={isOpen ? "menu" : null} onClose={() => setIsOpen(false)} />
    </>
  );
}
