import { useQueryClient } from "@tanstack/react-query";
import { useId, useState } from "react";
import type { LeadView } from "../../contract/wire.ts";
import { useI18n } from "../../i18n/i18n.tsx";
import { DecisionDialog } from "../DecisionDialog.tsx";
import { useOnePress } from "../useOnePress.ts";
import { FILTERS } from "./leadFilterNames.ts";
import type { LeadFilters } from "./leadFilters.ts";
import { changeView, deleteView, saveView, viewsQuery } from "./queueCalls.ts";

interface ViewDialogProps {
  filters: LeadFilters;
  /** A view of one's own to be changed; none: the filters in force are saved as a new one. */
  view: LeadView | null;
  onClose: () => void;
}

/** Saves the filters in force under a name, or changes a view of one's own. */
export function ViewDialog({ filters, view, onClose }: ViewDialogProps) {
  const { t } = useI18n();
  const client = useQueryClient();
  const [nameId, problemId] = [useId(), useId()];
  const [name, setName] = useState(view?.name ?? "");
  const [shared, setShared] = useState(view?.shared ?? false);
  const [alarm, setAlarm] = useState(view?.alarm ?? false);
  const hasSteps = (view === null ? filters.steps : view.filters.steps) != null;
  const done = () => {
    void client.invalidateQueries({ queryKey: viewsQuery.queryKey });
    onClose();
  };
  const given = FILTERS.filter((one) => filters[one] !== null).map((one) => [one, filters[one]]);
  const saving = useOnePress({
    mutationFn: () =>
      view === null
        ? saveView({ name, shared, alarm, filters: Object.fromEntries(given) })
        : changeView(view.id, { name, shared, alarm }),
    onSuccess: done,
  });
  const deleting = useOnePress({ mutationFn: () => deleteView(view?.id ?? ""), onSuccess: done });
  const press = { ...saving, error: saving.error ?? deleting.error };
  return (
    <DecisionDialog
      title={t(view === null ? "queues.save" : "queues.change")}
      press={press}
      go={t("queues.keep")}
      ready={name.trim() !== ""}
      problemId={problemId}
      onClose={onClose}
    >
      <label className="label" htmlFor={nameId}>
        {t("queues.name")}
      </label>
      <input
        id={nameId}
        data-first
        className="field"
        value={name}
        maxLength={60}
        aria-describedby={press.error === null ? undefined : problemId}
        onChange={(event) => setName(event.target.value)}
      />
      <label className="check">
        <input type="checkbox" checked={shared} onChange={(event) => setShared(event.target.checked)} />
        <span>{t("queues.share")}</span>
      </label>
      {hasSteps ? (
        <label className="check">
          <input type="checkbox" checked={alarm} onChange={(event) => setAlarm(event.target.checked)} />
          <span>{t("queues.alarm")}</span>
        </label>
      ) : null}
      {view === null ? null : (
        <button type="button" className="btn" disabled={deleting.isPending} onClick={() => deleting.send()}>
          {t("queues.delete")}
        </button>
      )}
    </DecisionDialog>
  );
}
