/** When a window holds: its start belongs to it and its end does not, by the clocks of its own zone. */
import { readFileSync } from "node:fs";
import { expect, it } from "vitest";
import { endOfWindows, type PolicyWindow, windowOf } from "../../src/policy/window.js";
import { holdsForEach } from "../lab/laws.js";

const linesIn = (name: string): readonly string[] =>
  readFileSync(new URL(name, import.meta.url), "utf8")
    .split("\n")
    .filter((line) => line !== "" && !line.startsWith("#"));

it("a window holds from its start to before its end, in its zone", async () => {
  let window = "";
  const lines = linesIn("windows.txt");
  await holdsForEach(lines, (line) => {
    const [sign = "", at = ""] = line.split(/(?<=^[-+!]) ?/);
    if (sign === "!") expect(windowOf(at), at).toBeUndefined();
    else if (at === "") window = line;
    else expect(windowOf(window)?.endMs(Date.parse(at)) !== undefined, window).toBe(sign === "+");
  });
  expect(lines).toHaveLength(48);
});

it("a freeze ends where none of its windows goes on, in their zones", async () => {
  let windows: PolicyWindow[] = [];
  let tried = 0;
  await holdsForEach(linesIn("ends.txt"), (line) => {
    const [at = "", end = "-", zone] = line.split(" ");
    if (Number.isNaN(Date.parse(at)) || line.includes(";") || at.includes("/")) {
      windows = line.split("; ").map((text) => windowOf(text) ?? expect.fail(text));
      return;
    }
    const found = endOfWindows(windows, Date.parse(at));
    tried += 1;
    if (end === "-") return expect(found).toBeUndefined();
    const atMs = end === "never" ? {} : { atMs: Date.parse(end) };
    expect(found).toEqual({ ...atMs, ...(zone === undefined ? {} : { zone }) });
  });
  expect(tried).toBe(18);
});
