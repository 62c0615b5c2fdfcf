import "./photos.css";
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { useI18n } from "../../../i18n/i18n.tsx";
import { toast } from "../../../ui/toast.tsx";
import { faultsOf } from "../../failure.ts";
import { Icon } from "../../icon.tsx";
import { dropKeptWords, useKeptDraft } from "../../keptDraft.ts";
import { usePastMoment } from "../../pastMoment.ts";
import { ReasonDialog } from "../../ReasonDialog.tsx";
import { Bone, Stopped } from "../../TableStates.tsx";
import { useIntent } from "../../useIntent.ts";
import { useOnePress } from "../../useOnePress.ts";
import { useUnsavedWarning } from "../../useUnsavedWarning.ts";
import { NO_DRAFT } from "../facts/homeEdit.ts";
import { StudentView } from "../facts/StudentView.tsx";
import { homeKeys, type StaffHome, valuesQuery } from "../homeCalls.ts";
import { PhotoGroups } from "./PhotoGroups.tsx";
import { type Arrangement, arrangePhotos, type HomePhoto, type PhotosOfHome, photosQuery } from "./photoCalls.ts";
import {
  arrange,
  buildArrangement,
  countPhotoChanges,
  findCover,
  isArrangementOvertaken,
  type KeyedPhoto,
  keepArrangement,
  keyPhotos,
  NO_PHOTO_DRAFT,
  nameRefusedPhoto,
  type PhotoDraft,
} from "./photoDraft.ts";
import { PhotoDrop } from "./upload/PhotoDrop.tsx";

/** The width of the picture beside the photos. */
const BESIDE_WIDTH = 400;

/** Arrangements that were not saved, by their home. */
const kept = new Map<string, PhotoDraft>();

/** Photos of a home, each with its state and source: arranged, described and sent beside what a student sees. */
export function HomePhotos({ home }: { home: StaffHome }) {
  const asked = useQuery(photosQuery(home.home_id));
  if (asked.data !== undefined) return <Arranging home={home} photos={asked.data} />;
  return (
    <div className="scroll pad">
      {asked.error === null ? (
        <Bone width={320} />
      ) : (
        <Stopped error={asked.error} fetchedAt={0} onRetry={() => void asked.refetch()} />
      )}
    </div>
  );
}

function Arranging({ home, photos }: { home: StaffHome; photos: PhotosOfHome }) {
  const { t } = useI18n();
  const [draft, setDraft] = useKeptDraft(kept, home.home_id, () => NO_PHOTO_DRAFT);
  const [isAsking, setAsking] = useState(false);
  const { data: values } = useQuery(valuesQuery(home.home_id));
  const changes = countPhotoChanges(draft);
  useUnsavedWarning(changes > 0);
  const rooms = home.rooms.map(({ room_id }) => room_id);
  const base = { photos: keyPhotos(photos.photos), rooms };
  const shown = arrange(base.photos, draft, rooms);
  const cover = findCover(shown);
  const save = useSaving(home.home_id, shown, () => {
    setAsking(false);
    setDraft(NO_PHOTO_DRAFT);
  });
  const isOvertaken = isArrangementOvertaken(draft, base.photos);
  // The choice stands on the page: a second press in the dialog would send over what others did.
  if (isAsking && isOvertaken) setAsking(false);
  return (
    <>
      <div className="beside">
        <section className="scroll pad stackv" aria-label={t("homes.part_photos")} data-list-scroll>
          {isOvertaken ? (
            <Overtaken
              onKeep={() => setDraft(keepArrangement(draft, base.photos))}
              onTake={() => setDraft(NO_PHOTO_DRAFT)}
            />
          ) : null}
          {photos.photos.length === 0 ? (
            <p className="muted">{t(home.pictures.length === 0 ? "homes.no_photos" : "homes.photos_drawn")}</p>
          ) : null}
          <PhotoGroups home={home} {...{ base, shown, cover, draft }} faults={save.refused} onChange={setDraft} />
          <PhotoDrop home={home} left={photos.most - photos.photos.length} />
        </section>
        {values === undefined ? null : (
          <StudentView
            home={{ ...home, pictures: listPictures(home, shown, cover) }}
            values={values}
            draft={NO_DRAFT}
            isPictureNew={changes > 0}
          />
        )}
      </div>
      {changes === 0 ? null : (
        <SaveBar
          changes={changes}
          isOvertaken={isOvertaken}
          onDiscard={() => setDraft(NO_PHOTO_DRAFT)}
          onSave={() => setAsking(true)}
        />
      )}
      {isAsking ? (
        <ReasonDialog
          about={`home ${home.home_id} photos`}
          title={t("homes.save_title", { n: changes })}
          text={home.feed === null ? t("homes.save_text") : t("homes.photos_save_text_feed", { feed: home.feed })}
          label={t("homes.why")}
          act={t("homes.save")}
          sending={{ ...save, send: (reason) => save.send(buildArrangement(photos.position, base, draft, reason)) }}
          onClose={() => setAsking(false)}
        />
      ) : null}
    </>
  );
}

