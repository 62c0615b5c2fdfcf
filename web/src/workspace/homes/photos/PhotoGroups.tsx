import { type KeyboardEvent, useEffect, useState } from "react";
import { useI18n } from "../../../i18n/i18n.tsx";
import { usePastMoment } from "../../pastMoment.ts";
import type { StaffHome } from "../homeCalls.ts";
import { PhotoCard } from "./PhotoCard.tsx";
import {
  type Base,
  type KeyedPhoto,
  listUnnamed,
  movePhoto,
  type PhotoDraft,
  placePhoto,
  togglePhoto,
} from "./photoDraft.ts";
import { handleId, usePhotoName } from "./photoWords.ts";

interface PhotoGroupsProps {
  home: StaffHome;
  base: Base;
  draft: PhotoDraft;
  /** The photos as the draft arranges them. */
  shown: readonly KeyedPhoto[];
  cover: KeyedPhoto | null;
  /** What the server refused, by the photo's key. */
  faults: ReadonlyMap<string, string>;
  onChange: (draft: PhotoDraft) => void;
}

/** Steps of the arrow keys for a lifted photo. */
const STEPS: Readonly<Record<string, number>> = { ArrowLeft: -1, ArrowUp: -1, ArrowRight: 1, ArrowDown: 1 };

/** Photos of the home and of each room type, and those that are not shown. Space lifts one, arrows move it; the mouse drags it. */
export function PhotoGroups({ home, base, draft, shown, cover, faults, onChange }: PhotoGroupsProps) {
  const { t, lang } = useI18n();
  const isPast = usePastMoment() !== null;
  const [dragged, setDragged] = useState<string | null>(null);
  const { lifted, lift, move, steer } = useLifting({ base, draft, shown, onChange });
  const groups: [roomId: string | null, title: string][] = [
    [null, t("homes.photos_of_home")],
    ...home.rooms.map(({ room_id, name }): [string, string] => [
      room_id,
      name[lang] ?? Object.values(name)[0] ?? t("homes.room"),
    ]),
  ];
  const unnamed = listUnnamed(base.photos, draft);
  const card = (photo: KeyedPhoto, at: number, of: number) => (
    <PhotoCard
      key={photo.key}
      {...{ home, photo, base, draft, at, of, isPast, onChange }}
      isCover={photo.key === cover?.key}
      isChanged={photo.key in draft.edits || draft.back.includes(photo.key)}
      fault={faults.get(photo.key)}
      isLifted={lifted === photo.key}
      isDragged={dragged === photo.key}
      onLift={() => lift(photo.key)}
      onSteer={(event) => steer(event, photo.key)}
      onMove={(by) => move(photo.key, by)}
      onDrag={setDragged}
      onPlace={() => {
        if (dragged !== null) onChange(placePhoto(draft, base, dragged, photo.key));
      }}
      onToggle={() => onChange(togglePhoto(draft, base, photo.key))}
    />
  );
  return (
    <>
      <Lifted shown={shown} lifted={lifted} />
      {groups.map(([roomId, title]) => {
        const those = shown.filter(({ room_id }) => room_id === roomId);
        return those.length === 0 ? null : (
          <section key={roomId ?? ""}>
            <h2 className="sec-h">{title}</h2>
            <ul className="photos">{those.map((photo, index) => card(photo, index + 1, those.length))}</ul>
          </section>
        );
      })}
      {unnamed.length === 0 ? null : (
        <section>
          <h2 className="sec-h">{t("homes.photos_unnamed")}</h2>
          <p className="sub">{t("homes.photos_unnamed_text")}</p>
          <ul className="photos">
            {unnamed.map((photo, index) => card({ ...photo, is_named: false }, index + 1, unnamed.length))}
          </ul>
        </section>
      )}
    </>
  );
}

/** The photo that is lifted: arrow keys move it, and Escape puts all back as it was. */
function useLifting({ base, draft, shown, onChange }: Pick<PhotoGroupsProps, "base" | "draft" | "shown" | "onChange">) {
  const [lifted, setLifted] = useState<{ id: string; before: PhotoDraft } | null>(null);
  const order = shown.map(({ key }) => key).join();
  // A moved element loses the keyboard in some browsers.
  useEffect(() => {
    if (lifted !== null && order !== "") document.getElementById(handleId(lifted.id))?.focus();
  }, [lifted, order]);
  const move = (id: string, by: number) => onChange(movePhoto(draft, base, id, by));
  return {
    lifted: lifted?.id ?? null,
    lift: (id: string) => setLifted(lifted?.id === id ? null : { id, before: draft }),
    move,
    steer: (event: KeyboardEvent, id: string) => {
      if (lifted?.id !== id) return;
      const by = STEPS[event.key];
      if (by === undefined && event.key !== "Escape") return;
      event.preventDefault();
      event.stopPropagation();
      if (by !== undefined) return move(id, by);
      onChange(lifted.before);
      setLifted(null);
    },
  };
}

/** Says where the lifted photo is by now. */
function Lifted({ shown, lifted }: Pick<PhotoGroupsProps, "shown"> & { lifted: string | null }) {
  const { t } = useI18n();
  const nameOf = usePhotoName();
  const moved = shown.find(({ key }) => key === lifted);
  const siblings = shown.filter(({ room_id }) => room_id === moved?.room_id);
  return (
    <p className="vh" role="status">
      {moved === undefined
        ? ""
        : t("homes.photo_lifted", { name: nameOf(moved), n: siblings.indexOf(moved) + 1, of: siblings.length })}
    </p>
  );
}
