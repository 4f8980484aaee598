/** Rollouts of an include and of several properties: over time, by the calls that each answer names, made as they are given. */
import { beforeEach, describe, expect, it } from "vitest";
import { stagingEdge } from "../../src/emulator/services/account.js";
import { createWorld } from "../../src/emulator/world.js";
import type { Arguments } from "../../src/language/conduct.js";
import { Failure } from "../../src/language/failure.js";
import type { NextCall } from "../../src/language/next-call.js";
import { propertyRollout } from "../../src/workflows/property-rollout.js";
import { dangersOf, positionOf, stageBeforeContent } from "../../src/workflows/rollout.js";
import { type Args, callsIn } from "../lab/calls.js";

const tool = "property_rollout_run";
const notifyEmails = ["operations@shop.example"];
const [shop, api, images, draft] = ["prp_175780", "prp_175781", "prp_175782", "prp_175783"] as const;
const minutes = 60_000;

/** Adds a rule that the API warns of, because it matches every request. */
const everywhere = {
  ...{ op: "add", path: "/rules/children/0" },
  value: { name: "Everywhere", criteria: [], behaviors: [{ name: "caching", options: { behavior: "NO_STORE" } }] },
};

interface Result {
  readonly findings: readonly string[];
  readonly properties: readonly Args[];
  readonly hostnames: readonly string[];
  readonly include: Args;
  readonly rules: readonly string[];
  readonly reaches: readonly Args[];
  readonly versions: readonly Args[];
  readonly continueWith?: NextCall;
  readonly askAgainWith?: NextCall;
  readonly newVersionWith?: NextCall;
  readonly tryWith?: readonly NextCall[];
}

const world = createWorld({ frozenAt: Date.UTC(2026, 4, 20, 12, 30) });
const calls = callsIn(world, { callTimeoutMs: 60_000 });
beforeEach(() => world.reset());

const stands = (args: Args) => calls.worked<Result>(tool, { notifyEmails, ...args });

/** Makes a call exactly as an answer gives it, with its approval if it needs one. */
async function made(next: NextCall | undefined): Promise<Args> {
  if (!next) throw new Error("No call was given.");
  const { tool: name, arguments: args } = next;
  const first = await calls.call(name, { ...args });
  const outcome = first.kind === "preview" ? await calls.call(name, { ...args, confirm: first.plan.id }) : first;
  if (outcome.kind === "workflow") return outcome.result;
  if (outcome.kind !== "answer") throw new Error(JSON.stringify(outcome).slice(0, 1_500));
  return outcome.reply.body as Args;
}

/** Makes the activations that the answers name and waits for each, until none is named; the networks in their order. */
async function rolledOut(args: Args): Promise<{ readonly networks: readonly string[]; readonly last: Result }> {
  const networks: string[] = [];
  for (;;) {
    const now = await stands(args);
    if (!now.continueWith) return { networks, last: now };
    networks.push(/STAGING|PRODUCTION/.exec(JSON.stringify(now.continueWith.arguments))?.[0] ?? "");
    await made(now.continueWith);
    const waiting = (await made((await stands(args)).askAgainWith)) as unknown as Result;
    expect(waiting.continueWith).toBeUndefined();
    world.advance(10 * minutes);
  }
}

