/** The search: what it finds by the words of people who never saw its own, what it shows of a tool, and its tools. */
import { encode } from "gpt-tokenizer/encoding/o200k_base";
import { expect, it } from "vitest";
import { words } from "../../scripts/words.js";
import { createWorld } from "../../src/emulator/world.js";
import { callToolNames } from "../../src/engine/call-tools.js";
import type { AnyOperation } from "../../src/language/define.js";
import { effectOf } from "../../src/language/effect.js";
import { catalogueOf } from "../../src/mcp/tool.js";
import { neededBy } from "../../src/search/documents.js";
import { indexText, openSearch, withBothSides } from "../../src/search/index.js";
import { correctQuery, queryTermsIn } from "../../src/search/query.js";
import { termOf } from "../../src/search/terms.js";
import { suitabilityFor, wordingOf } from "../../src/search/wording.js";
import { clauseOf } from "../../src/text/clause.js";
import { allServices } from "../../src/tools/index.js";
import { allWorkflows } from "../../src/workflows/index.js";
import { type Args, callsIn } from "../lab/calls.js";
import { inDepth, isDeep } from "../lab/depth.js";
import { holdsForEach } from "../lab/laws.js";
import { tableOf } from "../lab/tables.js";
import { hitRates, promptsOf, unknownTools } from "./hit-rates.js";
import { wholeIndex, wholeSearch } from "./whole.js";

const services = await allServices("documents");
const catalogue = catalogueOf(services, await allWorkflows());
const text = await wholeIndex();
const search = await wholeSearch();
const find = (query: string, limit = 5) => search.find(query, limit, () => true);
const namesFor = (query: string) => find(query).tools.map(({ tool }) => tool);

// Prompts by a writer who never saw the words that are searched. The search was tuned against the one half alone, by
// somebody who has not seen the other. What is reached is held so that it does not fall. The second set is by another
// writer, who wrote it from what the operations mean before reading the words; half of it, drawn at random, was looked at
// while the words were written. When the words were cut to half, phrases without which a prompt of any set was lost were
// kept, so that a stranger gains less than these figures say.
const sets = [
  { file: "prompts-tuned.json", first: 0.9, five: 0.99 },
  { file: "prompts-second.json", first: 0.83, five: 0.98 },
  { file: "prompts-held.json", first: 0.73, five: 0.95 },
];

it.each(sets)("$file: right tool first in $first, top five in $five", (limit) => {
  const all = promptsOf(limit.file);
  expect(unknownTools(all, (name) => catalogue.has(name))).toEqual([]);
  const rates = hitRates(
    search,
    inDepth(
      all,
      all.filter((_, at) => at % 4 === 0),
    ),
  );
  // A quarter of them may be a little harder than all.
  const margin = isDeep ? 0 : 0.03;
  expect(rates.first).toBeGreaterThanOrEqual(limit.first - margin);
  expect(rates.five).toBeGreaterThanOrEqual(limit.five - margin);
});

it("words of the index are kept out of what is listed", () => {
  expect(JSON.stringify([...catalogue.values()])).not.toContain("bust the cache");
  expect(text).toContain("bust");
});

it("a search answers with what a call takes", () => {
  expect(find("flush the cache").tools[0]).toEqual({
    tool: "purge_submit",
    effect: "destructive",
    does: "Queues a purge",
    needs: "queueName, body: {objects}",
  });
  expect(find("what expires soon").tools[0]).not.toHaveProperty("needs");
});

it("a search finds workflows, changes, what follows from an event", () =>
  holdsForEach(tableOf("search/found.tsv"), (_, query = "", tool, among) =>
    expect([query, namesFor(query).slice(0, Number(among))]).toEqual([query, expect.arrayContaining([tool])]),
  ));

it("a search finds report types and resources beside the tools", () => {
  expect(find("report of NXDOMAIN answers over time").reports[0]?.report).toBe("authoritative-dns-traffic-by-time");
  expect(find("schema document of alert firings").resources[0]?.resource).toBe("alert://schemas/alert-firings");
  expect(find("flush the cache")).toMatchObject({ reports: [], resources: [] });
});

it("a search forgives a slip in a long word, and not in a short one", () => {
  expect(namesFor("certifcate enrolments")).toEqual(namesFor("certificate enrollments"));
  expect(namesFor("certifcate enrolments")[0]).toMatch(/^cert_enrollment/);
  expect(namesFor("dnz")).toEqual([]);
});

it("search corrects misspelt words, but not names or words with signs", () => {
  const words = new Set(["change", "certificate", "purge", "edge", "hostname"]);
  const vocabulary = { words, terms: new Set([...words].flatMap((word) => termOf(word) ?? [])) };
  expect(correctQuery("Ask Prugge to chnage the certifcate of prugge.example", vocabulary)).toBe(
    "Ask Prugge to change the certificate of prugge.example",
  );
  expect(correctQuery("edgehostname", vocabulary)).toBe("edge hostname");
  expect(correctQuery("certificate host-name, host name", vocabulary)).toBe("certificate hostname, hostname");
});

