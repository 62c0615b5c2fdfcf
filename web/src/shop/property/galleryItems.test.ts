import { expect, test } from "vitest";
import type { Photo } from "../ui/picture/pictures.ts";
import { type GalleryHome, listGallery, listKinds, listRoomGallery, pickTiles } from "./galleryItems.ts";

const photo = (file: string, kind: string, caption: string | null = null): Photo => ({
  kind,
  caption,
  width: 800,
  height: 600,
  sources: [{ width: 800, webp: `${file}.webp`, jpeg: `${file}.jpg` }],
});
const drawing = (kind: string) => ({ path: `/pictures/a/${kind}.svg`, caption: kind, kind });
const video = { kind: "video", url: "https://vimeo.com/123456", title: "Film" };
const room = {
  name: "Bronze",
  photos: [photo("bed", "room"), photo("front", "exterior")],
  plans: [photo("flat", "x")],
};
const home: GalleryHome = {
  images: [drawing("bedroom")],
  photos: [photo("front", "exterior", "Street"), photo("kitchen", "kitchen")],
  plans: [photo("plan", "plan")],
  recordings: [video, { kind: "tour", url: "javascript:alert(1)" }],
  room_types: [room],
};
const keysOf = (items: readonly { key: string }[]) => items.map(({ key }) => key);

test("a gallery begins with the room and has each photo once", () => {
  const items = listGallery(home);
  expect(keysOf(items)).toEqual(["bed.jpg", "front.jpg", "kitchen.jpg", "plan.jpg", "flat.jpg", video.url]);
  expect(items.map(({ kind }) => kind)).toEqual(["room", "exterior", "kitchen", "plan", "plan", "video"]);
  // A photo of a room is called by it where nobody gave words; the home's own words stay.
  expect(items.map(({ caption }) => caption)).toEqual(["Bronze", "Street", "", "", "Bronze", "Film"]);
  // So it is where the home's own list has that photo too.
  const listed = { ...home, photos: [photo("bed", "room"), photo("front", "exterior")] };
  expect(listGallery(listed).map(({ caption }) => caption)).toEqual(["Bronze", "Bronze", "", "Bronze", "Film"]);
});

test("drawings stand in no gallery that has a photo", () => {
  expect(listGallery(home).some(({ picture }) => picture?.isDrawn)).toBe(false);
  const bare = { images: [drawing("bedroom"), drawing("gym")], room_types: [{ name: "Bronze" }] };
  expect(keysOf(listGallery(bare))).toEqual(["/pictures/a/bedroom.svg", "/pictures/a/gym.svg"]);
  expect(listGallery({ room_types: [] })).toEqual([]);
});

test("tabs are there for the kinds there are, with their counts", () => {
  expect(listKinds(listGallery(home))).toEqual([
    { kind: "all", count: 6 },
    { kind: "room", count: 1 },
    { kind: "exterior", count: 1 },
    { kind: "kitchen", count: 1 },
    { kind: "plan", count: 2 },
    { kind: "video", count: 1 },
  ]);
  expect(listKinds(listRoomGallery({ name: "Bronze", photos: [photo("a", "room"), photo("b", "room")] }))).toEqual([]);
  const unsaid = { ...photo("c", "room"), kind: null };
  expect(listKinds(listRoomGallery({ name: "Bronze", photos: [photo("a", "room"), unsaid] }))).toEqual([
    { kind: "all", count: 2 },
    { kind: "room", count: 1 },
  ]);
});

test("the page shows the room, a plan and a film among its five", () => {
  expect(keysOf(pickTiles(listGallery(home)))).toEqual(["bed.jpg", "plan.jpg", "front.jpg", video.url, "kitchen.jpg"]);
  const drawn = ["exterior", "bedroom", "kitchen", "lounge", "study", "gym"].map(drawing);
  expect(keysOf(pickTiles(listGallery({ images: drawn, room_types: [] })))).toEqual(
    drawn.slice(0, 5).map(({ path }) => path),
  );
  expect(keysOf(pickTiles(listGallery({ recordings: [video], room_types: [] })))).toEqual([video.url]);
});

test("a room's gallery is its own: its drawing is on its row", () => {
  expect(keysOf(listRoomGallery(room))).toEqual(["bed.jpg", "front.jpg", "flat.jpg"]);
  expect(listRoomGallery({ name: "Silver" })).toEqual([]);
});