describe("an include", () => {
  const include = { include: "shared-caching" };
  const inShop = { propertyId: shop, propertyVersion: 3 };
  const use = { op: "add", path: "/rules/behaviors/-", value: { name: "include", options: { id: "inc_310001" } } };

  /** The shop uses the include, too, from its version 3. */
  async function usedByTwo(): Promise<void> {
    await calls.approved("property_rule_update", { ...inShop, body: [use] });
    expect((await rolledOut({ properties: [shop] })).networks).toEqual(["STAGING", "PRODUCTION"]);
  }

  it("an include goes from new version to staging, test and production", async () => {
    await usedByTwo();
    await rolledOut(include);
    const done = await stands(include);
    expect(done.findings).toEqual(["Version 2 is active on PRODUCTION: a change needs a new version."]);
    await made(done.newVersionWith);
    const edit = [{ op: "replace", path: "/rules/behaviors/0/options/ttl", value: "12h" }];
    await calls.answer("include_rule_tree_update", { includeId: "inc_310001", includeVersion: 3, body: edit });

    const first = await stands(include);
    expect(first.include).toMatchObject({ version: 3, latest: 3, staging: 2, production: 2, next: "STAGING" });
    expect(first.findings[0]).toMatch(/^On PRODUCTION it takes effect at once in 2 properties: /);
    expect(first.rules).toEqual([
      "From version 2, active on PRODUCTION, to version 3:",
      "Caching:",
      "default › behavior caching › ttl: 6h → 12h",
    ]);
    expect(first.reaches).toEqual([
      { propertyId: shop, propertyName: "www.shop.example", staging: 3, production: 3 },
      { propertyId: api, propertyName: "api.shop.example", staging: 1, production: 1 },
    ]);
    expect(first.versions.map(({ version }) => version)).toEqual([3, 2, 1]);
    expect(first.tryWith).toBeUndefined();
    await made(first.continueWith);

    const waiting = await stands(include);
    expect(waiting.findings.at(-1)).toBe("Version 3 is being activated on STAGING (PENDING): wait.");
    world.advance(minutes);
    const second = (await made(waiting.askAgainWith)) as unknown as Result;
    expect(second.include).toMatchObject({ staging: 3, production: 2, next: "PRODUCTION" });
    // One hostname of each property before a second one of any.
    expect(second.tryWith?.map((one) => (one.arguments["body"] as Args)["url"])).toEqual([
      "http://www.shop.example/",
      "http://api.shop.example/",
      "http://www.example.com/",
    ]);
    for (const request of second.tryWith ?? [])
      expect(await made(request)).toMatchObject({
        executionStatus: "SUCCESS",
        request: { spoofEdgeIp: stagingEdge.edgeIp },
      });
    await made(second.continueWith);
    world.advance(10 * minutes);
    expect((await stands(include)).include).toMatchObject({ staging: 3, production: 3, next: "live" });
  });

  it("is found by its id, too, and an earlier version is a rollback", async () => {
    await rolledOut(include);
    const back = await stands({ include: "310001@1" });
    expect(back.findings[0]).toMatch(/^Version 2 .* is newer than version 1: this is a rollback\.$/);
    expect(back.continueWith?.arguments["body"]).toEqual({ includeVersion: 1, network: "STAGING", notifyEmails });
    const { networks, last } = await rolledOut({ include: "inc_310001@1" });
    expect(networks).toEqual(["STAGING", "PRODUCTION"]);
    expect([last.findings, last.newVersionWith]).toEqual([[expect.stringContaining("version 2 is newer")], undefined]);
    expect((await stands(include)).findings.at(-1)).toMatch(/^Version 2 was active before/);
  });

  it("an include says what skips staging, and what cannot be tested", async () => {
    const findingOf = async (name: string) => (await stands({ include: name })).findings[0];
    expect(await findingOf("image-caching")).toMatch(/being activated on PRODUCTION and is not active on/);
    world.advance(10 * minutes);
    expect(await findingOf("image-caching")).toMatch(/is active on PRODUCTION and not on STAGING/);
    const unused = { include: "draft-caching" };
    const first = await stands(unused);
    expect(first.findings[0]).toBe("No active property uses it.");
    expect(first.rules).toEqual(["No other version is active, so that all its rules are new."]);
    await made(first.continueWith);
    world.advance(minutes);
    expect((await stands(unused)).findings.join()).toContain("so it was not tested");
  });

  it("an include stays put with rule errors or unaccepted warnings", async () => {
    const at = { includeId: "inc_310003", includeVersion: 1 };
    await calls.answer("include_rule_tree_update", { ...at, body: [everywhere] });
    const warned = await stands({ include: "draft-caching" });
    expect(warned.include["next"]).toBe("open warnings");
    expect(warned.continueWith).toBeUndefined();
    const [, id] = /(msg_[0-9a-f]{40})/.exec(warned.findings[0] ?? "") ?? [];
    const accepted = await stands({ include: "draft-caching", acknowledgeWarnings: [id, "msg_other"] });
    expect(accepted.continueWith?.arguments["body"]).toMatchObject({ acknowledgeWarnings: [id] });
    await made(accepted.continueWith);
    world.advance(minutes);
    await calls.answer("include_version_create", { includeId: "inc_310003", body: { createFromVersion: 1 } });
    const body = [{ op: "add", path: "/rules/behaviors/0", value: { name: "unheard", options: { on: true } } }];
    await calls.answer("include_rule_tree_update", { ...at, includeVersion: 2, body });
    const wrong = await stands({ include: "draft-caching", acknowledgeWarnings: [id] });
    expect(wrong.findings[0]).toMatch(/^Version 2 of include .* cannot be activated because of errors: .*unheard/);
    expect(wrong.include["next"]).toBe("errors");
  });
});

