/** What services may still need of the emulator's reading and writing, tried on a service that is made up. */
import { describe, expect, it } from "vitest";
import { type ErrorFormat, Refusal, usualErrorFormat } from "../../src/emulator/reply.js";
import { emulated } from "../../src/emulator/service.js";
import type { World } from "../../src/emulator/world.js";
import type { Behaviours } from "../../src/language/behaviour.js";
import { comma, empty, form, json, op, xml } from "../../src/language/define.js";
import { service } from "../../src/language/service.js";
import { z } from "../../src/language/z.js";
import { type Raw, startRaw } from "../lab/raw.js";

const does = "Does something.";
const thing = z.strictObject({ name: z.string() });
const changing = { does, effect: "update", shownBy: "thing_get", example: {} } as const;
const v1 = "application/vnd.<vendor>.Thing.v1+json";
const v2 = "application/vnd.<vendor>.Thing.v2+json";

const declared = service("thing", {
  name: "things",
  document: "A",
  title: "Things",
  about: "Things",
  standing: { state: "alive" },
  rules: {},
  operations: {
    thing_get: op("GET /things/thing", { does, returns: { 200: json(thing) }, example: {} }),
    thing_delete: op("DELETE /things/thing", {
      ...changing,
      effect: "destructive",
      guard: { kind: "delete" },
      headers: { "If-Match": { argument: "etag", schema: z.string().min(3) } },
      returns: { 204: empty },
    }),
    thing_check: op("HEAD /things/thing", { does, returns: { 200: json(thing) }, example: {} }),
    thing_update: op("PUT /things/thing", {
      ...changing,
      headers: {
        "If-Match": { argument: "etag", schema: z.string().optional() },
        "X-Count": { argument: "count", schema: z.int().min(1).optional() },
      },
      body: json(thing),
      returns: { 204: empty },
    }),
    thing_launch: op("POST /things/launches", {
      ...changing,
      returns: { 202: json(z.strictObject({ link: z.string() })) },
    }),
    thing_form: op("POST /things/forms", {
      ...changing,
      body: form({
        "csr.cn": z.string(),
        options: z.strictObject({ deep: z.boolean() }).optional(),
      }),
      returns: { 200: json(z.unknown()) },
    }),
    thing_version: op("POST /things/versions", {
      ...changing,
      body: [json({ one: z.string() }, v1), json({ two: z.string() }, v2)],
      returns: { 200: [json(z.string(), v1), json(z.string(), v2)], 204: empty },
    }),
    thing_find: op("GET /things/found", {
      does,
      query: {
        filter: z.strictObject({ names: z.array(z.string()), most: z.int().optional() }).optional(),
        sort: z.array(z.string()).optional(),
        text: z.string().optional(),
      },
      returns: { 200: json(z.unknown()) },
      example: {},
    }),
    thing_many: op("GET /things", {
      does,
      query: { ids: comma(z.array(z.string())) },
      returns: { 200: [json(z.unknown()), xml("a", z.unknown())], 300: json(z.string()) },
      example: { ids: ["a"] },
    }),
  },
});

const etag = '"7"';
const behaviours: Behaviours<typeof declared, World> = {
  thing_get: () => ({ status: 200, body: { name: "a" }, headers: { etag } }),
  thing_check: () => ({ status: 200, body: { name: "a" }, headers: { etag } }),
  thing_delete: () => ({ status: 204, body: undefined }),
  thing_update: ({ headers }) => {
    const given = headers["if-match"];
    if (given === undefined) throw new Refusal(428, "Precondition Required", "Send If-Match");
    if (given !== etag)
      throw new Refusal(412, "Precondition Failed", "The ETag is stale", {
        members: { current: etag },
        headers: { etag },
      });
    return { status: 204, body: undefined, headers: { etag: '"8"' } };
  },
  thing_launch: () => ({
    status: 202,
    body: { link: "/things/launches/1" },
    headers: { location: "/things/launches/1", "retry-after": "5" },
  }),
  thing_form: ({ body }) => ({ status: 200, body }),
  thing_version: ({ body }) => ({ status: 200, body: "one" in body ? "one" : "two" }),
  thing_find: ({ query }) => ({ status: 200, body: query }),
  thing_many: () => ({ status: 300, body: "many" }),
};
const entries = [{ roots: ["/things"], load: () => Promise.resolve(emulated(declared, usualErrorFormat, behaviours)) }];
const { ask } = startRaw({ entries });

const formType = "application/x-www-form-urlencoded";
const sending = (method: string, target: string, type: string, body: string, more: Raw["headers"] = {}): Raw => ({
  method,
  target,
  headers: { "content-type": type, ...more },
  body,
});

it("HEAD is answered with the headers alone, and refused without a body", async () => {
  const target = "/things/thing";
  const [get, head] = [await ask({ target }), await ask({ method: "HEAD", target })];
  expect([head.status, head.text, head.headers]).toEqual([
    200,
    "",
    { ...get.headers, "x-request-id": head.headers["x-request-id"] },
  ]);
  const refused = await ask({ method: "HEAD", target: "/things/launches" });
  expect([refused.status, refused.text, refused.headers["allow"]]).toEqual([405, "", "POST"]);
});

describe("the headers of a request", () => {
  const update = (headers: Raw["headers"]) =>
    ask(sending("PUT", "/things/thing", "application/json", '{"name":"b"}', headers));

  it("reach the behaviour, which decides about what is missing or stale", async () => {
    expect((await update({})).status).toBe(428);
    expect((await update({ "if-match": etag })).headers["etag"]).toBe('"8"');
    const stale = await update({ "if-match": '"6"' });
    expect([stale.status, stale.headers["etag"]]).toEqual([412, etag]);
    expect(stale.json()).toMatchObject({ status: 412, detail: "The ETag is stale", current: etag });
  });

  it("are read as their declared kind", async () => {
    expect((await update({ "if-match": etag, "x-count": "2" })).status).toBe(204);
    for (const count of ["0", "two"]) {
      const refused = await update({ "if-match": etag, "x-count": count });
      expect(refused.json()).toMatchObject({ status: 400, detail: expect.stringContaining("X-Count") });
    }
  });
});

