/** An item looked for on the custom lists of an emulated account: found by itself, in a block, by a wildcard, or on none. */
import { expect, it } from "vitest";
import { accountConfiguration } from "../../src/emulator/services/threat-protection/store.js";
import { commonText, comparableItem, matchOf } from "../../src/tools/threat-protection/addresses.js";
import { threatItem } from "../../src/workflows/threat-protection.js";
import { callsAt } from "../lab/calls.js";

const held = callsAt(Date.UTC(2026, 4, 20, 12, 30));

it("compares more items than a page of the API has by default", async () => {
  const { lists } = accountConfiguration(held.world);
  const list = lists.get(4541);
  if (!list) throw new Error("There is no such list.");
  const items = Array.from({ length: 2_500 }, (_, at) => `h${at}.many.example`);
  const item = (value: string) => ({ type: "LIST_TYPE_DOMAIN" as const, value, confidenceLevelId: 1 });
  lists.add({ ...list, items: new Map(items.map((value) => [value, item(value)])) });
  const { found } = await held.calls.worked<{ found: unknown }>("threat_list_item_find", {
    value: "h2499.many.example",
  });
  expect(found).toMatchObject([{ listId: 4541, match: "same" }]);
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
      expect(item).toContain(commonText(comparableItem(value) ?? ""));
    }
});
