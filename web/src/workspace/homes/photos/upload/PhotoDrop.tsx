import { useQueryClient } from "@tanstack/react-query";
import { useId, useState } from "react";
import { useFormat, useI18n } from "../../../../i18n/i18n.tsx";
import { faultsOf, useFailureText } from "../../../failure.ts";
import { Icon } from "../../../icon.tsx";
import { usePastMoment } from "../../../pastMoment.ts";
import { useUnsavedWarning } from "../../../useUnsavedWarning.ts";
import { homeKeys, type StaffHome } from "../../homeCalls.ts";
import { uploadPhoto } from "../photoCalls.ts";
import { type Upload, useUploads } from "./uploads.ts";
import { useFileDrop } from "./useFileDrop.ts";

/**
 * Any picture can be chosen: of one that the server does not take, such as HEIC, its sentence says what to do. HEIC is not named here,
 * since a phone that finds it named sends it as it is instead of as JPEG.
 */
const ACCEPTED = "image/*";

interface PhotoDropProps {
  home: StaffHome;
  /** How many more the home may have. */
  left: number;
}

/** The place to drop photos on or to choose them, and each file on its way with what was refused of it. */
export function PhotoDrop({ home, left }: PhotoDropProps) {
  const { t } = useI18n();
  const { number } = useFormat();
  const input = useId();
  const isPast = usePastMoment() !== null;
  const [roomId, setRoomId] = useState("");
  const { uploads, list, send } = useSending(home.home_id, roomId || null);
  const isOver = useFileDrop(send);
  return (
    <section aria-label={t("homes.photos_add")}>
      <div className={isOver ? "drop dropping" : "drop"}>
        <Icon name="export" />
        <p>
          <b>{t("homes.photos_drop")}</b>
        </p>
        <input
          id={input}
          className="vh"
          type="file"
          accept={ACCEPTED}
          multiple
          disabled={isPast || left <= 0}
          aria-describedby={`${input}-hint`}
          onChange={(event) => {
            send([...(event.currentTarget.files ?? [])]);
            event.currentTarget.value = "";
          }}
        />
        <label htmlFor={input} className="btn">
          {t("homes.photos_choose")}
        </label>
        <RoomChoice home={home} roomId={roomId} onChoose={setRoomId} />
        <p className="sub" id={`${input}-hint`}>
          {left > 0 ? t("homes.photos_formats") : t("homes.photos_full")}
        </p>
        {left > 0 && left <= FEW_LEFT ? <p className="sub">{t("homes.photos_left", { n: left })}</p> : null}
      </div>
      {list.length === 0 ? null : (
        <ul className="uploads" aria-label={t("homes.photos_sending", { n: list.length, shown: number(list.length) })}>
          {list.map((upload) => (
            <Sending key={upload.id} upload={upload} onDrop={() => uploads.drop(upload.id)} />
          ))}
        </ul>
      )}
    </section>
  );
}

/** Sends files to a home; after each that arrived its photos are read anew. */
function useSending(homeId: string, roomId: string | null) {
  const isPast = usePastMoment() !== null;
  const client = useQueryClient();
  const [uploads, list] = useUploads(homeId);
  useUnsavedWarning(list.some(({ state }) => state !== "failed"));
  const send = (files: readonly File[]) => {
    if (isPast) return;
    uploads.add(
      files,
      (file, sending) => uploadPhoto(homeId, roomId, file, sending),
      () => {
        for (const queryKey of homeKeys(homeId)) void client.invalidateQueries({ queryKey });
      },
    );
  };
  return { uploads, list, send };
}

interface RoomChoiceProps {
  home: StaffHome;
  roomId: string;
  onChoose: (roomId: string) => void;
}

/** The room type that the next files show; none for the home itself. */
function RoomChoice({ home, roomId, onChoose }: RoomChoiceProps) {
  const { t, lang } = useI18n();
  const room = useId();
  if (home.rooms.length === 0) return null;
  return (
    <label className="sub" htmlFor={room}>
      {t("homes.photo_room")}{" "}
      <select id={room} className="inp" value={roomId} onChange={(event) => onChoose(event.target.value)}>
        <option value="">{t("homes.photos_of_home")}</option>
        {home.rooms.map(({ room_id, name }) => (
          <option key={room_id} value={room_id}>
            {name[lang] ?? Object.values(name)[0] ?? t("homes.room")}
          </option>
        ))}
      </select>
    </label>
  );
}

/** From so many on, it is said how many more a home may have. */
const FEW_LEFT = 20;

function Sending({ upload, onDrop }: { upload: Upload; onDrop: () => void }) {
  const { t } = useI18n();
  const failureText = useFailureText();
  const { name, sent, state, error } = upload;
  return (
    <li>
      <span className="grow">
        <b>{name}</b>
        {error === null ? null : (
          <span className="err blk" role="alert">
            {[...faultsOf(error).values()][0] ?? failureText(error)}
          </span>
        )}
      </span>
      {state === "failed" ? null : (
        <progress aria-label={t("homes.photos_progress", { name })} max={1} value={state === "waits" ? 0 : sent} />
      )}
      <button
        type="button"
        className="btn quiet sq sm"
        aria-label={t(state === "failed" ? "homes.photos_drop_failed" : "homes.photos_cancel", { name })}
        onClick={onDrop}
      >
        <Icon name="x" size="s" />
      </button>
    </li>
  );
}
