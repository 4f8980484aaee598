/** What the emulator can read and write although no service needs it yet, tried on a made-up service. */
import { readFileSync } from "node:fs";
import { describe, it } from "vitest";
import type { Behaviours } from "../../src/emulator/behaviour.js";
import { type ErrorFormat, RequestRefusal, usualErrorFormat } from "../../src/emulator/reply.js";
import { emulateService } from "../../src/emulator/service.js";
import type { World } from "../../src/emulator/world.js";
import { comma, empty, form, json, op, xml } from "../../src/language/define.js";
import { service } from "../../src/language/service.js";
import { z } from "../../src/language/z.js";
import { startRaw } from "../lab/raw.js";
import { play, scenariosOf } from "../lab/scenario.js";

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
    if (given === undefined) throw new RequestRefusal(428, "Precondition Required", "Send If-Match");
    if (given !== etag)
      throw new RequestRefusal(412, "Precondition Failed", "The ETag is stale", {
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
const inXml: ErrorFormat = ({ detail }) => ({ body: { error: detail }, type: "text/xml", root: "errors" });

describe.each([
  ["made-up", usualErrorFormat],
  ["made-up-xml", inXml],
])("%s", (file, errors) => {
  const entries = [{ roots: ["/things"], load: () => Promise.resolve(emulateService(declared, errors, behaviours)) }];
  for (const scenario of scenariosOf(readFileSync(new URL(`${file}.scenario`, import.meta.url), "utf8")))
    it(scenario.title, () => play(file, scenario, startRaw({ entries })));
});
