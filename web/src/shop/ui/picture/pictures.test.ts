import { expect, test } from "vitest";
import { listPictures, type Photo, readPhoto } from "./pictures.ts";

const sourceOf = (width: number) => ({ width, webp: `/p/${width}.webp`, jpeg: `/p/${width}.jpg` });
const photo: Photo = {
  kind: "room",
  alt: null,
  caption: "Bronze room",
  width: 1600,
  height: 1200,
  preview: "data:image/jpeg;base64,AA==",
  sources: [sourceOf(1600), sourceOf(400), sourceOf(800)],
};
const drawing = { path: "/pictures/leeds-1/bedroom.svg", caption: "Bedroom", kind: "bedroom" };

test("a home with a photo shows no drawing", () => {
  const paths = (pictures: ReturnType<typeof listPictures>) => pictures.map(({ path, isDrawn }) => [path, isDrawn]);
  expect(paths(listPictures({ images: [drawing], photos: [photo] }))).toEqual([["/p/800.jpg", false]]);
  expect(paths(listPictures({ images: [drawing], photos: [] }))).toEqual([[drawing.path, true]]);
  // A browser of before remembers cards without photos.
  expect(paths(listPictures({ images: [drawing] }))).toEqual([[drawing.path, true]]);
  expect(listPictures({})).toEqual([]);
});

test("a photo whose files are not made yet hides no drawing", () => {
  expect(readPhoto({ ...photo, sources: [] })).toBeNull();
  expect(listPictures({ images: [drawing], photos: [{ ...photo, sources: [] }] })).toHaveLength(1);
});

test("a photo is said by its alternative text, else by its caption", () => {
  expect(readPhoto(photo)?.alt).toBe("Bronze room");
  expect(readPhoto({ ...photo, alt: "A bed under a window" })?.alt).toBe("A bed under a window");
  expect(readPhoto({ ...photo, caption: null })?.alt).toBe("");
});

test("a preview that is no picture is left out", () => {
  expect(readPhoto({ ...photo, preview: "https://elsewhere.example/p.jpg" })?.preview).toBeNull();
  expect(readPhoto(photo)?.preview).toBe("data:image/jpeg;base64,AA==");
});
