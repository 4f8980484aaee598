/** One world: what threat protection stops for an office, the reports no longer count, from the moment it is live. */
import { describe, expect, it } from "vitest";
import { hitsByCode } from "../../../src/emulator/services/reporting/series.js";
import { now, startRaw } from "../../lab/raw.js";

const own = "/etp-config/v1/configs/1100";
const hour = 3_600_000;

function start() {
  const raw = startRaw();
  const post = async (path: string, body: object) => {
    const answer = await raw.send("POST", `${own}${path}`, body);
    expect(answer.status, answer.text).toBeLessThan(300);
  };
  const wait = (minutes: number) => raw.world.advance(minutes * 60_000);
  return {
    ...raw,
    post,
    wait,
    patch: (add: readonly object[], remove: readonly string[] = []) =>
      raw.send("PATCH", `${own}/lists/3785`, { add, delete: remove }),
    deployList: async () => {
      await post("/lists/deployments", { id: 3785, status: "PENDING" });
      wait(31);
    },
    /** The requests of a CP code in five minutes, or another period, as every report and alert counts them. */
    hits: (cpCode: string, from: number, to = from + 300_000): number =>
      Object.values(hitsByCode(raw.world, cpCode, from, to)).reduce((sum, one) => sum + one, 0),
  };
}
const host = (value: string, confidenceLevelId = 2) => ({ type: "LIST_TYPE_DOMAIN", value, confidenceLevelId });
/** Of the 190 addresses of visitors the Berlin office has 16. */
const office = 16 / 190;

/** The hits in a world in which something was done, by those in a world in which nothing was. */
async function shareLeft(cpCode: string, at: number, act: (world: ReturnType<typeof start>) => Promise<unknown>) {
  const [one, other] = [start(), start()];
  await act(one);
  other.world.advance(one.world.now() - other.world.now());
  one.wait(24 * 60);
  other.wait(24 * 60);
  return one.hits(cpCode, at) / other.hits(cpCode, at);
}

describe("a host on a custom list", () => {
  it("a host on a deployed list loses visitors of sites that stop the list", async () => {
    const act = async (world: ReturnType<typeof start>) => {
      await world.patch([host("www.shop.example")]);
      await world.deployList();
    };
    expect(await shareLeft("12345", now + hour, act)).toBeCloseTo(1 - office, 2);
    // Before it was live, and of another host, nothing is lost.
    expect(await shareLeft("12345", now + hour / 4, act)).toBe(1);
    expect(await shareLeft("12346", now + hour, act)).toBe(1);
  });

  it("a host keeps visitors if undeployed, only suspected or taken off", async () => {
    expect(await shareLeft("12345", now + hour, ({ patch }) => patch([host("www.shop.example")]))).toBe(1);
    const suspected = async (world: ReturnType<typeof start>) => {
      await world.patch([host("shop.example", 1)]);
      await world.deployList();
    };
    expect(await shareLeft("12345", now + hour, suspected)).toBe(1);
    const undone = async (world: ReturnType<typeof start>) => {
      await world.patch([host("*.shop.example")]);
      await world.deployList();
      await world.patch([], ["*.shop.example"]);
      await world.deployList();
    };
    expect(await shareLeft("12345", now + 0.75 * hour, undone)).toBeCloseTo(1 - office, 2);
    expect(await shareLeft("12345", now + 2 * hour, undone)).toBe(1);
  });
});

it("goes by the emergency lists before any policy, at every site", async () => {
  const deny = async ({ send, post, wait }: ReturnType<typeof start>, type: string, value: string) => {
    const list = { items: [{ type: "LIST_TYPE_DOMAIN", value }] };
    expect((await send("PUT", `${own}/emergency-lists/${type}`, list)).status).toBe(200);
    await post("/deployments", { comment: "", created: {}, modified: {}, deleted: {} });
    wait(1);
  };
  const denied = await shareLeft("12345", now + hour, (world) => deny(world, "blacklist", "www.shop.example"));
  expect(denied).toBeCloseTo(1 - 2 * office, 2);
  const allowed = await shareLeft("12345", now + hour, async (world) => {
    await deny(world, "blacklist", "www.shop.example");
    await deny(world, "whitelist", "shop.example");
  });
  expect(allowed).toBe(1);
});

it("counts of a whole and its parts agree despite a change in the hour", async () => {
  const { patch, deployList, hits, wait } = start();
  await patch([host("www.shop.example")]);
  await deployList();
  wait(24 * 60);
  const from = Math.floor(now / hour) * hour;
  const slots = Array.from({ length: 12 }, (_, at) => hits("12345", from + at * 300_000));
  expect(hits("12345", from, from + hour)).toBeCloseTo(
    slots.reduce((sum, one) => sum + one, 0),
    3,
  );
  expect(hits("12345", from + hour, from + 3 * hour)).toBeCloseTo(
    hits("12345", from + hour, from + 2 * hour) + hits("12345", from + 2 * hour, from + 3 * hour),
    3,
  );
});
