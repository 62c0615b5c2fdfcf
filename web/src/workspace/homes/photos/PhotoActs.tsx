import { useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { useI18n } from "../../../i18n/i18n.tsx";
import { toast } from "../../../ui/toast.tsx";
import { useFailureToast } from "../../failure.ts";
import { dropKeptWords } from "../../keptDraft.ts";
import { usePastMoment } from "../../pastMoment.ts";
import { ReasonDialog } from "../../ReasonDialog.tsx";
import { useIntent } from "../../useIntent.ts";
import { useOnePress } from "../../useOnePress.ts";
import { homeKeys } from "../homeCalls.ts";
import {
  type HomePhoto,
  type PhotosOfHome,
  photosQuery,
  restorePhoto,
  retryPhoto,
  takePhotoDown,
} from "./photoCalls.ts";

interface PhotoActsProps {
  homeId: string;
  photo: HomePhoto;
  name: string;
}

/** Acts that the state of a photo allows: taken down, restored, asked for again. */
export function PhotoActs({ homeId, photo, name }: PhotoActsProps) {
  const { t } = useI18n();
  const isPast = usePastMoment() !== null;
  const [asking, setAsking] = useState<"take_down" | "restore" | null>(null);
  const failed = useFailureToast();
  const keyOf = useIntent();
  const keep = useAnswer(homeId);
  const retry = useOnePress<PhotosOfHome>({
    mutationFn: () => retryPhoto(homeId, photo.photo_id, keyOf([photo.photo_id, photo.tried_at])),
    onSuccess: (photos) => {
      keep(photos);
      toast(t("homes.photo_asked_again"));
    },
    onError: failed,
  });
  const close = () => setAsking(null);
  return (
    <>
      {photo.can.includes("retry") ? (
        <button type="button" className="link" disabled={isPast || retry.isPending} onClick={() => retry.send()}>
          {t("homes.photo_retry")}
          <span className="vh"> {name}</span>
        </button>
      ) : null}
      {(["take_down", "restore"] as const)
        .filter((act) => photo.can.includes(act))
        .map((act) => (
          <button key={act} type="button" className="link" disabled={isPast} onClick={() => setAsking(act)}>
            {t(`homes.photo_${act}`)}
            <span className="vh"> {name}</span>
          </button>
        ))}
      {asking === "take_down" ? <TakeDown {...{ homeId, photo, name }} onClose={close} /> : null}
      {asking === "restore" ? <Restore {...{ homeId, photo, name }} onClose={close} /> : null}
    </>
  );
}

/** Puts the photos that an act answered in place of the shown ones. */
function useAnswer(homeId: string): (photos: PhotosOfHome) => void {
  const client = useQueryClient();
  return (photos) => {
    client.setQueryData(photosQuery(homeId).queryKey, photos);
    for (const queryKey of homeKeys(homeId)) void client.invalidateQueries({ queryKey });
  };
}

type DialogProps = PhotoActsProps & { onClose: () => void };

function TakeDown({ homeId, photo, name, onClose }: DialogProps) {
  const { t } = useI18n();
  const [isFinal, setFinal] = useState(false);
  const keyOf = useIntent();
  const keep = useAnswer(homeId);
  const about = `photo ${photo.photo_id} take_down`;
  const press = useOnePress<PhotosOfHome, string>({
    mutationFn: (reason) => {
      const body = { photo_id: photo.photo_id, reason, ...(isFinal ? { is_final: true } : {}) };
      return takePhotoDown(homeId, body, keyOf(body));
    },
    onSuccess: (photos) => {
      keep(photos);
      dropKeptWords(about);
      toast(t("homes.photo_state_taken_down"));
      onClose();
    },
  });
  return (
    <ReasonDialog
      about={about}
      title={t("homes.photo_take_down_title", { name })}
      text={t("homes.photo_take_down_text")}
      label={t("homes.why")}
      act={t("homes.photo_take_down")}
      sending={press}
      onClose={onClose}
    >
      <label className="check">
        <input type="checkbox" checked={isFinal} onChange={(event) => setFinal(event.target.checked)} />
        <span>{t("homes.photo_final")}</span>
      </label>
      <p className="sub">{t(isFinal ? "homes.photo_final_text" : "homes.photo_restorable_text")}</p>
    </ReasonDialog>
  );
}

function Restore({ homeId, photo, name, onClose }: DialogProps) {
  const { t } = useI18n();
  const keyOf = useIntent();
  const keep = useAnswer(homeId);
  const about = `photo ${photo.photo_id} restore`;
  const press = useOnePress<PhotosOfHome, string>({
    mutationFn: (reason) => {
      const body = { photo_id: photo.photo_id, reason };
      return restorePhoto(homeId, body, keyOf([body, photo.taken_down_at]));
    },
    onSuccess: (photos) => {
      keep(photos);
      dropKeptWords(about);
      toast(t("homes.photo_restored"));
      onClose();
    },
  });
  return (
    <ReasonDialog
      about={about}
      title={t("homes.photo_restore_title", { name })}
      text={t("homes.photo_restore_text")}
      label={t("homes.why")}
      act={t("homes.photo_restore")}
      sending={press}
      onClose={onClose}
    />
  );
}
