import { listHomePictures, type PicturedHome } from "../ui/picture/homePictures.ts";
import { listPictures, type Photo, type Picture, readPhoto } from "../ui/picture/pictures.ts";

/** A video or a virtual tour on a platform. */
export interface Recording {
  /** `video` or `tour`. */
  kind: string;
  url: string;
  title?: string | null;
}

/** One thing of a gallery. */
export interface GalleryItem {
  /** Tells it from the others. */
  key: string;
  /** Its tab: `room`, `kitchen`, `plan`, `video`; empty where nobody said what it shows. */
  kind: string;
  caption: string;
  picture: Picture | null;
  recording: Recording | null;
}

/** Plans and recordings of a home or a room. */
export interface Recorded {
  plans?: readonly Photo[];
  recordings?: readonly Recording[];
}

/** A home or room with all that a gallery shows. */
export interface GalleryHome extends PicturedHome, Recorded {
  room_types: readonly ({ name: string; photos?: readonly Photo[] } & Recorded)[];
}

/** The gallery of a home: pictures, plans, then videos and tours. */
export function listGallery(home: GalleryHome): readonly GalleryItem[] {
  return joinItems(listHomePictures(home), [
    home,
    // Plans of several rooms look alike: each is called by its room.
    ...home.room_types.map((room) => ({ ...room, plans: (room.plans ?? []).map((plan) => namePlan(plan, room.name)) })),
  ]);
}

/** The gallery of one room; its drawing is on its row already. */
export function listRoomGallery(room: { name: string; photos?: readonly Photo[] } & Recorded): readonly GalleryItem[] {
  return joinItems(listPictures({ photos: room.photos ?? [] }), [room]);
}

/** The tabs, in the order of the gallery; a gallery of one kind needs none, and what is of no kind is under all. */
export function listKinds(items: readonly GalleryItem[]): readonly { kind: string; count: number }[] {
  const kinds = [...new Set(items.map(({ kind }) => kind))];
  if (kinds.length < 2) return [];
  const said = kinds.filter((kind) => kind !== "");
  const count = (kind: string) => items.filter((item) => item.kind === kind).length;
  return [{ kind: "all", count: items.length }, ...said.map((kind) => ({ kind, count: count(kind) }))];
}

const TILES = 5;

/** The tiles of the page, before the gallery is opened: the room large, a plan and a recording among the pictures. */
export function pickTiles(items: readonly GalleryItem[]): readonly GalleryItem[] {
  const plan = items.find(({ kind }) => kind === "plan");
  const recording = items.find((item) => item.recording !== null);
  const pictures = items.filter((item) => item.picture !== null && item.kind !== "plan");
  const [large, second, ...rest] = pictures;
  const chosen = [large, plan, second, recording, ...rest].filter((item) => item !== undefined);
  const others = items.filter((item) => !chosen.includes(item));
  return [...chosen, ...others].slice(0, TILES);
}

/** A plan lies on white, and no blurred ground shows at its edges. */
const drawPlan = (plan: Photo): Photo => ({ ...plan, kind: "plan", preview: null });

const namePlan = (plan: Photo, room: string): Photo => ({ ...plan, caption: plan.caption || room });

function joinItems(pictures: readonly Picture[], of: readonly Recorded[]): readonly GalleryItem[] {
  const plans = of.flatMap(({ plans = [] }) => plans).flatMap((plan) => readPhoto(drawPlan(plan)) ?? []);
  const recordings = of.flatMap((one) => one.recordings ?? []).filter(({ url }) => /^https?:\/\//i.test(url));
  const items = [...[...pictures, ...plans].map(itemOfPicture), ...recordings.map(itemOfRecording)];
  return items.filter((item, at) => items.findIndex(({ key }) => key === item.key) === at);
}

const itemOfPicture = (picture: Picture): GalleryItem => ({
  key: picture.path,
  kind: picture.kind,
  caption: picture.caption,
  picture,
  recording: null,
});

const itemOfRecording = (recording: Recording): GalleryItem => ({
  key: recording.url,
  kind: recording.kind,
  caption: recording.title ?? "",
  picture: null,
  recording,
});