/** Pictures as students see them, the cover first; drawings of the demo while there is no photo. */
function listPictures(home: StaffHome, shown: readonly HomePhoto[], cover: HomePhoto | null): string[] {
  const first = cover === null ? shown : [cover, ...shown.filter((photo) => photo !== cover)];
  const photos = first.flatMap(({ state, sizes, thumbnail }) => {
    const size = sizes.find(({ width }) => width >= BESIDE_WIDTH) ?? sizes.at(-1);
    const address = size?.jpeg ?? thumbnail;
    return state === "ready" && address !== null ? [address] : [];
  });
  return photos.length === 0 && shown.length === 0 ? home.pictures : photos;
}

/** Sends an arrangement; after a refusal the photos are read anew, and what was changed stays. */
function useSaving(homeId: string, shown: readonly KeyedPhoto[], onDone: () => void) {
  const { t } = useI18n();
  const client = useQueryClient();
  const keyOf = useIntent();
  const [refused, setRefused] = useState<ReadonlyMap<string, string>>(new Map());
  const press = useOnePress<PhotosOfHome, Arrangement>({
    mutationFn: (asked) => arrangePhotos(homeId, asked, keyOf(asked)),
    onSuccess: (photos) => {
      client.setQueryData(photosQuery(homeId).queryKey, photos);
      setRefused(new Map());
      dropKeptWords(`home ${homeId} photos`);
      toast(t("homes.saved"));
      onDone();
      for (const queryKey of homeKeys(homeId)) void client.invalidateQueries({ queryKey });
    },
    onError: (error) => {
      setRefused(new Map([...faultsOf(error)].map(([field, said]) => [nameRefusedPhoto(shown, field), said])));
      void client.invalidateQueries({ queryKey: photosQuery(homeId).queryKey });
    },
  });
  return { ...press, refused };
}

function Overtaken({ onKeep, onTake }: { onKeep: () => void; onTake: () => void }) {
  const { t } = useI18n();
  return (
    <div className="note warn" role="alert">
      <Icon name="alert" size="s" />
      <p className="grow">{t("homes.photos_overtaken")}</p>
      <button type="button" className="btn sm" onClick={onKeep}>
        {t("homes.keep_mine")}
      </button>
      <button type="button" className="btn sm" onClick={onTake}>
        {t("homes.take_theirs")}
      </button>
    </div>
  );
}

interface SaveBarProps {
  changes: number;
  isOvertaken: boolean;
  onDiscard: () => void;
  onSave: () => void;
}

function SaveBar({ changes, isOvertaken, onDiscard, onSave }: SaveBarProps) {
  const { t } = useI18n();
  const isPast = usePastMoment() !== null;
  return (
    <section className="actbar" aria-label={t("homes.unsaved")}>
      <p className="grow">
        <b>{t("homes.changes", { n: changes })}</b>
        <span className="sub blk">{t(isOvertaken ? "homes.photos_overtaken" : "homes.kept_here")}</span>
      </p>
      <button type="button" className="btn quiet" onClick={onDiscard}>
        {t("homes.discard")}
      </button>
      <button type="button" className="btn pri" disabled={isPast || isOvertaken} onClick={onSave}>
        {t("homes.save_with_reason")}
      </button>
    </section>
  );
}
