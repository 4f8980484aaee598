/** Firings follow from the traffic, the definition's own fields and the time since it was made or changed. */
import { describe, expect, it } from "vitest";
import { alertsV2 } from "../../../src/emulator/services/alerts-v2/index.js";
import { incident, refusedSince } from "../../../src/emulator/services/reporting/series.js";
import { createWorld } from "../../../src/emulator/world.js";
import { now, startRaw } from "../../lab/raw.js";
import { rule } from "../../lab/rules.js";

interface Firing {
  readonly definitionId: string;
  readonly startTime: string;
  readonly endTime: string | null;
  readonly fieldMap: Readonly<Record<string, string>>;
}
const minuteMs = 60_000;
const hourMs = 60 * minuteMs;
const dayMs = 24 * hourMs;
const at = (ms: number): string => new Date(ms).toISOString().replace(".000Z", "Z");

/** A world with a way to create definitions and to read what the API shows of them. */
function start() {
  const raw = startRaw();
  const read = async (target: string) => (await raw.get(`/alerts/v2/${target}`)).json() as never;
  const listed = async (target: string) => ((await read(target)) as { data: Firing[] }).data;
  const fieldsOf = (more: object) => ({ templateId: "s@7", name: "x", aca_cpcode: ["12346"], param: 5, ...more });
  return {
    ...raw,
    read,
    listed,
    async create(more: object) {
      const made = await raw.send("POST", "/alerts/v2/alert-definitions", { fields: fieldsOf(more) });
      expect(made.status, made.text).toBe(201);
      return (made.json() as { definitionId: string }).definitionId;
    },
    replace: (definitionId: string, more: object) =>
      raw.send("PUT", `/alerts/v2/alert-definitions/${encodeURIComponent(definitionId)}`, {
        definitionId,
        origin: definitionId.startsWith("s") ? "STATIC" : "ADAPTIVE",
        fields: { ...fieldsOf(more), definitionId },
      }),
    /** All firings of a definition. */
    async firings(definitionId: string) {
      const summary = `alert-summaries/${encodeURIComponent(definitionId)}`;
      const { alerts } = (await read(`${summary}/details`)) as { alerts: Firing[] };
      return alerts.map(({ startTime, endTime }) => [startTime, endTime]);
    },
  };
}
/** A definition of the adaptive template, in place of the fixed fields. */
const adaptive = (more: object) => ({
  templateId: "a@1",
  aca_cpcode: undefined,
  param: undefined,
  adaptivemetric: "hits_per_second",
  adaptivecpcode: "12345",
  ...more,
});

describe("a definition that is made now", () => {
  it("a new alert definition has not fired, and fires with new figures", async () => {
    const { create, firings, listed, read, world } = start();
    const definitionId = await create({});
    expect(await firings(definitionId)).toEqual([]);
    expect(await read(`alert-summaries/${encodeURIComponent(definitionId)}`)).toMatchObject({
      lastTriggered: null,
      firingNow: false,
    });
    world.advance(5 * minuteMs);
    expect(await firings(definitionId)).toEqual([[at(now + 5 * minuteMs), null]]);
    expect((await listed("alert-firings/active")).map((one) => one.definitionId)).toEqual(["s@2072", definitionId]);
    expect(await read(`alert-summaries/${encodeURIComponent(definitionId)}`)).toMatchObject({
      lastTriggered: at(now + 5 * minuteMs),
      firingNow: true,
    });
    const sparklines = await listed(`sparklines?definitionIds=${encodeURIComponent(definitionId)}`);
    expect(sparklines).toMatchObject([{ anomalies: [{ start: at(now + 5 * minuteMs) }] }]);
  });

  it.each([
    ["of connections that fail, which is not over the whole", { param: 100 }],
    ["on a CP code whose origin is well", { aca_cpcode: ["12345"] }],
    ["with more connections than there are", { alertLowerBound: 999_999 }],
    ["of traffic that is never so high", { templateId: "s@1", param: 900 }],
    ["whose model is not left", adaptive({ aboveModel: { deviations: 9 }, belowModel: { deviations: 9 } })],
    ["without a model", adaptive({})],
  ])("never fires with a threshold %s", async (_, more) => {
    const { create, firings, world } = start();
    const definitionId = await create(more);
    world.advance(3 * dayMs);
    expect(await firings(definitionId)).toEqual([]);
  });

  it("a high-traffic alert fires each evening and ends as traffic falls", async () => {
    const { create, firings, world } = start();
    const definitionId = await create({ templateId: "s@1", aca_cpcode: ["12345"], param: 4.5 });
    world.advance(4 * dayMs - 12 * hourMs);
    const fired = await firings(definitionId);
    const evenings = fired.filter(([from = ""]) => Number(from?.slice(11, 13)) > 12);
    expect(new Set(evenings.map(([from]) => from?.slice(8, 10)))).toEqual(new Set(["20", "21", "22", "23"]));
    for (const [from, to] of fired) {
      // By night it is quiet.
      expect(from?.slice(11, 13)).not.toMatch(/0[3-9]|1[01]/);
      expect(Date.parse(to ?? "")).toBeGreaterThan(Date.parse(from ?? ""));
    }
  });

  it("an alert watches its network, and each CP code alone unless it sums", async () => {
    const { create, firings, world } = start();
    const traffic = { templateId: "s@1", aca_cpcode: ["12345", "67890"], param: 1.5 };
    const both = await create(traffic);
    const plain = await create({ ...traffic, network: "freeflow" });
    const failures = { aca_cpcode: ["12345", "12346"], param: 90 };
    const summed = await create(failures);
    const each = await create({ ...failures, isSum: false });
    world.advance(hourMs);
    const isFiring = async (id: string) => (await firings(id)).length > 0;
    expect(await Promise.all([both, plain, summed, each].map(isFiring))).toEqual([true, false, false, true]);
  });

  it("on availability ignores the few errors of any day", async () => {
    const { create, listed, world } = start();
    const available = { templateId: "s@134", aca_cpcode: undefined, aca_slatest: ["25707"], param: 99 };
    const definitionId = await create(available);
    world.advance(dayMs);
    expect(await listed(`alert-definitions/${encodeURIComponent(definitionId)}/alert-firings`)).toEqual([]);
  });
});

