/** How a person at a terminal is asked: what is shown first, what `v` shows, and which answers approve. */
import { expect, it } from "vitest";
import { askApproval, isPreviewWhole, type Terminal } from "../../src/commands/at-terminal.js";
import type { KeptPreview } from "../../src/guard/index.js";

const state = Array.from({ length: 40 }, (_, at) => `Now: item${at}: x`);
const preview: KeptPreview = {
  summary: "DELETE the thing.",
  kind: "delete",
  account: "a",
  request: { method: "DELETE", path: "/x" },
  target: "the object",
  warnings: ["It is used."],
  lines: ["DELETE the thing.", "Warning: It is used.", ...state, "Digest of the whole request, secrets included: d"],
  outline: [
    { is: "summary", count: 1 },
    { is: "warning", count: 1 },
    { is: "now", count: 40 },
    { is: "digest", count: 1 },
  ],
  digest: "d",
};

function typing(...answers: string[]): Terminal & { readonly shown: string[] } {
  const shown: string[] = [];
  return {
    shown,
    size: { columns: 60, rows: 16 },
    say: (line) => void shown.push(line),
    ask: async (question) => {
      shown.push(question);
      return answers.shift() ?? "";
    },
  };
}
const question = { preview, needsTarget: false, isWhole: false, verb: "Do this now" };

it("approval: what has room is shown, and all of it for v", async () => {
  const terminal = typing("v", "V ", "yes");
  expect(await askApproval(terminal, question)).toEqual({ isApproved: true, typed: "yes" });
  const asked = terminal.shown.findIndex((line) => line.startsWith("Do this now?"));
  expect(terminal.shown.slice(0, asked + 1)).toEqual([
    ...preview.lines.slice(0, 10),
    preview.lines.at(-1),
    "… 32 more lines: 32 of the present state. Type v to see all of them.",
    "Do this now? (yes or no, or v for the whole preview) ",
  ]);
  expect(terminal.shown.slice(asked + 1, asked + 4 + preview.lines.length)).toEqual([
    ...preview.lines,
    // Far below its head, and so said again.
    "",
    "DELETE the thing.",
    "Warning: It is used.",
  ]);
  expect(terminal.shown.filter((line) => line.startsWith("Do this now?"))).toHaveLength(3);
});

it.each([
  [["no"], false],
  [[""], false],
  [["v", ""], false],
  [["v", "y"], true],
  [["all"], false],
])("takes %j as %j", async (answers, isApproved) => {
  expect((await askApproval(typing(...answers), question)).isApproved).toBe(isApproved);
});

it("approval: a critical call needs its target typed, also v", async () => {
  const critical = { ...question, needsTarget: true, verb: "To do this now" };
  expect((await askApproval(typing("v", "the object"), critical)).isApproved).toBe(true);
  expect((await askApproval(typing("v", "yes"), critical)).isApproved).toBe(false);
  const terminal = typing("v");
  expect(await askApproval(terminal, { ...critical, preview: { ...preview, target: "v" } })).toEqual({
    isApproved: true,
    typed: "v",
  });
});

it("approval: all at once where it fits or is asked for", async () => {
  for (const [terminal, isWhole] of [
    [typing("v"), true],
    [{ ...typing("v"), size: { columns: 60, rows: 60 } }, false],
  ] as const) {
    expect((await askApproval(terminal, { ...question, isWhole })).isApproved).toBe(false);
    const again = isWhole ? ["", "DELETE the thing.", "Warning: It is used."] : [];
    expect(terminal.shown).toEqual([...preview.lines, ...again, "Do this now? (yes or no) "]);
  }
  const { size: _, ...unsized } = typing("no");
  await askApproval(unsized, question);
  expect(unsized.shown).toHaveLength(preview.lines.length + 1);
});

it("breaks sentences between words, and no line whose spaces could be lost", async () => {
  const lines = [`Undo: ${"word ".repeat(20)}end`, `+ text: "${"a  b ".repeat(20)}"`, "hidden \u001b[2J"];
  const terminal = typing("no");
  await askApproval(terminal, { ...question, preview: { ...preview, lines, outline: [] } });
  const [first = "", second = "", ...others] = terminal.shown;
  expect(`${first} ${second.trim()}`).toBe(lines[0]);
  expect([second.slice(0, 6), first.length <= 60]).toEqual(["      ", true]);
  expect(others.slice(0, 2)).toEqual([lines[1], "hidden [U+001B][2J"]);
});

it("reads how much of a preview is wanted", () => {
  expect([[], ["--preview=short"], ["x", "--preview=full"]].map(isPreviewWhole)).toEqual([false, false, true]);
  expect(() => isPreviewWhole(["--preview=all"])).toThrow('--preview takes short or full, not "all".');
});
