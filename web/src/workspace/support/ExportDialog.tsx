import { useQueryClient } from "@tanstack/react-query";
import { useId, useState } from "react";
import { newKey } from "../../api.ts";
import type { LeadRow } from "../../contract/wire.ts";
import { useI18n } from "../../i18n/i18n.tsx";
import { toast } from "../../ui/toast.tsx";
import { DecisionDialog } from "../DecisionDialog.tsx";
import { dropKeptWords, useKeptWords } from "../keptDraft.ts";
import { ReasonChoice } from "../ReasonChoice.tsx";
import { save } from "../savedFile.ts";
import { useOnePress } from "../useOnePress.ts";
import { exportHistory } from "./exportCalls.ts";

const FORMATS = ["pdf", "json"] as const;
type Format = (typeof FORMATS)[number];

/** Asks why before a lead's history is made into a file; the export itself stands in the history (row I6). */
export function ExportDialog({ lead, onClose }: { lead: LeadRow; onClose: () => void }) {
  const { t } = useI18n();
  const client = useQueryClient();
  const field = useId();
  const about = `export/${lead.lead_id}`;
  const [reason, setReason] = useKeptWords(about);
  const [format, setFormat] = useState<Format>("pdf");
  const [intent, setIntent] = useState(newKey);
  const exporting = useOnePress({
    mutationFn: () => exportHistory(lead.lead_id, reason.trim(), format, intent),
    // A corrected request is a new intent.
    onError: (failure) => {
      if ("kind" in failure && failure.kind === "refused") setIntent(newKey());
    },
    onSuccess: (file) => {
      save(file, `${lead.reference}-history.${format}`);
      dropKeptWords(about);
      toast(t("export.done"));
      void client.invalidateQueries({ queryKey: ["timeline", lead.lead_id] });
      onClose();
    },
  });
  return (
    <DecisionDialog
      title={t("export.dialog_title", { reference: lead.reference })}
      press={exporting}
      go={t(exporting.isPending ? "export.going" : "export.go")}
      ready={reason.trim().length >= 3}
      missing={t("export.needs_reason")}
      onClose={onClose}
    >
      <p className="muted">{t("export.explained")}</p>
      <label className="label" htmlFor={field}>
        {t("export.why")}
      </label>
      <div className="field">
        <input
          id={field}
          data-first
          value={reason}
          maxLength={300}
          required
          onChange={(event) => setReason(event.target.value)}
        />
      </div>
      <ReasonChoice
        legend={t("export.format")}
        reasons={FORMATS}
        reason={format}
        text={(one) => t(`export.format_${one}`)}
        onChoose={setFormat}
      />
    </DecisionDialog>
  );
}
