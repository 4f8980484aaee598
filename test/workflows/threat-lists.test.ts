/** Custom lists in a world that a test holds: the quota, what a replacement loses, values alone, and a wait to its end. */
import { beforeEach, expect, it } from "vitest";
import { accountConfiguration } from "../../src/emulator/services/threat-protection/store.js";
import { createWorld } from "../../src/emulator/world.js";
import { type Args, callsIn } from "../lab/calls.js";
import { rule } from "../lab/rules.js";

const world = createWorld({ frozenAt: Date.UTC(2026, 4, 20, 12, 30) });
const calls = callsIn(world, { callTimeoutMs: 60_000 });
beforeEach(() => world.reset());

const tracking = { configId: 1100, listId: 4541 };
const stamp = '"1735722000000"';
const domain = (value: string) => ({ type: "LIST_TYPE_DOMAIN" as const, value, confidenceLevelId: 2 });
const domains = (count: number, name: string) =>
  Array.from({ length: count }, (_, at) => domain(`${name}${at}.example`));
/** Puts so many domains into a list behind the tools' back. */
function fill(listId: number, count: number): void {
  const { lists } = accountConfiguration(world);
  const list = lists.get(listId);
  if (!list) throw new Error(`There is no list ${listId}`);
  lists.add({ ...list, items: new Map(domains(count, "d").map((one) => [one.value, one])) });
}
const replaced = (body: readonly object[], more: Args = {}) =>
  calls.refused("threat_list_item_replace", { ...tracking, ifMatch: stamp, body, ...more });

rule("threat-list-quota", "more items than the quota are refused, unsent, net of deletions", async () => {
  fill(3785, 199_990);
  const update = (add: readonly object[], remove: readonly string[] = []) =>
    calls.call("threat_list_item_update", { ...tracking, body: { add, delete: remove } });
  expect((await calls.answer("threat_list_quota_get", { configId: 1100 })).body).toMatchObject({ remainingCount: 7 });
  const tooMany = { ...tracking, body: { add: domains(8, "more") } };
  expect(await calls.refused("threat_list_item_update", tooMany)).toMatchObject({
    code: "invalid_input",
    fields: [expect.stringMatching(/^body\.add: at most 7 more items: .*200,000 in total/)],
  });
  expect((await calls.answer("threat_list_get", tracking)).body).toMatchObject({ itemCount: 3 });
  expect(await replaced(domains(11, "other"), { override: ["many_removed"] })).toMatchObject({
    fields: [expect.stringMatching(/^body: at most 7 more items/)],
  });
  expect((await update(domains(8, "more"), ["tracker.example.net"])).kind).toBe("answer");
});

it("a replacement that removes many items needs an override", async () => {
  const others = domains(3, "other");
  expect(await replaced(others)).toMatchObject({
    code: "invalid_input",
    fields: [expect.stringMatching(/^override: "many_removed" .*3 of the list's 3 items would be removed/)],
  });
  const kept = ["tracker.example.net", "BEACON.example.net"].map(domain);
  expect(await replaced([...kept, ...others])).toMatchObject({
    fields: [expect.stringContaining("1 of the list's 3 items would be removed")],
  });
  const insisting = { ...tracking, ifMatch: stamp, override: ["many_removed"], body: others };
  expect((await calls.call("threat_list_item_replace", insisting)).kind).toBe("answer");
});

it("a list of two pages is compared; a quarter may be removed", async () => {
  fill(4541, 10_400);
  const all = domains(10_000, "d");
  expect((await calls.call("threat_list_item_replace", { ...tracking, ifMatch: stamp, body: all })).kind).toBe(
    "answer",
  );
  fill(4541, 10_400);
  expect((await replaced([...all.slice(2_300), ...domains(2_300, "other")])).fields).toEqual([
    expect.stringContaining("2700 of the list's 10400 items would be removed"),
  ]);
});

it("valuesOnly groups the values by confidence and keeps the items", async () => {
  const { body, whole } = await calls.answer("threat_list_items_list", { ...tracking, valuesOnly: true });
  expect(body).toEqual({
    totalCount: 3,
    values: { "known domains": ["tracker.example.net", "beacon.example.net"], "suspected ips": ["192.0.2.124"] },
  });
  expect(whole).toMatchObject({ items: [{ value: "tracker.example.net" }, {}, {}] });
});
