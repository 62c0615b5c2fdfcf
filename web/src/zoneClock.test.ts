import { expect, test } from "vitest";
import cases from "../../domain/cases/calendar.json";
import { elsewhere, wallClock } from "./zoneClock.ts";

test("a time is shown on another clock, around clock changes too", () => {
  for (const [zone, date, time, at] of cases.begins) {
    const shown = elsewhere({ date: String(date), time: String(time) }, String(zone), "UTC");
    const utc = at == null ? null : { date: at.slice(0, 10), time: at.slice(11, 16) };
    expect([zone, date, time, shown]).toEqual([zone, date, time, utc]);
  }
  // The clocks of Sydney go back in the night after.
  expect(elsewhere({ date: "2027-04-03", time: "17:00" }, "Australia/Sydney", "Asia/Shanghai")).toEqual({
    date: "2027-04-03",
    time: "14:00",
  });
  expect(elsewhere({ date: "2026-11-24", time: "18:00" }, "America/New_York", "Asia/Shanghai")).toEqual({
    date: "2026-11-25",
    time: "07:00",
  });
});

test("each hour around a clock change leads back to itself", () => {
  for (const { zones, offsets } of cases.clocks) {
    for (const [from = 0] of offsets.slice(1, 5)) {
      for (let hour = -30; hour <= 30; hour += 1) {
        const [zone = "UTC"] = zones;
        const shown = wallClock(new Date(from * 60_000 + hour * 3_600_000), zone);
        expect([zone, elsewhere(shown, zone, zone)]).toEqual([zone, shown]);
      }
    }
  }
});
