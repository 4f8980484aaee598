/** The list of tools: pages, cursors, what read-only leaves, and what every list of the future will have to bear. */
import { describe, expect, it } from "vitest";
import type { Catalogue, ToolEntry } from "../../src/engine/catalogue.js";
import { handlers } from "../../src/mcp/server.js";
import { surfaceOf } from "../lab/client.js";
import { catalogueOfProject } from "../lab/project.js";

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

const listOf = (catalogue: Catalogue, isReadOnly: boolean) => {
  const served = handlers(surfaceOf({ catalogue, isReadOnly }));
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
    const surface = await catalogueOfProject();
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