describe("the definitions that are there from the start", () => {
  it("fired in the incident and have fired since the origin refuses", async () => {
    const { firings, world } = start();
    const { start: from, end } = incident(world);
    expect(await firings("s@1623")).toEqual([[at(from + 5 * minuteMs), at(end + 5 * minuteMs)]]);
    expect(await firings("s@2072")).toEqual([[at(refusedSince(world) + 5 * minuteMs), null]]);
    expect(await firings("s@2071")).toEqual([]);
    const [unusual, ...more] = await firings("a@cp_12345_77");
    expect(more).toEqual([]);
    expect(Date.parse(unusual?.[0] ?? "")).toBeGreaterThan(from);
    expect(Date.parse(unusual?.[0] ?? "")).toBeLessThan(end);
    expect(Date.parse(unusual?.[1] ?? "")).toBeGreaterThanOrEqual(end);
  });

  it("say what was seen in the members that their template names", async () => {
    const { listed, read } = start();
    for (const [definition, template] of [
      ["s%401623", "s%407"],
      ["a%40cp_12345_77", "a%401"],
    ] as const) {
      const { firingFields } = (await read(`alert-templates/${template}`)) as { firingFields: string[] };
      const [firing] = await listed(`alert-definitions/${definition}/alert-firings`);
      expect(Object.keys(firing?.fieldMap ?? {})).toEqual(firingFields);
      expect(Object.values(firing?.fieldMap ?? {}).every((text) => text !== "")).toBe(true);
    }
  });

  rule("alert-firings-30-days", "ended firings show for thirty days, and the last is known after that", async () => {
    const { listed, read, world } = start();
    const { end } = incident(world);
    const ended = "alert-definitions/s%401623/alert-firings";
    world.advance(end + 30 * dayMs - now);
    expect(await listed(ended)).toHaveLength(1);
    world.advance(dayMs);
    expect(await listed(ended)).toEqual([]);
    expect(await read("alert-summaries/s%401623")).toMatchObject({
      lastTriggered: at(incident(world).start + 5 * minuteMs),
    });
  });
});

