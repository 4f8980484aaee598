/** A property's change put live on the emulator, leg by leg, each under a plan of its own. */
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import type { Calls, Outcome } from "../../src/calls/index.js";
import { stagingEdge } from "../../src/emulator/services/account.js";
import { type ControlledWorld, createWorld } from "../../src/emulator/world.js";
import type { Arguments } from "../../src/language/conduct.js";
import { Failure } from "../../src/language/failure.js";
import type { NextCall } from "../../src/language/next-call.js";
import { activationOperations } from "../../src/tools/properties/activations.js";
import { hostnameDifference, treeDifference } from "../../src/tools/properties/difference.js";
import { Hostnames } from "../../src/tools/properties/shapes.js";
import type { Reply } from "../../src/wire/index.js";
import { probes } from "../../src/workflows/property-change.js";
import { triedOnStaging } from "../../src/workflows/staging-trial.js";
import { startSteps } from "../../src/workflows/steps.js";
import { callsIn } from "../lab/calls.js";
import { caller } from "../lab/made-up.js";
import { passing } from "../lab/time.js";

const run = "property_change_run";
const shop = { propertyId: "prp_175780", notifyEmails: ["operations@shop.example"] };
let world: ControlledWorld;
let here: ReturnType<typeof callsIn>;
let calls: Calls;
beforeEach(() => {
  world = createWorld({ frozenAt: Date.UTC(2026, 4, 20, 12, 30) });
  here = callsIn(world, { callTimeoutMs: 60_000 });
  calls = here.calls;
});
afterEach(() => world.reset());

const other = (outcome: Outcome) => new Error(JSON.stringify(outcome).slice(0, 1_500));

async function leg(args: Record<string, unknown> = shop) {
  const { plan, text, summary } = await here.previewed(run, args);
  return { lines: text, summary, reply: await here.answer(run, { ...args, confirm: plan.id }) };
}
const unchanged = async () => {
  const outcome = await calls.call(run, shop, caller);
  if (outcome.kind !== "workflow") throw new Error(`It was a ${outcome.kind}.`);
  return { why: String(outcome.result["why"]), askAgainWith: outcome.result["askAgainWith"] as NextCall | undefined };
};

it("a run goes to staging, then production, then a new version", async () => {
  const first = await leg();
  expect(first.summary).toContain("ACTIVATE version 3");
  expect(first.summary).toContain("STAGING: it replaces version 2");
  expect(first.lines).toContain("+ rule default > Checkout");
  expect(first.lines).toContain("The hostnames are the same.");
  const { why, askAgainWith } = await unchanged();
  expect(why).toMatch(/Version 3 is being activated on STAGING \(PENDING\).*atv_\d+/);
  expect(await calls.call(askAgainWith?.tool ?? "", askAgainWith?.arguments ?? {}, caller)).toMatchObject({
    kind: "answer",
    reply: { body: { activations: { items: [{ status: "PENDING" }] } } },
  });
  world.advance(20_000);
  const second = await leg();
  expect(second.summary).toContain("PRODUCTION: it replaces version 2");
  expect(second.lines).toContain(
    `On staging (${stagingEdge.edgeIp}), "http://www.shop.example/" returned "Response code": "200"`,
  );
  expect(first.lines).not.toContain("On staging");
  world.advance(600_000);
  const third = await leg();
  expect(third.lines).toContain("this creates version 4 from version 3");
  expect(third.reply.body).toMatchObject({ versionLink: expect.stringContaining("/versions/4?") });
});

