/** What of a definition reaches the wire: no name that turns a call into another one, at import and from a changed file. */
import { afterAll, beforeAll, expect, it } from "vitest";
import { isDeep } from "../lab/depth.js";
import { caller } from "../lab/made-up.js";
import { promise } from "../lab/rules.js";
import { importing, receiving, toysImported } from "./boxed.js";

const ok = { responses: { 200: { content: { "application/json": { schema: { type: "object" } } } } } };

/** Names by which a server, or something before it, takes a call for another one. */
const replacing =
  "X-HTTP-Method-Override X-HTTP-Method X-Method-Override X-Method HTTP-Method-Override _method __method $method _METHOD " +
  "x_http_method_override xHttpMethodOverride methodOverride override_method X-Original-URL X-Rewrite-URL X-Original-Host " +
  "X-Forwarded-Host X-Forwarded-Prefix X-Forwarded-Proto X-Forwarded-For Forwarded X-Host X-HTTP-Host-Override";

/** Names of headers that no definition of today has. */
const further =
  "Set-Cookie Cookie Via User-Agent X-API-Key X-Request-Id Range Connection Transfer-Encoding Expect Upgrade TE Trailer " +
  "Proxy-Authorization Keep-Alive X-Custom Accept-Language Origin Referer";

const given =
  "PAPI-Use-Prefixes Policy-Set Contract If-Match If-None-Match If-Modified-Since Expires ETag papi-use-prefixes IF-MATCH";

/** Each name in a header and in the query, some of them required, each at its own path; the query has only those that replace. */
const cases = [
  ...`${replacing} ${further}`.split(" ").map((name) => ({ name, within: "header" })),
  ...replacing.split(" ").map((name) => ({ name, within: "query" })),
].flatMap((one, at) => [
  { ...one, path: `/a/${at}`, required: false },
  ...(isDeep || at % 4 === 0 ? [{ ...one, path: `/b/${at}`, required: true }] : []),
]);

const pathsOf = (some: readonly (typeof cases)[number][]) =>
  Object.fromEntries(
    some.map(({ name, within, required, path }) => [
      path,
      { get: { ...ok, parameters: [{ name, in: within, required, schema: { type: "string" } }] } },
    ]),
  );

const argumentOf = (wire: string): string =>
  wire
    .replace(/^[A-Z]+(?![a-z])|^[A-Z]/, (start) => start.toLowerCase())
    .replaceAll(/-(.)/g, (_, next) => next.toUpperCase());

const ofEveryRequest = ["host", "connection", "accept", "accept-encoding", "authorization"];

let received: Awaited<ReturnType<typeof receiving>>;
beforeAll(async () => {
  received = await receiving();
});
afterAll(() => received.close());

/** What a call sends to the API, and its outcome in a word. */
async function sentBy(made: Awaited<ReturnType<typeof importing>>, tool: string, args: object) {
  const before = received.requests.length;
  const outcome = await made.engine.calls.call(tool, { ...args }, caller);
  // A preview looks up the account.
  const requests = received.requests.slice(before).filter(({ line }) => !/current-account|\/groups/.test(line));
  return { requests, outcome: outcome.kind === "failure" ? outcome.failure.code : outcome.kind };
}

it(promise("imported-read-sends-declared", "an imported read sends its declared method and path alone"), async () => {
  const { files, findings, definitions } = toysImported(pathsOf(cases));
  const made = await importing(files, received.flags);
  const names = new Map(Object.entries(definitions[0]?.operations ?? {}).map(([name, { route }]) => [route, name]));
  const wrong: string[] = [];
  for (const { name, path, required, within } of cases) {
    const tool = names.get(`GET /toys/v1${path}`) ?? "";
    const { requests, outcome } = await sentBy(made, tool, {});
    const headers = requests.flatMap((one) => one.headers).filter((one) => !ofEveryRequest.includes(one));
    const isPlain = requests.length === 1 && requests[0]?.line === `GET /toys/v1${path}` && headers.length === 0;
    if (required ? outcome !== "preview" || requests.length > 0 : !isPlain)
      wrong.push(`${name} in the ${within}: ${outcome} ${JSON.stringify(requests)}`);
    for (const argument of new Set([name, argumentOf(name)])) {
      const more = await sentBy(made, tool, { [argument]: "DELETE" });
      if (more.outcome !== "invalid_input" || more.requests.length > 0)
        wrong.push(`${argument} of ${name} in the ${within}: ${more.outcome}`);
    }
  }
  await made.engine.close();
  expect(wrong).toEqual([]);
  expect(cases.length).toBeGreaterThan(60);
  expect(findings).toHaveLength(cases.length);
});

