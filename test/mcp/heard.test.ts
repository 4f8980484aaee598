/** What a client hears: a list in pages, progress in short messages, handles, and of errors the words written for it. */
import type { Client } from "@modelcontextprotocol/client";
import type { ServerContext } from "@modelcontextprotocol/server";
import { expect, it } from "vitest";
import type { Catalogue, ToolEntry } from "../../src/engine/catalogue.js";
import { progressReporter } from "../../src/mcp/call.js";
import { handlers } from "../../src/mcp/server.js";
import { readingsOf } from "../../src/mcp/tool.js";
import { clientOf, surfaceOf } from "../lab/client.js";
import { servicesOfProject } from "../lab/project.js";
import { surfaceWith, clientOf as withCalls } from "../profiles/two.js";

const readings = await readingsOf(await servicesOfProject());
const secret = "akab-secret at /home/someone/.edgerc";
const thrown = Object.assign(new Error(secret), { code: 7, data: { secret } });
const raise = (): never => {
  throw thrown;
};

/** A catalogue that knows one tool, and throws for any other and for the list of all. */
class Broken extends Map<string, ToolEntry> {
  override readonly get = (name: string) => (name === "known" ? ({ service: "x" } as ToolEntry) : raise());
  override readonly keys = raise;
}

async function refusal(catalogue: Map<string, ToolEntry>, ask: (client: Client) => Promise<unknown>) {
  const { client } = await clientOf(surfaceOf({ catalogue, readings, engine: raise }));
  const error = await ask(client).catch((reason: unknown) => reason);
  await client.close();
  return error;
}

const template = { type: "ref/resource", uri: "operation://{tool}" } as const;

it.each([
  ["tools/call", (client: Client) => client.callTool({ name: "known" })],
  ["tools/call, of a tool that is looked for", (client: Client) => client.callTool({ name: "unknown" })],
  ["resources/read", (client: Client) => client.readResource({ uri: "operation://unknown" })],
  [
    "completion/complete",
    (client: Client) => client.complete({ ref: template, argument: { name: "tool", value: "d" } }),
  ],
])("sends nothing of the text of an unexpected error in %s", async (_, ask) => {
  const error = await refusal(new Broken(), ask);
  expect(error).toMatchObject({ code: -32_603, message: expect.stringMatching(/^Internal server error\./) });
  expect(error).toMatchObject({ data: undefined });
  expect(JSON.stringify([error, String(error)])).not.toContain(secret);
});

it.each([
  ["tools/call", (client: Client) => client.callTool({ name: "unknown" }), /There is no tool "unknown"/],
  [
    "prompts/get",
    (client: Client) => client.getPrompt({ name: "unknown" }),
    /There is no prompt "unknown"; there is .*purge_safely/,
  ],
  ["resources/read", (client: Client) => client.readResource({ uri: "operation://unknown" }), /Resource not found/],
])("sends the text of an error that is meant for the client in %s", async (_, ask, message) => {
  const error = await refusal(new Map(), ask);
  expect(error).toMatchObject({ code: -32_602, message: expect.stringMatching(message) });
});

it("progress is reported only on request, in bounded messages", async () => {
  const told = async (progressToken: string | undefined, ...given: [number, string, number?]) => {
    const sent: unknown[] = [];
    const notify = async (notification: unknown) => void sent.push(notification);
    await progressReporter({ mcpReq: { _meta: { progressToken }, notify } } as unknown as ServerContext)(...given);
    return sent;
  };
  const method = "notifications/progress";
  const params = { progressToken: "a token", progress: 1, message: "activations: done", total: 3 };
  expect(await told("a token", 1, "activations: done", 3)).toEqual([{ method, params }]);
  expect(await told("a token", 2, `activations of ${"x".repeat(10_000)}: done`)).toEqual([
    { method, params: { progressToken: "a token", progress: 2, message: `activations of ${"x".repeat(485)}` } },
  ]);
  expect(await told(undefined, 1, "a step")).toEqual([]);
});

it("a small list has a handle that a view takes, only in its profile", async () => {
  const served = await surfaceWith(["--emulator", "--profiles", "one,two"]);
  const { call } = await withCalls(served.surface);
  const answer = async (name: string, args: object) => (await call(name, args)).structuredContent;
  const { data, handle } = await answer("events_list", { profile: "one" });
  const count = (data as object[]).length;
  expect(count).toBeGreaterThan(2);
  const view = { handle, aggregate: "count", profile: "one" };
  expect(await answer("result_view", view)).toMatchObject({ rows: [{ count }] });
  expect(await answer("result_view", { ...view, profile: "two" })).toMatchObject({ error: "not_found" });
  const [first] = data as { id: string }[];
  expect(await answer("event_get", { eventId: first?.id, profile: "one" })).not.toHaveProperty("handle");
  await (await served.engine()).close();
});

const many: Catalogue = new Map(
  Array.from({ length: 2_500 }, (_, number) => {
    const name = `x_thing${number}_get`;
    const annotations = { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: true };
    const tool = { name, title: name, description: name, inputSchema: { type: "object" as const }, annotations };
    return [name, { service: "x", effect: number % 5 === 0 ? ("update" as const) : ("read" as const), tool }];
  }),
);
const list = (cursor?: string, isReadOnly = false) =>
  handlers(surfaceOf({ catalogue: many, isReadOnly }))["tools/list"](
    { method: "tools/list", params: cursor === undefined ? {} : { cursor } },
    {} as never,
  );

it("pages of tools hold a thousand each, in one order, and end", async () => {
  const pages = [await list(), await list("1000"), await list("2000")];
  expect(pages.map(({ nextCursor }) => nextCursor)).toEqual(["1000", "2000", undefined]);
  expect(pages.flatMap(({ tools }) => tools.map(({ name }) => name))).toEqual([...many.keys()]);
  // A read-only server lists only the reads.
  const reads = [await list(undefined, true), await list("1000", true)];
  expect(reads.map(({ tools, nextCursor }) => [tools.length, nextCursor])).toEqual([
    [1_000, "1000"],
    [1_000, undefined],
  ]);
});

it.each(["x", "-1", "0", "01", "2500", "1e2", "99999999", ""])("no page has the cursor %j", async (cursor) => {
  await expect(list(cursor)).rejects.toMatchObject({ code: -32_602 });
});