it("a trial on staging warns of what failed and of what was not tried", async () => {
  const names = ["www", "api", "next", "more"].map((name) => `${name}.shop.example`);
  const body = names.map((cnameFrom) => ({ cnameFrom, cnameTo: "www.shop.example.edgesuite.example" }));
  await calls.invoke("property_hostnames_replace", { propertyId: "prp_175780", propertyVersion: 3, body });
  const { body: listed } = await calls.invoke("property_hostnames_list", {
    propertyId: "prp_175780",
    propertyVersion: 3,
  });
  const items = Hostnames.parse(listed).hostnames.items;
  const asked: string[] = [];
  const answered = async (tool: string, args: Arguments): Promise<Reply> => {
    asked.push(tool);
    if (tool === "diag_url_debug_get" && String(args["url"]).includes("api."))
      throw new Failure("rate_limited", "Too many diagnostics in a minute.", { next: "Wait." });
    const reply = await calls.invoke(tool, args);
    if (tool !== "diag_url_debug_get" || !String(args["url"]).includes("next.")) return reply;
    return { ...reply, body: { urlDebug: { httpResponse: [{ name: "Response code", value: "503" }] } } };
  };
  await leg();
  world.advance(20_000);
  const { notes, warnings } = await triedOnStaging(
    items,
    startSteps({ invoke: answered, progress: async () => undefined }),
    probes,
  );
  expect(notes[0]).toBe("3 of 4 hostnames are tested on staging.");
  expect(notes.filter((note) => note.includes('"http://www.shop.example/" returned'))).toHaveLength(1);
  expect(warnings.join("\n")).toContain('"http://next.shop.example/" returned "Response code": "503".');
  expect(warnings.join("\n")).toContain("Too many diagnostics in a minute.");
  expect(warnings).toHaveLength(2);
  expect(asked.filter((tool) => tool === "diag_url_debug_get")).toHaveLength(3);
  const none = await triedOnStaging(
    [{ cnameFrom: "*.shop.example", cnameTo: "a.edgesuite.example" }],
    startSteps({ invoke: answered, progress: async () => undefined }),
    probes,
  );
  expect(none.warnings).toEqual(["None of its hostnames could be tested on staging."]);
});

it("a run stops at errors, and at warnings that are not acknowledged", async () => {
  const rules = (id: number) => ({
    name: "default",
    behaviors: [{ name: "origin", options: {} }, ...(id === 0 ? [] : [{ name: "cpCode", options: { value: { id } } }])],
  });
  const write = (id: number) =>
    calls.invoke("property_rule_tree_replace", {
      propertyId: "prp_175780",
      propertyVersion: 3,
      body: { rules: rules(id) },
    });
  const failure = async () => {
    const outcome = await calls.call(run, shop, caller);
    if (outcome.kind !== "failure") throw new Error(`It was a ${outcome.kind}.`);
    return outcome.failure.detail.fields ?? [];
  };
  await write(0);
  expect(await failure()).toMatchObject([
    { field: "propertyId", takes: expect.stringContaining("Content Provider Code") },
  ]);
  await write(12_346);
  const [open] = await failure();
  expect(open).toMatchObject({ field: "acknowledgeWarnings", takes: expect.stringContaining("msg_") });
  const [id = ""] = /msg_[0-9a-f]+/.exec(open?.takes ?? "") ?? [];
  const { lines } = await leg({ ...shop, acknowledgeWarnings: [id] });
  expect(lines).toContain(`Acknowledged "${id}"`);
});

it("an activation warns of a rollback, and of what was never on staging", async () => {
  const body = { propertyVersion: 3, network: "PRODUCTION", notifyEmails: shop.notifyEmails };
  const args = { propertyId: "prp_175780", body };
  const shown = await here.previewed("property_version_activate", args);
  expect(shown.summary).toContain("PRODUCTION: it replaces version 2");
  expect(shown.warnings.join()).toContain("has never been activated on STAGING");
  await calls.call("property_version_activate", { ...args, confirm: shown.plan.id }, caller);
  world.advance(600_000);
  const before = { ...args, body: { ...body, propertyVersion: 2 } };
  const back = await here.previewed("property_version_activate", before);
  expect(back.summary).toContain("ACTIVATE version 2");
  expect(back.warnings.join()).toContain("this is a rollback");
});

