/** Threat protection as it is called: what a person reads before a change, what is refused, and how a deployment is waited for. */
import { afterAll, beforeEach, expect, it } from "vitest";
import type { Outcome } from "../../src/calls/outcome.js";
import { readConfig } from "../../src/config.js";
import { ownConfiguration, type Site } from "../../src/emulator/services/threat-protection/store.js";
import { createWorld } from "../../src/emulator/world.js";
import { createEngine } from "../../src/engine/index.js";
import { Failure } from "../../src/language/failure.js";
import { catalogueOf } from "../../src/mcp/tool.js";
import { allServices } from "../../src/tools/index.js";
import { allWorkflows } from "../../src/workflows/index.js";
import { callsIn } from "../lab/calls.js";
import { caller } from "../lab/made-up.js";

const catalogue = catalogueOf(await allServices("documents"), await allWorkflows());
const begin = () => createEngine(readConfig(["--emulator", "--state-dir", "memory"], {}), catalogue, () => undefined);
let engine = await begin();
beforeEach(async () => {
  await engine.close();
  engine = await begin();
});
afterAll(() => engine.close());

const config = { configId: 1100 };
const seeded = '"1735722000000"';
const domain = (value: string) => ({ type: "LIST_TYPE_DOMAIN", value, confidenceLevelId: 2 });

async function previewOf(tool: string, args: Record<string, unknown>) {
  const outcome = await engine.calls.call(tool, { ...config, ...args }, caller);
  if (outcome.kind !== "preview") throw new Error(`${tool}: ${JSON.stringify(outcome)}`);
  return { tier: outcome.plan.tier, id: outcome.plan.id, ...outcome.preview };
}
async function answerOf(tool: string, args: Record<string, unknown>) {
  const outcome = await engine.calls.call(tool, { ...config, ...args }, caller);
  if (outcome.kind !== "answer") throw new Error(`${tool}: ${JSON.stringify(outcome)}`);
  return outcome.reply;
}
async function approved(tool: string, args: Record<string, unknown>) {
  const { id } = await previewOf(tool, args);
  return answerOf(tool, { ...args, confirm: id });
}
const refusalOf = async (tool: string, args: Record<string, unknown>): Promise<Failure> => {
  try {
    const outcome = await engine.calls.call(tool, { ...config, ...args }, caller);
    if (outcome.kind === "failure") return outcome.failure;
  } catch (error) {
    if (error instanceof Failure) return error;
    throw error;
  }
  throw new Error(`${tool} was not refused`);
};

it.each<[string, Record<string, unknown>, RegExp, readonly RegExp[]]>([
  [
    "threat_site_delete",
    { siteId: 102, ifMatch: seeded },
    /^DELETE site "Hamburg office" \(102\) under policy Guests: visitors from 198\.51\.100\.48\/28 become .* with the next deployment\.$/,
    [],
  ],
  [
    "threat_policy_delete",
    { policyId: 1030, ifMatch: seeded },
    /^DELETE policy Offices \(1030\) with its settings for the lists Malware, Phishing, "C&C" and the acceptable-use category 2;/,
    [/It protects "Berlin office"/],
  ],
  [
    "threat_list_delete",
    { listId: 3785, ifMatch: seeded },
    /^DELETE list Phishing \(3785\) with old\.example\.com, .* and 116 more; .*This cannot be undone\.$/,
    [/^Warning: The polic.* will no longer handle the items of this list\.$/m],
  ],
  ["threat_honeypot_delete", { honeypotId: 760 }, /^DELETE honeypot "Sinkhole 1" \(760\)/, [/Offices/]],
  [
    "threat_emergency_list_replace",
    { listType: "blacklist", body: { items: [{ type: "LIST_TYPE_DOMAIN", value: "com" }] } },
    /^REPLACE the emergency blacklist of configuration 1100: malware\.example\.net, dropper\.example\.net are removed, and com is added; /,
    [/are very broad: com/],
  ],
  [
    "threat_deployment_launch",
    { body: { comment: "", created: { sites: [{ id: 7 }] }, modified: {}, deleted: {} } },
    /^DEPLOY configuration 1100: site 7 goes live /,
    [/site "Munich office" \(103\) added/, /uncertain whether they go live/, /site 7 is named as created/],
  ],
  [
    "threat_list_deployment_launch",
    { body: { id: 4541 } },
    /^DEPLOY list Tracking \(4541\) of configuration 1100: .*30 minutes\.$/,
    [/^list Tracking \(4541\) modified by mheld: Items 2 → 3$/m, /^The list will have /m],
  ],
])("%s says what is lost, and warns of what is likely to be a mistake", async (tool, args, summary, warnings) => {
  const preview = await previewOf(tool, args);
  expect(preview.summary).toMatch(summary);
  const text = preview.lines.join("\n");
  for (const warning of warnings) expect(text).toMatch(warning);
});

it("a threat deployment shows the emergency entries that go with it", async () => {
  const items = ["malware.example.net", "evil.example"].map((value) => ({ type: "LIST_TYPE_DOMAIN", value }));
  await approved("threat_emergency_list_replace", { listType: "blacklist", body: { items } });
  const nothing = { comment: "", created: {}, modified: {}, deleted: {} };
  const { summary, lines } = await previewOf("threat_deployment_launch", { body: nothing });
  expect(summary).toMatch(/^DEPLOY configuration 1100: emergency list blacklist goes live /);
  expect(lines).toContain(
    "emergency list blacklist modified by mheld: evil.example added, dropper.example.net removed",
  );
});

