import { Suspense, useState } from "react";
import type { LeadRow } from "../../contract/wire.ts";
import { useI18n } from "../../i18n/i18n.tsx";
import { lazyPart } from "../../ui/lazyPart.tsx";
import { DialogButton } from "../DialogButton.tsx";
import { useKeys } from "../keys.ts";
import { withTexts } from "../withTexts.ts";

const ExportDialog = lazyPart(async () => (await withTexts(import("./ExportDialog.tsx"), "export")).ExportDialog);

/** A lead's history as a file, from its head or by its key. */
export function ExportHistory({ lead, past }: { lead: LeadRow; past: boolean }) {
  const { t } = useI18n();
  const [byKey, setByKey] = useState(false);
  useKeys({ x: () => past || setByKey(true) });
  return (
    <>
      <DialogButton
        icon="export"
        name={t("support.export")}
        past={past}
        dialog={(onClose) => <ExportDialog lead={lead} onClose={onClose} />}
      />
      {byKey ? (
        <Suspense>
          <ExportDialog lead={lead} onClose={() => setByKey(false)} />
        </Suspense>
      ) : null}
    </>
  );
}