it("an activation shows the difference, and the call that goes back", async () => {
  const args = {
    propertyId: "175780",
    body: { propertyVersion: 3, network: "PRODUCTION", notifyEmails: shop.notifyEmails },
  };
  await calls.invoke("property_hostnames_replace", {
    propertyId: "prp_175780",
    propertyVersion: 3,
    body: [{ cnameFrom: "new.shop.example", cnameTo: "www.shop.example.edgesuite.example" }],
  });
  const shown = await here.previewed("property_version_activate", args);
  const { lines } = shown;
  expect(lines).toContain("From version 2 to version 3 on PRODUCTION:");
  expect(lines.join("\n")).toContain("\n+ rule default > Checkout");
  expect(lines.filter((line) => line.startsWith("- hostname "))).toHaveLength(2);
  expect(lines).toContain("+ hostname new.shop.example: www.shop.example.edgesuite.example");
  const sent = await calls.call("property_version_activate", { ...args, confirm: shown.plan.id }, caller);
  if (sent.kind !== "answer") throw other(sent);
  const [way = ""] = sent.reply.notes.filter((note) => note.startsWith("To undo this"));
  expect(way).toContain("property_activation_cancel");
  const [, json = ""] = /call property_version_activate with (\{.*\})\.$/.exec(way) ?? [];
  expect(JSON.parse(json)).toEqual({
    propertyId: "prp_175780",
    body: { propertyVersion: 2, network: "PRODUCTION", notifyEmails: shop.notifyEmails },
  });
  const second = await here.previewed("property_version_activate", {
    ...args,
    body: { ...args.body, network: "STAGING" },
  });
  expect(second.warnings.join()).toMatch(/version 3 on PRODUCTION is PENDING \(atv_\d+\)/);
  world.advance(600_000);
  const back = await calls.call("property_version_activate", JSON.parse(json) as Record<string, unknown>, caller);
  expect(back).toMatchObject({
    kind: "preview",
    preview: { summary: expect.stringContaining("it replaces version 3") },
  });
});

it("only the warnings that are named are acknowledged", async () => {
  const rules = {
    name: "default",
    behaviors: [
      { name: "origin", options: {} },
      { name: "cpCode", options: { value: { id: 12_346 } } },
    ],
  };
  const write = (comments: string) =>
    calls.invoke("property_rule_tree_replace", {
      propertyId: "prp_175780",
      propertyVersion: 3,
      body: { rules: { ...rules, comments } },
    });
  await write("once");
  const body = { propertyVersion: 3, network: "STAGING", notifyEmails: shop.notifyEmails };
  const preview = (more: object) =>
    here.previewed("property_version_activate", { propertyId: "175780", body: { ...body, ...more } });
  const open = (await preview({})).warnings.join();
  const [, id = ""] = /add "(msg_[0-9a-f]+)" to body\.acknowledgeWarnings/.exec(open) ?? [];
  expect(id).not.toBe("");
  const accepted = await preview({ acknowledgeWarnings: [id] });
  expect(accepted.warnings.join()).toContain(`Acknowledged "${id}"`);
  expect(accepted.warnings.join()).not.toContain("Not acknowledged");
  const all = await preview({ acknowledgeAllWarnings: true });
  expect(all.warnings.join()).toContain(`Acknowledged with all others, "${id}"`);
  // Somebody writes the version meanwhile: what was approved is not what would go live.
  await write("twice");
  const args = { propertyId: "175780", body: { ...body, acknowledgeWarnings: [id] } };
  const outcome = await calls.call("property_version_activate", { ...args, confirm: accepted.plan.id }, caller);
  expect(outcome).toMatchObject({ kind: "failure", failure: { code: "approval_refused" } });
});

it("a deactivation lists its hostnames, and the call that goes back", async () => {
  const body = {
    propertyVersion: 2,
    network: "STAGING",
    notifyEmails: shop.notifyEmails,
    activationType: "DEACTIVATE",
  };
  const args = { propertyId: "prp_175780", body };
  const shown = await here.previewed("property_version_activate", args);
  expect(shown.lines.filter((line) => line.startsWith("- hostname "))).toHaveLength(2);
  const sent = await calls.call("property_version_activate", { ...args, confirm: shown.plan.id }, caller);
  expect(sent).toMatchObject({
    reply: {
      notes: expect.arrayContaining([expect.stringMatching(/DEACTIVATED, call property_version_activate with/)]),
    },
  });
});

describe("an activation that the API would refuse", () => {
  const of = async (propertyId: string, body: object) => {
    const args = { propertyId, body: { notifyEmails: shop.notifyEmails, ...body } };
    const shown = await here.previewed("property_version_activate", args);
    const sent = await calls.call("property_version_activate", { ...args, confirm: shown.plan.id }, caller);
    return { ...shown, sent };
  };

  it.each([
    [
      { propertyVersion: 2, network: "PRODUCTION" },
      'ACTIVATE version 2 of "www.shop.example" (prp_175780) on PRODUCTION, where it is already active.',
      "the version is active on PRODUCTION",
    ],
    [
      { propertyVersion: 3, network: "PRODUCTION", activationType: "DEACTIVATE" },
      'DEACTIVATE version 3 of "www.shop.example" (prp_175780) on PRODUCTION: it is not active there; version 2 stays active.',
      "the version is not active on PRODUCTION",
    ],
  ])("an activation in vain is warned of: %j", async (body, summary, warning) => {
    const shown = await of("175780", body);
    expect(shown.summary).toBe(summary);
    expect(shown.warnings[0]).toContain(`${warning}: the API refuses the call with 422`);
    // Nothing leaves the network, so nothing is shown as if it did.
    expect(shown.lines.filter((line) => line.startsWith("- "))).toEqual([]);
    expect(shown.sent).toMatchObject({ kind: "failure", failure: { detail: { status: 422 } } });
  });

  it("an activation that the API takes is not warned of", async () => {
    for (const body of [
      { propertyVersion: 3, network: "STAGING" },
      { propertyVersion: 2, network: "PRODUCTION", activationType: "DEACTIVATE" },
    ])
      expect((await of("175780", body)).warnings.join()).not.toContain("422");
  });
});