it.each<[string, Record<string, unknown>, string]>([
  ["threat_policy_delete", { policyId: 1030, ifMatch: seeded }, "Offices"],
  ["threat_site_delete", { siteId: 102, ifMatch: seeded }, "site 102"],
])("asks the approver of %s to type no quotation marks", async (tool, args, target) => {
  expect((await previewOf(tool, args)).target).toBe(target);
});

it("refuses a stale stamp before anybody is asked", async () => {
  const { code } = await refusalOf("threat_site_delete", { siteId: 102, ifMatch: '"1"' });
  expect(code).toBe("conflict");
});

it.each<[string, Record<string, unknown>, RegExp]>([
  ["threat_list_item_update", { listId: 3785, body: {} }, /at least one item/],
  ["threat_list_item_update", { listId: 3785, body: { add: [domain("a.example"), domain("A.example")] } }, /once/],
  [
    "threat_list_item_update",
    { listId: 3785, body: { add: [domain("a.example")], delete: ["a.example"] } },
    /body\.delete.*add it with the new one/,
  ],
  [
    "threat_list_item_replace",
    { listId: 3785, ifMatch: seeded, body: [domain("a.example")] },
    /many_removed.*121 of the list's 121 items/,
  ],
  [
    "threat_site_update",
    {
      siteId: 101,
      ifMatch: seeded,
      body: { id: 102, name: "a", policyId: 1030, exitPoints: [{ addrType: "ADDR_TYPE_IPV4", ipAddr: "192.0.2.1" }] },
    },
    /body\.id/,
  ],
])("%s refuses before it is sent %j", async (tool, args, message) => {
  const failure = await refusalOf(tool, args);
  expect([failure.code, failure.message]).toEqual(["invalid_input", expect.stringMatching(message)]);
});

it("says of each change which deployment makes it live", async () => {
  const add = [domain("bad.example.com")];
  expect((await answerOf("threat_list_item_update", { listId: 3785, body: { add } })).notes.join(" ")).toContain(
    "Not live yet: threat_list_deployment_launch",
  );
  const gone = await approved("threat_site_delete", { siteId: 102, ifMatch: seeded });
  expect(gone.notes.join(" ")).toContain("Not live yet: threat_deployment_launch");
});

it("a half-hour threat deployment returns at once, with the next call", async () => {
  const { notes, location } = await approved("threat_list_deployment_launch", { wait: true, body: { id: 4541 } });
  expect(location).toMatch(/lists\/deployments\/7003$/);
  expect(notes.join(" ")).toContain("Poll threat_list_deployment_get with configId 1100, listDeploymentId 7003");
  expect((await answerOf("threat_list_deployment_get", { listDeploymentId: 7003 })).body).toMatchObject({
    listId: 4541,
  });
});

interface Undeployed {
  readonly findings: string[];
  readonly configurations: {
    readonly deployWith: { readonly tool: string; readonly arguments: Record<string, unknown> }[];
    readonly underWay: object[];
  }[];
}

function undeployedIn(outcome: Outcome): Undeployed {
  if (outcome.kind !== "workflow") throw new Error(JSON.stringify(outcome));
  return outcome.result as unknown as Undeployed;
}
const told = async () => undeployedIn(await engine.calls.call("threat_undeployed_changes_list", {}, caller));

it("threat deployments are offered per user, taking no one else's live", async () => {
  const world = createWorld({ frozenAt: Date.UTC(2026, 4, 20, 12) });
  const calls = callsIn(world);
  const { sites } = ownConfiguration(world);
  const [own, added] = [sites.get(101), sites.get(103)];
  if (!own || !added) throw new Error("The seed has no such sites.");
  // Every write of a world is by its one user, so that another's can only be put there.
  (sites as Map<number, Site>).set(101, { ...own, description: "Changed", modifiedBy: "akowalski" });
  const undeployed = async () => undeployedIn(await calls.call("threat_undeployed_changes_list", {}));
  const nothing = { created: {}, modified: {}, deleted: {} };
  const { deployWith } = (await undeployed()).configurations[0] ?? { deployWith: [] };
  expect(deployWith.map(({ arguments: args }) => args["body"])).toEqual([
    { comment: expect.stringMatching(/modified by akowalski/), ...nothing, modified: { sites: [{ id: 101 }] } },
    { comment: expect.stringMatching(/added by mheld$/), ...nothing, created: { sites: [{ id: 103 }] } },
    { id: 4541 },
  ]);
  const [first] = deployWith;
  await calls.approved(first?.tool ?? "", first?.arguments ?? {});
  expect((await undeployed()).findings).toEqual([
    expect.stringMatching(/^Configuration 1100: Not deployed: site "Munich office" \(103\)/),
  ]);
});

it("undeployed threat changes come with the calls that deploy them", async () => {
  const first = await told();
  expect(first.findings).toEqual([
    'Configuration 1100: Not deployed: site "Munich office" (103) added by mheld; list Tracking (4541) modified by mheld: Items 2 → 3.',
  ]);
  const calls = first.configurations[0]?.deployWith ?? [];
  expect(calls.map(({ tool }) => tool)).toEqual(["threat_deployment_launch", "threat_list_deployment_launch"]);
  for (const { tool, arguments: args } of calls) await approved(tool, args);
  const then = await told();
  expect(then.findings).toEqual(["Configuration 1100: All changes are deployed."]);
  expect(then.configurations[0]?.underWay).toMatchObject([
    { id: 5002, askAgainWith: { tool: "threat_deployment_get" } },
    { id: 7003, askAgainWith: { tool: "threat_list_deployment_get" } },
  ]);
});
