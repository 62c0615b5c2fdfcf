/** A room type with its first lease, as it is typed for a home that staff keep. */
import { type Counted, type NumberDoubt, readAmount, readCount } from "../../../typedNumber.ts";
import type { NewRoom } from "../homeCalls.ts";

export interface RoomTyped {
  name: string;
  count: string;
  /** Empty for a room without a lease yet. */
  moveIn: string;
  length: string;
  unit: "weeks" | "months";
  price: string;
}

export const NO_ROOM: RoomTyped = { name: "", count: "", moveIn: "", length: "44", unit: "weeks", price: "" };

/** Fields of a room type that hold a number. */
export type RoomNumber = "count" | "length" | "price";

export type RoomRead = { room: NewRoom } | { doubts: ReadonlyMap<RoomNumber, NumberDoubt> };

/** Reads a room type; the doubts where a number cannot be read. A lease counts once its day is typed. */
export function readRoom(typed: RoomTyped, language: string, counted: Counted): RoomRead {
  const doubts = new Map<RoomNumber, NumberDoubt>();
  const read = (name: RoomNumber, reading: ReturnType<typeof readCount>): number => {
    if ("number" in reading) return reading.number;
    doubts.set(name, reading.doubt);
    return 0;
  };
  const count = read("count", readCount(typed.count));
  const room: NewRoom = { name: { [language]: typed.name.trim() }, count };
  if (typed.moveIn !== "") {
    const length = `${read("length", readCount(typed.length))} ${typed.unit}`;
    room.leases = [{ move_in: typed.moveIn, length, price_minor: read("price", readAmount(typed.price, counted)) }];
  }
  return doubts.size > 0 ? { doubts } : { room };
}

/** True where a price is asked for, readable or not. */
export const hasPrice = (read: RoomRead): boolean =>
  "room" in read ? read.room.leases !== undefined : read.doubts.has("price");

/** Faults of the fields below a beginning, by their last word: `rooms/0/leases/0/price_minor` is a price. */
export function faultsBelow(faults: ReadonlyMap<string, string>, beginning: string): ReadonlyMap<string, string> {
  const own = [...faults].filter(([field]) => field.startsWith(beginning));
  return new Map(own.map(([field, said]) => [(field.split("/").at(-1) ?? field).replace("_minor", ""), said]));
}
