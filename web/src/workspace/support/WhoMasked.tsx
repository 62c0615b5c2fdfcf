import type { LeadRow } from "../../contract/wire.ts";
import { useI18n } from "../../i18n/i18n.tsx";
import { Masked } from "../Masked.tsx";

/** Nobody's name is left of whoever was erased. */
export function WhoMasked({ lead }: { lead: LeadRow }) {
  const { t } = useI18n();
  return lead.name_masked === "" ? <span>{t("support.erased")}</span> : <Masked value={lead.name_masked} />;
}
