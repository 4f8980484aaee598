/** Shared policies: what their previews say, what is refused before it is sent, and one world with edge logic. */
import { describe, expect, it } from "vitest";
import { type Args, callsAt } from "../../lab/calls.js";
import { now, startRaw } from "../../lab/raw.js";
import { rule } from "../../lab/rules.js";

const at = callsAt(now);
const begin = (policyVersion: number, network: string, operation = "ACTIVATION"): Args => ({
  policyId: 3001,
  body: { policyVersion, network, operation },
});
const activate = "sharedpolicy_version_activate";

rule("sharedpolicy-immutable", "changes and deletes no version that is active or being activated", async () => {
  const refusedOf = async (version: number) => [
    ...(await at.calls.refused("sharedpolicy_version_update", { policyId: 3001, version, body: { description: "" } }))
      .fields,
    ...(await at.calls.refused("sharedpolicy_version_delete", { policyId: 3001, version })).fields,
  ];
  expect(await refusedOf(1)).toEqual([
    expect.stringMatching(/^version: an inactive version.*sharedpolicy_version_create/),
    expect.stringMatching(/^version: an inactive version/),
  ]);
  await at.calls.approved(activate, begin(2, "STAGING"));
  expect(await refusedOf(2)).toHaveLength(2);
});

rule("sharedpolicy-one-operation", "begins no operation on a network while another one is in progress", async () => {
  await at.calls.approved(activate, begin(2, "STAGING"));
  const { fields } = await at.calls.refused(activate, begin(1, "STAGING"));
  expect(fields).toEqual([
    expect.stringMatching(/^body\.network: .*sharedpolicy_activation_get shows that activation \d+/),
  ]);
  await at.calls.previewed(activate, begin(2, "PRODUCTION"));
  at.world.advance(60_000);
  await at.calls.previewed(activate, begin(1, "STAGING"));
});

rule("sharedpolicy-delete-inactive", "deletes no policy that is active", async () => {
  const { fields } = await at.calls.refused("sharedpolicy_delete", { policyId: 3001 });
  expect(fields).toEqual([
    expect.stringContaining("version 1 is active on PRODUCTION, version 1 is active on STAGING"),
  ]);
  for (const network of ["STAGING", "PRODUCTION"]) await at.calls.approved(activate, begin(1, network, "DEACTIVATION"));
  at.world.advance(60_000);
  const { warnings } = await at.calls.previewed("sharedpolicy_delete", { policyId: 3001 });
  expect(warnings.join(" ")).toMatch(/Properties refer to it: \S+\./);
  expect((await at.calls.approved("sharedpolicy_delete", { policyId: 3001 })).kind).toBe("answer");
});

const root = "/cloudlets/v3/policies";
const redirectRule = { type: "erMatchRule", name: "Shop", matchURL: "/shop", redirectURL: "/store", statusCode: 302 };

rule("sharedpolicy-replaces-active", "has one active version on a network, the last that came there", async () => {
  const { send, get, world } = startRaw();
  const activation = { policyVersion: 2, network: "STAGING", operation: "ACTIVATION" };
  const begun = await send("POST", `${root}/3001/activations`, activation);
  expect(begun.status).toBe(202);
  const { id } = begun.json() as { id: number };
  const current = async () => (await get(`${root}/3001`)).json() as { currentActivations: { staging: object } };
  expect((await current()).currentActivations.staging).toMatchObject({
    effective: { policyVersion: 1 },
    latest: { policyVersion: 2, status: "IN_PROGRESS", finishDate: null },
  });
  world.advance(60_000);
  expect((await get(`${root}/3001/activations/${id}`)).json()).toMatchObject({ status: "SUCCESS" });
  expect((await current()).currentActivations.staging).toMatchObject({ effective: { policyVersion: 2 } });
});

rule("sharedpolicy-version-number", "gives the number of a deleted version to no other", async () => {
  const { send, ask } = startRaw();
  const next = async () => {
    const made = await send("POST", `${root}/3001/versions`, { description: "", matchRules: [redirectRule] });
    return (made.json() as { version: number }).version;
  };
  expect(await next()).toBe(3);
  expect((await ask({ method: "DELETE", target: `${root}/3001/versions/3` })).status).toBe(204);
  expect(await next()).toBe(4);
});

rule("sharedpolicy-name-taken", "refuses a name that is taken, in the form of the API's errors", async () => {
  const { send } = startRaw();
  const taken = await send("POST", root, { cloudletType: "ER", groupId: 11111, name: "company_redirects" });
  expect(taken.status).toBe(409);
  expect(taken.headers["content-type"]).toBe("application/problem+json");
  expect(taken.json()).toMatchObject({
    type: "/cloudlets/v3/error-types/data-update-conflict",
    errors: [{ detail: "Policy with `company_redirects` name already exists." }],
  });
});