it("a search prefers what a query is about to what that relates to", () => {
  const weights = queryTermsIn("the stream of a domain, and its encoder").map(({ terms, weight }) => ({
    term: [...terms].find(([, share]) => share === 1)?.[0],
    weight,
  }));
  expect(weights).toEqual([
    { term: "stream", weight: 1 },
    { term: "domain", weight: expect.closeTo(0.7) },
    { term: "encoder", weight: expect.closeTo(0.49) },
  ]);
});

it("a search shows as many as requested, and only what can be called", () => {
  expect(find("certificate", 3).tools).toHaveLength(3);
  expect(find("certificate", 20).tools.length).toBeGreaterThan(10);
  const offered = search.find("certificate", 5, (tool) => tool === "cert_enrollment_get").tools;
  expect(offered.map(({ tool }) => tool)).toEqual(["cert_enrollment_get"]);
});

it.each(["", "how do I get the", "zzqx", "?!"])("a search finds nothing for %j", (query) => {
  expect(find(query)).toEqual({ tools: [], imported: [], reports: [], resources: [] });
});

const hit = (name: string, object: string, reads: boolean) => ({ name, object, reads });
const [get, list, history] = ["get", "list", "history"].map((name) => hit(name, "event", true)) as [
  ReturnType<typeof hit>,
  ReturnType<typeof hit>,
  ReturnType<typeof hit>,
];
const create = hit("create", "event", false);
const remove = hit("remove", "event", false);
const foreign = hit("foreign", "alert", false);
const shown = (hits: readonly { name: string }[]) => hits.map(({ name }) => name);

it("hits: after two leading reads comes the object's best change", () => {
  const ranked = [get, list, history, foreign, create, remove];
  expect(shown(withBothSides(ranked, 5))).toEqual(["get", "list", "create", "history", "foreign"]);
  expect(shown(withBothSides(ranked, 3))).toEqual(["get", "list", "create"]);
  expect(shown(withBothSides(ranked, 2))).toEqual(["get", "create"]);
});

it("hits: after two leading changes comes the object's best read", () => {
  expect(shown(withBothSides([create, remove, foreign, history, get], 4))).toEqual([
    "create",
    "remove",
    "history",
    "foreign",
  ]);
});

it("hits stay put if both sides lead, one is absent or the limit is 1", () => {
  expect(shown(withBothSides([get, foreign, list, create], 3))).toEqual(["get", "foreign", "list"]);
  expect(shown(withBothSides([get, list, foreign], 2))).toEqual(["get", "list"]);
  expect(shown(withBothSides([get, create], 1))).toEqual(["get"]);
  expect(withBothSides([], 5)).toEqual([]);
});

const indexOf = (tool: string, words: { readonly said?: string[]; readonly stars?: number }) =>
  indexText([
    {
      ...{ id: tool, home: "home", name: "gate_open", said: [], does: "", service: "", arguments: "" },
      ...words,
      found: { tool, effect: "read", does: "" },
    },
  ]);

it.each([
  ["that has the word only in its name", {}, ["imported"]],
  ["that people say the word for", { said: ["gate"] }, []],
  ["with the word in its name that people need often", { stars: 2 }, []],
] as const)("beside a declared tool %s", (_, words, imported) => {
  const search = openSearch(indexOf("declared", { ...words, said: [...("said" in words ? words.said : [])] }), () => [
    indexOf("imported", { said: ["gate"] }),
  ]);
  const found = search.find("gate", 5, () => true);
  expect(found.tools.map(({ tool }) => tool)).toEqual(["declared"]);
  expect(found.imported.map(({ tool }) => tool)).toEqual(imported);
});

/** Operations whose names have different objects, although they have one path. */
const differentlyNamed = ["edgelogic_origin_activations_list"];

const firstOf = new Map(words.map(({ heading, phrases }) => [heading, phrases[0]]));
const onBothSides = services.flatMap(({ operations }) => {
  const all = Object.entries<AnyOperation>(operations);
  const pathOf = ({ route }: AnyOperation) => route.split(" ")[1]?.split("?")[0];
  const reads = (operation: AnyOperation) => effectOf(operation) === "read";
  return all.filter(([, one]) => all.some(([, other]) => pathOf(one) === pathOf(other) && reads(one) !== reads(other)));
});

it("a phrase that ranks its tool first finds the path's other side", () => {
  const found = onBothSides.map(([name]) => ({
    name,
    tools: search.find(firstOf.get(name) ?? "", 5, () => true).tools,
  }));
  const first = found.filter(({ name, tools }) => tools[0]?.tool === name);
  expect(first.length).toBeGreaterThan(150);
  const oneSided = first.filter(({ tools }) => new Set(tools.map(({ effect }) => effect === "read")).size === 1);
  expect(oneSided.map(({ name }) => name)).toEqual(differentlyNamed);
});

const rowOf = (name: string) =>
  search.find(name.replaceAll("_", " "), catalogue.size, (tool) => tool === name).tools[0];

it.each([
  ["property_version_get", "propertyId, propertyVersion"],
  ["events_list", undefined],
  ["event_create", "body: {name, start, end}"],
  ["property_rule_tree_update", "propertyId, propertyVersion, patch"],
])("a row names what %s needs", (name, needs) => {
  expect(rowOf(name)?.needs).toBe(needs);
});

