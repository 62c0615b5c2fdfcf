import { useQueryClient } from "@tanstack/react-query";
import { type FormEvent, useId, useState } from "react";
import type { ReadModelStanding } from "../contract/wire.ts";
import { useFormat, useI18n } from "../i18n/i18n.tsx";
import { toast } from "../ui/toast.tsx";
import { useFailureText } from "./failure.ts";
import { CloseButton, Overlay } from "./Overlay.tsx";
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
  const heading = useId();
  const failureText = useFailureText();
  const client = useQueryClient();
  const rolling = useOnePress({
    mutationFn: () => rollBack(name),
    onSuccess: (back) => {
      toast(t("workspace.rm_rolled_back", { n: number(back.serves_through) }));
      onClose();
    },
    onSettled: () => client.invalidateQueries({ queryKey: readModelsQuery.queryKey }),
  });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    rolling.send();
  };
  return (
    <Overlay kind="centre" labelledBy={heading} onClose={onClose}>
      <form className="dlg" onSubmit={submit}>
        <header>
          <h2 id={heading}>{t("workspace.rm_rollback_title", { name })}</h2>
          <CloseButton onClose={onClose} />
        </header>
        <div className="body">
          <p>{t("workspace.rm_rollback_explained", { n: number(kept) })}</p>
          <p className="muted" style={{ marginTop: 8 }}>
            {t("workspace.rm_rollback_undo")}
          </p>
          {rolling.error === null ? null : (
            <p className="note bad" role="alert">
              {failureText(rolling.error)}
            </p>
          )}
        </div>
        <footer>
          <button type="button" className="btn" onClick={onClose}>
            {t("workspace.cancel")}
          </button>
          <button type="submit" className="btn pri" disabled={rolling.isPending}>
            {t(rolling.isPending ? "workspace.rm_working" : "workspace.rm_rollback")}
          </button>
        </footer>
      </form>
    </Overlay>
  );
}
