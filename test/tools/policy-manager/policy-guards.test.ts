/** What a person reads before policies and load balancers are changed, deleted or activated, on the emulator. */
import { describe, expect, it } from "vitest";
import { createWorld } from "../../../src/emulator/world.js";
import { type Sentence, textOf } from "../../../src/language/sentence.js";
import { tierOf } from "../../../src/language/tier.js";
import { edgeLogic } from "../../../src/tools/edge-logic/index.js";
import { undoOf } from "../../../src/tools/policy-manager/guards.js";
import { type Args, callsIn } from "../../lab/calls.js";

const { calls, call, previewed, answer } = callsIn(createWorld());
const inUse =
  /^It is in use: version 1 for www\.shop\.example on STAGING, version 1 for www\.shop\.example on PRODUCTION/;
const activate = (command: object) => ({ body: { policyManagerRequest: { activate: command } } });
const property = { arlId: "175780", assetId: "10333526" };
const spring = { policyId: 1001 };
const withApi = { network: "prod", additionalPropertyNames: ["api.shop.example"] };
const balancer = { originId: "shopBalancer" };
const dryRun = { network: "STAGING", version: 9, dryrun: true };
const queue = { tapiocaIDs: [102], ...property, network: "production" };
const elsewhere = { tapiocaIDs: [102, 7], arlId: "1", assetId: "2", network: "staging" };

it.each<[string, Args, RegExp, readonly RegExp[]]>([
  ["edgelogic_policy_delete", spring, /with its versions 2 \("Spring, extended"\), 1 \(Spring\)\.$/, [inUse]],
  ["edgelogic_policy_delete", { policyId: 1005 }, /with its only version 1 \("Before the relaunch"\)\.$/, []],
  ["edgelogic_policy_version_delete", { ...spring, version: 1 }, /with the rule Spring\. This cannot/, [inUse]],
  // What its answer is to leave out is shown to whoever approves it all the same.
  ["edgelogic_policy_version_delete", { ...spring, version: 1, omitRules: true }, /with the rule Spring\./, [inUse]],
  [
    "edgelogic_policy_version_activate",
    { ...spring, version: 2, body: withApi },
    /on PRODUCTION for www\.shop\.example, api\.shop\.example: it replaces version 1; it has the rules Spring, Old\.$/,
    [/^api\.shop\.example would use this policy for the first time/, /^This version was never activated anywhere/],
  ],
  [
    "edgelogic_policy_version_activate",
    { policyId: 1005, version: 1, body: { network: "staging" } },
    /on STAGING for unknown properties: no version is active there now; it has no rules\.$/,
    [/^No property uses this policy/],
  ],
  [
    "edgelogic_origin_activate",
    { ...balancer, body: { network: "PRODUCTION", version: 2 } },
    /goes to shopFrankfurt 80 %, shopStandby 20 %; it replaces version 1 \(shopFrankfurt 100 %, shopStandby 0 %\)\.$/,
    [/^This version was never activated on STAGING/],
  ],
  ["edgelogic_origin_activate", { ...balancer, body: dryRun }, /^CHECK whether version 9 /, [/^There is no version 9/]],
  [
    "visitor_policy_activate",
    activate(queue),
    /no version of it is active there now; sale_queue has the rule Check/,
    [],
  ],
  [
    "visitor_policy_activate",
    activate(elsewhere),
    /version that it replaces is unknown; .* version 7 has rules that could not be read\.$/,
    [/^The rules of the version with id 7 could not be read/, /^Nothing is active for this property yet/],
  ],
  [
    "saasaccess_policy_activate",
    { network: "production", ids: ["103"] },
    /decides who is allowed in .*crm_access has the rule Offices\.$/,
    [/was never active on STAGING/, /does not say whether a match allows or denies/],
  ],
  [
    "edgelogic_policy_update",
    { ...spring, body: { deleted: true } },
    /^DELETE policy .* with all its versions/,
    [inUse],
  ],
  [
    "edgelogic_policy_update",
    { ...spring, body: { groupId: 22222 } },
    /^MOVE .* from group 11111 to group 22222: /,
    [],
  ],
  ["edgelogic_origin_version_update", { ...balancer, version: 2, body: { deleted: true } }, /^DELETE version 2 /, []],
])("%s of %j says what is lost, and what speaks against it", async (tool, args, summary, warnings) => {
  const shown = await previewed(tool, args);
  expect(shown.summary).toMatch(summary);
  expect(shown.warnings).toEqual(warnings.map((one) => expect.stringMatching(one)));
});

const newVersion = async (tool: "visitor" | "saasaccess") => {
  const update = { overwriteRules: true, matchRules: [] };
  const ofVisitor = { body: { policyManagerRequest: { update: { ...update, id: 102 } } } };
  const ofAccess = { id: 103, body: { policyManagerRequest: { update } } };
  const { body } = await calls.invoke(`${tool}_policy_update`, tool === "visitor" ? ofVisitor : ofAccess);
  return (body as { response: { id: number } }).response.id;
};

it("an older service's activation names the policy version it replaces", async () => {
  const args = activate({ tapiocaIDs: [await newVersion("visitor")], ...property, network: "staging" });
  expect((await previewed("visitor_policy_activate", args)).summary).toContain(
    "it replaces version 1 of sale_queue for www.shop.example; sale_queue has no rules",
  );
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
});

it("ends an approval when what would be replaced has changed since", async () => {
  const args = { ...balancer, body: { network: "STAGING", version: 2 } };
  const { plan } = await previewed("edgelogic_origin_activate", args);
  await answer("edgelogic_origin_version_create", { ...balancer, body: { balancingType: "WEIGHTED" } });
  expect(await call("edgelogic_origin_activate", { ...args, confirm: plan.id })).toMatchObject({
    failure: { code: "approval_refused" },
  });
});

describe("the way back from an activation", () => {
  /** What the answer of a confirmed call says of its way back. */
  async function undoOfFrom(tool: string, args: Args) {
    const { plan } = await previewed(tool, args);
    const { notes } = await answer(tool, { ...args, confirm: plan.id });
    return notes.find((note) => note.startsWith("To undo this")) ?? "";
  }

  it.each<[string, () => Promise<Args>]>([
    ["edgelogic_policy_version_activate", async () => ({ ...spring, version: 2, body: { network: "prod" } })],
    ["edgelogic_origin_activate", async () => ({ ...balancer, body: { network: "PRODUCTION", version: 2 } })],
    [
      "visitor_policy_activate",
      async () => activate({ tapiocaIDs: [await newVersion("visitor")], ...property, network: "staging" }),
    ],
  ])("by %s is a call that previews the return to what was active before", async (tool, given) => {
    const args = await given();
    const pattern = new RegExp(`Return to version 1.*: call ${tool} with (\\{.*\\})\\.$`);
    const [, json = ""] = pattern.exec(await undoOfFrom(tool, args)) ?? [];
    const back = JSON.parse(json) as Args;
    expect(Object.keys(back)).toEqual(Object.keys(args));
    await previewed(tool, back);
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
    const dry = { ...balancer, body: { ...dryRun, version: 2 } };
    expect(await undoOfFrom("edgelogic_origin_activate", dry)).toContain("A dry run changes nothing");
    const added = { ...spring, version: 2, body: { ...withApi, network: "staging" } };
    expect(await undoOfFrom("edgelogic_policy_version_activate", added)).toMatch(
      /"version":1,"body":\{"network":"staging"\}\}\. api\.shop\.example keeps using it\.$/,
    );
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
