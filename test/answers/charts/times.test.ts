/** Where the ticks of a time axis stand, above all on the days when clocks change. */
import { expect, it } from "vitest";
import { heatCellsOf } from "../../../src/answers/charts/buckets.js";
import { units } from "../../../src/answers/charts/figures.js";
import { exactText, startOfDay, startOfHour, stepText, ticksOf } from "../../../src/answers/charts/times.js";

const ms = (text: string): number => Date.parse(text);
const told = (zone: string, from: string, to: string, max = 8) =>
  ticksOf(zone, ms(from), ms(to), max).map(({ at, text }) => `${new Date(at).toISOString().slice(0, 16)} ${text}`);

it("ticks are at Berlin's midnights on both sides of the autumn change", () => {
  expect(told("Europe/Berlin", "2026-10-23T00:00Z", "2026-10-28T00:00Z")).toEqual([
    "2026-10-23T22:00 Sat 24 Oct",
    "2026-10-24T22:00 Sun 25",
    "2026-10-25T23:00 Mon 26",
    "2026-10-26T23:00 Tue 27",
    "2026-10-27T23:00 Wed 28",
  ]);
});

it("ticks are at the first instant of a day whose midnight is skipped", () => {
  // In Lebanon summer time begins at midnight: 29 March 2026 begins at 01:00, which is 22:00 UTC.
  expect(told("Asia/Beirut", "2026-03-27T12:00Z", "2026-03-30T12:00Z", 4)).toEqual([
    "2026-03-27T22:00 Sat 28 Mar",
    "2026-03-28T22:00 Sun 29",
    "2026-03-29T21:00 Mon 30",
  ]);
});

it.each([
  [
    "minutes",
    "2026-05-20T10:02Z",
    "2026-05-20T10:31Z",
    "Asia/Kolkata",
    ["15:35", "15:40", "15:45", "15:50", "15:55", "16:00"],
  ],
  [
    "hours",
    "2026-05-20T10:00Z",
    "2026-05-21T08:00Z",
    "Asia/Kolkata",
    ["18:00", "21:00", "Thu 21 May", "03:00", "06:00", "09:00", "12:00"],
  ],
  ["Mondays", "2026-05-01T00:00Z", "2026-06-05T00:00Z", "UTC", ["4 May", "11 May", "18 May", "25 May", "1 Jun"]],
  [
    "first days of months",
    "2025-12-15T00:00Z",
    "2026-04-02T00:00Z",
    "America/New_York",
    ["Jan 2026", "Feb 2026", "Mar 2026", "Apr 2026"],
  ],
])("ticks are %s if those are as close as there is room for", (_, from, to, zone, texts) => {
  expect(ticksOf(zone, ms(from), ms(to), 7).map(({ text }) => text)).toEqual(texts);
});

it("ticks never exceed the room, and a period of days always has some", () => {
  for (const days of [1, 2, 3, 5, 9, 15, 40, 90, 365, 1_500]) {
    const ticks = ticksOf("Pacific/Chatham", ms("2026-01-01T05:00Z"), ms("2026-01-01T05:00Z") + days * 86_400_000, 8);
    expect(ticks.length).toBeGreaterThan(1);
    expect(ticks.length).toBeLessThanOrEqual(8);
  }
});

it("the hours and days of a zone begin where its clocks say so", () => {
  expect(new Date(startOfHour("Asia/Kolkata", ms("2026-05-20T10:31:07Z"))).toISOString()).toBe(
    "2026-05-20T10:30:00.000Z",
  );
  expect(new Date(startOfDay("Asia/Beirut", ms("2026-03-29T10:00Z"))).toISOString()).toBe("2026-03-28T22:00:00.000Z");
});

it("an instant shows its offset, so a repeated hour is unambiguous", () => {
  expect(exactText("Europe/Berlin", ms("2026-10-25T00:30Z"))).toBe("Sun 2026-10-25 02:30+02:00");
  expect(exactText("Europe/Berlin", ms("2026-10-25T01:30Z"))).toBe("Sun 2026-10-25 02:30+01:00");
  expect(exactText("America/St_Johns", ms("2026-07-01T12:00Z"))).toBe("Wed 2026-07-01 09:30-02:30");
});

it.each([
  [300_000, "every 5 minutes"],
  [60_000, "every minute"],
  [3_600_000, "hourly"],
  [86_400_000, "daily"],
  [604_800_000, "weekly"],
  [30 * 86_400_000, "monthly"],
  [10_800_000, "every 3 hours"],
])("a step of %s ms is written as %s", (step, text) => expect(stepText(step)).toBe(text));

it("an hour that occurs twice is one cell with the mean", () => {
  const start = ms("2026-10-24T22:00Z");
  const points = Array.from({ length: 25 }, (_, hour) => ({
    at: start + hour * 3_600_000,
    value: hour === 2 ? 10 : hour === 3 ? 30 : 1,
  }));
  const far = { at: ms("2026-10-28T12:00Z"), value: 1 };
  const { days, cells, hasTwice } = heatCellsOf(
    { name: "hits", unit: units.COUNT, points: [...points, far] },
    "Europe/Berlin",
  );
  expect(hasTwice).toBe(true);
  expect(cells.filter(({ day }) => day === start)).toHaveLength(24);
  expect(cells.find(({ day, hour }) => day === start && hour === 2)).toMatchObject({
    value: 20,
    at: ms("2026-10-25T00:00Z"),
  });
  expect(days.map((day) => new Date(day).toISOString().slice(0, 13))).toEqual([
    "2026-10-24T22",
    "2026-10-25T23",
    "2026-10-26T23",
    "2026-10-27T23",
  ]);
});
