/** When a window holds: its start belongs to it and its end does not, by the clocks of its own zone. */
import { readFileSync } from "node:fs";
import { expect, it } from "vitest";
import { windowOf } from "../../src/policy/window.js";
import { holdsForEach } from "../lab/laws.js";

const lines = readFileSync(new URL("windows.txt", import.meta.url), "utf8")
  .split("\n")
  .filter((line) => line !== "" && !line.startsWith("#"));

it("a window holds from its start to before its end, in its zone", async () => {
  let window = "";
  await holdsForEach(lines, (line) => {
    const [sign = "", at = ""] = line.split(/(?<=^[-+!]) ?/);
    if (sign === "!") expect(windowOf(at), at).toBeUndefined();
    else if (at === "") window = line;
    else expect(windowOf(window)?.(Date.parse(at)), window).toBe(sign === "+");
  });
  expect(lines).toHaveLength(48);
});
