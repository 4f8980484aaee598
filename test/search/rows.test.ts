/** What a search shows of a tool: enough to choose it, within few tokens. */
import { encode } from "gpt-tokenizer/encoding/o200k_base";
import { describe, expect, it } from "vitest";
import { callToolNames } from "../../src/mcp/call-tools.js";
import { catalogueOf } from "../../src/mcp/tool.js";
import { clauseOf, neededBy } from "../../src/search/documents.js";
import { allServices } from "../../src/tools/index.js";
import { allWorkflows } from "../../src/workflows/index.js";
import { holdsForEach } from "../lab/laws.js";
import { wholeSearch } from "./whole.js";

const catalogue = catalogueOf(await allServices("documents"), await allWorkflows());
const search = await wholeSearch();
const rowOf = (name: string) =>
  search.find(name.replaceAll("_", " "), catalogue.size, (tool) => tool === name).tools[0];

describe("a row", () => {
  it.each([
    ["property_version_get", "propertyId, propertyVersion"],
    ["events_list", undefined],
    ["event_create", "body: {name, start, end}"],
    ["property_rule_tree_update", "propertyId, propertyVersion, patch"],
  ])("names what %s needs", (name, needs) => {
    expect(rowOf(name)?.needs).toBe(needs);
  });

  it("names three members of an object that needs more", () => {
    const body = { type: "object", required: ["a", "b", "c", "d"] };
    expect(neededBy({ properties: { body, id: {} }, required: ["id", "body"] })).toBe("id, body: {a, b, c, …}");
    expect(neededBy({ properties: { body: { ...body, required: ["a", "b", "c"] } }, required: ["body"] })).toBe(
      "body: {a, b, c}",
    );
  });

  it.each([
    ["Queues a purge: `remove` deletes objects.", "Queues a purge"],
    ["Reads a list, with its items.", "Reads a list"],
    ["Lists events of v1.2 (all of them).", "Lists events of v1.2"],
    [`Reads ${"a".repeat(38)}.`, `Reads ${"a".repeat(38)}`],
    [`Reads ${"a".repeat(30)} ${"b".repeat(8)}.`, `Reads ${"a".repeat(30)}…`],
  ])("says of %j the first clause", (description, clause) => {
    expect(clauseOf(description)).toBe(clause);
  });
});

it("a row names a tool that exists, its effect and its arguments", () =>
  holdsForEach(catalogue.values(), ({ effect, tool }) => {
    const row = rowOf(tool.name);
    const { required = [] } = tool.inputSchema as { required?: string[] };
    expect(row?.effect).toBe(effect);
    expect(callToolNames).toContain(`operation_${row?.effect}`);
    expect(row?.needs?.match(/[\w-]+/g) ?? []).toEqual(expect.arrayContaining(required));
    expect(encode(JSON.stringify(row)).length).toBeLessThanOrEqual(80);
  }));
