/** The APIs of today: what is offered where `--apis today` is set, and what nothing names any more. */
import { readFileSync } from "node:fs";
import { afterAll, describe, expect, it } from "vitest";
import { promptText } from "../../src/resources/prompts.js";
import { promptOf } from "../../src/tools/guides.js";
import { allServices } from "../../src/tools/index.js";
import { clientOf } from "../lab/client.js";
import { services, surfaceWith } from "../profiles/two.js";

const standings = new Map(
  services.flatMap(({ operations, standing, id }) =>
    Object.entries(operations).map(([tool, { spec }]) => [tool, { id, ...(spec.standing ?? standing) }] as const),
  ),
);
const retired = [...standings].flatMap(([tool, { state }]) => (state === "retired" ? [tool] : []));
const retiredServices = services.filter(({ standing }) => standing.state === "retired").map(({ id }) => id);

const newer = (await allServices()).filter(({ document }) => document === "today");
/** The tools of today's APIs, and those of the services that they replace. */
const ofToday = new Set(newer.flatMap(({ operations }) => Object.keys(operations)));
const replaced = new Set(
  newer.flatMap(({ replaces }) =>
    services
      .filter(({ name }) => replaces?.services.includes(name))
      .flatMap(({ operations }) => Object.keys(operations)),
  ),
);

const { surface, menu, engine } = await surfaceWith(["--emulator", "--apis", "today"]);
const { client } = await clientOf(surface);
afterAll(async () => (await engine()).close());

const { tools } = await client.listTools();
const names = new Set(tools.map(({ name }) => name));
const leftOut = [...surface.catalogue.keys()].filter((name) => menu.leftOut(name) !== undefined);

/** The tools that are left out and that a text names. */
const namedIn = (text: string): string[] => {
  const words = new Set(text.match(/[a-z0-9]+(?:_[a-z0-9]+)+/g));
  return leftOut.filter((tool) => words.has(tool));
};

describe("the APIs of today", () => {
  it("have no tool of a retired API, and all others", () => {
    expect(retired.length).toBeGreaterThan(100);
    expect(retired.filter((tool) => names.has(tool) && !ofToday.has(tool))).toEqual([]);
    const others = [...surface.catalogue.keys()].filter(
      (tool) =>
        ofToday.has(tool) ||
        (!retired.includes(tool) && !replaced.has(tool) && !retiredServices.some((id) => tool.startsWith(`${id}_`))),
    );
    expect(others.filter((tool) => !names.has(tool))).toEqual([]);
  });

  it("say what replaces each tool of the documents that they lack", () => {
    const unsaid = newer.flatMap(({ replaces }) =>
      services
        .filter(({ name }) => replaces?.services.includes(name))
        .flatMap(({ operations }) => Object.keys(operations))
        .filter((tool) => !ofToday.has(tool) && !/^[A-Z].*\.$/.test(replaces?.gone[tool] ?? "")),
    );
    expect(unsaid).toEqual([]);
    const unknown = newer.flatMap(({ replaces }) =>
      Object.keys(replaces?.gone ?? {}).filter((tool) => !replaced.has(tool) || ofToday.has(tool)),
    );
    expect(unknown).toEqual([]);
    for (const { replaces } of newer)
      for (const text of Object.values(replaces?.gone ?? {}))
        for (const [tool] of text.matchAll(/\b[a-z0-9]+(_[a-z0-9]+)+\b/g))
          expect([text, names.has(tool)]).toEqual([text, true]);
  });

  it("are not the documents', which have every tool", async () => {
    const all = await surfaceWith(["--emulator"]);
    expect(all.menu.listed).toHaveLength(all.surface.catalogue.size);
    await (await all.engine()).close();
  });

  it("are counted on the page about them", () => {
    expect(readFileSync("docs/apis.md", "utf8")).toContain(`leaves out ${leftOut.length} tools`);
  });

  it("instructions, lists and prompts name only today's APIs", async () => {
    expect(client.getInstructions()).toContain("APIs that the vendor has retired are left out");
    const { resources } = await client.listResources();
    const { resourceTemplates } = await client.listResourceTemplates();
    const { prompts } = await client.listPrompts();
    expect(prompts.length).toBeGreaterThan(3);
    const texts: [where: string, text: string][] = [
      ["the instructions", client.getInstructions() ?? ""],
      ...[...prompts, ...tools, ...resources, ...resourceTemplates].map((one): [string, string] => [
        one.name,
        JSON.stringify(one),
      ]),
    ];
    for (const { name } of await allServices("today")) {
      const prompt = await promptOf(name);
      if (prompt && prompts.some((one) => one.name === prompt.name))
        texts.push([`steps of ${prompt.name}`, promptText(prompt, {})]);
    }
    expect(texts.filter(([where]) => where.startsWith("steps")).length).toBeGreaterThan(3);
    expect(texts.flatMap(([where, text]) => namedIn(text).map((tool) => `${where}: ${tool}`))).toEqual([]);
  });

  it.each([
    ["sps_requests_list", {}],
    ["threat_list_item_find", {}],
    ["call_batch", { tool: "sps_requests_list", arguments: [{}] }],
    ["operation_describe", { tool: "sps_requests_list" }],
  ])("refuse %s, and say what takes its place", async (tool, args) => {
    const result = await client.callTool({ name: tool, arguments: args });
    expect(result.isError).toBe(true);
    expect(JSON.stringify(result.content)).toMatch(
      /is left out here by --apis today.*its successor is .*operation_search/s,
    );
  });
});
