/** What goes over stdout: JSON-RPC and nothing else, whatever comes in, and a first list that is the library's own. */
import { spawn } from "node:child_process";
import { beforeAll, expect, it } from "vitest";
import { bareEnvironment } from "../../lab/session.js";

const meta = {
  "io.modelcontextprotocol/protocolVersion": "2026-07-28",
  "io.modelcontextprotocol/clientInfo": { name: "raw", version: "1.0.0" },
  "io.modelcontextprotocol/clientCapabilities": {},
};
type Message = Record<string, unknown> & {
  readonly id?: unknown;
  readonly result?: Record<string, unknown>;
  readonly error?: unknown;
};

/** Sends lines, waits for the answers to `ids`, and returns every line of stdout. */
function talk(
  lines: readonly (object | string)[],
  ids: readonly unknown[],
  flags: readonly string[] = [],
): Promise<Message[]> {
  const child = spawn(process.execPath, ["dist/server.js", ...flags], {
    env: bareEnvironment(),
    stdio: ["pipe", "pipe", "ignore"],
  });
  let text = "";
  return new Promise((resolve, reject) => {
    child.stdout.setEncoding("utf8").on("data", (chunk: string) => {
      text += chunk;
      if (!text.endsWith("\n")) return;
      const messages = text
        .trim()
        .split("\n")
        .map((line) => JSON.parse(line) as Message);
      if (!ids.every((id) => messages.some((message) => message.id === id))) return;
      child.kill();
      resolve(messages);
    });
    child.once("error", reject);
    for (const line of lines)
      child.stdin.write(`${typeof line === "string" ? line : JSON.stringify({ jsonrpc: "2.0", ...line })}\n`);
  });
}

const list = (id: unknown, params: object = { _meta: meta }) => ({ id, method: "tools/list", params });
const call = (id: number, name: string, args: object, _meta?: object) => ({
  id,
  method: "tools/call",
  params: { name, arguments: args, ...(_meta && { _meta }) },
});
const read = (id: number, uri: string) => ({ id, method: "resources/read", params: { uri, _meta: meta } });
const find = (messages: readonly Message[], id: unknown) => messages.find((message) => message.id === id);

let said: readonly Message[];
const resultOf = (id: unknown) => find(said, id)?.result;
beforeAll(async () => {
  const diagnosis = { url: "http://api.shop.example/", locations: ["tokyo-japan"] };
  said = await talk(
    [
      ...[list(1), list(2), list("three")],
      call(4, "diagnosis_run", diagnosis, { ...meta, progressToken: "p" }),
      call(5, "diagnosis_run", diagnosis, meta),
      ...[read(6, "alert://templates"), read(7, "operation://purge_submit")],
    ],
    [1, 2, "three", 4, 5, 6, 7],
  );
});

it("the first list is the very result that the library gives later", () => {
  expect(resultOf(1)).toMatchObject({ resultType: "complete", ttlMs: 3_600_000, cacheScope: "public" });
  for (const id of [2, "three"]) expect(resultOf(id)).toEqual(resultOf(1));
});

it("progress is reported before the result, to whoever has a token", () => {
  const { steps } = (resultOf(4)?.["structuredContent"] ?? { steps: [] }) as { steps: unknown[] };
  const told = said.filter(({ method }) => method === "notifications/progress").map(({ params }) => params);
  expect(told).toEqual(
    steps.map((_, index) => ({ progressToken: "p", progress: index + 1, message: expect.stringContaining(": done") })),
  );
  const last = said.findLastIndex(({ method }) => method === "notifications/progress");
  expect(said.findIndex(({ id }) => id === 4)).toBeGreaterThan(last);
});

it("a live resource is private, and a page public for an hour", () => {
  expect(resultOf(6)).toMatchObject({ ttlMs: 0, cacheScope: "private" });
  expect(resultOf(7)).toMatchObject({ ttlMs: 3_600_000, cacheScope: "public" });
});

it("a first list with a cursor is refused by the library", async () => {
  const messages = await talk([list(1, { _meta: meta, cursor: "100000" })], [1]);
  expect(find(messages, 1)?.error).toMatchObject({ code: -32_602 });
});

it("--read-only: the first list has reads alone", async () => {
  const messages = await talk([list(1)], [1], ["--read-only"]);
  const tools = find(messages, 1)?.result?.["tools"] as { annotations: { readOnlyHint: boolean } }[];
  expect(tools.length).toBeGreaterThan(5);
  expect(tools.every(({ annotations }) => annotations.readOnlyHint)).toBe(true);
});

it("a client is served that writes all at once, nonsense first", async () => {
  const params = { protocolVersion: "2025-11-25", capabilities: {}, clientInfo: { name: "raw", version: "1" } };
  const messages = await talk(
    [
      ...["{not json}", { id: 1, method: "initialize", params }, { method: "notifications/initialized" }],
      ...[{ ...list(2), params: {} }, call(3, "purge_queue_get", { queueName: "default" })],
    ],
    [1, 2, 3],
  );
  expect(find(messages, 3)?.result).toMatchObject({ structuredContent: { status: 200 } });
  for (const message of messages) expect(message["jsonrpc"]).toBe("2.0");
});
