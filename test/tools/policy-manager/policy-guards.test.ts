/** What a person reads before policies and load balancers are changed, deleted or activated, on the emulator. */
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { readConfig } from "../../../src/config.js";
import { createEngine } from "../../../src/engine/index.js";
import { type Sentence, textOf } from "../../../src/language/sentence.js";
import { tierOf } from "../../../src/language/tier.js";
import { catalogueOf } from "../../../src/mcp/tool.js";
import { edgeLogic } from "../../../src/tools/edge-logic/index.js";
import { allServices } from "../../../src/tools/index.js";
import { undoOf } from "../../../src/tools/policy-manager/guards.js";
import { caller } from "../../lab/made-up.js";

let engine: Awaited<ReturnType<typeof createEngine>>;
beforeAll(async () => {
  const config = readConfig(["--emulator", "--state-dir", "memory"], {});
  engine = await createEngine(config, catalogueOf(await allServices("documents")), () => undefined);
});
afterAll(() => engine.close());

async function previewOf(tool: string, args: Record<string, unknown>) {
  const outcome = await engine.calls.call(tool, args, caller);
  if (outcome.kind !== "preview") throw new Error(`${tool}: ${JSON.stringify(outcome)}`);
  return { tier: outcome.plan.tier, ...outcome.preview };
}
const inUse =
  "It is in use: version 1 for www.shop.example on STAGING, version 1 for www.shop.example on PRODUCTION. The rules there may stop.";
const untried = "This version was never activated anywhere: it could be tested on STAGING first.";
const activate = (command: object) => ({ body: { policyManagerRequest: { activate: command } } });
const property = { arlId: "175780", assetId: "10333526" };

it.each<[string, Record<string, unknown>, string, readonly string[], string]>([
  [
    "edgelogic_policy_delete",
    { policyId: 1001 },
    'DELETE policy spring_redirects (ER, policy 1001) with its versions 2 ("Spring, extended"), 1 (Spring).',
    [inUse],
    "spring_redirects",
  ],
  [
    "edgelogic_policy_delete",
    { policyId: 1005 },
    'DELETE policy old_rewrites (FR, policy 1005) with its only version 1 ("Before the relaunch").',
    [],
    "old_rewrites",
  ],
  [
    "edgelogic_policy_version_delete",
    { policyId: 1001, version: 1 },
    "DELETE version 1 of policy spring_redirects (ER, policy 1001) with the rule Spring. This cannot be undone.",
    [inUse],
    "spring_redirects version 1",
  ],
  [
    // What its answer is to leave out is shown to whoever approves it all the same.
    "edgelogic_policy_version_delete",
    { policyId: 1001, version: 1, omitRules: true, matchRuleFormat: "1.0" },
    "DELETE version 1 of policy spring_redirects (ER, policy 1001) with the rule Spring. This cannot be undone.",
    [inUse],
    "spring_redirects version 1",
  ],
  [
    "edgelogic_policy_version_activate",
    { policyId: 1001, version: 2, body: { network: "prod", additionalPropertyNames: ["api.shop.example"] } },
    "ACTIVATE version 2 of policy spring_redirects (ER, policy 1001) on PRODUCTION for www.shop.example, api.shop.example: it replaces version 1; it has the rules Spring, Old.",
    ["api.shop.example would use this policy for the first time.", untried],
    "spring_redirects version 2",
  ],
  [
    "edgelogic_policy_version_activate",
    { policyId: 1005, version: 1, body: { network: "staging" } },
    "ACTIVATE version 1 of policy old_rewrites (FR, policy 1005) on STAGING for unknown properties: no version is active there now; it has no rules.",
    ["No property uses this policy, and the call names none: the API may refuse it."],
    "old_rewrites version 1",
  ],
  [
    "edgelogic_origin_activate",
    { originId: "shopBalancer", body: { network: "PRODUCTION", version: 2 } },
    "ACTIVATE version 2 of load balancer shopBalancer on PRODUCTION: traffic goes to shopFrankfurt 80 %, shopStandby 20 %; it replaces version 1 (shopFrankfurt 100 %, shopStandby 0 %).",
    ["This version was never activated on STAGING, where it could be tested first."],
    "shopBalancer version 2",
  ],
  [
    "edgelogic_origin_activate",
    { originId: "shopBalancer", body: { network: "STAGING", version: 9, dryrun: true } },
    "CHECK whether version 9 of load balancer shopBalancer (its data centers could not be read) could be activated on STAGING: a dry run changes nothing; active there now is version 1 (shopFrankfurt 100 %, shopStandby 0 %).",
    ["There is no version 9: the API will refuse it."],
    "shopBalancer version 9",
  ],
  [
    "visitor_policy_activate",
    activate({ tapiocaIDs: [102], ...property, network: "production" }),
    "ACTIVATE version 1 of sale_queue (id 102) for www.shop.example (file 175780, asset 10333526) on PRODUCTION, which decides how many visitors pass: no version of it is active there now; sale_queue has the rule Checkout.",
    [],
    "version 1 of sale_queue (id 102)",
  ],
  [
    "visitor_policy_activate",
    activate({ tapiocaIDs: [102, 7], arlId: "1", assetId: "2", network: "staging" }),
    "ACTIVATE version 1 of sale_queue (id 102), the version with id 7 for the property with file 1, asset 2 on STAGING, which decides how many visitors pass: the version that it replaces is unknown; sale_queue has the rule Checkout, version 7 has rules that could not be read.",
    [
      "The rules of the version with id 7 could not be read, so this preview does not show what they do.",
      "Nothing is active for this property yet, so its name is unknown.",
    ],
    "2 policy versions",
  ],
  [
    "saasaccess_policy_activate",
    { network: "production", ids: ["103"] },
    "ACTIVATE version 1 of crm_access (id 103) on PRODUCTION, which decides who is allowed in and who is denied access: no version of it is active there now; crm_access has the rule Offices.",
    [
      "Version 1 of crm_access (id 103) was never active on STAGING, where it could be tested.",
      "The API does not say whether a match allows or denies access: check the policy before approving.",
    ],
    "version 1 of crm_access (id 103)",
  ],
  [
    "edgelogic_policy_update",
    { policyId: 1001, body: { deleted: true } },
    "DELETE policy spring_redirects (ER, policy 1001) with all its versions.",
    [inUse],
    "spring_redirects",
  ],
  [
    "edgelogic_policy_update",
    { policyId: 1001, body: { groupId: 22222 } },
    "MOVE policy spring_redirects (ER, policy 1001) from group 11111 to group 22222: the group determines who can change it.",
    [],
    "spring_redirects",
  ],
  [
    "edgelogic_origin_version_update",
    { originId: "shopBalancer", version: 2, body: { deleted: true } },
    "DELETE version 2 of load balancer shopBalancer.",
    [],
    "shopBalancer version 2",
  ],
])("%s of %j says what is lost, and what speaks against it", async (tool, args, summary, warnings, target) => {
  expect(await previewOf(tool, args)).toMatchObject({ summary, warnings, target });
});

