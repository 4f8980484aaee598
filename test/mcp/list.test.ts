/** The list of tools: pages, cursors, what read-only leaves, and what every list of the future will have to bear. */
import { describe, expect, it } from "vitest";
import type { Catalogue, ToolEntry } from "../../src/engine/catalogue.js";
import { handlers } from "../../src/mcp/server.js";
import { catalogueOf, readingsOf, wholeSchema } from "../../src/mcp/tool.js";
import { allServices } from "../../src/tools/index.js";
import { allWorkflows } from "../../src/workflows/index.js";

const entry = (number: number): [string, ToolEntry] => {
  const name = `x_thing${number}_get`;
  const annotations = { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: true };
  return [
    name,
    {
      service: "x",
      effect: number % 5 === 0 ? "update" : "read",
      tool: { name, title: name, description: name, inputSchema: { type: "object" }, annotations },
    },
  ];
};
const many: Catalogue = new Map(Array.from({ length: 2_500 }, (_, number) => entry(number)));

const readings = await readingsOf([]);
const listOf = (catalogue: Catalogue, isReadOnly: boolean) => {
  const served = handlers({
    catalogue,
    readings,
    version: "1",
    isEmulated: true,
    isReadOnly,
    engine: () => Promise.reject(new Error("not needed")),
  });
  return (cursor?: string) =>
    served["tools/list"]({ method: "tools/list", params: cursor === undefined ? {} : { cursor } }, {} as never);
};

async function everything(isReadOnly: boolean): Promise<string[]> {
  const list = listOf(many, isReadOnly);
  const names: string[] = [];
  let cursor: string | undefined;
  do {
    const page = await list(cursor);
    names.push(...page.tools.map(({ name }) => name));
    cursor = page.nextCursor;
  } while (cursor !== undefined);
  return names;
}

describe("pages", () => {
  it("hold a thousand each, in the same order every time, and end", async () => {
    const list = listOf(many, false);
    expect((await list()).tools).toHaveLength(1_000);
    expect((await list("2000")).tools).toHaveLength(500);
    expect(await everything(false)).toEqual([...many.keys()]);
  });

  it("are one for the whole surface, because many clients read no other", async () => {
    const surface = catalogueOf(await allServices("documents"), await allWorkflows());
    const { tools, nextCursor } = await listOf(surface, false)();
    expect([tools.map(({ name }) => name), nextCursor]).toEqual([[...surface.keys()], undefined]);
  });

  it("leave what is not a read out when the server is read-only", async () => {
    expect(await everything(true)).toHaveLength(2_000);
  });

  it.each(["x", "-1", "0", "01", "2500", "1e2", "99999999", ""])("are refused for the cursor %j", async (cursor) => {
    await expect(listOf(many, false)(cursor)).rejects.toMatchObject({ code: -32_602 });
  });
});

it("lists less than it validates, and never another argument", async () => {
  const services = await allServices("documents");
  const catalogue = catalogueOf(services);
  const write = catalogue.get("dns_zone_write")?.tool.inputSchema as {
    properties: { body: { properties: { zone: object } } };
  };
  expect(Object.keys(write.properties.body.properties)).toEqual(["token", "zone"]);
  expect(write.properties.body.properties.zone).toMatchObject({
    description: "The whole zone: name, soa, and one list per record type; see operation_describe for the rest",
    required: ["name", "soa"],
    additionalProperties: true,
  });
  const whole = services
    .flatMap(({ operations }) => Object.values(operations))
    .map((operation) => JSON.stringify(wholeSchema(operation)).length);
  const lean = [...catalogue.values()].map(({ tool }) => JSON.stringify(tool.inputSchema).length);
  expect(lean.reduce((a, b) => a + b)).toBeLessThan(whole.reduce((a, b) => a + b) / 2);
});
