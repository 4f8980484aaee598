/** A client who only reads over HTTP, against the emulator: no change is sent, previewed or made on its way, in either era. */
import { expect, it } from "vitest";
import { serverFactory } from "../../src/mcp/server.js";
import { as, ask, clientsOf, contentOf, message, modernly, openSession, startHttp } from "../lab/raw-http.js";
import { promise } from "../lab/rules.js";
import { surfaceWith } from "../profiles/two.js";

const { surface } = await surfaceWith(["--emulator"]);
const bearer = as("one");
const start = async () =>
  (await startHttp({ build: serverFactory(surface), clients: clientsOf("one"), allowsWrites: true })).url;

it(promise("http-reads-only", "a client who only reads is refused every write, in both eras"), async () => {
  const url = await start();
  const session = await openSession(url, bearer);
  const reading = { ...bearer, "x-edgewise-read-only": "true" };
  // That the catalogue names the effect of each tool is a law of the catalogue.
  for (const wanted of ["create", "update", "destructive"]) {
    const operations = [...surface.catalogue.values()].filter(({ service }) => service !== "workflows");
    const name = operations.find(({ effect }) => effect === wanted)?.tool.name ?? "";
    const params = { name, arguments: {} };
    const { headers, body } = modernly("tools/call", params);
    const refused = [
      await ask(url, { headers: { ...headers, ...reading }, body }),
      await ask(url, { headers: { ...session, ...reading }, body: message("tools/call", params) }),
    ];
    for (const { text } of refused)
      expect([name, contentOf(text)]).toMatchObject([name, { error: "not_allowed", why: expect.anything() }]);
    const free = contentOf((await ask(url, { headers: { ...headers, ...bearer }, body })).text);
    expect([name, free["error"]]).not.toEqual([name, "not_allowed"]);
  }
});

it(promise("long-time-refused", "too long a time is refused at once with its limit, blocking nobody"), async () => {
  const url = await start();
  const args = { reportName: "hits-by-time", version: "1", start: `x${" ".repeat(260_000)}x`, end: "2026-05-02" };
  const { headers, body } = modernly("tools/call", { name: "report_data_get", arguments: args });
  const [answer, health] = await Promise.all([
    ask(url, { headers: { ...headers, ...bearer }, body }),
    ask(url, { path: "/healthz", method: "GET" }),
  ]);
  expect(health.status).toBe(200);
  expect(contentOf(answer.text)).toMatchObject({
    error: "invalid_input",
    fields: [{ field: "start", given: "260002 characters", takes: "at most 64 characters" }],
  });
});
