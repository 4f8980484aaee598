/** The emulator held to the golden exchanges: it takes these bytes and answers in this form, with values that fit. */
import { describe, expect, it } from "vitest";
import { treeOf } from "../../emulator/xml.js";
import { startRaw } from "../../lab/raw.js";
import { goldens, todayGoldens } from "./goldens.js";

/** Whether a value fits a golden one, in which placeholders stand for what the emulator makes up. */
function fits(value: unknown, golden: unknown): boolean {
  if (golden === "«any»") return value !== undefined;
  if (golden === "«int»") return Number.isInteger(value);
  if (golden === "«text»") return typeof value === "string" && value !== "";
  if (Array.isArray(golden))
    return Array.isArray(value) && value.length === golden.length && golden.every((item, at) => fits(value[at], item));
  if (typeof golden !== "object" || golden === null) return value === golden;
  const [have, want] = [value as Record<string, unknown>, golden as Record<string, unknown>];
  return (
    Object.keys(have).sort().join() === Object.keys(want).sort().join() &&
    Object.keys(want).every((key) => fits(have[key], want[key]))
  );
}

it("has placeholders that can fail", () => {
  expect(fits({ a: 1 }, { a: "«int»" })).toBe(true);
  expect(fits({ a: "1" }, { a: "«int»" })).toBe(false);
  expect(fits({ a: 1, b: 2 }, { a: "«int»" })).toBe(false);
});

describe.each([...goldens, ...todayGoldens].filter(({ isEmulated }) => isEmulated))(
  "$tool: $name",
  ({ request, answer }) => {
    it("takes the golden request and answers as the golden answer", async () => {
      const { ask } = startRaw();
      const { body, ...head } = request;
      const answered = await ask({ ...head, ...(body === undefined ? {} : { body }) });
      expect(answered.status, answered.text).toBe(answer.status);
      expect(answered.headers["content-type"]).toBe(answer.headers["content-type"]);
      if (answer.headers["location"]) expect(answered.headers["location"]).toMatch(/^\//);
      if (answer.body === undefined) expect(answered.text).toBe("");
      else if (answer.body.startsWith("<"))
        expect(fits(treeOf(answered.text), treeOf(answer.body)), answered.text).toBe(true);
      else expect(fits(answered.json(), JSON.parse(answer.body)), answered.text).toBe(true);
    });
  },
);
