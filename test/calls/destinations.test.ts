/** Destinations that a call reaches without naming them: read before the policy decides, and compared with its lists. */
import { beforeEach, describe, expect, it } from "vitest";
import { createWorld } from "../../src/emulator/world.js";
import type { Policy } from "../../src/policy/file.js";
import { noPolicy } from "../../src/policy/index.js";
import { callsIn } from "../lab/calls.js";
import { caller, start, type Upstream } from "../lab/made-up.js";
import { failureOf } from "../lab/outcome.js";

const shop = { id: 1, name: "n", version: 1, to: { host: "logs.shop.example", mails: ["ops@shop.example"] } };
const answersWith =
  (body: object, status = 200): Upstream =>
  ({ method }) =>
    method === "GET" ? { status, body } : { status: 202, body: {} };
const limitedTo = (egress: Policy["egress"]) => ({ policy: { ...noPolicy, egress } });
const egress = { emails: ["*@shop.example"], hosts: ["*.shop.example"] };
const resume = "thing_resume";

it("a call to an unnamed destination is made if the lists have it", async () => {
  const { calls, sent } = start(answersWith(shop), limitedTo(egress));
  expect(await calls.call(resume, { id: 1 }, caller)).toMatchObject({ kind: "answer" });
  expect(sent).toEqual(["GET /things/1/outlet", "POST /things/1/resume"]);
});

it.each([
  ["a host", { host: "logs.elsewhere.example" }, "hosts", "to.host"],
  ["an address", { mails: ["ops@shop.example", "x@elsewhere.example"] }, "emails", "to.mails[1]"],
  ["an address that no schema declares", { copyEmail: "x@elsewhere.example" }, "emails", "to.copyEmail"],
])("a call to an unnamed destination is refused for %s not in the lists", async (_, to, list, field) => {
  const { calls, sent } = start(answersWith({ ...shop, to: { ...shop.to, ...to } }), limitedTo(egress));
  const { code, message, detail } = failureOf(await calls.call(resume, { id: 1 }, caller));
  expect([code, message]).toEqual(["not_allowed", expect.stringContaining(`egress.${list}`)]);
  expect(detail.fields).toMatchObject([{ field: `${field} of thing_outlet_get` }]);
  expect(sent).toEqual(["GET /things/1/outlet"]);
});

it("no destination is read where the policy has no lists", async () => {
  const { calls, sent } = start(answersWith({ ...shop, to: { host: "logs.elsewhere.example" } }));
  expect(await calls.call(resume, { id: 1 }, caller)).toMatchObject({ kind: "answer" });
  expect(sent).toEqual(["POST /things/1/resume"]);
});

it.each([
  [404, "answer"],
  [403, "failure"],
])("a call is made if its destination is absent, not if unreadable: %i", async (status, kind) => {
  const { calls, sent } = start(answersWith({}, status), limitedTo(egress));
  expect((await calls.call(resume, { id: 1 }, caller)).kind).toBe(kind);
  expect(sent.includes("POST /things/1/resume")).toBe(kind === "answer");
});

describe("on the emulator", () => {
  const world = createWorld({ frozenAt: Date.UTC(2026, 4, 20, 12, 30) });
  const limited = (...hosts: string[]) => callsIn(world, limitedTo({ hosts }));
  beforeEach(() => world.reset());
  const refusedFields = async ({ call }: ReturnType<typeof callsIn>, tool: string, args: object) => {
    const outcome = await call(tool, { ...args });
    if (outcome.kind !== "failure") return outcome.kind;
    expect(outcome.failure.code).toBe("not_allowed");
    return outcome.failure.detail.fields?.map(({ field, given }) => `${field}: ${given}`);
  };

  const place = { continent: "EU", country: "DE", latitude: 50.11, longitude: 8.68 };
  const center = { originId: "shopFrankfurt", percent: 100, cloudService: false, ...place };
  const balanced = (more: object) => ({ originId: "shopBalancer", body: { dataCenters: [{ ...center, ...more }] } });

  it("a load balancer version may name only hosts that the lists have", async () => {
    const calls = limited("*.shop.example");
    const create = "edgelogic_origin_version_create";
    const own = { hostname: "fra.shop.example", livenessHosts: ["a.shop.example", "b.shop.example"] };
    const doubtful = "a.evil.example@a.shop.example";
    for (const [more, expected] of [
      [{}, "answer"],
      [{ hostname: null, livenessHosts: null }, "answer"],
      [{ hostname: "fra.evil.example" }, ['body.dataCenters[0].hostname: "fra.evil.example"']],
      [{ livenessHosts: ["a.shop.example", doubtful] }, [`body.dataCenters[0].livenessHosts[1]: "${doubtful}"`]],
    ] as const)
      expect(await refusedFields(calls, create, balanced({ ...own, ...more }))).toEqual(expected);
  });

  it("only a load balancer version with listed hosts can be activated", async () => {
    const elsewhere = balanced({ hostname: "fra.evil.example" });
    const { body } = await callsIn(world).answer("edgelogic_origin_version_create", elsewhere);
    const { version } = body as { version: number };
    const activation = { originId: "shopBalancer", body: { network: "STAGING", version } };
    const tool = "edgelogic_origin_activate";
    expect(await refusedFields(limited("*.shop.example"), tool, activation)).toEqual([
      'dataCenters[0].hostname of edgelogic_origin_version_get: "fra.evil.example"',
    ]);
    expect(await refusedFields(limited("*.evil.example"), tool, activation)).toBe("preview");
    expect(await refusedFields(callsIn(world), tool, activation)).toBe("preview");
  });

  const options = { originType: "CUSTOMER", cacheKeyHostname: "REQUEST_HOST_HEADER" };
  const origin = (hostname: string) => {
    const behaviors = [
      { name: "origin", options: { ...options, hostname } },
      { name: "cpCode", options: { value: { id: 12345 } } },
    ];
    const rules = { name: "default", behaviors, children: [] };
    return { propertyId: "prp_175780", propertyVersion: 3, body: { rules } };
  };

  it("a rule tree may have only origins that the lists have", async () => {
    const tool = "property_rule_tree_replace";
    expect(await refusedFields(limited("*.shop.example"), tool, origin("origin.shop.example"))).toBe("answer");
    expect(await refusedFields(limited("*.shop.example"), tool, origin("origin.evil.example"))).toEqual([
      'body.rules.behaviors[0].options.hostname: "origin.evil.example"',
    ]);
  });

  it("a property needs listed origins to activate, but not to deactivate", async () => {
    await callsIn(world).answer("property_rule_tree_replace", origin("origin.evil.example"));
    const body = { propertyVersion: 3, network: "STAGING", notifyEmails: ["operations@shop.example"] };
    const activation = { propertyId: "prp_175780", body };
    const tool = "property_version_activate";
    expect(await refusedFields(limited("*.shop.example"), tool, activation)).toEqual([
      'rules.behaviors[0].options.hostname of property_rule_tree_get: "origin.evil.example"',
    ]);
    expect(await refusedFields(limited("*.evil.example"), tool, activation)).toBe("preview");
    const ending = { ...activation, body: { ...activation.body, propertyVersion: 2, activationType: "DEACTIVATE" } };
    expect(await refusedFields(limited("*.nowhere.example"), tool, ending)).toBe("preview");
  });
});
