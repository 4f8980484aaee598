/** A client who only reads over HTTP, against the emulator: no change is sent, previewed or made on its way, in either era. */
import { afterEach, beforeEach, expect, it } from "vitest";
import { readConfig } from "../../src/config.js";
import { createEngine } from "../../src/engine/index.js";
import { lazily } from "../../src/language/once-for.js";
import { serveHttp } from "../../src/mcp/http/index.js";
import { serverFactory } from "../../src/mcp/server.js";
import { catalogueOf, readingsOf } from "../../src/mcp/tool.js";
import { allServices } from "../../src/tools/index.js";
import { ask, modern, openSession } from "../lab/raw-http.js";
import { promise } from "../lab/rules.js";

const services = await allServices("documents");
const catalogue = catalogueOf(services);
const token = "a-token-of-more-than-32-characters-01";
const bearer = { authorization: `Bearer ${token}` };
let url: URL;
let close: () => Promise<void>;
beforeEach(async () => {
  const engine = lazily(() =>
    createEngine(readConfig(["--emulator", "--state-dir", "memory"], {}), catalogue, () => undefined),
  );
  const surface = {
    catalogue,
    readings: await readingsOf(services),
    version: "1",
    isEmulated: true,
    isReadOnly: false,
    engine,
  };
  const usual = { build: serverFactory(surface), host: "127.0.0.1", port: 0, allowedHosts: [], log: () => undefined };
  const served = await serveHttp({ ...usual, clients: [{ name: "one", token }], allowsWrites: true });
  [url, close] = [new URL(served.url), served.close];
});
afterEach(() => close());

const meta = {
  "io.modelcontextprotocol/protocolVersion": "2026-07-28",
  "io.modelcontextprotocol/clientInfo": { name: "raw", version: "1.0.0" },
  "io.modelcontextprotocol/clientCapabilities": {},
};

/** The structured content of a tool's answer. */
async function call(
  name: string,
  headers: Record<string, string>,
  session?: Record<string, string>,
  args: object = {},
): Promise<Record<string, unknown>> {
  const own = session ?? { ...modern, "mcp-method": "tools/call", "mcp-name": name };
  const params = { name, arguments: args, ...(session ? {} : { _meta: meta }) };
  const body = JSON.stringify({ jsonrpc: "2.0", id: 1, method: "tools/call", params });
  const { text } = await ask(url, { headers: { ...own, ...headers }, body });
  const json = text.startsWith("{") ? text : (/^data: (\{.*)$/m.exec(text)?.[1] ?? "null");
  return (JSON.parse(json) as { result: { structuredContent: Record<string, unknown> } }).result.structuredContent;
}

/** A write of each effect; that the catalogue names the effect of each tool is a law of the catalogue. */
const writes = ["create", "update", "destructive"].map(
  (wanted) => [...catalogue.values()].find(({ effect }) => effect === wanted)?.tool.name ?? "",
);

it(promise("http-reads-only", "a client who only reads is refused every write, in both eras"), async () => {
  const session = await openSession(url, bearer);
  const reading = { ...bearer, "x-edgewise-read-only": "true" };
  for (const name of writes) {
    for (const { error, why } of [await call(name, reading), await call(name, reading, session)])
      expect([name, error, why]).toEqual([name, "not_allowed", expect.stringContaining("--allow-writes")]);
    expect([name, (await call(name, bearer))["error"]]).not.toEqual([name, "not_allowed"]);
  }
});

it(promise("long-time-refused", "too long a time is refused at once with its limit, blocking nobody"), async () => {
  const args = { reportName: "hits-by-time", version: "1", start: `x${" ".repeat(260_000)}x`, end: "2026-05-02" };
  const [answer, health] = await Promise.all([
    call("report_data_get", bearer, undefined, args),
    ask(url, { path: "/healthz", method: "GET" }),
  ]);
  expect(health.status).toBe(200);
  expect(answer["error"]).toBe("invalid_input");
  expect(answer["fields"]).toEqual([{ field: "start", given: "260002 characters", takes: "at most 64 characters" }]);
});