it("a row names three members of an object that needs more", () => {
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
])("a row says of %j the first clause", (description, clause) => {
  expect(clauseOf(description)).toBe(clause);
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

const homes = ["one", "two", "three", "four", "five", "six"];
const tool = (home: string, verb: string, effect: string, ...said: string[]) => ({ home, verb, effect, said });
const wording = wordingOf([
  ...homes.map((home) => tool(home, "list", "read", `show every ${home}`, `which ${home} is there`)),
  ...homes.map((home) => tool(home, "create", "create", `add another ${home}`, `we need a new ${home}`)),
  tool("one", "book", "create", "add a seat", "two widgets"),
  tool("two", "wipe", "destructive", "two widgets"),
]);
const factor = (query: string, verb: string, effect = "read") => suitabilityFor(wording, query)({ verb, effect });

it("query wording suits the verb that its words are said for", () => {
  expect(factor("show the widget", "list")).toBeGreaterThan(1);
  expect(factor("show the widget", "create")).toBeLessThan(1);
  expect(factor("add a widget", "create")).toBeGreaterThan(factor("add a widget", "list"));
});

it("query wording counts the first word once more", () => {
  expect(factor("add a gadget", "create")).toBeGreaterThan(factor("gadgets to add", "create"));
});

it("query wording suits a verb of few tools as it suits their effect", () => {
  expect(factor("add a widget", "book", "create")).toBe(factor("add a widget", "create"));
  expect(wording.verbs).not.toContain("book");
  expect(wording.verbs).toContain("destructive");
});

it("query wording: rare, unknown and Object member names teach nothing", () => {
  for (const query of ["widgets", "gizmo", "constructor __proto__ toString", ""])
    for (const verb of wording.verbs) expect([query, verb, factor(query, verb)]).toEqual([query, verb, 1]);
});

it("query wording treats tools with unknown verbs alike", () => {
  expect(factor("show the widget", "unknown", "unheard")).toBe(1);
});

it("the index prefers reads for questions and creates for wishes", async () => {
  const all = (JSON.parse(await wholeIndex()) as { wording: Parameters<typeof suitabilityFor>[0] }).wording;
  const prefers = (query: string, one: string, other: string) => {
    const suits = suitabilityFor(all, query);
    return suits({ verb: one, effect: "" }) > suits({ verb: other, effect: "" });
  };
  expect(prefers("which of them do we have", "list", "create")).toBe(true);
  expect(prefers("add another one", "create", "list")).toBe(true);
  expect(prefers("get rid of it", "delete", "get")).toBe(true);
  expect(prefers("how far is it", "status", "list")).toBe(true);
});

const { call, refused } = callsIn(createWorld());
async function resultOf(tool: string, args: Args): Promise<Args> {
  const outcome = await call(tool, args);
  if (outcome.kind !== "workflow") throw new Error(JSON.stringify(outcome));
  return outcome.result;
}

it("operation_search costs at most 110 tokens in the list", async () => {
  const own = (await allWorkflows()).filter(([name]) => name === "operation_search");
  const { name, description, inputSchema } = catalogueOf([], own).get("operation_search")?.tool ?? {};
  expect(encode(JSON.stringify({ name, description, inputSchema })).length).toBeLessThanOrEqual(110);
});

it("operation_search answers with a line for each tool, and how to call it", async () => {
  const { tools, calls } = await resultOf("operation_search", { query: "clear the cache of a page" });
  expect(tools).toHaveLength(5);
  expect(tools).toMatchObject({ 0: "purge_submit destructive(queueName, body: {objects}): Queues a purge" });
  expect(calls).toMatch(/operation_read.*operation_describe/);
});

it("operation_search refuses an empty query, quotes a fruitless one", async () => {
  const { code, fields } = await refused("operation_search", { query: "  " });
  expect([code, fields]).toEqual(["invalid_input", [expect.stringMatching(/^query: /)]]);
  expect((await refused("operation_search", { query: "zzqx" })).message).toContain('"zzqx"');
});

it.each([
  ["how does purging work", "guide://purge"],
  ["explain the life cycle of a certificate", "guide://certificates"],
  ["overview of DNS zones and their limits", "guide://dns"],
  ["guide to edge logic", "guide://edge-logic"],
])("operation_search finds the guide for %j", async (query, address) => {
  const { resources } = await resultOf("operation_search", { query });
  expect(resources).toContainEqual(expect.stringMatching(`^${address}: `));
});

it.each(["guide://purge", "purge"])(
  "operation_describe reads the guide for %j, as the resource has it",
  async (tool) => {
    expect(await resultOf("operation_describe", { tool })).toEqual({
      guide: "guide://purge",
      page: expect.stringMatching(/^# Content purge\n/),
    });
  },
);

it("operation_describe suggests what an unknown name most likely means", async () => {
  const { fields } = await refused("operation_describe", { tool: "guide://certificate" });
  expect(fields).toEqual([expect.stringMatching(/^tool: the name of a tool or of a service.*certificates/)]);
});
