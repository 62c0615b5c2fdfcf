import { type DragEvent, type KeyboardEvent, useState } from "react";
import { useI18n } from "../../../i18n/i18n.tsx";
import { Icon } from "../../icon.tsx";
import type { StaffHome } from "../homeCalls.ts";
import { PhotoActs } from "./PhotoActs.tsx";
import { PhotoDialog } from "./PhotoDialog.tsx";
import { type Base, editPhoto, type KeyedPhoto, type PhotoDraft, readKind } from "./photoDraft.ts";
import { handleId, listPhotoLanguages, usePhotoLines, usePhotoName } from "./photoWords.ts";

interface PhotoCardProps {
  home: StaffHome;
  /** As the draft has it; one that this home does not show is not named. */
  photo: KeyedPhoto;
  base: Base;
  draft: PhotoDraft;
  /** Its place in its group, from 1. */
  at: number;
  of: number;
  isPast: boolean;
  isCover: boolean;
  isChanged: boolean;
  isLifted: boolean;
  isDragged: boolean;
  fault: string | undefined;
  onLift: () => void;
  onSteer: (event: KeyboardEvent) => void;
  onMove: (by: number) => void;
  onDrag: (key: string | null) => void;
  /** Another photo was dropped on it. */
  onPlace: () => void;
  onToggle: () => void;
  onChange: (draft: PhotoDraft) => void;
}

/** A photo with its state, its words and its source. */
export function PhotoCard(props: PhotoCardProps) {
  const { t } = useI18n();
  const { home, photo, base, draft, isPast, isCover, isChanged, isLifted, isDragged, fault } = props;
  const [isEditing, setEditing] = useState(false);
  const nameOf = usePhotoName();
  const lines = usePhotoLines()(photo);
  const name = nameOf(photo);
  const canMove = photo.is_named && !isPast;
  const marks = [isChanged ? "chg" : "", isLifted ? "lifted" : "", isDragged ? "dragged" : ""].join(" ");
  return (
    <li
      className={`photo ${marks}`}
      draggable={canMove}
      onDragStart={(event) => {
        event.dataTransfer.effectAllowed = "move";
        event.dataTransfer.setData("text/plain", name);
        props.onDrag(photo.key);
      }}
      onDragEnd={() => props.onDrag(null)}
      onDragOver={(event) => {
        if (canMove && !carriesFiles(event)) event.preventDefault();
      }}
      onDrop={(event) => {
        if (!canMove || carriesFiles(event)) return;
        event.preventDefault();
        props.onPlace();
      }}
    >
      <Look {...{ photo, name, isCover }} lines={lines.state} />
      <About {...{ photo, name, fault }} source={lines.source} />
      <div className="photo-acts">
        {photo.is_named ? <Handle {...props} name={name} canMove={canMove} /> : null}
        {photo.is_named ? (
          <button type="button" className="link" disabled={isPast} onClick={() => setEditing(true)}>
            {t("homes.photo_edit")}
            <span className="vh"> {name}</span>
          </button>
        ) : null}
        <PhotoActs homeId={home.home_id} photo={photo} name={name} />
        <button type="button" className="link" disabled={isPast} onClick={props.onToggle}>
          {t(photo.is_named ? "homes.photo_off" : "homes.photo_back")}
          <span className="vh"> {name}</span>
        </button>
      </div>
      {isEditing ? (
        <PhotoDialog
          home={home}
          photo={photo}
          onClose={() => setEditing(false)}
          onDone={(edit) => {
            props.onChange(editPhoto(draft, base, photo.key, edit));
            setEditing(false);
          }}
        />
      ) : null}
    </li>
  );
}

interface AboutProps extends Pick<PhotoCardProps, "photo" | "fault"> {
  name: string;
  source: string;
}

/** What a photo shows, in how many languages it is described, and where it comes from. */
function About({ photo, name, fault, source }: AboutProps) {
  const { t } = useI18n();
  const kind = readKind(photo.kind);
  const languages = listPhotoLanguages(photo);
  const described = languages.filter((tag) => photo.alt[tag] !== undefined).length;
  return (
    <div className="tx">
      <p className="photo-name">{name}</p>
      <p className="sub">
        {[
          kind === null ? t("homes.photo_kind_none") : t(`homes.photo_kind_${kind}`),
          t("homes.alt_in", { n: described, of: languages.length }),
        ].join(" · ")}
      </p>
      <p className="sub photo-from">
        <Icon name={photo.source.kind === "feed" ? "cloud" : "pen"} size="xs" /> {source}
      </p>
      {fault === undefined ? null : (
        <p className="err" role="alert">
          {fault}
        </p>
      )}
    </div>
  );
}

/** Files from the desk of the computer are sent; a photo of the page is moved. */
function carriesFiles(event: DragEvent): boolean {
  return event.dataTransfer.types.includes("Files");
}

interface LookProps {
  photo: KeyedPhoto;
  name: string;
  isCover: boolean;
  /** Why it is not shown. */
  lines: readonly string[];
}

function Look({ photo, name, isCover, lines }: LookProps) {
  const { t, lang } = useI18n();
  const isShown = photo.state === "ready" && photo.thumbnail !== null;
  return (
    <div className={isShown ? "im" : "im dead"}>
      {isShown ? (
        <img src={photo.thumbnail ?? ""} alt={photo.alt[lang] ?? name} loading="lazy" draggable={false} />
      ) : (
        <div>
          <Icon name={photo.state === "waiting" ? "clock" : photo.state === "taken_down" ? "x" : "alert"} />
          {lines.map((line) => (
            <p key={line}>{line}</p>
          ))}
        </div>
      )}
      {isCover ? <span className="chip tag">{t("homes.photo_cover")}</span> : null}
    </div>
  );
}

type HandleProps = Pick<PhotoCardProps, "photo" | "at" | "of" | "isLifted" | "onLift" | "onSteer" | "onMove"> & {
  name: string;
  canMove: boolean;
};

/** The button that lifts a photo; while it is lifted, arrow keys and two buttons move it. */
function Handle({ photo, name, at, of, isLifted, canMove, onLift, onSteer, onMove }: HandleProps) {
  const { t } = useI18n();
  return (
    <>
      <button
        type="button"
        id={handleId(photo.key)}
        className="link"
        aria-pressed={isLifted}
        disabled={!canMove}
        onClick={onLift}
        onKeyDown={onSteer}
      >
        {t(isLifted ? "homes.photo_drop_here" : "homes.photo_move")}
        <span className="vh"> {name}</span>
      </button>
      {isLifted ? (
        <span className="row">
          <button
            type="button"
            className="btn sq sm"
            disabled={at === 1}
            aria-label={t("homes.photo_earlier")}
            onClick={() => onMove(-1)}
          >
            <Icon name="left" size="s" />
          </button>
          <button
            type="button"
            className="btn sq sm"
            disabled={at === of}
            aria-label={t("homes.photo_later")}
            onClick={() => onMove(1)}
          >
            <Icon name="right" size="s" />
          </button>
        </span>
      ) : null}
    </>
  );
}
