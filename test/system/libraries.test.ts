/** What the build changes in the libraries that it bundles, each by what the built program does with it. */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { afterAll, beforeAll, expect, it } from "vitest";
import { modernly } from "../lab/raw-http.js";
import { bareEnvironment, startProcess } from "../lab/session.js";
import { startUpstream, type Upstream } from "./upstream.js";

const { headers, body } = modernly("tools/call", { name: "purge_queue_get", arguments: { queueName: "default" } });
const call = (id: number) => ({ ...JSON.parse(body), id });

it("the libraries in the program have been thinned out", () => {
  // The worker of queries is a program of its own.
  const names = readdirSync("dist/program").filter((name) => name.endsWith(".js") && name !== "query-worker.js");
  const pieces = names.map((name) => readFileSync(join("dist/program", name), "utf8"));
  const having = (text: string) => pieces.filter((piece) => piece.includes(text));
  // What the library that checks a user's answers a second time calls its keywords' checks.
  expect(having("must NOT have additional properties")).toEqual([]);
  const otherLocales = ["Ongeldige invoer", "Input non valido", "Neplatn", "Ungültige Eingabe", "Entrada inválida"];
  for (const other of otherLocales) expect(having(other)).toEqual([]);
  // Ours is the one of the protocol's library.
  expect(having("Invalid input: expected")).toHaveLength(1);
});

const answered = '{"supportId":"s","httpStatus":200,"detail":"d","queueLength":0}';
// A request that nobody aborts ends with its own timeout, which is later.
const beforeItsTimeout = { timeout: 15_000 };
let upstream: Upstream;
let served: Awaited<ReturnType<typeof startProcess>>;
beforeAll(async () => {
  upstream = await startUpstream(() => undefined);
  const words = ["http", "--port", "0", "--upstream", upstream.url];
  served = await startProcess(words, bareEnvironment(), /serving MCP at (\S+)/);
});
afterAll(() => {
  served?.child.kill("SIGTERM");
  return upstream.close();
});
const answers = () =>
  upstream.script((response) => response.writeHead(200, { "content-type": "application/json" }).end(answered));
/** Has the upstream keep a call waiting; resolves once it has come. */
const hangs = () => {
  upstream.script(() => undefined);
  return expect.poll(() => upstream.received.length).toBe(1);
};

it("messages over stdio are told apart, whatever members they have", beforeItsTimeout, async () => {
  const child = spawn(process.execPath, ["dist/server.js", "--upstream", upstream.url], {
    env: bareEnvironment(),
    stdio: ["pipe", "pipe", "ignore"],
  });
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  const send = (message: object) => child.stdin.write(`${JSON.stringify({ jsonrpc: "2.0", ...message })}\n`);
  const { params } = call(0);
  const { _meta } = params;
  answers();
  // None of these is a request; what is no message at all is the only one that is answered.
  for (const message of [
    { id: 7, result: {} },
    { id: 7, error: { code: -32_603, message: "no" } },
    { method: "notifications/unheard", params: { _meta } },
    { id: 8, result: null },
    {},
  ])
    send(message);
  send(call(1));
  // A request keeps being one with a member that answers have.
  send({ ...call(2), params: { ...params, result: {}, error: {} } });
  const next = async () => JSON.parse(String((await lines.next()).value)) as unknown;
  expect(await next()).toMatchObject({ id: null, error: { code: -32_600 } });
  for (const id of [1, 2]) expect(await next()).toMatchObject({ id, result: { structuredContent: { status: 200 } } });
  const hung = hangs();
  send(call(3));
  await hung;
  send({ method: "notifications/cancelled", params: { requestId: 3, _meta } });
  await upstream.abandoned;
  child.stdin.end();
  expect(await once(child, "exit")).toEqual([0, null]);
});

const post = (more: RequestInit = {}) => {
  const usual = { "content-type": "application/json", accept: "application/json, text/event-stream" };
  return fetch(served.match, { method: "POST", headers: { ...usual, ...headers }, body, ...more });
};

it("HTTP answers are whole, of the length that they say, and in a row", async () => {
  answers();
  for (let round = 0; round < 20; round += 1) {
    const answer = await post();
    const text = await answer.text();
    expect(answer.headers.get("content-type")).toBe("application/json");
    expect(answer.headers.get("content-length")).toBe(String(Buffer.byteLength(text)));
    expect(JSON.parse(text)).toMatchObject({ id: 1, result: { structuredContent: { status: 200 } } });
  }
});

it("a client that disconnects aborts the request upstream", beforeItsTimeout, async () => {
  const hung = hangs();
  const stop = new AbortController();
  const asked = post({ signal: stop.signal }).catch((error: unknown) => error);
  await hung;
  stop.abort();
  expect(await asked).toMatchObject({ name: "AbortError" });
  await upstream.abandoned;
});
