/** What a preview tells of members that no source names: first of all, in every form, and what they change. */
import { describe, expect, it } from "vitest";
import { isAskable, question, shownPreview } from "../../src/guard/preview/question.js";
import { describeAll, withAccountLead } from "../../src/guard/preview/several.js";
import { undoCallOf } from "../../src/guard/undo.js";
import { openObject } from "../../src/language/open-object.js";
import { z } from "../../src/language/z.js";
import { describedFor, writing } from "../lab/previewed.js";

const Body = openObject({
  name: z.string(),
  rules: z.array(openObject({ path: z.string() })).optional(),
});
const operation = writing(Body, { undo: "rewrite", replaces: "body" });

const describedOf = (body: object) => describedFor("thing_put", operation, { id: 7, body });
const previewOf = async (body: object) => describeAll("thing_put", [await describedOf(body)]);

const lead = "Undocumented, sent as given: body.colour.";

describe("a preview of a call with an undocumented member", () => {
  it("a preview begins with undocumented members, in every form", async () => {
    const preview = await previewOf({ name: "n", colour: "red" });
    const all = [preview.summary, preview.lines[0], question(preview), shownPreview(preview, 900).lines[0]];
    for (const text of all) expect(text?.startsWith(`${lead} REPLACE thing 7`)).toBe(true);
    expect(withAccountLead(preview, { profile: "live" }).lines[0]).toMatch(new RegExp(`^In profile live: ${lead}`));
  });

  it("a shortened preview still begins with the undocumented members", async () => {
    const rules = Array.from({ length: 400 }, (_, at) => ({
      path: `/${"p".repeat(30)}${at}`,
      [`weight${"x".repeat(50)}`]: at,
    }));
    const preview = await previewOf({ name: "n", rules });
    expect(isAskable(preview)).toBe(false);
    const [first = ""] = shownPreview(preview, 4_000).lines;
    expect(first).toMatch(
      /^Undocumented, sent as given: body\.rules\[0\]\.weightx+, .* and 397 more\. REPLACE thing 7: /,
    );
    expect(first).toMatch(/\.$/);
  });
});

it("an undocumented member is undone with its former value", () => {
  const before = {
    tool: "thing_put",
    given: { id: 7, body: { name: "m", colour: "red" } },
    state: { id: 7, name: "n", colour: "blue" },
  };
  const args = { id: 7, body: { name: "n", colour: "blue" } };
  expect(undoCallOf(operation, before, undefined)).toEqual({ tool: "thing_put", args });
});

describe("the preview of several calls", () => {
  it("several calls begin with those that have undocumented members", async () => {
    const bodies = [{ name: "a" }, { name: "b", colour: "red" }, { name: "c", colour: "red" }, { name: "d", size: 7 }];
    const { lines } = describeAll("thing_put", await Promise.all(bodies.map((body) => describedOf(body))));
    expect(lines[0]).toMatch(
      /^Calls 2, 3: Undocumented, sent as given: body\.colour\. Call 4: Undocumented, sent as given: body\.size\. 4 calls of thing_put, approved together: /,
    );
  });

  it("three groups with undocumented members are named, others counted", async () => {
    const all = await Promise.all(
      ["e", "f", "g", "h", "i"].map((key) => describedOf({ name: "a", [`extra-${key}`]: 1 })),
    );
    expect(describeAll("thing_put", all).lines[0]).toMatch(
      /^Call 1: .*extra-e\. Call 2: .*extra-f\. Call 3: .*extra-g\. 2 more groups of calls have undocumented fields\. 5 calls of/,
    );
  });
});
