/** A preview in a terminal without room for all of it: no line of what is sent or changed is folded, and the rest is counted. */
import { expect, it } from "vitest";
import { behind, single, together } from "../../src/guard/preview/entry.js";
import { leaves } from "../../src/guard/preview/leaves.js";
import { folded } from "../../src/guard/preview/question.js";
import { describeAll } from "../../src/guard/preview/several.js";
import type { Description } from "../../src/guard/preview.js";
import { promise } from "../lab/rules.js";

const list = Array.from({ length: 12 }, (_, at) => ({ id: at, text: `t${at}` }));
const at = (path: readonly string[], before = "", is?: "now") => ({
  before,
  path,
  forms: [],
  ...(is === undefined ? {} : { is }),
});

/** A change of a list: two changes, the request in whole, which repeats them, and the state of something beside it. */
const description = (name: string): Description => ({
  facts: {
    summary: `OVERWRITE ${name}.`,
    kind: "overwrite",
    account: "a",
    request: { method: "PUT", path: "/x" },
    target: name,
    warnings: ["Careful."],
  },
  parts: {
    undo: single("Undo: not possible."),
    difference: together([
      single("Changes: 2 changed"),
      single("  a: 1 → 2", "change"),
      single("  b: 1 → 2", "change"),
    ]),
    route: single("Request: PUT /x"),
    request: together([single("id: 7"), behind(leaves(list, list, at(["body"])), "body: shown above")]),
    state: leaves(list, list, at(["items"], "Now: ", "now")),
  },
  gravity: 0,
  digest: name,
});

const one = (line: string) => (line === "" ? 0 : 1);
const preview = describeAll("thing_put", [description("x")]);
const isRepeated = (line: string) => line.startsWith("body[") || line === "body: 12 items";

it("shows all lines where they have room", () => {
  expect(folded(preview, preview.lines.length, one)).toEqual({ lines: preview.lines, now: 0, repeated: 0 });
  const { outline: _, ...older } = preview;
  expect(folded(older, 1, one)).toEqual({ lines: preview.lines, now: 0, repeated: 0 });
});

it(
  promise("folding-hides-no-change", "hides no line but those of the present state and what a sentence stands for"),
  () => {
    const { lines, now, repeated } = folded(preview, 0, one);
    const kept = preview.lines.filter((line) => !line.startsWith("Now: ") && !isRepeated(line));
    expect(lines.filter((line) => line !== "body: shown above")).toEqual(kept);
    expect(lines.indexOf("body: shown above")).toBe(lines.indexOf("id: 7") + 1);
    expect([now, repeated]).toEqual([13, 13]);
    expect(kept.slice(0, 7)).toEqual([
      "OVERWRITE x.",
      "Account: a",
      "Undo: not possible.",
      "Warning: Careful.",
      "Changes: 2 changed",
      "  a: 1 → 2",
      "  b: 1 → 2",
    ]);
  },
);

it("shows of the present state what there is room for, by the height of its lines", () => {
  const { lines: least } = folded(preview, 0, one);
  for (const more of [1, 5, 12]) {
    const { lines, now } = folded(preview, least.length + more, one);
    expect([lines.length, now]).toEqual([least.length + more, 13 - more]);
  }
  const double = folded(preview, 2 * (least.length + 3), () => 2);
  expect([double.lines.length, double.now]).toEqual([least.length + 3, 10]);
});

it("folds each call of several by itself", () => {
  const { lines, now, repeated } = folded(describeAll("thing_put", [description("x"), description("y")]), 0, one);
  expect(lines.filter((line) => /^(Call \d of|id: 7|body|Now: )/.test(line))).toEqual([
    "Call 1 of 2: OVERWRITE x.",
    "id: 7",
    "body: shown above",
    "Call 2 of 2: OVERWRITE y.",
    "id: 7",
    "body: shown above",
  ]);
  expect([now, repeated]).toEqual([26, 26]);
});

it.each([
  [3, 0],
  [4, 4],
])("folds no fewer than four lines: of %i it folds %i", (count, now) => {
  const lines = ["OVERWRITE x.", ...Array.from({ length: count }, (_, index) => `Now: items[${index}]: ${index}`)];
  const outline = [
    { is: "summary", count: 1 },
    { is: "now", count },
  ] as const;
  expect(folded({ ...preview, lines, outline }, 1, one)).toMatchObject({
    lines: now > 0 ? lines.slice(0, 1) : lines,
    now,
  });
});
