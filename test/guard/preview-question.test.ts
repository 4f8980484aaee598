/** A question shows all that is sent or is not asked; a terminal folds no line of that. What is there now has what room is left. */
import { describe, expect, it } from "vitest";
import { leafLines } from "../../src/guard/preview/leaves.js";
import {
  collapseTo,
  lineInForms,
  lineOrClipped,
  linesOfForm,
  type PreviewLine,
  type PreviewLineKind,
} from "../../src/guard/preview/lines.js";
import { foldPreview, isAskable, question, shownPreview } from "../../src/guard/preview/question.js";
import { describeAll } from "../../src/guard/preview/several.js";
import type { CallDescription, Preview } from "../../src/guard/preview.js";
import { promise } from "../lab/rules.js";

const last = "Digest: x";
/** A preview whose compact lines are given, and its short ones, if they are others. */
function previewOf(brief: readonly PreviewLine[], more: Partial<Preview> = {}, short = brief): Preview {
  const ranked = [
    ...brief.map((one) => ({ ...one, in: ["brief"] as const })),
    ...short.map((one) => ({ ...one, in: ["short"] as const })),
  ];
  return {
    ...{ summary: "s", kind: "delete", account: "a", request: { method: "DELETE", path: "/" }, target: "t" },
    ...{ warnings: [], lines: [...brief.map(({ text }) => text), last], ranked, digest: "x" },
    ...{ outline: [{ is: "now", count: brief.filter(({ is }) => is === "now").length }], actsOn: [], ...more },
  };
}
const line = (length: number, is?: PreviewLineKind): PreviewLine => lineInForms(["brief"], "l".repeat(length), is);
const textOf = (lines: readonly PreviewLine[]) => lines.map(({ text }) => text);

// Of 4,000 characters 260 are kept for what is left out, and 140 for its place and the digest.
const greatest = 3_600;

it("a question is asked if all that is sent fits, to the character", () => {
  const fits = previewOf([line(1_799), line(greatest - 1_800 - 1)]);
  expect(isAskable(fits)).toBe(true);
  expect(isAskable(previewOf([line(1_799), line(greatest - 1_800)]))).toBe(false);
  const asked = question(fits, `plan://plan_${"x".repeat(22)}`);
  expect(asked).toBe([...textOf(linesOfForm("brief", fits.ranked)), last].join("\n"));
  expect(isAskable(previewOf([line(10), line(9_000, "now")]))).toBe(true);
});

it("a question takes at most 4,000 characters in all", () => {
  const now = Array.from({ length: 30 }, () => line(900, "now"));
  const preview = previewOf([line(1_799), line(greatest - 1_800 - 1), ...now]);
  const asked = question(
    { ...preview, lines: [...preview.lines.slice(0, -1), "d".repeat(70)] },
    `plan://plan_${"x".repeat(22)}`,
  );
  expect(asked.length).toBeLessThanOrEqual(4_000);
  expect(asked).toContain("Not shown here: 30 lines of the present state; all of it is at plan://plan_");
});

it("a question shows the state that decides, and counts the rest", () => {
  const now = [line(100, "now"), line(200, "now")];
  const outline = [{ is: "now", count: 40 }] as const;
  expect(question(previewOf([line(430), ...now], { outline }))).toBe(
    [line(430).text, ...textOf(now), "Not shown here: 38 lines of the present state; plan_get shows all.", last].join(
      "\n",
    ),
  );
  expect(question(previewOf([line(430), ...now]))).not.toContain("Not shown");
  const room = 4_000 - 260 - 431;
  expect(question(previewOf([line(430), line(room - 1, "now")]))).not.toContain("Not shown");
  expect(question(previewOf([line(430), line(room, "now")]))).toContain(
    "Not shown here: 1 line of the present state; ",
  );
});

it("a question shows no state while anything that is sent is hidden", () => {
  const brief = [line(5), line(9_000), line(6), line(7, "now")];
  expect(question(previewOf(brief), "plan://x")).toBe(
    `lllll
Not shown here: 2 lines of the request, 1 line of the present state; all of it is at plan://x.
${last}`,
  );
});

it.each<[string, readonly PreviewLine[], readonly PreviewLine[], string | undefined]>([
  ["nothing", [line(1), line(2, "added"), line(3, "warning")], [], undefined],
  ["warnings", [line(9_000, "warning"), line(1, "warning")], [line(9, "warning")], "1 warning"],
  ["changes", [line(1), line(9_000, "removed"), line(2, "changed")], [line(1)], "2 of 2 changes"],
  ["one change", [line(1), line(9_000, "changed")], [line(1)], "1 of 1 change"],
  [
    "some of each",
    [line(1), line(9_000, "warning"), line(2, "changed"), line(3), line(4, "now")],
    [line(1)],
    "1 warning, 1 of 1 change, 1 line of the request, 1 line of the present state",
  ],
])("a question says that it leaves out %s", (_, brief, short, expected) => {
  const [said, ...rest] = question(previewOf(brief, {}, short))
    .split("\n")
    .filter((text) => text.startsWith("Not shown"));
  expect(said).toBe(expected === undefined ? undefined : `Not shown here: ${expected}; plan_get shows all.`);
  expect(rest).toEqual([]);
});

