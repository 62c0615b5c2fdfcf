import { useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import type { ReadModelStanding } from "../contract/wire.ts";
import { useFormat, useI18n } from "../i18n/i18n.tsx";
import { toast } from "../ui/toast.tsx";
import { DecisionDialog } from "./DecisionDialog.tsx";
import { readModelsQuery, rollBack } from "./queries.ts";
import { useOnePress } from "./useOnePress.ts";

interface RollBackProps {
  model: ReadModelStanding;
  /** The event through which the rows have come that are kept. */
  kept: number;
  /** Another request about this read model is under way. */
  busy: boolean;
}

/** Lets the rows serve again that the last rebuild replaced, once whoever presses has read what that means. */
export function RollBack({ model, kept, busy }: RollBackProps) {
  const { t } = useI18n();
  const [asking, setAsking] = useState(false);
  return (
    <>
      <button
        type="button"
        className="btn sm"
        aria-disabled={busy || undefined}
        aria-describedby={`rm-${model.name}`}
        onClick={() => {
          if (!busy) setAsking(true);
        }}
      >
        {t("workspace.rm_rollback")}
      </button>
      {asking ? <RollBackDialog name={model.name} kept={kept} onClose={() => setAsking(false)} /> : null}
    </>
  );
}

function RollBackDialog({ name, kept, onClose }: { name: string; kept: number; onClose: () => void }) {
  const { t } = useI18n();
  const { number } = useFormat();
  const client = useQueryClient();
  const rolling = useOnePress({
    mutationFn: () => rollBack(name),
    onSuccess: (back) => {
      toast(t("workspace.rm_rolled_back", { n: number(back.serves_through) }));
      onClose();
    },
    onSettled: () => client.invalidateQueries({ queryKey: readModelsQuery.queryKey }),
  });
  return (
    <DecisionDialog
      title={t("workspace.rm_rollback_title", { name })}
      press={rolling}
      go={t(rolling.isPending ? "workspace.rm_working" : "workspace.rm_rollback")}
      onClose={onClose}
    >
      <p>{t("workspace.rm_rollback_explained", { n: number(kept) })}</p>
      <p className="muted" style={{ marginTop: 8 }}>
        {t("workspace.rm_rollback_undo")}
      </p>
    </DecisionDialog>
  );
}
