import { expect, test } from "vitest";
import type { HomePhoto } from "./photoCalls.ts";
import {
  arrange,
  buildArrangement,
  countPhotoChanges,
  editPhoto,
  findCover,
  isArrangementOvertaken,
  type KeyedPhoto,
  keepArrangement,
  keyPhotos,
  listUnnamed,
  movePhoto,
  NO_PHOTO_DRAFT,
  nameRefusedPhoto,
  placePhoto,
  togglePhoto,
} from "./photoDraft.ts";

function photo(photo_id: string, given: Partial<HomePhoto> = {}): KeyedPhoto {
  return {
    key: photo_id,
    photo_id,
    room_id: null,
    is_named: true,
    kind: "exterior",
    caption: {},
    alt: {},
    state: "ready",
    refusal: null,
    why: null,
    answered: null,
    tried_at: null,
    next_try_at: null,
    source: { kind: "person", feed: null, run_id: null, by: null, at: null },
    host: null,
    width: 1200,
    height: 800,
    bytes: 1,
    format: "jpeg",
    preview: null,
    thumbnail: `/${photo_id}.webp`,
    sizes: [],
    taken_down_at: null,
    restorable_until: null,
    can: ["take_down"],
    ...given,
  };
}

const photos = [photo("a"), photo("b"), photo("c"), photo("r1", { room_id: "r" }), photo("old", { is_named: false })];
const base = { photos, rooms: ["r"] };
const idsOf = (list: readonly HomePhoto[]) => list.map(({ photo_id }) => photo_id);
const shown = (draft = NO_PHOTO_DRAFT) => idsOf(arrange(photos, draft, base.rooms));

test("a photo moves within its group alone", () => {
  expect(shown()).toEqual(["a", "b", "c", "r1"]);
  expect(shown(movePhoto(NO_PHOTO_DRAFT, base, "c", -1))).toEqual(["a", "c", "b", "r1"]);
  expect(shown(movePhoto(NO_PHOTO_DRAFT, base, "a", -1))).toEqual(["a", "b", "c", "r1"]);
  expect(shown(movePhoto(NO_PHOTO_DRAFT, base, "c", 1))).toEqual(["a", "b", "c", "r1"]);
});

test("an order that is the old one again is no change", () => {
  const there = movePhoto(NO_PHOTO_DRAFT, base, "a", 1);
  expect(countPhotoChanges(there)).toBe(1);
  expect(movePhoto(there, base, "a", -1)).toEqual(NO_PHOTO_DRAFT);
});

test("a photo put among those of a room type is one of them", () => {
  const draft = placePhoto(NO_PHOTO_DRAFT, base, "b", "r1");
  expect(arrange(photos, draft, base.rooms).find(({ photo_id }) => photo_id === "b")?.room_id).toBe("r");
  expect(shown(draft)).toEqual(["a", "c", "r1", "b"]);
  // What it shows stays its own.
  expect(draft.edits).toEqual({ b: { room_id: "r" } });
});

test("the whole list is sent, with what was changed of each photo", () => {
  const edited = editPhoto(NO_PHOTO_DRAFT, base, "a", { kind: "common", caption: { en: "Lounge" }, alt: {} });
  const draft = togglePhoto(togglePhoto(edited, base, "c"), base, "old");
  expect(buildArrangement(9, base, draft, " Seen on site ")).toEqual({
    position: 9,
    reason: "Seen on site",
    photos: [
      { photo_id: "a", room_id: null, kind: "common", caption: { en: "Lounge" } },
      { photo_id: "b", room_id: null },
      { photo_id: "old", room_id: null },
      { photo_id: "r1", room_id: "r" },
    ],
  });
  expect(idsOf(listUnnamed(photos, draft))).toEqual(["c"]);
});

test("words that are as they were are no change", () => {
  const draft = editPhoto(NO_PHOTO_DRAFT, base, "a", { room_id: null, kind: "exterior", caption: {}, alt: {} });
  expect(draft).toEqual(NO_PHOTO_DRAFT);
});

test("what others changed is told from a photo that came since", () => {
  const draft = movePhoto(NO_PHOTO_DRAFT, base, "a", 1);
  const more = [...photos, photo("new")];
  expect(isArrangementOvertaken(draft, more)).toBe(false);
  expect(idsOf(arrange(more, draft, base.rooms))).toEqual(["b", "a", "c", "new", "r1"]);
  const theirs = photos.map((one) => (one.photo_id === "b" ? { ...one, kind: "room" as const } : one));
  expect(isArrangementOvertaken(draft, theirs)).toBe(true);
  expect(isArrangementOvertaken(keepArrangement(draft, theirs), theirs)).toBe(false);
  expect(isArrangementOvertaken(draft, photos.slice(1))).toBe(true);
});

test("a refusal names its photo", () => {
  expect(nameRefusedPhoto(photos, "photos/1/caption/zh")).toBe("b");
  expect(nameRefusedPhoto(photos, "reason")).toBe("reason");
});

test("cards show a room first, and no plan", () => {
  expect(findCover(photos)?.photo_id).toBe("a");
  expect(findCover([photo("a"), photo("k", { kind: "plan" }), photo("b", { kind: "room" })])?.photo_id).toBe("b");
  expect(findCover([photo("p", { kind: "plan" }), photo("x", { state: "waiting" })])).toBeNull();
});

test("a kind is taken back, and a picture in two places is two", () => {
  const both = keyPhotos([photo("a"), photo("a", { room_id: "r" })]);
  const twice = { photos: both, rooms: ["r"] };
  const draft = editPhoto(NO_PHOTO_DRAFT, twice, both[1]?.key ?? "", { kind: null });
  expect(buildArrangement(1, twice, draft, "r").photos).toEqual([
    { photo_id: "a", room_id: null },
    { photo_id: "a", room_id: "r", kind: "not_said" },
  ]);
});
