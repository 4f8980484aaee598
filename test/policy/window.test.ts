/** When a window holds: its start belongs to it and its end does not, by the clocks of its own zone. */
import { describe, expect, it } from "vitest";
import { windowOf } from "../../src/policy/window.js";

const isIn = (window: string, at: string): boolean | undefined => windowOf(window)?.(Date.parse(at));

describe("an interval", () => {
  const freeze = "2026-11-26T00:00Z/2026-11-30T00:00+01:00";

  it.each([
    ["2026-11-25T23:59:59.999Z", false],
    ["2026-11-26T00:00:00Z", true],
    ["2026-11-29T22:59:59.999Z", true],
    ["2026-11-29T23:00:00Z", false],
  ])("holds at %s: %s", (at, expected) => {
    expect(isIn(freeze, at)).toBe(expected);
  });
});

describe("hours of the week", () => {
  it.each([
    // Berlin is two hours ahead of UTC in summer and one in winter.
    ["fri 16:00-24:00 Europe/Berlin", "2026-07-03T13:59:59Z", false],
    ["fri 16:00-24:00 Europe/Berlin", "2026-07-03T14:00:00Z", true],
    ["fri 16:00-24:00 Europe/Berlin", "2026-07-03T21:59:59Z", true],
    ["fri 16:00-24:00 Europe/Berlin", "2026-07-03T22:00:00Z", false],
    ["fri 16:00-24:00 Europe/Berlin", "2026-01-02T14:59:59Z", false],
    ["fri 16:00-24:00 Europe/Berlin", "2026-01-02T15:00:00Z", true],
    ["FRI 16:00-24:00 Europe/Berlin", "2026-01-02T15:00:00Z", true],
    // Friday in Tokyo begins on Thursday in UTC.
    ["fri 00:00-01:00 Asia/Tokyo", "2026-07-02T15:30:00Z", true],
    ["fri 00:00-01:00 Asia/Tokyo", "2026-07-03T15:30:00Z", false],
    ["sat-sun 00:00-24:00 UTC", "2026-07-04T00:00:00Z", true],
    ["sat-sun 00:00-24:00 UTC", "2026-07-05T23:59:59Z", true],
    ["sat-sun 00:00-24:00 UTC", "2026-07-06T00:00:00Z", false],
    ["fri-mon 08:00-09:00 UTC", "2026-07-06T08:30:00Z", true],
    ["fri-mon 08:00-09:00 UTC", "2026-07-06T09:00:00Z", false],
    ["fri-mon 08:00-09:00 UTC", "2026-07-07T08:30:00Z", false],
    // Past midnight: the night that begins on a Friday ends on Saturday.
    ["fri 22:00-06:00 UTC", "2026-07-03T21:59:59Z", false],
    ["fri 22:00-06:00 UTC", "2026-07-03T22:00:00Z", true],
    ["fri 22:00-06:00 UTC", "2026-07-04T05:59:59Z", true],
    ["fri 22:00-06:00 UTC", "2026-07-04T06:00:00Z", false],
    ["fri 22:00-06:00 UTC", "2026-07-03T05:00:00Z", false],
    ["sat 22:00-06:00 UTC", "2026-07-05T01:00:00Z", true],
  ])("%s holds at %s: %s", (window, at, expected) => {
    expect(isIn(window, at)).toBe(expected);
  });
});

it.each([
  "",
  "always",
  "2026-11-26/2026-11-30",
  "2026-11-26T00:00/2026-11-30T00:00",
  "2026-11-30T00:00Z/2026-11-26T00:00Z",
  "2026-11-26T00:00Z/2026-11-26T00:00Z",
  "2026-13-26T00:00Z/2026-11-30T00:00Z",
  "2026-11-26T00:00Z/2026-11-30T00:00Z/2026-12-30T00:00Z",
  "fri 16:00-24:00",
  "fri 16:00-24:00 Europe/Berlinn",
  "fri 16:00-16:00 UTC",
  "fri 24:00-16:00 UTC",
  "fri 16:00-24:01 UTC",
  "fri 16:60-18:00 UTC",
  "friday 16:00-18:00 UTC",
])("refuses %j", (text) => {
  expect(windowOf(text)).toBeUndefined();
});
