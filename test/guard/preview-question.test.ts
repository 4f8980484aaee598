/** A question fits its room to the character, and says exactly how much of the preview it leaves out. */
import { describe, expect, it } from "vitest";
import type { BriefLine } from "../../src/guard/preview/entry.js";
import { question, shownPreview } from "../../src/guard/preview/question.js";
import type { Preview } from "../../src/guard/preview.js";

const last = "Digest: x";
function previewOf(
  brief: readonly BriefLine[],
  { others = 0, ...more }: Partial<Preview> & { others?: number } = {},
): Preview {
  const lines = [...brief.map(({ text }) => text), ...Array.from({ length: others }, () => "other"), last];
  return {
    ...{
      summary: "s",
      kind: "delete",
      account: "a",
      request: { method: "DELETE", path: "/" },
      target: "t",
      warnings: [],
    },
    ...{ lines, brief, digest: "x", ...more },
  };
}
const line = (length: number, is?: BriefLine["is"]): BriefLine => ({
  text: "l".repeat(length),
  whole: 1,
  ...(is === undefined ? {} : { is }),
});

it("takes all lines and no less where they fit to the character, their ends included", () => {
  // Of 1,000 characters, 260 are kept for what is said of the lines that are left out.
  const brief = [line(369), line(369)];
  expect(question(previewOf(brief), 1_000)).toBe([...brief.map(({ text }) => text), last].join("\n"));
  const over = [line(369), line(370)];
  expect(question(previewOf(over), 1_000)).toBe(
    [over[0]?.text, "Not shown here in whole: 1 other line.", last].join("\n"),
  );
});

it("leaves room for the name of the place where all of it is", () => {
  const place = "plan://x";
  expect(question(previewOf([line(740 - 1 - place.length)]), 1_000, place)).not.toContain("Not shown");
  expect(question(previewOf([line(740 - place.length)]), 1_000, place)).toBe(
    `Not shown here in whole: 1 other line. The whole preview is at ${place}.\n${last}`,
  );
});

it("shows no line behind the first that does not fit, because what is first matters most", () => {
  expect(question(previewOf([line(5), line(900), line(6)]), 1_000)).toBe(
    `lllll\nNot shown here in whole: 2 other lines.\n${last}`,
  );
});

it.each<[string, readonly BriefLine[], Partial<Preview> & { others?: number }, string | undefined]>([
  ["nothing", [line(1), line(2, "change"), line(3, "warning")], { changes: 1, warnings: ["w"] }, undefined],
  ["lines of which a summary stands", [{ text: "3 lines", whole: 0 }], { others: 2 }, "3 other lines."],
  ["warnings", [line(1), line(900, "warning")], { warnings: ["w"] }, "1 warning."],
  [
    "all but one of the warnings",
    [line(1, "warning"), line(900, "warning"), line(1, "warning")],
    { warnings: ["v", "w", "x"] },
    "2 warnings.",
  ],
  ["changes", [line(1, "change"), line(900, "change"), line(2, "change")], { changes: 3 }, "2 of 3 changes."],
  [
    "some of each",
    [line(1), line(900, "warning"), line(2, "change"), line(3)],
    { changes: 1, warnings: ["w"] },
    "1 warning, 1 of 1 change, 1 other line.",
  ],
  ["no change", [line(1), line(2, "change"), line(900)], { changes: 1 }, "1 other line, and no change among them."],
  ["nothing of changes where there are none", [line(1), line(900)], { changes: 0 }, "1 other line."],
])("says that it leaves out %s", (_, brief, more, expected) => {
  const [said, ...rest] = question(previewOf(brief, more), 1_000)
    .split("\n")
    .filter((text) => text.startsWith("Not shown"));
  expect(said).toBe(expected === undefined ? undefined : `Not shown here in whole: ${expected}`);
  expect(rest).toEqual([]);
});

describe("a preview in a result", () => {
  // Each line counts its four characters more as JSON, and the summary stands there a second time.
  const room = 1_000;
  const fitting = previewOf([line(room - 4 - 4 - last.length - 1)]);

  it("has all of its lines where they fit to the character", () => {
    const { brief: _, ...whole } = fitting;
    expect(shownPreview(fitting, room)).toStrictEqual(whole);
  });

  it("has the short form otherwise, in half of the room, and says what is left out", () => {
    const brief = [line(100), line(room)];
    const { brief: _, ...whole } = previewOf(brief);
    expect(shownPreview(previewOf(brief), room, "plan://x")).toStrictEqual({
      ...whole,
      lines: [brief[0]?.text],
      leftOut: "Not shown here in whole: 1 other line. The whole preview is at plan://x.",
    });
    expect(shownPreview(fitting, room - 1).lines).toEqual([]);
    // Half of the room is 500 characters, of which 260 are kept.
    const half = [line(239), line(1)];
    expect(shownPreview(previewOf(half, { others: 300 }), room).lines).toEqual(["l".repeat(239)]);
  });

  it("has no word of what is left out where the short form is complete", () => {
    const short = previewOf([{ text: "x", whole: 301 }], { others: 300 });
    expect(shownPreview(short, room)).not.toHaveProperty("leftOut");
  });
});
