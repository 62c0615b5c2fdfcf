import { expect, test } from "vitest";
import cases from "../../domain/cases/calendar.json";
import { addDays, addMonths, isDay } from "./calendar.ts";
import { instantAt } from "./zoneClock.ts";

const days = Array.from({ length: cases.days }, (_, n) => addDays(cases.first, n));

/** One number for many, as the file of cases says. */
function digestOf(values: Iterable<number>): number {
  let digest = 0;
  for (const value of values) digest = (Math.imul(digest, 31) + value) >>> 0;
  return digest;
}

test("days and months are counted as on the server, for ten years", () => {
  for (const [day, length, unit, end] of cases.stays.cases) {
    const counted =
      unit === "weeks" ? addDays(String(day), Number(length) * 7) : addMonths(String(day), Number(length));
    expect([day, length, counted]).toEqual([day, length, end]);
  }
  const dayNumber = (day: string) => Date.parse(`${day}T00:00:00Z`) / 86_400_000;
  const { weeks, months } = cases.stays;
  const inWeeks = days.flatMap((day) => weeks.lengths.map((n) => dayNumber(addDays(day, n * 7))));
  const inMonths = days.flatMap((day) => months.lengths.map((n) => dayNumber(addMonths(day, n))));
  expect([digestOf(inWeeks), digestOf(inMonths)]).toEqual([weeks.digest, months.digest]);
});

// The offsets are the file's: those of this machine are of another day's rules.
test("times of day begin as on the server, each day of ten years", () => {
  for (const { zones, offsets, digest } of cases.clocks) {
    const offsetAt = (at: number) => (offsets.findLast(([from = 0]) => from * 60_000 <= at)?.[1] ?? 0) * 60_000;
    const begins = days.flatMap((date) =>
      cases.times.map((time) => (instantAt({ date, time }, offsetAt) ?? 0) / 60_000),
    );
    expect([zones[0], digestOf(begins)]).toEqual([zones[0], digest]);
  }
});

test("only days of the calendar are days", () => {
  expect(["2028-02-29", "2027-02-29", "2027-13-01", "2027-9-1", ""].map(isDay)).toEqual([
    true,
    false,
    false,
    false,
    false,
  ]);
});
