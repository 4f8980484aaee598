/** Threat protection as it is called: what a person reads before a change, what is refused, and how a deployment is waited for. */
import { beforeEach, expect, it } from "vitest";
import { ownConfiguration, type Site } from "../../src/emulator/services/threat-protection/store.js";
import { createWorld } from "../../src/emulator/world.js";
import { type Args, callsIn } from "../lab/calls.js";
import { answerOf } from "../lab/outcome.js";

const world = createWorld();
const { previewed, approved, answer, refused, worked } = callsIn(world);
beforeEach(() => world.reset());

const config = { configId: 1100 };
const seeded = '"1735722000000"';
const domain = (value: string) => ({ type: "LIST_TYPE_DOMAIN", value, confidenceLevelId: 2 });

const site = { siteId: 102, ifMatch: seeded };
const office = { policyId: 1030, ifMatch: seeded };
const broad = { listType: "blacklist", body: { items: [{ type: "LIST_TYPE_DOMAIN", value: "com" }] } };
const launched = (created: object) => ({ body: { comment: "", created, modified: {}, deleted: {} } });
const munich = { sites: [{ id: 7 }] };
it.each<[string, Args, RegExp]>([
  ["threat_site_delete", site, /^DELETE .*: visitors from 198\.51\.100\.48\/28 become .* with the next deployment\.$/m],
  ["threat_policy_delete", office, /^DELETE .* lists Malware, Phishing, "C&C" and the acceptable-use category 2;/],
  ["threat_policy_delete", office, /It protects "Berlin office"/],
  [
    "threat_list_delete",
    { listId: 3785, ifMatch: seeded },
    /with old\.example\.com, .* and 116 more; .*cannot be undone/,
  ],
  [
    "threat_list_delete",
    { listId: 3785, ifMatch: seeded },
    /^Warning: The polic.* no longer handle the items of this/m,
  ],
  ["threat_honeypot_delete", { honeypotId: 760 }, /Offices/],
  [
    "threat_emergency_list_replace",
    broad,
    /: malware\.example\.net, dropper\.example\.net are removed, and com is added;/,
  ],
  ["threat_emergency_list_replace", broad, /are very broad: com/],
  [
    "threat_deployment_launch",
    launched(munich),
    /^DEPLOY configuration 1100: site 7 goes live .*"Munich office" \(103\)/s,
  ],
  ["threat_deployment_launch", launched(munich), /uncertain whether they go live.*site 7 is named as created/s],
  ["threat_list_deployment_launch", { body: { id: 4541 } }, /^list Tracking \(4541\) modified by mheld: Items 2 → 3$/m],
])("%s of %j says what is lost, and warns of likely mistakes", async (tool, args, said) => {
  expect((await previewed(tool, { ...config, ...args })).text).toMatch(said);
});

it("a threat deployment shows the emergency entries that go with it", async () => {
  const items = ["malware.example.net", "evil.example"].map((value) => ({ type: "LIST_TYPE_DOMAIN", value }));
  await approved("threat_emergency_list_replace", { ...config, listType: "blacklist", body: { items } });
  const { lines } = await previewed("threat_deployment_launch", { ...config, ...launched({}) });
  expect(lines).toContain(
    "emergency list blacklist modified by mheld: evil.example added, dropper.example.net removed",
  );
});

it("asks the approver to type no quotation marks", async () => {
  expect((await previewed("threat_policy_delete", { ...config, ...office })).target).toBe("Offices");
  expect((await previewed("threat_site_delete", { ...config, ...site })).target).toBe("site 102");
});

const exitPoints = [{ addrType: "ADDR_TYPE_IPV4", ipAddr: "192.0.2.1" }];
const renumbered = { siteId: 101, ifMatch: seeded, body: { id: 102, name: "a", policyId: 1030, exitPoints } };
const once = domain("a.example");
it.each<[string, Args, string, RegExp]>([
  ["threat_site_delete", { siteId: 102, ifMatch: '"1"' }, "conflict", /./],
  ["threat_list_item_update", { listId: 3785, body: {} }, "invalid_input", /at least one item/],
  ["threat_list_item_update", { listId: 3785, body: { add: [once, domain("A.example")] } }, "invalid_input", /once/],
  [
    "threat_list_item_update",
    { listId: 3785, body: { add: [once], delete: ["a.example"] } },
    "invalid_input",
    /delete/,
  ],
  ["threat_site_update", renumbered, "invalid_input", /body\.id/],
])("%s refuses before it is sent %j", async (tool, args, code, message) => {
  expect(await refused(tool, { ...config, ...args })).toMatchObject({ code, message: expect.stringMatching(message) });
});

it("says of each change which deployment makes it live", async () => {
  const update = { ...config, listId: 3785, body: { add: [domain("bad.example.com")] } };
  expect((await answer("threat_list_item_update", update)).notes.join()).toContain(
    "live yet: threat_list_deployment_l",
  );
  const gone = await approved("threat_site_delete", { ...config, ...site });
  expect(gone).toMatchObject({
    reply: { notes: expect.arrayContaining([expect.stringContaining("yet: threat_deployment_launch")]) },
  });
});

it("a half-hour threat deployment returns at once, with the next call", async () => {
  const outcome = await approved("threat_list_deployment_launch", { ...config, wait: true, body: { id: 4541 } });
  const { notes, location } = answerOf(outcome);
  expect(location).toMatch(/lists\/deployments\/7003$/);
  expect(notes.join(" ")).toContain("Poll threat_list_deployment_get with configId 1100, listDeploymentId 7003");
});

interface Undeployed {
  readonly findings: string[];
  readonly configurations: {
    readonly deployWith: { readonly tool: string; readonly arguments: Record<string, unknown> }[];
    readonly underWay: object[];
  }[];
}

const told = () => worked<Undeployed>("threat_undeployed_changes_list", {});

it("threat deployments are offered per user, taking no one else's live", async () => {
  const { sites } = ownConfiguration(world);
  const [own, added] = [sites.get(101), sites.get(103)];
  if (!own || !added) throw new Error("The seed has no such sites.");
  // Every write of a world is by its one user, so that another's can only be put there.
  (sites as Map<number, Site>).set(101, { ...own, description: "Changed", modifiedBy: "akowalski" });
  const nothing = { created: {}, modified: {}, deleted: {} };
  const { deployWith } = (await told()).configurations[0] ?? { deployWith: [] };
  expect(deployWith.map(({ arguments: args }) => args["body"])).toEqual([
    { comment: expect.stringMatching(/modified by akowalski/), ...nothing, modified: { sites: [{ id: 101 }] } },
    { comment: expect.stringMatching(/added by mheld$/), ...nothing, created: { sites: [{ id: 103 }] } },
    { id: 4541 },
  ]);
  const [first] = deployWith;
  await approved(first?.tool ?? "", first?.arguments ?? {});
  expect((await told()).findings).toEqual([
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