it("an older service's activation names the policy version it replaces", async () => {
  const update = { overwriteRules: true, matchRules: [] };
  const visitor = await engine.calls.invoke("visitor_policy_update", {
    body: { policyManagerRequest: { update: { ...update, id: 102 } } },
  });
  const { id } = (visitor.body as { response: { id: number } }).response;
  const { summary } = await previewOf(
    "visitor_policy_activate",
    activate({ tapiocaIDs: [id], ...property, network: "staging" }),
  );
  expect(summary).toContain("it replaces version 1 of sale_queue for www.shop.example; sale_queue has no rules");
});

describe("the tier", () => {
  const tier = (tool: keyof typeof edgeLogic.operations, args: object) =>
    tierOf(edgeLogic.operations[tool], args as Record<string, unknown>);

  it.each([
    ["edgelogic_policy_update", {}, "guarded"],
    ["edgelogic_policy_update", { deleted: false }, "guarded"],
    ["edgelogic_policy_update", { deleted: true }, "critical"],
    ["edgelogic_policy_update", { groupId: 2 }, "critical"],
    ["edgelogic_origin_version_update", { deleted: true }, "critical"],
    ["edgelogic_policy_version_activate", { network: "staging" }, "guarded"],
    ["edgelogic_policy_version_activate", { network: "prod" }, "critical"],
    ["edgelogic_origin_activate", { network: "PRODUCTION" }, "critical"],
  ] as const)("of %s with %j is %s", (tool, body, expected) => {
    expect(tier(tool, { body }).tier).toBe(expected);
  });

  it("knows the network by its other spelling", () => {
    expect(tier("edgelogic_policy_version_activate", { body: { network: "prod" } }).because).toEqual([
      "it acts on the production network",
    ]);
  });
});

it("ends an approval when what would be replaced has changed since", async () => {
  const args = { originId: "shopBalancer", body: { network: "STAGING", version: 2 } };
  const shown = await engine.calls.call("edgelogic_origin_activate", args, caller);
  if (shown.kind !== "preview") throw new Error(`It was a ${shown.kind}.`);
  const replaced = { originId: "shopBalancer", body: { balancingType: "WEIGHTED" } };
  await engine.calls.invoke("edgelogic_origin_version_create", replaced);
  expect(
    await engine.calls.call("edgelogic_origin_activate", { ...args, confirm: shown.plan.id }, caller),
  ).toMatchObject({
    kind: "failure",
    failure: { code: "approval_refused", message: "The state has changed since the preview." },
  });
});

