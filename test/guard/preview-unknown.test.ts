/** What a preview tells of members that no source names: first of all, in every form, and what they change. */
import { describe, expect, it } from "vitest";
import { isAskable, question, shownPreview } from "../../src/guard/preview/question.js";
import { describeAll, ledByAccount } from "../../src/guard/preview/several.js";
import { undoOf } from "../../src/guard/undo.js";
import { openObject } from "../../src/language/open-object.js";
import { z } from "../../src/language/z.js";
import { describedFor, writing } from "../lab/previewed.js";

const Body = openObject({
  name: z.string(),
  rules: z.array(openObject({ path: z.string() })).optional(),
});
const Stored = z.looseObject({ name: z.string() });
const operation = writing(Body, { undo: "rewrite", replaces: "body" });

const describedOf = (body: object, state?: object) =>
  describedFor("thing_put", operation, { id: 7, body }, state && { body: state, schemas: [Stored] });
const previewOf = async (body: object, state?: object) => describeAll("thing_put", [await describedOf(body, state)]);

const lead = "Undocumented, sent as given: body.colour.";

describe("a preview of a call with a member that no source names", () => {
  it("begins with it in every form, and behind the profile's name", async () => {
    const preview = await previewOf({ name: "n", colour: "red" });
    const all = [preview.summary, preview.lines[0], question(preview), shownPreview(preview, 900).lines[0]];
    for (const text of all) expect(text?.startsWith(`${lead} REPLACE thing 7`)).toBe(true);
    expect(ledByAccount(preview, { profile: "live" }).lines[0]).toMatch(new RegExp(`^In profile live: ${lead}`));
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

  it("masks its value where its name suggests a secret", async () => {
    const { lines } = await previewOf({ name: "n", edgePassword: "hunter2" });
    expect(lines.join("\n")).not.toContain("hunter2");
    expect(lines).toContain("body.edgePassword: [secret, 7 characters]");
    expect((await previewOf({ name: "n" })).lines.join("\n")).not.toContain("Undocumented");
  });
});

describe("the difference that it makes", () => {
  it.each<[string, object, object, readonly string[]]>([
    ["is added", { name: "n", colour: "red" }, { name: "n", id: 7 }, ["  + colour: red"]],
    ["is changed", { name: "n", colour: "red" }, { name: "n", colour: "blue", id: 7 }, ["  colour: blue → red"]],
    ["stays", { name: "n", colour: "red" }, { name: "n", colour: "red", id: 7 }, []],
    ["is the API's own, which only the state has", { name: "n" }, { name: "n", colour: "blue" }, []],
    [
      "is taken from an item that others keep it in",
      { name: "n", rules: [{ path: "/a", weight: 1 }, { path: "/b" }] },
      { name: "n", rules: ["/a", "/b"].map((path, at) => ({ path, weight: at + 1 })) },
      ["  - rules (path /b) weight: 2"],
    ],
  ])("is told where it %s", async (_, body, state, changes) => {
    const preview = await previewOf(body, state);
    const told = preview.lines.filter((line) => line.startsWith("  "));
    expect([told, preview.changes]).toEqual([changes, changes.length]);
  });

  it("is taken back with the value that was there", () => {
    const before = {
      tool: "thing_put",
      given: { id: 7, body: { name: "m", colour: "red" } },
      state: { id: 7, name: "n", colour: "blue" },
    };
    expect(undoOf(operation, before, undefined)).toEqual({
      tool: "thing_put",
      args: { id: 7, body: { name: "n", colour: "blue" } },
    });
  });
});

describe("the preview of several calls", () => {
  it("begins with those that have one, each once", async () => {
    const bodies = [{ name: "a" }, { name: "b", colour: "red" }, { name: "c", colour: "red" }, { name: "d", size: 7 }];
    const { lines } = describeAll("thing_put", await Promise.all(bodies.map((body) => describedOf(body))));
    expect(lines[0]).toMatch(
      /^Calls 2, 3: Undocumented, sent as given: body\.colour\. Call 4: Undocumented, sent as given: body\.size\. 4 calls of thing_put, approved together: /,
    );
  });

  it("names three different ones at most, with the number of the others", async () => {
    const all = await Promise.all(
      ["e", "f", "g", "h", "i"].map((key) => describedOf({ name: "a", [`extra-${key}`]: 1 })),
    );
    expect(describeAll("thing_put", all).lines[0]).toMatch(
      /^Call 1: .*extra-e\. Call 2: .*extra-f\. Call 3: .*extra-g\. 2 more groups of calls have undocumented fields\. 5 calls of/,
    );
  });
});
