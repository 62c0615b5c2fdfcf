/** The arrangement of a home's photos while it is changed: order, room, kind and words, and what others changed under it. */
import type { Arrangement, HomePhoto } from "./photoCalls.ts";

/** A photo with its own name on the page: one picture may be of the home and of a room type. */
export interface KeyedPhoto extends HomePhoto {
  key: string;
}

export const keyPhotos = (photos: readonly HomePhoto[]): KeyedPhoto[] =>
  photos.map((photo) => ({ ...photo, key: `${photo.photo_id}/${photo.room_id ?? ""}` }));

type Texts = Readonly<Record<string, string>>;

/** What is changed of one photo; what is not named stays. */
export interface PhotoEdit {
  room_id?: string | null;
  kind?: string | null;
  caption?: Texts;
  alt?: Texts;
}

export interface PhotoDraft {
  /** Keys in their order; null while none was moved. */
  order: readonly string[] | null;
  edits: Readonly<Record<string, PhotoEdit>>;
  /** Photos that this home no longer shows. */
  off: readonly string[];
  /** Photos that nobody names any more and that are put back. */
  back: readonly string[];
  /** The arrangement that the first change was made over. */
  over: readonly PhotoMark[];
}

/** What is compared of a photo. */
type PhotoMark = readonly [key: string, look: string];

export const NO_PHOTO_DRAFT: PhotoDraft = { order: null, edits: {}, off: [], back: [], over: [] };

export const PHOTO_KINDS = ["exterior", "room", "bathroom", "kitchen", "common", "plan"] as const;

/** The kind of a photo, where it is one that this page knows. */
export const readKind = (kind: string | null) => PHOTO_KINDS.find((known) => known === kind) ?? null;

export function countPhotoChanges({ order, edits, off, back }: PhotoDraft): number {
  return (order === null ? 0 : 1) + Object.keys(edits).length + off.length + back.length;
}

/** The photos with a draft over them, those of the home first, then by room type; without those that the home no longer shows. */
export function arrange(photos: readonly KeyedPhoto[], draft: PhotoDraft, rooms: readonly string[]): KeyedPhoto[] {
  const listed = photos.filter(
    ({ key, is_named }) => (is_named || draft.back.includes(key)) && !draft.off.includes(key),
  );
  const place = (id: string) => {
    const at = draft.order?.indexOf(id) ?? -1;
    return at < 0 ? Number.MAX_SAFE_INTEGER : at;
  };
  const group = ({ room_id }: KeyedPhoto) => (room_id === null ? -1 : rooms.indexOf(room_id));
  return listed
    .map((photo) => ({ ...photo, ...draft.edits[photo.key], is_named: true }))
    .toSorted((one, other) => group(one) - group(other) || place(one.key) - place(other.key));
}

/** Photos that this home does not show. */
export function listUnnamed(photos: readonly KeyedPhoto[], draft: PhotoDraft): KeyedPhoto[] {
  return photos.filter(({ key, is_named }) => draft.off.includes(key) || (!is_named && !draft.back.includes(key)));
}

/** Moves a photo by so many places within its group; the same draft where it stands at the end already. */
export function movePhoto(draft: PhotoDraft, base: Base, key: string, by: number): PhotoDraft {
  const shown = arrange(base.photos, draft, base.rooms);
  const moved = shown.find((one) => one.key === key);
  if (moved === undefined) return draft;
  const group = shown.filter(({ room_id }) => room_id === moved.room_id);
  const target = group[group.indexOf(moved) + by];
  return target === undefined ? draft : placePhoto(draft, base, key, target.key);
}

/** What a draft lies over. */
export interface Base {
  photos: readonly KeyedPhoto[];
  /** Ids of the room types, in their order. */
  rooms: readonly string[];
}

/** Puts a photo in the place of another, and into its group. */
export function placePhoto(draft: PhotoDraft, base: Base, key: string, targetKey: string): PhotoDraft {
  const shown = arrange(base.photos, draft, base.rooms);
  const keys = shown.map((one) => one.key);
  const [from, to] = [keys.indexOf(key), keys.indexOf(targetKey)];
  const [moved, target] = [shown[from], shown[to]];
  if (moved === undefined || target === undefined || from === to) return draft;
  const order = keys.toSpliced(from, 1).toSpliced(to, 0, key);
  const next = begin({ ...draft, order }, base.photos);
  return moved.room_id === target.room_id
    ? settle(next, base)
    : editPhoto(next, base, key, { room_id: target.room_id });
}