describe("the way back from an activation", () => {
  /** What the answer of a confirmed call says of its way back. */
  async function undoOfFrom(tool: string, args: Record<string, unknown>) {
    const shown = await engine.calls.call(tool, args, caller);
    if (shown.kind !== "preview") throw new Error(`${tool}: ${JSON.stringify(shown)}`);
    const sent = await engine.calls.call(tool, { ...args, confirm: shown.plan.id }, caller);
    if (sent.kind !== "answer") throw new Error(`${tool}: ${JSON.stringify(sent)}`);
    return sent.reply.notes.find((note) => note.startsWith("To undo this")) ?? "";
  }
  const newVersion = async (tool: "visitor" | "saasaccess") => {
    const update = { overwriteRules: true, matchRules: [] };
    const { body } = await (tool === "visitor"
      ? engine.calls.invoke("visitor_policy_update", {
          body: { policyManagerRequest: { update: { ...update, id: 102 } } },
        })
      : engine.calls.invoke("saasaccess_policy_update", {
          id: 103,
          body: { policyManagerRequest: { update } },
        }));
    return (body as { response: { id: number } }).response.id;
  };

  it.each<[string, () => Promise<Record<string, unknown>>, RegExp]>([
    [
      "edgelogic_policy_version_activate",
      async () => ({ policyId: 1001, version: 2, body: { network: "prod" } }),
      /Return to version 1: call edgelogic_policy_version_activate with (\{.*\})\.$/,
    ],
    [
      "edgelogic_origin_activate",
      async () => ({ originId: "shopBalancer", body: { network: "PRODUCTION", version: 2 } }),
      /Return to version 1: call edgelogic_origin_activate with (\{.*\})\.$/,
    ],
    [
      "visitor_policy_activate",
      async () => activate({ tapiocaIDs: [await newVersion("visitor")], ...property, network: "staging" }),
      /Return to version 1 of sale_queue: call visitor_policy_activate with (\{.*\})\.$/,
    ],
  ])("by %s is a call that previews the return to what was active before", async (tool, given, pattern) => {
    const args = await given();
    const [, json = ""] = pattern.exec(await undoOfFrom(tool, args)) ?? [];
    const back = JSON.parse(json) as Record<string, unknown>;
    expect(Object.keys(back)).toEqual(Object.keys(args));
    expect(await engine.calls.call(tool, back, caller)).toMatchObject({ kind: "preview" });
  });

  it("undoing saasaccess_policy_activate is that call with the former id", async () => {
    const tool = "saasaccess_policy_activate";
    const ids = [String(await newVersion("saasaccess"))];
    expect(await undoOfFrom(tool, { network: "staging", ids: ["103"] })).toContain("No other version");
    expect(await undoOfFrom(tool, { network: "staging", ids })).toContain(
      `Return to version 1 of crm_access: call ${tool} with {"network":"staging","ids":["103"]}.`,
    );
    expect(await undoOfFrom(tool, { network: "production", ids })).toContain("No other version");
  });

  it("undo: a dry run changes nothing, and an added property stays", async () => {
    expect(
      await undoOfFrom("edgelogic_origin_activate", {
        originId: "shopBalancer",
        body: { network: "STAGING", version: 2, dryrun: true },
      }),
    ).toContain("A dry run changes nothing");
    expect(
      await undoOfFrom("edgelogic_policy_version_activate", {
        policyId: 1001,
        version: 2,
        body: { network: "staging", additionalPropertyNames: ["api.shop.example"] },
      }),
    ).toMatch(/"version":1,"body":\{"network":"staging"\}\}\. api\.shop\.example keeps using it\.$/);
  });
});

it("undo names each version that was active if places are unknown", () => {
  const version = (id: number) => ({ id, policyName: "queue", version: id });
  const active = [
    {
      name: "www",
      fileId: 1,
      assetId: 2,
      policies: [
        {
          policyName: "queue",
          versions: [
            { version: "1", policyVersionId: 1 },
            { version: "2", policyVersionId: 2 },
          ],
        },
      ],
    },
  ];
  const how = {
    call: (ids: readonly number[]) => ({ tool: "activate", arguments: { ids } }),
    list: "activations_list",
  };
  const read = new Map([[3, version(3)]]);
  const choice = undoOf([3], read, active, how);
  expect(textOf(choice as Sentence)).toContain('call activate with {"ids":[1]}, or activate with {"ids":[2]}.');
  expect(undoOf([3], new Map(), active, how)).toContain("activations_list with historyOnly true");
  expect(undoOf([3], read, undefined, how)).toContain("activations_list with historyOnly true");
});
