/** What a policy sees of real calls: their objects, network, count, tier and destinations. */
import { expect, it } from "vitest";
import { type AnyOperation, empty, json, op } from "../../src/language/define.js";
import { destination } from "../../src/language/destination.js";
import { z } from "../../src/language/z.js";
import { callFactsOf, readFactsOf, toolNamesOf } from "../../src/policy/facts.js";
import { validateArguments } from "../../src/schema/arguments.js";
import { allServices } from "../../src/tools/index.js";

const services = await allServices("documents");
const caller = { section: "prod", isReadOnly: false };

function factsFor(tool: string, args: object, isStateShown?: boolean) {
  const service = services.find(({ operations }) => Object.hasOwn(operations, tool));
  const declared = service?.operations[tool] as AnyOperation;
  const call = { tool, service: service?.name ?? "", declared, checked: validateArguments(tool, declared, args) };
  return callFactsOf(call, caller, isStateShown === undefined ? {} : { isStateShown });
}

it("the facts of a call are those that its arguments name", () => {
  const purged = { objects: [12345, 12346], type: "cpcode", action: "invalidate" };
  expect(factsFor("purge_submit", { queueName: "default", body: purged, confirm: "plan_x" })).toEqual({
    ...{ ...caller, tool: "purge_submit", service: "purge", effect: "destructive", tier: "critical" },
    ...{ network: "production", objects: ["12345", "12346"], count: 2, calls: 1, destinations: [] },
    because: expect.arrayContaining(["it acts on the production network"]),
  });
  const credential = factsFor("credential_delete", { openIdentityId: "oi-1", credentialId: 4101 });
  expect(credential).toMatchObject({ objects: ["oi-1/4101"], isPath: true, count: 1 });
  expect(factsFor("dns_zone_get", { zone: "example.com" })).toMatchObject({ tier: "read", objects: ["example.com"] });
  const listing = factsFor("alert_templates_list", {});
  expect(listing).toMatchObject({ objects: [], count: 1 });
  expect(listing).not.toHaveProperty("network");
  const addresses = { email: ["a@x.example"], emailBrief: ["b@x.example"] };
  const definitionId = "s@1";
  const fields = { templateId: "s@7", definitionId, name: "x", ...addresses };
  const alert = { definitionId, body: { definitionId, origin: "STATIC", fields } };
  expect(factsFor("alert_definition_replace", alert).destinations).toEqual([
    { kind: "email", field: "body.fields.email[0]", value: "a@x.example" },
    { kind: "email", field: "body.fields.emailBrief[0]", value: "b@x.example" },
  ]);
});

it("the tier of a call is higher if its state could not be shown", () => {
  const args = { definitionId: "a@cp_1_2", start: "2026-05-01T00:00:00Z", end: "2026-05-02T00:00:00Z" };
  expect(factsFor("alert_suppression_create", args).tier).toBe("guarded");
  expect(factsFor("alert_suppression_create", args, true).tier).toBe("guarded");
  expect(factsFor("alert_suppression_create", args, false).tier).toBe("critical");
});

it("a workflow has the facts of a read, and a call all its tools' names", () => {
  expect(readFactsOf("diagnosis", "workflows", caller)).toEqual({
    ...{ ...caller, tool: "diagnosis", service: "workflows", tier: "read", because: [expect.any(String)] },
    ...{ objects: [], count: 1, calls: 1, requests: 0, destinations: [] },
  });
  const facts = { tool: "dns_recordsets_replace", through: "dns_record_set" };
  expect(toolNamesOf(facts)).toEqual(["dns_recordsets_replace", "dns_record_set"]);
  expect(toolNamesOf({ tool: "dns_zone_get" })).toEqual(["dns_zone_get"]);
});

it("facts name a non-text thing by its JSON and count at least one", () => {
  const listed = op("POST /things", {
    does: "Removes things.",
    body: json({ list: z.array(z.unknown()) }),
    returns: { 204: empty },
    effect: "destructive",
    guard: { kind: "delete", counts: "body.list" },
    shownBy: "things_list",
    example: { body: { list: ["a"] } },
  });
  const factsOfList = (list: unknown[]) => {
    const checked = validateArguments("things_remove", listed, { body: { list } });
    const call = { tool: "things_remove", service: "things", declared: listed, checked };
    return callFactsOf({ ...call, composed: { tool: "thing_remove" } }, caller);
  };
  const objects = ['{"id":1}', "b", "3"];
  expect(factsOfList([{ id: 1 }, "b", 3])).toMatchObject({ objects, count: 3, calls: 1, through: "thing_remove" });
  expect(factsOfList([])).toMatchObject({ objects: [], count: 1 });
});

const sending = {
  does: "Makes a stream.",
  body: json({ to: z.array(destination("email", z.string())) }),
  returns: { 204: empty },
  effect: "create",
  shownBy: "streams_list",
  example: { body: { to: ["a@x.example"] } },
} as const;
const guard = { kind: "create", thing: "stream", when: "sending" } as const;
const reached = { kind: "email", field: "to of stream_get", value: "b@x.example" } as const;
const factsTo = (declared: AnyOperation, to: string[], more: object = {}) => {
  const checked = validateArguments("stream_create", declared, { body: { to } });
  return callFactsOf({ tool: "stream_create", service: "streams", declared, checked, ...more }, caller);
};

it("a call that sends data to nobody has the tier write", () => {
  const declared = op("POST /streams", { ...sending, guard });
  expect(factsTo(declared, ["a@x.example"])).toMatchObject({ isAboutDestinations: true, tier: "guarded" });
  expect(factsTo(declared, [])).toMatchObject({ tier: "write", because: ["it sends data nowhere"] });
});

it("a call that sends data to somebody unnamed has the tier guarded", () => {
  const sendsTo = { by: "stream_get" as const, args: () => ({}) };
  for (const [declared, more, destinations] of [
    [op("POST /streams", { ...sending, guard, sendsTo }), {}, []],
    [op("POST /streams", { ...sending, guard, sendsTo }), { reaches: [reached] }, [reached]],
    [op("POST /streams", { ...sending, guard }), { reaches: [reached] }, [reached]],
  ] as const)
    expect(factsTo(declared, [], more)).toMatchObject({ tier: "guarded", destinations });
  const declared = op("POST /streams", { ...sending, guard: { kind: "create" as const } });
  expect(factsTo(declared, [])).toMatchObject({ tier: "guarded" });
  expect(factsTo(declared, [])).not.toHaveProperty("isAboutDestinations");
});
