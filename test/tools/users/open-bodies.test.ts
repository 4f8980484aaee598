/** Bodies that carry what no source names, and what sources name beside the documents, from the call to what is read back. */
import { describe, expect, it } from "vitest";
import { users } from "../../../src/tools/users/index.js";
import { callsAt } from "../../lab/calls.js";

const test = callsAt(Date.UTC(2026, 4, 20, 12));
const version = { policyId: 1001, version: 2 };

describe("a write that is approved", () => {
  const update = (colour: string) => ({ policyId: 1001, body: { description: "Spring", colour } });

  it("approval of an undocumented member holds only for that value", async () => {
    const { plan, summary, lines } = await test.calls.previewed("edgelogic_policy_update", update("red"));
    expect([summary, lines[0]]).toEqual([
      lines[0],
      expect.stringMatching(/^Undocumented, sent as given: body\.colour\./),
    ]);
    for (const args of [update("blue"), { policyId: 1001, body: { description: "Spring" } }])
      expect(await test.calls.refused("edgelogic_policy_update", { ...args, confirm: plan.id })).toMatchObject({
        code: "approval_refused",
      });
    const { plan: another } = await test.calls.previewed("edgelogic_policy_update", update("red"));
    const outcome = await test.calls.call("edgelogic_policy_update", { ...update("red"), confirm: another.id });
    expect(outcome).toMatchObject({
      kind: "answer",
      reply: { body: { colour: "red" }, notes: expect.arrayContaining([expect.stringContaining("body.colour")]) },
    });
  });

  it("a write that can do harm refuses members beyond its preview", async () => {
    const { fields } = await test.calls.refused("purge_submit", {
      queueName: "default",
      body: { objects: ["https://www.example.com/a"], hostname: "www.example.com" },
    });
    expect(fields).toEqual([
      expect.stringMatching(/^body\.hostname: nothing: .*; no unknown fields, because it could purge more/),
    ]);
  });
});

describe("a call that needs no approval because it sends data to nobody", () => {
  const { email: _, ...body } = users.operations.user_profile_update.spec.example.body as Readonly<
    Record<string, unknown>
  >;

  it("needs one with a member that may be an address", async () => {
    expect((await test.calls.call("user_profile_update", { body })).kind).toBe("answer");
    const outcome = await test.calls.call("user_profile_update", {
      body: { ...body, deputy: "eve@elsewhere.example" },
    });
    expect(outcome).toMatchObject({
      kind: "preview",
      preview: { summary: expect.stringMatching(/^Undocumented, sent as given: body\.deputy\. /) },
    });
  });
});

describe("edge logic takes what public facts and definitions have", () => {
  const origin = { originId: "shopBalancer" };

  it("as an origin's liveness test", async () => {
    const { body: read } = await test.calls.answer("edgelogic_origin_version_get", { ...origin, version: 2 });
    const { dataCenters } = read as { readonly dataCenters: readonly object[] };
    const livenessSettings = {
      port: 7000,
      protocol: "TCP",
      path: "/status",
      additionalHeaders: { "X-Probe": "edge" },
      requestString: "PING",
      responseString: "PONG",
    };
    const { notes, body } = await test.calls.answer("edgelogic_origin_version_create", {
      ...origin,
      body: { balancingType: "WEIGHTED", dataCenters, livenessSettings },
    });
    expect([notes, body]).toEqual([[], expect.objectContaining({ livenessSettings })]);
  });

  it.each(["PRODUCTION", "prod", "staging"])("as the network %s", async (network) => {
    const preview = await test.calls.previewed("edgelogic_origin_activate", {
      ...origin,
      body: { network, version: 2 },
    });
    const written = /^prod/i.test(network) ? "PRODUCTION" : "STAGING";
    expect([preview.network, preview.lines]).toEqual([written, expect.arrayContaining([`body.network: ${written}`])]);
  });

  it("as a version that is not deleted, and deletes none by a write", async () => {
    const { body } = await test.calls.answer("edgelogic_policy_version_get", version);
    const { deleted, matchRules, description } = body as Readonly<Record<string, unknown>>;
    const read = { deleted, matchRules, description };
    expect(deleted).toBe(false);
    expect((await test.calls.call("edgelogic_policy_version_update", { ...version, body: read })).kind).toBe("answer");
    const { fields } = await test.calls.refused("edgelogic_policy_version_update", {
      ...version,
      body: { ...read, deleted: true },
    });
    expect(fields).toEqual(["body.deleted: false, or nothing: edgelogic_policy_version_delete deletes a version"]);
  });
});