rule("sharedpolicy-clone-versions", "an edge logic clone has the active, last and named versions", async () => {
  const { send, get } = startRaw();
  const former = "/cloudlets/api/v2/policies/1001/versions";
  for (const description of ["Third", "Fourth"])
    await send("POST", former, { description, matchRules: [redirectRule] });
  const clone = async (newName: string, more: object) => {
    const made = await send("POST", `${root}/1001/clone`, { newName, groupId: 11111, ...more });
    expect(made.status).toBe(200);
    const { id } = made.json() as { id: number };
    const { content } = (await get(`${root}/${id}/versions?page=0&size=10`)).json() as {
      content: { description: string }[];
    };
    return content.map(({ description }) => description);
  };
  expect(await clone("short", {})).toEqual(["Fourth", "Spring"]);
  expect(await clone("longer", { additionalVersions: [3] })).toEqual(["Fourth", "Third", "Spring"]);
  // Load balancing has no shared policies.
  expect((await send("POST", `${root}/1002/clone`, { newName: "balancing", groupId: 11111 })).status).toBe(400);
});

describe("one world with edge logic", () => {
  it("shared and edge logic policies count together, listed by kind", async () => {
    const { send, get } = startRaw();
    const made = await send("POST", root, { cloudletType: "VWR", groupId: 11111, name: "queue" });
    const { id } = made.json() as { id: number };
    const other = await send("POST", "/cloudlets/api/v2/policies", { cloudletId: 0, groupId: 11111, name: "other" });
    expect((other.json() as { policyId: number }).policyId).toBe(id + 1);
    expect((await get(`/cloudlets/api/v2/policies/${id}`)).status).toBe(404);
    const { content } = (await get(`${root}?page=0&size=10`)).json() as { content: { name: string }[] };
    expect(content.map(({ name }) => name)).toEqual(["company_redirects", "ticket_queue", "former_rewrites", "queue"]);
  });

  it("a shared policy redirects at the edge by its active version", async () => {
    const { send, get, world } = startRaw();
    const curl = async () => {
      const target = "/diagnostic-tools/v2/ghost-locations/tokyo-japan/curl-results";
      const { curlResults } = (await send("POST", target, { url: "https://www.shop.example/news" })).json() as {
        curlResults: { httpStatusCode: number };
      };
      return curlResults.httpStatusCode;
    };
    expect(await curl()).toBe(301);
    const off = { policyVersion: 1, network: "PRODUCTION", operation: "DEACTIVATION" };
    expect((await send("POST", `${root}/3001/activations`, off)).status).toBe(202);
    expect(await curl()).toBe(301);
    world.advance(60_000);
    expect(await curl()).toBe(200);

    const users = async () => (await get(`${root}/3003/properties?page=0&size=10`)).json();
    expect(await users()).toMatchObject({ content: [], page: { totalElements: 0 } });
    const options = { enabled: true, isSharedPolicy: true, cloudletSharedPolicy: 3003 };
    const behaviors = [
      { name: "origin", options: { hostname: "origin-api.shop.example" } },
      { name: "cpCode", options: { value: { id: 12345 } } },
      { name: "forwardRewrite", options },
    ];
    const property = "/papi/v0/properties/prp_175780";
    const written = await send("PUT", `${property}/versions/3/rules/`, {
      rules: { name: "default", behaviors, children: [] },
    });
    expect(written.status).toBe(200);
    const notifyEmails = ["operations@shop.example"];
    const body = { propertyVersion: 3, network: "STAGING", notifyEmails, acknowledgeAllWarnings: true };
    const begun = await send("POST", `${property}/activations/`, body);
    expect(begun.status, begun.text).toBe(201);
    world.advance(3_600_000);
    expect(await users()).toMatchObject({ content: [{ id: 175780, network: "STAGING", version: 3 }] });
  });

  it("has the rights of its groups: request control is read-only", async () => {
    const { send } = startRaw();
    const refused = await send("POST", root, { cloudletType: "IG", groupId: 11111, name: "control" });
    expect(refused.status).toBe(403);
    expect(refused.json()).toMatchObject({ title: "Access Denied" });
  });

  it("takes rules of the policy's application alone", async () => {
    const { send } = startRaw();
    const sent = await send("POST", `${root}/3003/versions`, { description: "", matchRules: [redirectRule] });
    expect(sent.status).toBe(400);
  });
});
