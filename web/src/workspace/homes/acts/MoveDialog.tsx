import { useId, useState } from "react";
import { useI18n } from "../../../i18n/i18n.tsx";
import { DecisionDialog } from "../../DecisionDialog.tsx";
import { useKeptWords } from "../../keptDraft.ts";
import type { BulkAct } from "../homeCalls.ts";
import { PlaceField, type PlaceTyped, readPlace } from "../PlaceField.tsx";

interface MoveDialogProps {
  /** How many homes are moved. */
  n: number;
  /** Keeps the words until they are sent. */
  about: string;
  press: {
    error: Error | null;
    isPending: boolean;
    send: (asked: Pick<BulkAct, "place" | "reason">) => void;
  };
  onClose: () => void;
}

/** Moves homes to another city or area. */
export function MoveDialog({ n, about, press, onClose }: MoveDialogProps) {
  const { t } = useI18n();
  const why = useId();
  const [reason, setReason] = useKeptWords(about);
  const [place, setPlace] = useState<PlaceTyped>({ city: "", area: "" });
  const read = readPlace(place);
  return (
    <DecisionDialog
      title={t("homes.move_several", { n })}
      press={{ ...press, send: () => read && press.send({ place: read, reason: reason.trim() }) }}
      go={t("homes.move_several", { n })}
      ready={read !== null && reason.trim().length >= 3}
      missing={t("homes.move_missing")}
      onClose={onClose}
    >
      <p>{t("homes.move_text")}</p>
      <PlaceField place={place} faults={new Map()} onType={setPlace} />
      <label className="label" htmlFor={why}>
        {t("homes.why")}
      </label>
      <textarea
        id={why}
        className="area"
        maxLength={500}
        value={reason}
        onChange={(event) => setReason(event.target.value)}
      />
    </DecisionDialog>
  );
}