it("the headers that are let through are sent, whatever their case", async () => {
  const all = given.split(" ").map((name, at) => ({ name, within: "header", required: true, path: `/c/${at}` }));
  const { files, findings, definitions } = toysImported(pathsOf(all));
  const made = await importing(files, received.flags);
  const sent: string[] = [];
  for (const [name, { headers = {} }] of Object.entries(definitions[0]?.operations ?? {})) {
    const [argument = ""] = Object.keys(headers);
    const { requests } = await sentBy(made, name, { [argument]: "1" });
    sent.push(...requests.flatMap((one) => one.headers).filter((one) => !ofEveryRequest.includes(one)));
    const broken = await sentBy(made, name, { [argument]: "1\r\nX-HTTP-Method-Override: DELETE" });
    expect(broken).toEqual({ requests: [], outcome: "invalid_input" });
  }
  await made.engine.close();
  expect(findings).toEqual([]);
  expect(sent).toEqual(given.toLowerCase().split(" "));
});

it(promise("edited-import-refused", "a compiled file that was edited sends nothing"), async () => {
  const item = { parameters: [{ name: "id", in: "path", required: true, schema: { type: "string" } }] };
  const paths = { "/toys/{id}": { ...item, get: ok }, "/marks": { get: { ...ok, "x-guarded": true }, post: ok } };
  const { files, definitions } = toysImported(paths);
  const [definition] = definitions;
  if (definition === undefined) throw new Error("nothing was imported");
  const { id, operations } = definition;
  const nameOf = (wanted: string) =>
    Object.entries(operations).find(([, { route }]) => route.startsWith(wanted))?.[0] ?? "";
  const [toy, marks, added] = [nameOf("GET /toys/v1/toys"), nameOf("GET /toys/v1/marks"), nameOf("POST")];
  type Written = Record<string, unknown>;
  const text = { shape: { type: "string" } };
  const inFile = (change: Written, name = toy) => ({
    [`${id}.json`]: { ...definition, operations: { ...operations, [name]: { ...operations[name], ...change } } },
  });
  const [summary] = (JSON.parse(files["index.json"] ?? "") as { definitions: Written[] }).definitions;
  const inIndex = (change: Written) => ({ "index.json": { form: 1, definitions: [{ ...summary, ...change }] } });
  const routed = (route: string) => ({
    ...inFile({ route }),
    ...inIndex({ operations: { ...(summary?.["operations"] as Written), [toy]: route } }),
  });
  const changes: readonly (readonly [tool: string, files: Written])[] = [
    [toy, inFile({ headers: { xHTTPMethodOverride: { wire: "X-HTTP-Method-Override", ...text } } })],
    [toy, inFile({ headers: { ifMatch: { wire: "X-Original-URL", ...text } } })],
    [toy, inFile({ headers: { confirm: { wire: "If-Match", ...text } } })],
    [toy, inFile({ query: { _method: text } })],
    [toy, inFile({ query: { accountSwitchKey: text } })],
    [toy, inFile({ query: { force: text } })],
    [toy, inFile({ path: {} })],
    [toy, inFile({ returns: null })],
    [toy, inFile({ returns: { 200: { type: "a/b\r\nx: y" } } })],
    [toy, inFile({ returns: { 200: { type: "a/b", others: [{ type: "a/b\r\nx: y" }] } } })],
    [toy, inFile({ isGuarded: true })],
    [toy, inFile({ route: "DELETE /toys/v1/toys/{id}" })],
    [toy, routed("get /toys/v1/toys/{id}")],
    [toy, routed("TRACE /toys/v1/toys/{id}")],
    [toy, routed("GET //evil.example/toys/{id}")],
    [toy, routed("GET https://evil.example/toys/v1/{id}")],
    [toy, routed("GET /identity-management/v3/users/{id}")],
    [toy, routed("GET /toys/v1/../users/{id}")],
    [toy, routed("GET /toys/v1/toys/{id}?_method=PUT")],
    [toy, routed("GET /toys/v1/toys/{id} HTTP/1.1")],
    [marks, inIndex({ guarded: [] })],
    [added, inFile({ route: "GET /toys/v1/marks" }, added)],
    [added, inFile({ body: { type: "text/plain\r\nX-A: b" } }, added)],
    [toy, { [`${id}.json`]: "{" }],
    [toy, { [`${id}.json`]: { ...definition, form: 2 } }],
    [toy, { [`${id}.json`]: { ...definition, operations: { [toy]: null } } }],
    [toy, { [`${id}.json`]: { ...definition, digest: "0".repeat(64) } }],
    [toy, inIndex({ id: "../toy" })],
    [toy, inIndex({ operations: { [toy]: 5 } })],
    [toy, { "index.json": { form: 1, definitions: [null] } }],
  ];
  const wrong: string[] = [];
  const before = received.requests.length;
  for (const [tool, written] of changes) {
    const changed = Object.entries(written).map(([name, one]) => [
      name,
      typeof one === "string" ? one : JSON.stringify(one),
    ]);
    const made = await importing({ ...files, ...Object.fromEntries(changed) }, received.flags);
    const args = { ...(tool === toy ? { id: "7" } : {}), ...(tool === added ? { body: "x" } : {}) };
    const outcome = await made.engine.calls
      .call(tool, args, caller)
      .then((one) => (one.kind === "failure" ? one.failure.code : one.kind))
      .catch((error: unknown) => String((error as { code?: unknown }).code ?? error));
    if (outcome !== "bad_configuration") wrong.push(`${changed.join()}: ${outcome}`);
    await made.engine.close();
  }
  expect(wrong).toEqual([]);
  expect(received.requests.length).toBe(before);
});

