/** The vendor's word: in paths, media types and headers of requests and answers, and in the names of its hosts. */
import { describe, expect, it } from "vitest";
import { readConfig } from "../../src/config.js";
import type { Behaviours } from "../../src/emulator/behaviour.js";
import { usualErrorFormat } from "../../src/emulator/reply.js";
import { emulateService } from "../../src/emulator/service.js";
import type { World } from "../../src/emulator/world.js";
import { createConfiguredEmulator } from "../../src/engine/upstream.js";
import { json, op } from "../../src/language/define.js";
import { service } from "../../src/language/service.js";
import { z } from "../../src/language/z.js";
import { startRaw } from "../lab/raw.js";

const v1 = "application/vnd.<vendor>.thing.v1+json";
const declared = service("thing", {
  name: "things",
  document: "A",
  title: "Things",
  about: "Things",
  standing: { state: "alive" },
  rules: {},
  operations: {
    thing_create: op("POST /things/<vendor>-lists", {
      does: "Create a thing.",
      headers: { "X-Kind": "<vendor>-thing" },
      body: json({ name: z.string() }, v1),
      effect: "create",
      shownBy: "thing_create",
      returns: { 200: json(z.string(), v1) },
      example: { body: { name: "a" } },
    }),
  },
});
const behaviours: Behaviours<typeof declared, World> = {
  thing_create: ({ body }, world) => ({ status: 200, body: `${body.name} of ${world.vendor}` }),
};
const entries = [
  {
    roots: ["/things/<vendor>-lists"],
    load: () => Promise.resolve(emulateService(declared, usualErrorFormat, behaviours)),
  },
];
const create = (vendor: string) => ({
  method: "POST",
  target: `/things/${vendor}-lists`,
  headers: {
    "content-type": `application/vnd.${vendor}.thing.v1+json`,
    accept: `application/vnd.${vendor}.thing.v1+json`,
    "x-kind": `${vendor}-thing`,
  },
  body: '{"name":"a"}',
});

describe("an emulator of the vendor acme", () => {
  const { ask } = startRaw({ entries, vendor: "acme" });

  it("paths, media types, headers and behaviours use the vendor's word", async () => {
    const answer = await ask(create("acme"));
    expect([answer.status, answer.json()]).toEqual([200, "a of acme"]);
    expect(answer.headers["content-type"]).toBe("application/vnd.acme.thing.v1+json");
  });

  it.each([
    [415, "content-type"],
    [406, "accept"],
    [400, "x-kind"],
  ] as const)("answers %i to another vendor's word in %s", async (status, name) => {
    const [own, other] = [create("acme"), create("akamai")];
    expect((await ask({ ...own, headers: { ...own.headers, [name]: other.headers[name] } })).status).toBe(status);
    expect((await ask({ ...own, target: other.target })).status).toBe(404);
  });
});

it("refusals by gateway, purge and diagnostics name the vendor's hosts", async () => {
  const { ask, get } = startRaw({ vendor: "acme" });
  const types = [
    (await ask({ target: "/ccu/v2/queues/default" }, "")).json(),
    (await get("/ccu/v2/queues/third")).json(),
    (await get("/diagnostic-tools/v2/cpcodes/1/estats")).json(),
  ].map((body) => {
    const { type, describedBy } = body as Readonly<Record<string, string>>;
    return type ?? describedBy;
  });
  expect(types).toEqual([
    "https://problems.luna.acmeapis.net/-/pep-authn/deny",
    "https://api.ccu.acme.com/ccu/v2/errors/invalid-value",
    "https://problems.luna.acmeapis.net/diagnostic-tools/not-found",
  ]);
});

it("is the one that --vendor names", async () => {
  const { emulator } = await createConfiguredEmulator(readConfig(["--vendor", "acme"], {}));
  expect(emulator.world.vendor).toBe("acme");
});
