/** An item looked for on the custom lists of an emulated account: found by itself, in a block, by a wildcard, or on none. */
import { expect, it } from "vitest";
import { ownConfiguration } from "../../src/emulator/services/threat-protection/store.js";
import { itemSought, matchOf, textInCommon } from "../../src/tools/threat-protection/addresses.js";
import { threatItem } from "../../src/workflows/threat-protection.js";
import { callsAt } from "../lab/calls.js";

const held = callsAt(Date.UTC(2026, 4, 20, 12, 30));

interface Result {
  readonly findings: readonly string[];
  readonly found: readonly { readonly listId: number; readonly item: string; readonly match: string }[];
}
const found = (args: object) => held.calls.worked<Result>("threat_list_item_find", { ...args });
/** Adds items to a list as its tool does. */
const add = (listId: number, ...items: readonly (readonly [type: "DOMAIN" | "IP", value: string])[]) =>
  held.calls.answer("threat_list_item_update", {
    configId: 1100,
    listId,
    body: { add: items.map(([type, value]) => ({ type: `LIST_TYPE_${type}`, value, confidenceLevelId: 2 })) },
  });

it("names every list that has the item, whatever way it is written", async () => {
  await add(3785, ["DOMAIN", "Both.Example.com"]);
  await add(4541, ["DOMAIN", "both.example.com"], ["DOMAIN", "notboth.example.com"]);
  for (const value of ["both.example.com", "BOTH.example.com.", "https://both.example.com:8443/a?b=c"]) {
    const { found: rows, findings } = await found({ value });
    expect(rows.map(({ listId, match }) => [listId, match])).toEqual([
      [3785, "same"],
      [4541, "same"],
    ]);
    expect(findings[1]).toMatch(/^List "[^"]+" \(4541\) of configuration 1100 contains both\.example\.com itself\.$/);
  }
});

it("threat item: found by a block, a wildcard or a parent domain", async () => {
  await add(3785, ["IP", "198.51.100.0/24"], ["DOMAIN", "*.wild.example"], ["IP", "2001:db8:7::/48"]);
  await add(4541, ["DOMAIN", "parent.example"], ["IP", "198.51.101.7"]);
  const matches = async (value: string) => (await found({ value })).found.map(({ item, match }) => [item, match]);
  expect(await matches("198.51.100.77")).toEqual([["198.51.100.0/24", "block"]]);
  expect(await matches("198.51.100.128/25")).toEqual([["198.51.100.0/24", "block"]]);
  expect(await matches("198.51.100.0/16")).toEqual([]);
  expect(await matches("198.51.101.7/32")).toEqual([["198.51.101.7", "same"]]);
  expect(await matches("2001:db8:7:1::9")).toEqual([["2001:db8:7::/48", "block"]]);
  expect(await matches("a.b.wild.example")).toEqual([["*.wild.example", "wildcard"]]);
  expect(await matches("wild.example")).toEqual([]);
  expect(await matches("a.parent.example")).toEqual([["parent.example", "parent"]]);
  expect((await found({ value: "a.parent.example" })).findings[0]).toContain("is not documented whether that covers");
});

it("threat item: says no list holds it, without reading each list", async () => {
  const { findings, found: rows } = await found({ value: "nowhere.invalid", configId: 1100 });
  expect([findings, rows]).toEqual([["No readable custom list contains nowhere.invalid."], []]);
  expect(held.calls.audited.filter((line) => line.includes('"threat_lists_list"'))).toEqual([]);
});

it("compares more items than a page of the API has by default", async () => {
  const { lists } = ownConfiguration(held.world);
  const list = lists.get(4541);
  if (!list) throw new Error("There is no such list.");
  const items = Array.from({ length: 2_500 }, (_, at) => `h${at}.many.example`);
  const item = (value: string) => ({ type: "LIST_TYPE_DOMAIN" as const, value, confidenceLevelId: 1 });
  lists.set(4541, { ...list, items: new Map(items.map((value) => [value, item(value)])) });
  expect((await found({ value: "h2499.many.example" })).found).toMatchObject([{ listId: 4541, match: "same" }]);
});

it("threat item: says if each list gets all items, or a step fails", async () => {
  const answers: Readonly<Record<string, unknown>> = {
    threat_lists_list: [
      { id: 1, name: "One" },
      { id: 2, name: "Two" },
    ],
    threat_list_items_list: { totalCount: 9, items: [{ type: "LIST_TYPE_DOMAIN", value: "a.example" }] },
  };
  const context = {
    invoke: async (tool: string) => ({ status: 200, headers: {}, notes: [], body: answers[tool] }),
    progress: async () => undefined,
  };
  const run = (args: object) => threatItem.run(args as never, context as never);
  const { findings } = await run({ value: "a.example", configId: 1 });
  expect(findings).toEqual(
    expect.arrayContaining([
      expect.stringContaining("it may ignore listId"),
      "List 2 has 9 items that resemble it, and 1 were compared.",
    ]),
  );
  expect((await run({ value: "a.example" }))["findings"]).toEqual([
    "No readable custom list contains a.example.",
    "A step failed, so a list may be missing; see steps for details.",
  ]);
});

it("searches for what every item that may hold a value contains", () => {
  const held = [
    ["a.b.example.com", "example.com", "*.example.com", "b.example.com"],
    ["192.0.2.1", "192.0.0.0/16", "192.0.2.0/24"],
    ["2001:db8::1", "2001:db8::/32", "2001::/16"],
  ] as const;
  for (const [value, ...items] of held)
    for (const item of items) {
      expect([value, item, matchOf(value, item) !== undefined]).toEqual([value, item, true]);
      expect(item).toContain(textInCommon(itemSought(value) ?? ""));
    }
});
