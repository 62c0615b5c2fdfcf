import { useId, useState } from "react";
import { useI18n } from "../../../i18n/i18n.tsx";
import { DialogFrame } from "../../DialogFrame.tsx";
import { languageName } from "../../languageName.ts";
import type { StaffHome } from "../homeCalls.ts";
import type { HomePhoto } from "./photoCalls.ts";
import { PHOTO_KINDS, type PhotoEdit, writeText } from "./photoDraft.ts";
import { listPhotoLanguages } from "./photoWords.ts";

/** Words of a photo have so many characters at most. */
const WORDS_MAX = 300;

interface PhotoDialogProps {
  home: StaffHome;
  photo: HomePhoto;
  onClose: () => void;
  onDone: (edit: Required<PhotoEdit>) => void;
}

/** Where a photo is shown, what it shows, and its words in each language. It is saved with the other changes of the page. */
export function PhotoDialog({ home, photo, onClose, onDone }: PhotoDialogProps) {
  const { t } = useI18n();
  const [edit, setEdit] = useState<Required<PhotoEdit>>(photo);
  const change = (part: Partial<PhotoEdit>) => setEdit({ ...edit, ...part });
  return (
    <DialogFrame
      title={t("homes.photo_edit_title")}
      onClose={onClose}
      onSubmit={() => onDone(pickEdit(edit))}
      footer={
        <>
          <button type="button" className="btn" onClick={onClose}>
            {t("workspace.cancel")}
          </button>
          <button type="submit" className="btn pri">
            {t("homes.photo_edit_done")}
          </button>
        </>
      }
    >
      {photo.thumbnail === null ? null : <img className="photo-look" src={photo.thumbnail} alt="" />}
      <Placement home={home} edit={edit} onChange={change} />
      <Words photo={photo} edit={edit} onChange={change} />
    </DialogFrame>
  );
}

interface PartProps {
  edit: Required<PhotoEdit>;
  onChange: (part: Partial<PhotoEdit>) => void;
}

/** What a photo shows, and whether it is one of the home or of a room type. */
function Placement({ home, edit, onChange }: PartProps & { home: StaffHome }) {
  const { t, lang } = useI18n();
  const [room, kind] = [useId(), useId()];
  return (
    <>
      <label className="label" htmlFor={kind}>
        {t("homes.photo_kind")}
      </label>
      <select
        id={kind}
        className="field"
        data-first
        value={edit.kind ?? ""}
        onChange={(event) => onChange({ kind: event.target.value || null })}
      >
        <option value="">{t("homes.not_said")}</option>
        {PHOTO_KINDS.map((known) => (
          <option key={known} value={known}>
            {t(`homes.photo_kind_${known}`)}
          </option>
        ))}
      </select>
      {home.rooms.length === 0 ? null : (
        <>
          <label className="label" htmlFor={room}>
            {t("homes.photo_room")}
          </label>
          <select
            id={room}
            className="field"
            value={edit.room_id ?? ""}
            onChange={(event) => onChange({ room_id: event.target.value || null })}
          >
            <option value="">{t("homes.photos_of_home")}</option>
            {home.rooms.map(({ room_id, name }) => (
              <option key={room_id} value={room_id}>
                {name[lang] ?? Object.values(name)[0] ?? t("homes.room")}
              </option>
            ))}
          </select>
        </>
      )}
    </>
  );
}

/** Caption and alt text, one language at a time. */
function Words({ photo, edit, onChange }: PartProps & { photo: HomePhoto }) {
  const { t, lang } = useI18n();
  const [caption, alt] = [useId(), useId()];
  const [tag, setTag] = useState<string>(lang);
  const languages = listPhotoLanguages(photo);
  const nameOf = (one: string) => languageName(one, lang);
  return (
    <>
      <fieldset className="seg photo-tags">
        <legend className="vh">{t("homes.photo_words")}</legend>
        {languages.map((one) => (
          <button key={one} type="button" aria-pressed={one === tag} onClick={() => setTag(one)}>
            {edit.caption[one] === undefined && edit.alt[one] === undefined ? `${nameOf(one)} –` : nameOf(one)}
          </button>
        ))}
      </fieldset>
      <label className="label" htmlFor={caption}>
        {t("homes.photo_caption", { language: nameOf(tag) })}
      </label>
      <input
        id={caption}
        className="field"
        lang={tag}
        maxLength={WORDS_MAX}
        value={edit.caption[tag] ?? ""}
        onChange={(event) => onChange({ caption: writeText(edit.caption, tag, event.target.value) })}
      />
      <label className="label" htmlFor={alt}>
        {t("homes.photo_alt", { language: nameOf(tag) })}
      </label>
      <textarea
        id={alt}
        className="area"
        lang={tag}
        rows={3}
        maxLength={WORDS_MAX}
        aria-describedby={`${alt}-hint`}
        value={edit.alt[tag] ?? ""}
        onChange={(event) => onChange({ alt: writeText(edit.alt, tag, event.target.value) })}
      />
      <p className="sub" id={`${alt}-hint`}>
        {t("homes.photo_alt_hint")}
      </p>
    </>
  );
}

function pickEdit({ room_id, kind, caption, alt }: Required<PhotoEdit>): Required<PhotoEdit> {
  const trim = (texts: Readonly<Record<string, string>>) =>
    Object.fromEntries(Object.entries(texts).map(([tag, text]) => [tag, text.trim()]));
  return { room_id, kind, caption: trim(caption), alt: trim(alt) };
}