it("acknowledgeAllWarnings is warned of", async () => {
  const body = { propertyVersion: 3, network: "STAGING", notifyEmails: shop.notifyEmails };
  const warningsOf = async (more: object) => {
    const args = { propertyId: "175780", body: { ...body, ...more } };
    const shown = await here.previewed("property_version_activate", args);
    return shown.warnings.join();
  };
  expect(await warningsOf({ acknowledgeAllWarnings: true })).toContain("acknowledges every warning of the API");
  expect(await warningsOf({})).not.toContain("every warning");
  expect(await warningsOf({ acknowledgeAllWarnings: false })).not.toContain("every warning");
});

it("wait reports the progress of the zones of an activation", async () => {
  const told: number[] = [];
  const args = {
    propertyId: "175780",
    wait: true,
    body: { propertyVersion: 3, network: "STAGING", notifyEmails: shop.notifyEmails },
  };
  const shown = await here.previewed("property_version_activate", args);
  const progress = async (done: number) => {
    told.push(done);
    // On its way through the zones at the first poll, and there at the second.
    world.advance(told.length === 1 ? 3_000 : 20_000);
  };
  const confirmed = { ...args, confirm: shown.plan.id };
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
  const waiting = calls.call("property_version_activate", confirmed, { ...caller, progress });
  const sent = await passing(waiting, 1_000).finally(() => vi.useRealTimers());
  expect(sent).toMatchObject({ reply: { body: { activations: { items: [{ status: "ACTIVE" }] } } } });
  expect(told[0]).toBe(0);
  expect(told[1]).toBeGreaterThan(0);
  expect(told[1]).toBeLessThan(1);
});

it("an activation is cancelled by ids with or without prefixes", async () => {
  const args = { propertyId: "175782", activationId: "5004", contractId: "C-1FRYVV3", groupId: "11111" };
  const shown = await here.previewed("property_activation_cancel", args);
  expect(shown.summary).toMatch(/^CANCEL the activation of version 2 .* on PRODUCTION/);
  expect(shown.request.path).toBe(
    "/papi/v0/properties/prp_175782/activations/atv_5004?contractId=ctr_C-1FRYVV3&groupId=grp_11111",
  );
  const prefixed = { propertyId: "prp_175782", activationId: "atv_5004", contractId: "ctr_C-1FRYVV3" };
  const again = { ...prefixed, groupId: "grp_11111", confirm: shown.plan.id };
  const sent = await calls.call("property_activation_cancel", again, caller);
  expect(sent).toMatchObject({ reply: { body: { activations: { items: [{ status: "ABORTED" }] } } } });
});

it("only a pending activation is cancelled; the answer has the way back", async () => {
  const cancel = "property_activation_cancel";
  const over = await calls.call(cancel, { propertyId: "175780", activationId: "5001" }, caller);
  expect(over).toMatchObject({
    kind: "failure",
    failure: {
      code: "invalid_input",
      detail: {
        fields: [{ field: "activationId", takes: expect.stringMatching(/is "ACTIVE".*property_version_activate/) }],
      },
    },
  });
  const args = { propertyId: "175782", activationId: "5004" };
  const shown = await calls.call(cancel, args, caller);
  if (shown.kind !== "preview") throw new Error(`It was a ${shown.kind}.`);
  const sent = await calls.call(cancel, { ...args, confirm: shown.plan.id }, caller);
  if (sent.kind !== "answer") throw other(sent);
  const [, json = ""] =
    /cannot be resumed: call property_version_activate with (\{.*\})\.$/.exec(sent.reply.notes.join("\n")) ?? [];
  expect(await calls.call("property_version_activate", JSON.parse(json) as Arguments, caller)).toMatchObject({
    kind: "preview",
    preview: { summary: expect.stringMatching(/^ACTIVATE version 2 of "images.shop.example".* on PRODUCTION/) },
  });
  // The API answers for one that was cancelled before, and nothing is wrong with that.
  expect((await calls.call(cancel, args, caller)).kind).toBe("preview");
});