describe("a definition that is changed", () => {
  it("a changed definition ends old firings and fires by new criteria", async () => {
    const { create, replace, firings, world } = start();
    const definitionId = await create({});
    world.advance(20 * minuteMs);
    expect((await replace(definitionId, { param: 100 })).status).toBe(204);
    const ended = [at(now + 5 * minuteMs), at(now + 20 * minuteMs)];
    expect(await firings(definitionId)).toEqual([ended]);
    world.advance(hourMs);
    expect(await firings(definitionId)).toEqual([ended]);
    expect((await replace(definitionId, { param: 50 })).status).toBe(204);
    world.advance(5 * minuteMs);
    expect(await firings(definitionId)).toEqual([ended, [at(now + 85 * minuteMs), null]]);
  });

  it("goes on firing when only its name or its recipients change", async () => {
    const { create, replace, firings, world } = start();
    const definitionId = await create({});
    world.advance(20 * minuteMs);
    await replace(definitionId, { name: "y", email: ["a@shop.example"] });
    expect(await firings(definitionId)).toEqual([[at(now + 5 * minuteMs), null]]);
  });

  it("a changed adaptive definition is recorded with only what changed", async () => {
    const { create, replace, read, world } = start();
    const belowModel = { deviations: 3, windowSize: 4, anomalyCount: 3 };
    const fields = adaptive({ email: ["a@shop.example"], belowModel });
    const definitionId = await create(fields);
    const target = `alert-definitions/${encodeURIComponent(definitionId)}/activities`;
    const activities = async () => ((await read(target)) as { data: { activityId: number }[] }).data;
    expect(await activities()).toMatchObject([{ details: "SERIES_ADD", startTime: at(now) }]);
    world.advance(minuteMs);
    await replace(definitionId, { ...fields, name: "Another name" });
    await replace(definitionId, { ...fields, name: "Another name", emailHtmlFormat: false });
    expect(await activities()).toHaveLength(1);
    await replace(definitionId, { ...fields, email: ["b@shop.example"] });
    world.advance(minuteMs);
    await replace(definitionId, { ...fields, email: ["b@shop.example"], adaptivemetric: "mbps_to_user" });
    expect((await activities()).slice(1)).toMatchObject([
      { details: "EMAIL_EDIT", startTime: at(now + minuteMs), data: { email: "b@shop.example" } },
      { details: "SERIES_EDIT", startTime: at(now + 2 * minuteMs), data: { metric: { name: "mbps_to_user" } } },
    ]);
    const ids = (await activities()).map(({ activityId }) => activityId);
    expect(new Set(ids).size).toBe(ids.length);
  });
});

describe("a sparkline", () => {
  type Point = Readonly<Record<"x", string> & Record<"y", number> & Partial<Record<"high" | "low", number>>>;
  type Line = Readonly<Record<"points", readonly Point[]>>;
  it("a sparkline is over the threshold where the definition fired", async () => {
    const { listed, world } = start();
    const [line] = (await listed("sparklines?definitionIds=s%401623&points=0")) as unknown as Line[];
    const over = (line?.points ?? []).filter(({ y }) => y > 5).map(({ x }) => Date.parse(x));
    expect([over[0], over.length]).toEqual([incident(world).start, 24]);
  });

  it("leaves its model's range only where something is unusual", async () => {
    const { listed, world } = start();
    const target = "sparklines?definitionIds=a%40cp_12345_77&points=0&inclRange=true";
    const [line] = (await listed(target)) as unknown as Line[];
    const { start: from, end } = incident(world);
    const isOut = ({ y, high = 0, low = 0 }: Point) => y > high || y < low;
    const share = (points: Line["points"]) => points.filter(isOut).length / points.length;
    const isInside = ({ x }: { readonly x: string }) => Date.parse(x) >= from && Date.parse(x) < end;
    const points = line?.points ?? [];
    expect(share(points.filter(isInside))).toBeGreaterThan(0.3);
    expect(share(points.filter((point) => !isInside(point)))).toBeLessThan(0.1);
  });

  it("without a definition is that of a CP code's metric", () => {
    const world = createWorld({ frozenAt: now });
    type Call = Parameters<typeof alertsV2.behaviours.alert_sparklines_list>[0];
    const ask = (query: object) => {
      const call = { path: {}, query, headers: {}, body: undefined } as unknown as Call;
      return alertsV2.behaviours.alert_sparklines_list(call, world).body;
    };
    const plain = { adaptivecpcode: "12345", adaptivemetric: "hits_per_second", points: 12, inclRange: true };
    const { data } = ask(plain) as unknown as { data: Line[] };
    const [line] = data;
    const watched = ask({ definitionIds: ["a@cp_12345_77"], points: 12 }) as unknown as { data: Line[] };
    expect(line?.points.map(({ x, y }) => [x, y])).toEqual(watched.data[0]?.points.map(({ x, y }) => [x, y]));
    expect(line?.points[0]).toHaveProperty("low");
    for (const wrong of [{}, { adaptivecpcode: "12345" }, { ...plain, adaptivecpcode: "99" }])
      expect(() => ask(wrong)).toThrow(expect.objectContaining({ status: 400 }));
  });
});
