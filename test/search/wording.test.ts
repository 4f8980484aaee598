/** What the wording of a query tells about the verb, learned from made-up phrases and from those of all tools. */
import { describe, expect, it } from "vitest";
import { suiting, wordingOf } from "../../src/search/wording.js";
import { wholeIndex } from "./whole.js";

const homes = ["one", "two", "three", "four", "five", "six"];
const tool = (home: string, verb: string, effect: string, ...said: string[]) => ({ home, verb, effect, said });
const wording = wordingOf([
  ...homes.map((home) => tool(home, "list", "read", `show every ${home}`, `which ${home} is there`)),
  ...homes.map((home) => tool(home, "create", "create", `add another ${home}`, `we need a new ${home}`)),
  tool("one", "book", "create", "add a seat", "two widgets"),
  tool("two", "wipe", "destructive", "two widgets"),
]);
const factor = (query: string, verb: string, effect = "read") => suiting(wording, query)({ verb, effect });

describe("the wording of a query", () => {
  it("suits the verb that its words are said for", () => {
    expect(factor("show the widget", "list")).toBeGreaterThan(1);
    expect(factor("show the widget", "create")).toBeLessThan(1);
    expect(factor("add a widget", "create")).toBeGreaterThan(factor("add a widget", "list"));
  });

  it("counts the first word once more than the same word elsewhere", () => {
    expect(factor("add a gadget", "create")).toBeGreaterThan(factor("gadgets to add", "create"));
  });

  it("suits a verb of few tools as it suits their effect", () => {
    expect(factor("add a widget", "book", "create")).toBe(factor("add a widget", "create"));
    expect(wording.verbs).not.toContain("book");
    expect(wording.verbs).toContain("destructive");
  });

  it("query wording: rare, unknown and Object member names teach nothing", () => {
    for (const query of ["widgets", "gizmo", "constructor __proto__ toString", ""])
      for (const verb of wording.verbs) expect([query, verb, factor(query, verb)]).toEqual([query, verb, 1]);
  });

  it("suits alike what has no verb", () => {
    expect(factor("show the widget", "unknown", "unheard")).toBe(1);
  });
});

describe("the wording of all tools", () => {
  it("the index prefers reads for questions and creates for wishes", async () => {
    const all = (JSON.parse(await wholeIndex()) as { wording: Parameters<typeof suiting>[0] }).wording;
    const prefers = (query: string, one: string, other: string) => {
      const suits = suiting(all, query);
      return suits({ verb: one, effect: "" }) > suits({ verb: other, effect: "" });
    };
    expect(prefers("which of them do we have", "list", "create")).toBe(true);
    expect(prefers("add another one", "create", "list")).toBe(true);
    expect(prefers("get rid of it", "delete", "get")).toBe(true);
    expect(prefers("how far is it", "status", "list")).toBe(true);
  });
});