it("notes what an operation lacks, and guards one that would require it", () => {
  const parameters = [
    ...["X-Trace", "X-HTTP-Method-Override", "Accept", "Authorization"].map((name) => ({ name, in: "header" })),
    ...["_method", "accountSwitchKey", "color"].map((name) => ({ name, in: "query" })),
  ];
  const { findings, definitions } = toysImported({
    "/toys": { get: { ...ok, parameters } },
    "/boxes": { get: { ...ok, parameters: [{ name: "X-Trace", in: "header", required: true }] } },
    "/marks": { get: { ...ok, parameters: [{ name: "Accept", in: "header", required: true }] } },
    "/bins?accountSwitchKey=B-1": { get: ok },
    "/cans?_method=DELETE": { get: ok },
    "/pots?a=1?b=2": { get: ok },
  });
  expect(findings).toEqual([
    {
      at: "toys.json, GET /toys",
      why: expect.stringContaining('"X-Trace", "X-HTTP-Method-Override", "_method"'),
    },
    {
      at: "toys.json, GET /boxes",
      why: expect.stringMatching(/"X-Trace".*"X-Trace" would be required/),
    },
    ...["bins?accountSwitchKey=B-1", "cans?_method=DELETE", "pots?a=1?b=2"].map((path) => ({
      at: `toys.json, GET /${path}`,
      why: expect.stringContaining("query"),
    })),
  ]);
  const facts = Object.values(definitions[0]?.operations ?? {}).map(({ route, query, headers, isGuarded }) => [
    route.split("/").at(-1),
    Object.keys({ ...query, ...headers }),
    isGuarded,
  ]);
  expect(facts).toEqual([
    ["toys", ["color"], undefined],
    ["boxes", [], true],
    ["marks", [], undefined],
  ]);
});