describe("a preview in a result", () => {
  const whole = ({ ranked: _, outline: __, actsOn: ___, ...rest }: Preview) => rest;

  it("a result's preview is compact if it fits half the room, else short", () => {
    // Half of the room is 500 characters, of which 260 are kept.
    const many = Array.from({ length: 300 }, () => "other");
    const compact = previewOf([line(238), lineInForms(["brief"], "", "request", 300)], { lines: [...many, last] });
    expect(shownPreview(compact, 1_000)).toStrictEqual({
      ...whole(compact),
      lines: [...textOf(linesOfForm("brief", compact.ranked)), last],
    });
    const long = previewOf([line(239), lineInForms(["brief"], "", "request", 300)], { lines: [...many, last] }, [
      lineInForms(["short"], "short"),
    ]);
    expect(shownPreview(long, 1_000)).toStrictEqual({
      ...whole(long),
      lines: ["short", "Not shown here: 300 lines of the request; plan_get shows all.", last],
    });
  });
});

const list = Array.from({ length: 12 }, (_, at) => ({ id: at, text: `t${at}` }));

/** A change of a list: two changes, the request in whole, which repeats them, and the state of something beside it. */
const description = (name: string): CallDescription => ({
  facts: {
    summary: `OVERWRITE ${name}.`,
    kind: "overwrite",
    account: "a",
    request: { method: "PUT", path: "/x" },
    target: name,
    warnings: ["Careful."],
  },
  sentence: { verb: "OVERWRITE", target: name, results: [], isIrreversible: false },
  parts: {
    undo: lineOrClipped("Undo: not possible."),
    difference: [
      ...lineOrClipped("Changes: 2 changed"),
      ...lineOrClipped("  a: 1 → 2", "changed"),
      ...lineOrClipped("  b: 1 → 2", "changed"),
    ],
    route: lineOrClipped("Request: PUT /x"),
    inRoute: [],
    request: [
      ...lineOrClipped("id: 7"),
      ...collapseTo(leafLines(list, list, { before: "", path: ["body"], forms: [] }), "body: shown above"),
    ],
    state: leafLines(list, list, { before: "Now: ", path: ["items"], forms: [], is: "now" }),
  },
  gravity: 0,
  digest: name,
});

const one = (line: string) => (line === "" ? 0 : 1);
const long = describeAll("thing_put", [description("x")]);
const isRepeated = (line: string) => line.startsWith("body[") || line === "body: 12 items";

it("a terminal shows all lines if they fit", () => {
  expect(foldPreview(long, long.lines.length, one)).toEqual({ lines: long.lines, now: 0, repeated: 0 });
  const { outline: _, ...older } = long;
  expect(foldPreview(older, 1, one)).toEqual({ lines: long.lines, now: 0, repeated: 0 });
});

it(promise("folding-hides-no-change", "a terminal hides only state lines and lines a sentence covers"), () => {
  const { lines, now, repeated } = foldPreview(long, 0, one);
  const kept = long.lines.filter((line) => !line.startsWith("Now: ") && !isRepeated(line));
  expect(lines.filter((line) => line !== "body: shown above")).toEqual(kept);
  expect(lines.indexOf("body: shown above")).toBe(lines.indexOf("id: 7") + 1);
  expect([now, repeated]).toEqual([13, 13]);
  expect(kept.slice(3, 7)).toEqual(["Warning: Careful.", "Changes: 2 changed", "  a: 1 → 2", "  b: 1 → 2"]);
});

it("a terminal shows as many state lines as fit by their height", () => {
  const { lines: least } = foldPreview(long, 0, one);
  for (const more of [1, 5, 12]) {
    const { lines, now } = foldPreview(long, least.length + more, one);
    expect([lines.length, now]).toEqual([least.length + more, 13 - more]);
  }
  const double = foldPreview(long, 2 * (least.length + 3), () => 2);
  expect([double.lines.length, double.now]).toEqual([least.length + 3, 10]);
});

it("a terminal folds each of several calls by itself", () => {
  const { lines, now, repeated } = foldPreview(describeAll("thing_put", [description("x"), description("y")]), 0, one);
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
])("a terminal folds no fewer than four lines: of %i it folds %i", (count, now) => {
  const lines = ["OVERWRITE x.", ...Array.from({ length: count }, (_, index) => `Now: items[${index}]: ${index}`)];
  const outline = [
    { is: "summary", count: 1 },
    { is: "now", count },
  ] as const;
  expect(foldPreview({ ...long, lines, outline }, 1, one)).toMatchObject({
    lines: now > 0 ? lines.slice(0, 1) : lines,
    now,
  });
});
