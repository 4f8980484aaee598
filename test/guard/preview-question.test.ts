/** A question shows all that is sent or is not asked, and what is there now as far as there is room. */
import { describe, expect, it } from "vitest";
import type { BriefLine } from "../../src/guard/preview/entry.js";
import { isAskable, question, shownPreview } from "../../src/guard/preview/question.js";
import type { Preview } from "../../src/guard/preview.js";

const last = "Digest: x";
function previewOf(brief: readonly BriefLine[], more: Partial<Preview> = {}): Preview {
  return {
    ...{ summary: "s", kind: "delete", account: "a", request: { method: "DELETE", path: "/" }, target: "t" },
    ...{ warnings: [], lines: [...brief.map(({ text }) => text), last], brief, short: brief, digest: "x" },
    ...{ outline: [], actsOn: [], ...more },
  };
}
const line = (length: number, is?: BriefLine["is"]): BriefLine => ({
  text: "l".repeat(length),
  whole: 1,
  ...(is === undefined ? {} : { is }),
});
const textOf = (lines: readonly BriefLine[]) => lines.map(({ text }) => text);

// Of 4,000 characters 260 are kept for what is left out, and 140 for its place and the digest.
const greatest = 3_600;

it("is asked where all that is sent fits to the character, its line ends included", () => {
  const fits = previewOf([line(1_799), line(greatest - 1_800 - 1)]);
  expect(isAskable(fits)).toBe(true);
  expect(isAskable(previewOf([line(1_799), line(greatest - 1_800)]))).toBe(false);
  const asked = question(fits, `plan://plan_${"x".repeat(22)}`);
  expect(asked).toBe([...textOf(fits.brief), last].join("\n"));
  expect(isAskable(previewOf([line(10), line(9_000, "now")]))).toBe(true);
});

it("takes no more than 4,000 characters with all that stands around it", () => {
  const now = Array.from({ length: 30 }, () => line(900, "now"));
  const preview = previewOf([line(1_799), line(greatest - 1_800 - 1), ...now]);
  const asked = question(
    { ...preview, lines: [...preview.lines.slice(0, -1), "d".repeat(70)] },
    `plan://plan_${"x".repeat(22)}`,
  );
  expect(asked.length).toBeLessThanOrEqual(4_000);
  expect(asked).toContain("Not shown here: 30 lines of the present state.");
});

it("shows of what is there now what fits into 1,500 characters, the short form of it", () => {
  const now = [line(400, "now"), line(408, "now")];
  const preview = previewOf([line(430), ...now]);
  expect(question(preview)).toBe(
    [line(430).text, now[0]?.text, "Not shown here: 1 line of the present state.", last].join("\n"),
  );
  expect(question(previewOf([line(430), line(400, "now"), line(407, "now")]))).not.toContain("Not shown");
  expect(question(previewOf([line(431), line(400, "now"), line(407, "now")]))).toContain("Not shown");
  const cut: BriefLine = { text: "cut", whole: 0, is: "now" };
  expect(question({ ...previewOf([line(9), line(9_000, "now")]), short: [line(9), cut] })).toBe(
    `${line(9).text}
cut
Not shown here: 1 line of the present state.
${last}`,
  );
});

it("shows nothing of what is there now while anything that is sent is hidden, and no line behind the first that does not fit", () => {
  const brief = [line(5), line(9_000), line(6), line(7, "now")];
  expect(question(previewOf(brief), "plan://x")).toBe(
    `lllll
Not shown here: 2 lines of the request, 1 line of the present state. The whole preview is at plan://x.
${last}`,
  );
});

it.each<[string, readonly BriefLine[], readonly BriefLine[], Partial<Preview>, string | undefined]>([
  ["nothing", [line(1), line(2, "change"), line(3, "warning")], [], { changes: 1 }, undefined],
  ["warnings", [line(9_000, "warning"), line(1, "warning")], [line(9, "warning")], {}, "1 warning."],
  ["changes", [line(1), line(9_000, "change"), line(2, "change")], [line(1)], { changes: 2 }, "2 of 2 changes."],
  ["one change", [line(1), line(9_000, "change")], [line(1)], { changes: 1 }, "1 of 1 change."],
  [
    "some of each",
    [line(1), line(9_000, "warning"), line(2, "change"), line(3), line(4, "now")],
    [line(1)],
    { changes: 1 },
    "1 warning, 1 of 1 change, 1 line of the request, 1 line of the present state.",
  ],
])("says that it leaves out %s", (_, brief, short, more, expected) => {
  const [said, ...rest] = question(previewOf(brief, { ...more, short }))
    .split("\n")
    .filter((text) => text.startsWith("Not shown"));
  expect(said).toBe(expected === undefined ? undefined : `Not shown here: ${expected}`);
  expect(rest).toEqual([]);
});

describe("a preview in a result", () => {
  // Each line counts its four characters more as JSON, and the summary stands there a second time.
  const room = 1_000;
  const fitting = previewOf([line(room - 4 - 4 - last.length - 1)]);
  const whole = ({ brief: _, short: __, outline: ___, actsOn: ____, ...rest }: Preview) => rest;

  it("has all of its lines where they fit to the character", () => {
    expect(shownPreview(fitting, room)).toStrictEqual(whole(fitting));
  });

  it("has the compact form otherwise where that fits into half of the room, and the short one where not", () => {
    // Half of the room is 500 characters, of which 260 are kept.
    const many = Array.from({ length: 300 }, () => "other");
    const compact = previewOf([line(238), { text: "", whole: 300 }], { lines: [...many, last] });
    expect(shownPreview(compact, room)).toStrictEqual({ ...whole(compact), lines: textOf(compact.brief) });
    const short = [{ text: "short", whole: 1 }];
    const long = previewOf([line(239), { text: "", whole: 300 }], { lines: [...many, last], short });
    expect(shownPreview(long, room, "plan://x")).toStrictEqual({
      ...whole(long),
      lines: ["short"],
      leftOut: "Not shown here: 300 lines of the request. The whole preview is at plan://x.",
    });
  });
});
