/** What goes over stdout: JSON-RPC and nothing else, whatever comes in, and a first list that is the library's own. */
import { spawn } from "node:child_process";
import { expect, it } from "vitest";
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
const find = (messages: readonly Message[], id: unknown) => messages.find((message) => message.id === id);

it("the first list is the very result that the library gives later", async () => {
  const messages = await talk([list(1), list(2), list("three")], [1, 2, "three"]);
  expect(find(messages, 1)?.result).toEqual(find(messages, 2)?.result);
  expect(find(messages, 1)?.result).toMatchObject({ resultType: "complete", ttlMs: 3_600_000, cacheScope: "public" });
  expect(find(messages, "three")?.result).toEqual(find(messages, 2)?.result);
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
  const greeting = {
    id: 0,
    method: "initialize",
    params: { protocolVersion: "2025-11-25", capabilities: {}, clientInfo: { name: "raw", version: "1" } },
  };
  const call = {
    id: 2,
    method: "tools/call",
    params: { name: "purge_queue_get", arguments: { queueName: "default" } },
  };
  const messages = await talk(
    ["{not json}", greeting, { method: "notifications/initialized" }, { ...list(1), params: {} }, call],
    [0, 1, 2],
  );
  expect(find(messages, 2)?.result).toMatchObject({ structuredContent: { status: 200 } });
  for (const message of messages) expect(message["jsonrpc"]).toBe("2.0");
});

it("progress is reported before the result, to whoever has a token", async () => {
  const call = (id: number, more: object) => ({
    id,
    method: "tools/call",
    params: {
      name: "diagnosis_run",
      arguments: { url: "http://api.shop.example/", locations: ["tokyo-japan"] },
      _meta: { ...meta, ...more },
    },
  });
  const told = (messages: readonly Message[]) =>
    messages.filter(({ method }) => method === "notifications/progress").map(({ params }) => params);
  const messages = await talk([call(1, { progressToken: "p" }), call(2, {})], [1, 2]);
  const { steps } = (find(messages, 1)?.result?.["structuredContent"] ?? { steps: [] }) as { steps: unknown[] };
  expect(told(messages)).toEqual(
    steps.map((_, index) => ({ progressToken: "p", progress: index + 1, message: expect.stringContaining(": done") })),
  );
  const last = messages.findLastIndex(({ method }) => method === "notifications/progress");
  expect(messages.findIndex(({ id }) => id === 1)).toBeGreaterThan(last);
});

it("a live resource is private, and a page public for an hour", async () => {
  const read = (id: number, uri: string) => ({ id, method: "resources/read", params: { uri, _meta: meta } });
  const messages = await talk([read(1, "alert://templates"), read(2, "operation://purge_submit")], [1, 2]);
  expect(find(messages, 1)?.result).toMatchObject({ ttlMs: 0, cacheScope: "private" });
  expect(find(messages, 2)?.result).toMatchObject({ ttlMs: 3_600_000, cacheScope: "public" });
});
