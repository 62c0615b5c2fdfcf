import { listPictures, type Photo, type Picture, type Pictured } from "./pictures.ts";

/** A home with the photos of its rooms. */
export interface PicturedHome extends Pictured {
  room_types: readonly { name: string; photos?: readonly Photo[] }[];
}

/** The room is what is let: a front is never the first photo where a room has one. */
const isRoom = ({ kind }: Photo) => kind === "room";

const fileOf = ({ sources }: Photo) => sources[0]?.jpeg;

/** All photos of a home and its rooms, each once, in the order they were given after the first of a room. A room names what has no words. */
export function listHomePhotos({ photos = [], room_types }: PicturedHome): readonly Photo[] {
  const rooms = room_types.flatMap(({ name, photos: own = [] }) => own.map((photo) => ({ name, photo })));
  const given = [...photos, ...rooms.map(({ photo }) => photo)]
    .filter((photo) => photo.sources.length > 0)
    .map((photo) => {
      const room = rooms.find(({ photo: own }) => fileOf(own) === fileOf(photo));
      return photo.caption || !room ? photo : { ...photo, caption: room.name };
    });
  const first = given.find(isRoom);
  const ordered = first ? [first, ...given.filter((photo) => photo !== first)] : given;
  const files = ordered.map(fileOf);
  return ordered.filter((_, at) => files.indexOf(files[at]) === at);
}

/** The pictures of a home: photos of it and its rooms, or its drawings where there is none. */
export function listHomePictures(home: PicturedHome): readonly Picture[] {
  return listPictures({ images: home.images ?? [], photos: listHomePhotos(home) });
}