/** Changes room, kind and words of a photo; what is as it was is no change. */
export function editPhoto(draft: PhotoDraft, base: Base, key: string, asked: PhotoEdit): PhotoDraft {
  const photo = base.photos.find((one) => one.key === key);
  if (photo === undefined) return draft;
  const edit: PhotoEdit = { ...draft.edits[key] };
  for (const name of ["room_id", "kind", "caption", "alt"] as const) {
    if (!(name in asked)) continue;
    delete edit[name];
    if (spell(asked[name]) !== spell(photo[name])) Object.assign(edit, { [name]: asked[name] });
  }
  const { [key]: _, ...others } = draft.edits;
  const edits = Object.keys(edit).length === 0 ? others : { ...others, [key]: edit };
  return settle(begin({ ...draft, edits }, base.photos), base);
}

/** Shows a photo at this home no more, or again. */
export function togglePhoto(draft: PhotoDraft, base: Base, key: string): PhotoDraft {
  const photo = base.photos.find((one) => one.key === key);
  if (photo === undefined) return draft;
  const list = photo.is_named ? "off" : "back";
  const keys = draft[list];
  const next = keys.includes(key) ? keys.filter((one) => one !== key) : [...keys, key];
  return settle(begin({ ...draft, [list]: next }, base.photos), base);
}

/** An order that is the one that is there is no change, and a draft without changes lies over nothing. */
function settle(draft: PhotoDraft, base: Base): PhotoDraft {
  const keysOf = (one: PhotoDraft) => arrange(base.photos, one, base.rooms).map(({ key }) => key);
  const ordered = keysOf(draft).join() === keysOf({ ...draft, order: null }).join() ? { ...draft, order: null } : draft;
  return countPhotoChanges(ordered) === 0 ? NO_PHOTO_DRAFT : ordered;
}

function begin(draft: PhotoDraft, photos: readonly KeyedPhoto[]): PhotoDraft {
  return draft.over.length > 0 ? draft : { ...draft, over: markPhotos(photos) };
}

function markPhotos(photos: readonly KeyedPhoto[]): PhotoMark[] {
  return photos
    .filter(({ is_named }) => is_named)
    .map((photo) => [photo.key, spell([photo.room_id, photo.kind, photo.caption, photo.alt])] as const);
}

/** True where others moved, changed or took off photos after the draft was begun. Photos that came since are no such change. */
export function isArrangementOvertaken(draft: PhotoDraft, photos: readonly KeyedPhoto[]): boolean {
  if (countPhotoChanges(draft) === 0) return false;
  const known = new Set(draft.over.map(([id]) => id));
  return spell(markPhotos(photos).filter(([id]) => known.has(id))) !== spell(draft.over);
}

/** Keeps the draft though others changed the photos under it. */
export function keepArrangement(draft: PhotoDraft, photos: readonly KeyedPhoto[]): PhotoDraft {
  return { ...draft, over: markPhotos(photos) };
}

/** The whole list as it is sent. */
export function buildArrangement(position: number, base: Base, draft: PhotoDraft, reason: string): Arrangement {
  const photos = arrange(base.photos, draft, base.rooms).map(({ key, photo_id, room_id }) => {
    const { kind, caption, alt } = draft.edits[key] ?? {};
    return {
      photo_id,
      room_id,
      ...(kind === undefined ? {} : { kind: kind ?? "not_said" }),
      ...(caption === undefined ? {} : { caption: { ...caption } }),
      ...(alt === undefined ? {} : { alt: { ...alt } }),
    };
  });
  return { position, reason: reason.trim(), photos };
}

/** The key of the photo that a refusal is about: `photos/3/caption/zh` is the fourth of the sent list. */
export function nameRefusedPhoto(sent: readonly KeyedPhoto[], field: string): string {
  const at = /^photos\/(\d+)/.exec(field)?.[1];
  return (at === undefined ? undefined : sent[Number(at)]?.key) ?? field;
}

/** The photo that cards of the home show first: a room before what is around it; plans are no photos. */
export function findCover<Photo extends HomePhoto>(shown: readonly Photo[]): Photo | null {
  const photos = shown.filter(({ state, kind }) => state === "ready" && kind !== "plan");
  const ofRoom = photos.find(({ kind, room_id }) => kind === "room" || (kind === null && room_id !== null));
  return ofRoom ?? photos[0] ?? null;
}

/** Words by language with one of them changed; an empty one says nothing. */
export function writeText(texts: Texts, tag: string, text: string): Record<string, string> {
  const { [tag]: _, ...others } = texts;
  return text.trim() === "" ? others : { ...others, [tag]: text };
}

/** Spells a value so that the order of its names makes no difference. */
function spell(value: unknown): string {
  return JSON.stringify(value, (_, part: unknown) =>
    part !== null && typeof part === "object" && !Array.isArray(part)
      ? Object.fromEntries(Object.entries(part).toSorted(([one], [other]) => (one < other ? -1 : 1)))
      : part,
  );
}