describe("several properties", () => {
  const names = ["www.shop.example", "api.shop.example", "images.shop.example"];

  it("several properties roll out together, in one call for each step", async () => {
    world.advance(10 * minutes);
    const created = await stands({ properties: names.slice(1) });
    expect(created.findings).toEqual(["No activation is left: a change needs new versions."]);
    await made(created.newVersionWith);
    const cnameTo = "www.shop.example.edgesuite.example";
    const add = [{ cnameType: "EDGE_HOSTNAME", cnameFrom: "new.shop.example", cnameTo }];
    const ofShop = { propertyId: shop, propertyVersion: 3 };
    await calls.approved("property_hostnames_update", { ...ofShop, body: { add, remove: ["www.example.com"] } });
    await calls.approved("property_rule_update", { ...ofShop, body: [everywhere] });

    const first = await stands({ properties: names });
    expect(first.findings[0]).toMatch(/lacks hostnames that PRODUCTION serves: www\.example\.com\.$/);
    expect(first.hostnames.map((line) => line.split(": ")[1])).toEqual([
      "- hostname www.example.com to www.example.com.edgesuite.example",
      "+ hostname new.shop.example to www.shop.example.edgesuite.example",
    ]);
    expect(
      first.properties.map(({ propertyId, version, staging, production, next }) => [
        ...[propertyId, version, staging, production, next],
      ]),
    ).toEqual([
      [shop, 3, 2, 2, "open warnings"],
      [api, 2, 1, 1, "STAGING"],
      [images, 3, 2, 2, "STAGING"],
    ]);
    expect(first.properties[0]).toMatchObject({ hostnamesAdded: 1, hostnamesRemoved: 1, errors: 0, warnings: 1 });
    expect(first.continueWith).toBeUndefined();

    const acknowledgeWarnings = [...first.findings.join().matchAll(/msg_[0-9a-f]{40}/g)].map(([id]) => id);
    const args = { properties: names, acknowledgeWarnings };
    const second = await stands(args);
    expect(second.continueWith?.arguments["body"]).toEqual({
      activatePropertyVersions: [
        { propertyId: shop, propertyVersion: 3, network: "STAGING", acknowledgeWarnings },
        { propertyId: api, propertyVersion: 2, network: "STAGING" },
        { propertyId: images, propertyVersion: 3, network: "STAGING" },
      ],
      defaultActivationSettings: { notifyEmails },
    });
    await made(second.continueWith);
    const waiting = await stands(args);
    expect(waiting.properties.map(({ next }) => next)).toEqual(Array(3).fill("STAGING PENDING"));
    world.advance(minutes);

    const third = (await made(waiting.askAgainWith)) as unknown as Result;
    expect(third.findings.at(-1)).toMatch(
      /^Next: activate version 3 of www.*, version 2 of api.*, .* on PRODUCTION\.$/,
    );
    expect(third.tryWith?.map((one) => (one.arguments["body"] as Args)["url"])).toEqual(
      names.map((name) => `http://${name}/`),
    );
    for (const request of third.tryWith ?? [])
      expect(await made(request)).toMatchObject({ executionStatus: "SUCCESS" });
    await made(third.continueWith);
    world.advance(10 * minutes);
    const done = await stands(args);
    expect(done.properties.map(({ next }) => next)).toEqual(["live", "live", "live"]);
  });

  it("are those of a bulk activation, with what failed of it", async () => {
    const { continueWith } = await stands({ properties: [shop, draft] });
    const { bulkActivationLink } = await made(continueWith);
    const job = { bulkActivationId: Number(/(\d+)\?/.exec(String(bulkActivationLink))?.[1]) };
    const waiting = await stands(job);
    expect(waiting.properties.map((one) => one["job"])).toEqual(["STAGING PENDING", "STAGING FAILED"]);
    expect(waiting.askAgainWith?.arguments).toEqual({ ...job, notifyEmails });
    world.advance(minutes);
    const then = await stands(job);
    expect(then.findings[0]).toMatch(
      /^The bulk job failed for draft\.shop\.example .*: "Version 1 has no hostnames"\.$/,
    );
    expect(then.findings).toContain("The bulk activation is COMPLETE, with 2 properties; 1 failed.");
    // What failed is tried again first, unless the caller leaves it out.
    expect(JSON.stringify(then.continueWith?.arguments)).toContain('"propertyId":"prp_175783","propertyVersion":1');
    const { continueWith: rest } = await stands({ properties: [shop] });
    expect(rest?.arguments["body"]).toMatchObject({
      activatePropertyVersions: [{ propertyId: shop, propertyVersion: 3, network: "PRODUCTION" }],
    });
  });

  it("are those of a bulk search or a bulk patch, each with its version", async () => {
    world.advance(10 * minutes);
    const found = await stands({ bulkSearchId: 1 });
    expect(found.findings).toContain("The bulk search is COMPLETE, with 4 properties.");
    expect(found.properties.map(({ version, next }) => [version, next])).toEqual([
      [3, "STAGING"],
      [1, "live"],
      [2, "live"],
      [1, "STAGING"],
    ]);
    const patched = await stands({ bulkPatchId: 1, properties: [images] });
    expect(patched.properties.map(({ propertyId, version, job }) => [propertyId, version, job])).toEqual([
      [images, 2, undefined],
      [shop, 3, "COMPLETE"],
    ]);
    const query = { syntax: "JSONPATH", match: '$..behaviors[?(@.name == "caching")]' };
    const ofIncludes = { bulkSearchQuery: query, propertyType: "INCLUDE" };
    const { bulkSearchLink } = (await calls.answer("bulk_search_launch", { body: ofIncludes })).body as Args;
    world.advance(minutes);
    const bulkSearchId = Number(/(\d+)\?/.exec(String(bulkSearchLink))?.[1]);
    expect((await stands({ bulkSearchId })).findings).toContain(
      "Includes that it found: 3; each is rolled out with include.",
    );
  });

  it("are reported even if a step fails, which is recorded", async () => {
    const broken = ["property_hostnames_list", "edgediag_dig_run"];
    const invoke = async (name: string, args: Arguments) => {
      if (broken.includes(name)) throw new Failure("rate_limited", "Too many calls.", { next: "Wait." });
      return calls.calls.invoke(name, args);
    };
    const run = (properties: readonly string[]) =>
      propertyRollout.run({ properties: [...properties], notifyEmails }, {
        invoke,
        progress: async () => undefined,
      } as never) as Promise<unknown> as Promise<Result & { steps: { notDone: readonly Args[] } }>;
    broken.push("property_version_find");
    const { findings, continueWith, steps } = await run([shop, images, "api.shop.example"]);
    expect(findings[0]).toBe("Left out, because it could not be looked up: api.shop.example.");
    expect(findings).toContain("www.shop.example (prp_175780) is left out: it could not be read or found.");
    expect(findings.at(-1)).toBe("A step failed, so the picture is incomplete; see steps for details.");
    expect(continueWith).toBeUndefined();
    expect(steps.notDone.map((one) => one["why"])).toContain("Too many calls.");
  });
});

it("rollout: a failed activation is reported and makes nothing active", () => {
  const versions = [{ number: 2, stagingStatus: "INACTIVE", productionStatus: "INACTIVE" }];
  const failed = { version: 2, network: "STAGING", status: "FAILED" };
  const position = positionOf(versions, [failed], undefined);
  if (!position) throw new Error("There is no such version.");
  expect(stageBeforeContent(position)).toBeUndefined();
  expect(dangersOf("shop", position, { errors: [], warnings: [] }, [])).toEqual([
    "The latest activation of shop to version 2, on STAGING, FAILED.",
  ]);
});