it("latest version, active version, and one digest of a rule tree", async () => {
  const number = async (args: object) => {
    const { body } = await calls.invoke("property_latest_version_get", { propertyId: "175780", ...args });
    return (body as { versions: { items: { propertyVersion: number }[] } }).versions.items[0]?.propertyVersion;
  };
  expect([await number({}), await number({ activatedOn: "PRODUCTION" })]).toEqual([3, 2]);
  const draft = { propertyId: "175780", propertyVersion: 3 };
  const { headers } = await calls.invoke("property_rule_tree_digest_get", draft);
  const { body } = await calls.invoke("property_rule_tree_get", draft);
  expect(headers["etag"]).toBe(`"${(body as { etag: string }).etag}"`);
});

it.each([
  ["property_rule_tree_replace", { rules: { name: "default" } }],
  ["property_hostnames_replace", [{ cnameFrom: "www.shop.example", cnameTo: "www.shop.example.edgesuite.example" }]],
])("%s is refused for a version that is or was active", async (tool, body) => {
  for (const propertyVersion of [1, 2]) {
    const outcome = await calls.call(tool, { propertyId: "175780", propertyVersion, body }, caller);
    expect(outcome).toMatchObject({
      kind: "failure",
      failure: {
        code: "invalid_input",
        detail: { fields: [{ takes: expect.stringContaining("property_version_create") }] },
      },
    });
  }
});

it.each([
  ["edgelogic_policy_version_update", { body: { matchRules: [] } }],
  [
    "edgelogic_rule_create",
    { body: { type: "erMatchRule", redirectURL: "/a", statusCode: 301, useIncomingQueryString: false } },
  ],
])("%s is refused for a version that was activated", async (tool, more) => {
  const outcome = await calls.call(tool, { policyId: 1001, version: 1, ...more }, caller);
  expect(outcome).toMatchObject({
    kind: "failure",
    failure: {
      code: "invalid_input",
      detail: { fields: [{ field: "version", takes: expect.stringContaining("edgelogic_policy_version_create") }] },
    },
  });
});

it("a property with an active version is not deleted", async () => {
  const outcome = await calls.call("property_delete", { propertyId: "prp_175780" }, caller);
  expect(outcome).toMatchObject({
    kind: "failure",
    failure: {
      code: "invalid_input",
      detail: { fields: [{ takes: expect.stringContaining("version 2 on production") }] },
    },
  });
});

it("differences of trees and hostnames hide hidden variables", () => {
  const tree = (ttl: string, value: string) => ({
    name: "default",
    behaviors: [
      { name: "caching", options: { ttl } },
      { name: "caching", options: { ttl: "5m" } },
    ],
    variables: [{ name: "PMUSER_KEY", value, hidden: true }],
    children: ttl === "1h" ? [{ name: "Old", criteria: [{ name: "path" }] }] : [],
  });
  expect(treeDifference(tree("1h", "s3cret"), tree("2h", "s3cret"))).toEqual([
    "- rule default > Old (path)",
    "behavior caching of default.ttl: 1h → 2h",
  ]);
  const [other] = treeDifference(tree("2h", "s3cret"), tree("2h", "0ther"));
  expect(other).toBe("variable PMUSER_KEY of default: hidden → another hidden value");
  expect(JSON.stringify(treeDifference(tree("1h", "s3cret"), { name: "default" }))).not.toContain("s3cret");
  const inOrder = (...names: readonly string[]) => ({ name: "default", children: names.map((name) => ({ name })) });
  expect(treeDifference(inOrder("a", "b", "c"), inOrder("c", "a", "b"))).toEqual([
    "rule default > c: moves from place 3 to place 1",
  ]);
  const entry = (cnameFrom: string, cnameTo: string) => ({ cnameFrom, cnameTo });
  expect(hostnameDifference([entry("a", "x"), entry("b", "y")], [entry("b", "z"), entry("c", "y")])).toEqual([
    "- hostname a: x",
    "hostname b: y → z",
    "+ hostname c: y",
  ]);
});