it("refuses in XML where the service's errors have a root element", async () => {
  const errorFormat: ErrorFormat = ({ detail }) => ({ body: { error: detail }, type: "text/xml", root: "errors" });
  const inXml = [{ roots: ["/things"], load: () => Promise.resolve(emulated(declared, errorFormat, behaviours)) }];
  const refused = await startRaw({ entries: inXml }).ask(
    sending("PUT", "/things/thing", "application/json", '{"name":"b"}'),
  );
  expect([refused.status, refused.headers["content-type"], refused.text]).toEqual([
    428,
    "text/xml",
    '<?xml version="1.0" encoding="UTF-8"?>\n<errors><error>Send If-Match</error></errors>',
  ]);
});

it("a required header must be there; an empty answer takes any Accept", async () => {
  const remove = (headers: Raw["headers"]) =>
    ask({ method: "DELETE", target: "/things/thing", headers: { ...headers } });
  expect((await remove({})).json()).toMatchObject({ title: "Missing header", detail: "If-Match is required" });
  expect((await remove({ "if-match": etag, accept: "application/json" })).status).toBe(204);
});

describe("an answer", () => {
  it("of 202 says where the work is followed and when to ask", async () => {
    const { status, headers, text } = await ask({ method: "POST", target: "/things/launches" });
    expect([status, text]).toEqual([202, '{"link":"/things/launches/1"}']);
    expect(headers).toMatchObject({ location: "/things/launches/1", "retry-after": "5" });
  });
});

describe("a query value", () => {
  const found = (query: Readonly<Record<string, string>>) =>
    ask({ target: `/things/found?${new URLSearchParams(query)}` });

  it("may be the JSON of an object or of a list", async () => {
    const answer = await found({ filter: '{"names":["a,b=c&d","ü"],"most":3}', sort: '["name"]' });
    expect(answer.json()).toEqual({ filter: { names: ["a,b=c&d", "ü"], most: 3 }, sort: ["name"] });
  });

  it.each(['{"names":"a"}', '{"names":[],"other":1}', "{", "names", ""])(
    "is refused as the JSON %s",
    async (filter) => {
      const refused = { status: 400, detail: expect.stringContaining("filter") };
      expect((await found({ filter })).json()).toMatchObject(refused);
    },
  );

  it("stays text where it is declared as text, whatever it looks like", async () => {
    expect((await found({ text: '{"a":1}' })).json()).toEqual({ text: '{"a":1}' });
  });
});

describe("a form", () => {
  const fields = (body: string) => ask(sending("POST", "/things/forms", formType, body));

  it("may have a field that holds JSON beside plain ones", async () => {
    const options = encodeURIComponent('{"deep":true}');
    expect((await fields(`csr.cn=a&options=${options}`)).json()).toEqual({ "csr.cn": "a", options: { deep: true } });
    for (const wrong of ["deep", "%7B%7D", `${options}&options=${options}`])
      expect((await fields(`csr.cn=a&options=${wrong}`)).status).toBe(400);
  });
});

describe("media types", () => {
  const typed = (version: number) => `application/vnd.akamai.Thing.v${version}+json`;
  const version = (type: string, body: string, accept?: string) =>
    ask(sending("POST", "/things/versions", type, body, accept === undefined ? {} : { accept }));

  it.each([
    sending("PUT", "/things/thing", "Application/JSON; charset=utf-8", '{"name":"b"}', { "if-match": etag }),
    sending("POST", "/things/forms", `${formType};charset=UTF-8`, "csr.cn=a"),
    sending("POST", "/things/versions", `${typed(2)}; charset=utf-8`, '{"two":"a"}'),
  ])("of requests may have a charset: %o", async (raw) => {
    expect((await ask(raw)).status).toBeLessThan(300);
  });

  it("of requests choose the version", async () => {
    expect((await version(typed(1), '{"one":"a"}')).json()).toBe("one");
    expect((await version(typed(2), '{"two":"a"}')).json()).toBe("two");
    expect((await version(typed(2), '{"one":"a"}')).status).toBe(400);
    expect((await version(typed(3), '{"one":"a"}')).status).toBe(415);
  });

  it.each([
    [undefined, 1],
    ["*/*", 1],
    [typed(1), 1],
    [typed(2), 2],
    [typed(2).toLowerCase(), 2],
    [`${typed(1)};q=0.5, ${typed(2)}`, 2],
    [`${typed(1)};q=0, application/*`, 2],
    [`text/html, ${typed(2)};q=0.001`, 2],
  ])("of answers are chosen by Accept: %s", async (accept, chosen) => {
    const answer = await version(typed(1), '{"one":"a"}', accept);
    expect([answer.status, answer.headers["content-type"]]).toEqual([200, typed(chosen)]);
  });

  it.each([typed(3), "application/json", "text/*", `${typed(1)};q=0`])(
    "an answer in a type that is not accepted is refused with 406: %s",
    async (accept) => {
      expect((await version(typed(1), '{"one":"a"}', accept)).status).toBe(406);
    },
  );

  it("of another status do not take an answer's body away", async () => {
    const answer = await ask({ target: "/things?ids=a", headers: { accept: "application/xml" } });
    expect([answer.status, answer.headers["content-type"], answer.json()]).toEqual([300, "application/json", "many"]);
  });
});
