/** The search as a tool: its answer within a window, and its errors. */
import { encode } from "gpt-tokenizer/encoding/o200k_base";
import { describe, expect, it } from "vitest";
import { createWorld } from "../../src/emulator/world.js";
import { catalogueOf } from "../../src/mcp/tool.js";
import { allWorkflows } from "../../src/workflows/index.js";
import { type Args, callsIn } from "../lab/calls.js";

const { call, refused } = callsIn(createWorld());
async function resultOf(tool: string, args: Args): Promise<Args> {
  const outcome = await call(tool, args);
  if (outcome.kind !== "workflow") throw new Error(JSON.stringify(outcome));
  return outcome.result;
}

describe("operation_search", () => {
  it("costs at most 110 tokens in the list", async () => {
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
  ])("finds the guide for %j", async (query, address) => {
    const { resources } = await resultOf("operation_search", { query });
    expect(resources).toContainEqual(expect.stringMatching(`^${address}: `));
  });
});

describe("operation_describe", () => {
  it.each(["guide://purge", "purge"])("reads the guide of a service for %j, as the resource has it", async (tool) => {
    expect(await resultOf("operation_describe", { tool })).toEqual({
      guide: "guide://purge",
      page: expect.stringMatching(/^# Content purge\n/),
    });
  });

  it("operation_describe suggests what an unknown name most likely means", async () => {
    const { fields } = await refused("operation_describe", { tool: "guide://certificate" });
    expect(fields).toEqual([expect.stringMatching(/^tool: the name of a tool or of a service.*certificates/)]);
  });
});