it("an activation is followed by its link to its end", () => {
  const { awaits } = activationOperations.property_version_activate.spec;
  if (awaits?.status === undefined) throw new Error("nothing is awaited");
  const status = (word: string, headers = {}) => ({
    status: 200,
    headers,
    body: {
      activations: {
        items: [
          {
            activationId: "atv_1",
            propertyId: "prp_1",
            propertyName: "n",
            propertyVersion: 1,
            network: "STAGING",
            activationType: "ACTIVATE",
            status: word,
            submitDate: "",
            updateDate: "",
            notifyEmails: [],
          },
        ],
      },
    },
  });
  const launch = {
    status: 201,
    headers: {},
    body: { activationLink: "/papi/v0/properties/prp_1/activations/atv_7?x=1" },
  };
  expect(awaits.follow(launch, { propertyId: "prp_1", groupId: "grp_1" })).toEqual({
    propertyId: "prp_1",
    activationId: "atv_7",
    groupId: "grp_1",
  });
  expect(awaits.follow({ ...launch, body: {} }, {})).toBeUndefined();
  const on = { body: { activationType: "ACTIVATE" } };
  const off = { body: { activationType: "DEACTIVATE" } };
  expect([awaits.isReady(status("ACTIVE"), on), awaits.isReady(status("ZONE_3"), on)]).toEqual([true, false]);
  expect([awaits.isReady(status("DEACTIVATED"), off), awaits.isReady(status("ACTIVE"), off)]).toEqual([true, false]);
  expect([awaits.failure?.(status("ABORTED"), on), awaits.failure?.(status("FAILED"), on)]).toEqual([
    expect.stringContaining("cancelled"),
    expect.stringContaining("not accept"),
  ]);
  const parts = ["PENDING", "ZONE_1", "ZONE_2", "ZONE_3", "ACTIVE"].map((word) => awaits.fraction?.(status(word)) ?? 0);
  expect(parts).toEqual([...parts].sort((a, b) => a - b));
  expect(parts.at(-1)).toBe(1);
  expect([
    awaits.pauseSeconds?.(status("PENDING", { retryAfter: "3" })),
    awaits.pauseSeconds?.(status("PENDING")),
  ]).toEqual([3, undefined]);
});

describe("a new version", () => {
  const active = { propertyVersion: 3, network: "STAGING", notifyEmails: shop.notifyEmails };
  /** Takes version 3 to staging and off it again, so that it cannot be changed and production has version 2. */
  async function withdrawn() {
    const args = { propertyId: shop.propertyId };
    for (const activationType of ["ACTIVATE", "DEACTIVATE"]) {
      await callsIn(world).approved("property_version_activate", { ...args, body: { ...active, activationType } });
      world.advance(20_000);
    }
  }

  it("a new version names what it copies and what that leaves out", async () => {
    await withdrawn();
    const { lines, summary, reply } = await leg();
    expect(summary).toBe(
      'CREATE version 4 of "www.shop.example" as a copy of version 2, active on PRODUCTION: it is not live on any network until it is activated.',
    );
    for (const text of [lines, reply.notes.join("\n")]) {
      expect(text).toContain("this creates version 4 from version 2");
      expect(text).toContain("ersion 2, active on PRODUCTION");
      expect(text).toContain(
        "Version 3 is newer and not part of the copy; property_versions_compare shows what the copy lacks.",
      );
      expect(text).toContain("The copy does not include these changes of version 3 since version 2:");
      expect(text).toContain("+ rule default > Checkout");
      expect(text).toContain("The hostnames are the same.");
    }
    const { body } = await calls.invoke("property_rule_tree_get", { propertyId: "prp_175780", propertyVersion: 4 });
    expect(JSON.stringify(body)).not.toContain("Checkout");
  });

  it("property_version_create names what a copy leaves out", async () => {
    const notesOf = async (createFromVersion: number) =>
      (
        await callsIn(world).answer("property_version_create", {
          propertyId: shop.propertyId,
          body: { createFromVersion },
        })
      ).notes.join("\n");
    expect(await notesOf(3)).toContain(
      "This copies version 3, not active on any network. It is the newest, so nothing is left out.",
    );
    expect(await notesOf(1)).toContain(
      "Versions 2, 3, 4 are newer and not part of the copy; property_versions_compare shows",
    );
  });
});
