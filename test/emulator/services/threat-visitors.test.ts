/** Threat protection in long lists, and in one world with the reports: what it stops for an office they no longer count. */
import { expect, it } from "vitest";
import { hitsByCode } from "../../../src/emulator/services/reporting/series.js";
import { accountConfiguration } from "../../../src/emulator/services/threat-protection/store.js";
import { now, startRaw } from "../../lab/raw.js";
import { rule } from "../../lab/rules.js";

const own = "/etp-config/v1/configs/1100";
const hour = 3_600_000;
const host = (value: string, confidenceLevelId = 2) => ({ type: "LIST_TYPE_DOMAIN", value, confidenceLevelId });

function start() {
  const raw = startRaw();
  const sent = async (...request: Parameters<typeof raw.send>) => {
    const answer = await raw.send(...request);
    expect(answer.status, answer.text).toBeLessThan(300);
  };
  return {
    ...raw,
    sent,
    wait: (minutes: number) => raw.world.advance(minutes * 60_000),
    patch: (list: number, add: readonly object[], remove: readonly string[] = []) =>
      raw.send("PATCH", `${own}/lists/${list}`, { add, delete: remove }),
    json: async (path: string) => (await raw.get(own + path)).json(),
  };
}
type World = ReturnType<typeof start>;

rule("threat-list-quota", "holds at most 200,000 items in all custom lists together", async () => {
  const { json, patch, world } = start();
  expect(await json("/lists/quota")).toEqual({ count: 200_000, remainingCount: 200_000 - 124 });
  const { lists } = accountConfiguration(world);
  const phishing = lists.get(3785) ?? expect.fail();
  const many = Array.from({ length: 199_995 }, (_, at) => `d${at}.example.net`);
  const item = { type: "LIST_TYPE_DOMAIN", confidenceLevelId: 2 } as const;
  lists.add({ ...phishing, items: new Map(many.map((value) => [value, { ...item, value }])) });
  expect(await json("/lists/quota")).toMatchObject({ remainingCount: 2 });
  const three = ["a", "b", "c"].map((name) => host(`${name}.example.org`));
  expect((await patch(4541, three)).status).toBe(409);
  expect((await patch(4541, three, ["beacon.example.net"])).status).toBe(200);
  expect((await patch(4541, [host("one.too.many")])).status).toBe(409);
  expect(await json("/lists/quota")).toMatchObject({ remainingCount: 0 });
});

rule("threat-emergency-limit", "the two emergency lists hold at most 1,000 entries each", async () => {
  const { json, send } = start();
  expect(await json("/emergency-lists")).toMatchObject([{ listType: "whitelist" }, { listType: "blacklist" }]);
  const status = async (list: string, count: number) => {
    const items = Array.from({ length: count }, (_, at) => ({ type: "LIST_TYPE_DOMAIN", value: `d${at}.example` }));
    return (await send("PUT", `${own}/emergency-lists/${list}`, { items })).status;
  };
  expect([await status("blacklist", 1_001), await status("blacklist", 1_000)]).toEqual([400, 200]);
  expect(await json("/emergency-lists/blacklist")).toHaveProperty("items.length", 1_000);
  expect(await status("greylist", 0)).toBe(404);
});

/** The requests of a CP code in a period, of five minutes unless said, as every report and alert counts them. */
const hits = ({ world }: World, cpCode: string, from: number, to = from + 300_000): number =>
  Object.values(hitsByCode(world, cpCode, from, to)).reduce((sum, one) => sum + one, 0);

/** The hits in a world in which something was done, by those in a world in which nothing was. */
async function shareLeft(at: number, act: (world: World) => Promise<unknown>, cpCode = "12345") {
  const [one, other] = [start(), start()];
  await act(one);
  other.world.advance(one.world.now() - other.world.now());
  one.wait(24 * 60);
  other.wait(24 * 60);
  return hits(one, cpCode, at) / hits(other, cpCode, at);
}
/** Of the 190 addresses of visitors the Berlin office has 16. */
const office = 16 / 190;

const listed = async (world: World, add: readonly object[], remove: readonly string[] = []) => {
  await world.patch(3785, add, remove);
  await world.sent("POST", `${own}/lists/deployments`, { id: 3785, status: "PENDING" });
  world.wait(31);
};
const denied = async (world: World, list: string, value: string) => {
  await world.sent("PUT", `${own}/emergency-lists/${list}`, { items: [{ type: "LIST_TYPE_DOMAIN", value }] });
  await world.sent("POST", `${own}/deployments`, { comment: "", created: {}, modified: {}, deleted: {} });
  world.wait(1);
};
const taken = async (world: World) => {
  await listed(world, [host("*.shop.example")]);
  await listed(world, [], ["*.shop.example"]);
};
const allowed = async (world: World) => {
  await denied(world, "blacklist", "www.shop.example");
  await denied(world, "whitelist", "shop.example");
};

it.each<[string, stopped: number, hours: number, (world: World) => Promise<unknown>, cpCode?: string]>([
  ["on a deployed list, of the sites that stop it", 1, 1, (world) => listed(world, [host("www.shop.example")])],
  ["before the list is live", 0, 0.25, (world) => listed(world, [host("www.shop.example")])],
  ["with another host on the list", 0, 1, (world) => listed(world, [host("www.shop.example")]), "12346"],
  ["on a list that is not deployed", 0, 1, ({ patch }) => patch(3785, [host("www.shop.example")])],
  ["that is only suspected", 0, 1, (world) => listed(world, [host("shop.example", 1)])],
  ["until it is taken off", 1, 0.75, taken],
  ["once it is taken off", 0, 2, taken],
  ["on the emergency list, at every site", 2, 1, (world) => denied(world, "blacklist", "www.shop.example")],
  ["on the emergency list of those allowed", 0, 1, allowed],
])("a host loses visitors as threat protection stops them: %s", async (_, stopped, hours, act, cpCode) => {
  expect(await shareLeft(now + hours * hour, act, cpCode)).toBeCloseTo(1 - stopped * office, stopped ? 2 : 12);
});

it("counts of a whole and its parts agree despite a change in the hour", async () => {
  const world = start();
  await listed(world, [host("www.shop.example")]);
  world.wait(24 * 60);
  const from = Math.floor(now / hour) * hour;
  const slots = Array.from({ length: 12 }, (_, at) => hits(world, "12345", from + at * 300_000));
  const [first, second, third] = [0, 1, 2].map((at) => hits(world, "12345", from + at * hour, from + (at + 1) * hour));
  expect(first).toBeCloseTo(
    slots.reduce((sum, one) => sum + one, 0),
    3,
  );
  expect(hits(world, "12345", from + hour, from + 3 * hour)).toBeCloseTo((second ?? 0) + (third ?? 0), 3);
});
