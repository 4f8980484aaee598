/** What previews forecast without a report of traffic, and of several calls that are approved together. */
import { expect, it } from "vitest";
import type { CacheScope, ChangeScope } from "../../src/language/forecast.js";
import { forecastOf } from "../../src/site/forecast.js";
import type { SiteReads } from "../../src/site/reads.js";
import { callsAt } from "../lab/calls.js";

const held = callsAt(Date.parse("2026-06-10T14:00:00Z"));

it("without a report a preview says what is unknown, and why", async () => {
  const { forecast } = await held.calls.previewed("purge_submit", {
    queueName: "default",
    body: { objects: ["https://www.shop.example/a"] },
  });
  const unknown = "the APIs in use have no traffic report";
  const hostnames = { total: 1, names: ["www.shop.example"] };
  expect(forecast).toEqual({ hostnames, traffic: { unknown }, originLoad: { unknown } });
});

const purgeOf = (kind: CacheScope["objects"]["kind"], ...values: readonly string[]): CacheScope => ({
  change: "purge",
  network: "production",
  objects: { kind, values },
  isDeletion: false,
});
/** What is read for a forecast of some changes, by the values that the report is asked for. */
async function asked(...scopes: readonly ChangeScope[]) {
  const values: unknown[] = [];
  const body = { data: [{ hostname: "a.example", edgeHitsSum: 3_600, originHitsSum: 360 }] };
  const forecast = await forecastOf(scopes, {
    nowMs: 0,
    isToday: true,
    read: async () => ({}),
    recall: async (_, { body: query }, reduce) => {
      values.push(
        ...((query as { filters?: { expressions: unknown[] }[] } | undefined)?.filters?.[0]?.expressions ?? []),
      );
      return reduce(body);
    },
  });
  return { forecast, values: [...new Set(values)] };
}

it("purges on one network by objects of one kind are forecast as one", async () => {
  const together = await asked(purgeOf("cpcode", "1", "2"), purgeOf("cpcode", "2", "3"));
  expect(together.values).toEqual(["1", "2", "3"]);
  expect(together.forecast).not.toHaveProperty("leftOut");
  expect((await asked()).forecast).toBeUndefined();
});

it("of several changes the gravest is forecast, and the others are counted", async () => {
  const onStaging = { ...purgeOf("cpcode", "9", "10"), network: "staging" } as const;
  const url = purgeOf("url", "https://a.example/");
  const [one, more] = [purgeOf("cpcode", "1"), purgeOf("cpcode", "2")];
  expect(await asked(onStaging, url, one, more)).toMatchObject({ values: ["1", "2"], forecast: { leftOut: 2 } });
  const tags = await asked(one, purgeOf("tag", "a"));
  expect(tags).toMatchObject({ values: [], forecast: { leftOut: 1, traffic: { unknown: expect.any(String) } } });
  const activation = { change: "activation", of: "list", id: "1_A", network: "production", isEnd: false } as const;
  const first = async (...scopes: readonly ChangeScope[]) => {
    const lists: unknown[] = [];
    const read: SiteReads["read"] = async (_, { networkListId }) => lists.push(networkListId);
    await forecastOf(scopes, { nowMs: 0, isToday: true, read, recall: async (_, __, reduce) => reduce({}) });
    return lists[0];
  };
  const ending = { ...activation, id: "2_B", isEnd: true };
  expect(await first({ ...ending, id: "3_C", network: "staging" }, activation, ending)).toBe("2_B");
  expect(await first(activation, { ...activation, id: "4_D" })).toBe("1_A");
});
