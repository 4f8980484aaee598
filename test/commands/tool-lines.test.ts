/** A list of tools in the widths that terminals have. */
import { expect, it } from "vitest";
import { effectInList, firstSentence, toolLines } from "../../src/commands/terminal.js";

const rows = [
  { tool: "dns_zone_get", effect: "read", does: "Reads a whole zone and the token required to change it." },
  { tool: "dns_zone_write", effect: "guarded", does: "Replaces a zone." },
];

it("keeps the names whole on a terminal, and cuts what the tools do", () => {
  expect(toolLines(rows, 60)).toEqual([
    "dns_zone_get    read     Reads a whole zone and the token r…",
    "dns_zone_write  guarded  Replaces a zone.",
  ]);
  for (const width of [40, 60, 80, 200])
    for (const line of toolLines(rows, width)) expect(line.length).toBeLessThanOrEqual(width);
});

it("puts what they do on a line of its own where it would be too short", () => {
  expect(toolLines(rows, 40)).toEqual([
    "dns_zone_get    read",
    "    Reads a whole zone and the token re…",
    "dns_zone_write  guarded",
    "    Replaces a zone.",
  ]);
});

it("takes the first sentence, and calls what asks first guarded", () => {
  expect(firstSentence("Sets v1.2: all of it. Then more.")).toBe("Sets v1.2: all of it.");
  expect(firstSentence("No end")).toBe("No end");
  expect([true, false].map((destructiveHint) => effectInList("create", { destructiveHint }))).toEqual([
    "guarded",
    "create",
  ]);
});
