/** The documents' rules for log delivery, asked of the emulator in raw HTTP: choices, configurations and redeliveries over time. */
import { describe, expect, it } from "vitest";
import { now, startRaw } from "../../lab/raw.js";
import { rule } from "../../lab/rules.js";

type Json = Record<string, unknown>;
const root = "/lds-api/v3";
const parameters = `${root}/log-configuration-parameters`;
const shop = `${root}/log-configurations/163842`;
const hourMs = 3_600_000;
const dayMs = 24 * hourMs;
const day = (days: number, from = now) => new Date(from + days * dayMs).toISOString().slice(0, 10);
const sourceOf = (id: string, type = "cpcode-products") => `${root}/log-sources/${type}/${id}`;
const content = (more: object = {}) => ({
  startDate: day(1),
  contactDetails: { contact: { id: "1-C30O" }, mailAddresses: ["operations@shop.example"] },
  logFormatDetails: { logFormat: { id: "2" }, logIdentifier: "api" },
  messageSize: { id: "3" },
  aggregationDetails: { type: "byLogArrival", deliveryFrequency: { id: "1" } },
  encodingDetails: { encoding: { id: "1" } },
  deliveryDetails: { type: "ftp", machine: "logs.shop.example", login: "edge", password: "hunter2", directory: "/api" },
  ...more,
});

function start() {
  const raw = startRaw();
  const json = async (target: string) => (await raw.get(target)).json() as Json;
  const list = async (target: string) => (await raw.get(target)).json() as Json[];
  const send = async (method: string, target: string, body?: object) => {
    const answer = await (body === undefined ? raw.ask({ method, target }) : raw.send(method, target, body));
    const said = (answer.status < 400 ? {} : answer.json()) as { details?: readonly { message: string }[] };
    const id = answer.headers["location"]?.split("/").at(-1) ?? "";
    return { status: answer.status, text: answer.text, id, why: said.details?.[0]?.message };
  };
  return {
    ...raw,
    json,
    list,
    send,
    create: (more: object = {}, source = sourceOf("12346-1")) =>
      send("POST", `${source}/log-configurations`, content(more)),
    redeliver: (redeliveryDate: string, more: object = {}, id = "163842") =>
      send("POST", `${root}/log-redeliveries`, { logConfiguration: { id }, redeliveryDate, ...more }),
    statusOf: async (id: string) => (await json(`${root}/log-configurations/${id}`))["status"],
  };
}
const ids = (found: readonly Json[]) => found.map(({ id }) => id);

describe("log sources", () => {
  it("log sources are the account's CP codes, zones, GTM, resolvers, ETP", async () => {
    const { list, json } = start();
    const all = await list(`${root}/log-sources`);
    const others = all.filter(({ type }) => type !== "cpcode-products").map(({ type, id }) => `${type} ${id}`);
    expect(others).toEqual(["edns 8101", "edns 8102", "gtm 5501", "answerx 6601", "etp 1100"]);
    expect(await list("/etp-config/v1/configs")).toEqual([1100]);
    expect(all[0]).toMatchObject({ cpCode: "12345 - Shop", products: ["Site delivery"], logRetentionDays: 30 });
    expect(await list(`${root}/log-sources/edns`)).toEqual(all.filter(({ type }) => type === "edns"));
    expect(await json(sourceOf("12345-1"))).toEqual(all[0]);
    for (const none of [sourceOf("99-1"), sourceOf("12345-1", "edns"), `${root}/log-sources/cookies`])
      expect((await start().get(none)).status).toBeGreaterThanOrEqual(400);
  });
});

rule("log-formats", "log formats fit the source type, and a source's fit its product", async () => {
  const { list } = start();
  const type = ids(await list(`${root}/log-sources/cpcode-products/log-formats`));
  expect(ids(await list(`${sourceOf("12345-1")}/log-formats`))).toEqual(type);
  const ofApi = ids(await list(`${sourceOf("12346-1")}/log-formats`));
  expect(type.filter((id) => !ofApi.includes(id))).toEqual(["4"]);
  expect(ids(await list(`${root}/log-sources/edns/log-formats`))).toEqual(["11"]);
  const { create } = start();
  for (const id of ["4", "11"])
    expect((await create({ logFormatDetails: { logFormat: { id } } })).why).toContain("logFormatDetails.logFormat");
});

rule("log-encodings", "limits the encodings by delivery, in both places that list them", async () => {
  const { list, get, create } = start();
  const valuesOf = async (query: string) => (await list(`${parameters}/encodings${query}`)).map(({ value }) => value);
  expect(await valuesOf("")).toEqual(["GZIP", "GZIP with UUENCODE", "MIME with BASE64", "GPG"]);
  expect(await valuesOf("?deliveryType=email")).toEqual(["GZIP with UUENCODE", "MIME with BASE64", "GPG"]);
  expect(await valuesOf("?deliveryType=ftp&logSourceType=edns")).toEqual(["GZIP", "GPG"]);
  expect(await list(`${root}/log-sources/edns/encodings?deliveryType=ftp`)).toEqual(
    await list(`${parameters}/encodings?deliveryType=ftp&logSourceType=edns`),
  );
  expect((await get(`${parameters}/encodings/1?deliveryType=email`)).status).toBe(404);
  expect((await create({ encodingDetails: { encoding: { id: "2" } } })).why).toContain("one of 1, 4");
});

rule("log-encodings-gpg-only", "offers GPG alone to resolvers and threat protection", async () => {
  const { list, create } = start();
  for (const type of ["answerx", "etp"]) {
    expect(ids(await list(`${root}/log-sources/${type}/encodings`))).toEqual(["4"]);
    expect(ids(await list(`${parameters}/encodings?deliveryType=ftp&logSourceType=${type}`))).toEqual(["4"]);
  }
  const resolver = { logFormatDetails: { logFormat: { id: "13" } } };
  expect((await create(resolver, sourceOf("6601", "answerx"))).why).toContain("one of 4");
  const encodingDetails = { encoding: { id: "4" }, encodingKey: "KEY" };
  expect((await create({ ...resolver, encodingDetails }, sourceOf("6601", "answerx"))).status).toBe(201);
  const threats = { logFormatDetails: { logFormat: { id: "14" } } };
  expect((await create(threats, sourceOf("1100", "etp"))).why).toContain("one of 4");
  expect((await create({ ...threats, encodingDetails }, sourceOf("1100", "etp"))).status).toBe(201);
});

rule("log-gpg-key", "takes GPG with a key alone", async () => {
  const { create } = start();
  expect((await create({ encodingDetails: { encoding: { id: "4" } } })).why).toContain("encodingKey");
  expect((await create({ encodingDetails: { encoding: { id: "4" }, encodingKey: "KEY" } })).status).toBe(201);
});

rule("log-message-sizes", "offers sizes of 1 to 50 MB compressed, six times that uncompressed", async () => {
  const { list } = start();
  const values = (await list(`${parameters}/message-sizes`)).map(({ value }) => String(value));
  expect(values).toContain("25 MB (approx. 150 MB uncompressed logs)");
  const sizes = values.map((value) => value.match(/\d+/g)?.map(Number) ?? []);
  for (const [compressed = 0, whole] of sizes) expect(whole).toBe(6 * compressed);
  expect([sizes[0]?.[0], sizes.at(-1)?.[0]]).toEqual([1, 50]);
});

it.each(["delivery-frequencies", "delivery-thresholds", "encodings", "message-sizes", "contacts"])(
  "reads each of the %s as the list has it, and no other",
  async (kind) => {
    const { list, json, get } = start();
    const all = await list(`${parameters}/${kind}`);
    expect(all.length).toBeGreaterThan(1);
    for (const one of all) expect(await json(`${parameters}/${kind}/${one["id"]}`)).toEqual(one);
    expect((await get(`${parameters}/${kind}/99`)).status).toBe(404);
  },
);

rule("log-one-per-source", "refuses a second configuration of a source, by creation and by copy", async () => {
  const { create, send, list } = start();
  const { status, id } = await create();
  expect([status, (await create()).status]).toEqual([201, 409]);
  const to = (source: string, type = "cpcode-products") => ({ copyTarget: { logSource: { id: source, type } } });
  expect((await send("POST", `${shop}/copy`, to("12346-1"))).why).toContain(id);
  expect(await list(`${sourceOf("12346-1")}/log-configurations`)).toMatchObject([{ id }]);
  expect((await send("DELETE", `${root}/log-configurations/${id}`)).status).toBe(200);
  const copy = await send("POST", `${shop}/copy`, to("12346-1"));
  expect(copy.status).toBe(201);
  expect(await list(`${sourceOf("12346-1")}/log-configurations`)).toMatchObject([
    { id: copy.id, startDate: day(1), deliveryDetails: { machine: "logs.shop.example", directory: "/shop" } },
  ]);
  expect((await send("POST", `${shop}/copy`, to("8102", "edns"))).why).toContain("logFormat");
  expect((await send("POST", `${shop}/copy`, to("7-1"))).status).toBe(404);
});

rule("log-location", "answers a creation with where it is, and nothing else", async () => {
  const { create, json, redeliver } = start();
  const made = await create();
  expect(made.text).toBe("");
  expect(await json(`${root}/log-configurations/${made.id}`)).toMatchObject({
    id: made.id,
    status: "active",
    logSource: { id: "12346-1", cpCode: "12346 - Shop API" },
    logFormatDetails: { logIdentifier: "api", logFormat: { id: "2", value: "combined" } },
    messageSize: { value: "25 MB (approx. 150 MB uncompressed logs)" },
  });
  const again = await redeliver(day(-3));
  expect(await json(`${root}/log-redeliveries/${again.id}`)).toMatchObject({ id: again.id, redeliveryDate: day(-3) });
});

rule("log-start-ahead", "starts tomorrow at the earliest; what has started keeps its date", async () => {
  const { create, send, world } = start();
  expect((await create({ startDate: day(0) })).why).toContain(day(1));
  expect((await create({ startDate: day(3), endDate: day(2) })).why).toContain("endDate");
  const replace = (startDate: string) => send("PUT", shop, content({ startDate }));
  expect((await replace(day(-60))).status).toBe(200);
  expect((await replace(day(-59))).status).toBe(400);
  world.advance(dayMs);
  expect((await create()).why).toContain(day(2));
});

rule("log-aggregation", "log delivery takes a frequency or a threshold, each in its place", async () => {
  const { create } = start();
  const one = { id: "1" };
  for (const aggregationDetails of [
    { type: "byLogArrival", deliveryThreshold: one },
    { type: "byHitTime", deliveryFrequency: one },
    { type: "byLogArrival", deliveryFrequency: one, deliverResidualData: true },
  ])
    expect((await create({ aggregationDetails })).status).toBe(400);
  const byDay = { type: "byHitTime", deliveryThreshold: { id: "9" } };
  expect((await create({ aggregationDetails: byDay })).why).toContain("aggregationDetails.deliveryThreshold");
  expect((await create({ aggregationDetails: { ...byDay, deliveryThreshold: one } })).status).toBe(201);
});

rule("log-replaced", "removes what a replacement leaves out", async () => {
  const { send, json } = start();
  const { contactDetails } = content();
  const { mailAddresses: _, ...contact } = contactDetails;
  const left = content({ startDate: day(-60), contactDetails: contact, endDate: undefined });
  expect((await send("PUT", shop, content({ startDate: day(-60), endDate: day(9) }))).status).toBe(200);
  expect(await json(shop)).toMatchObject({ endDate: day(9), contactDetails });
  expect((await send("PUT", shop, left)).status).toBe(200);
  const after = await json(shop);
  expect(after["endDate"]).toBeUndefined();
  expect(after["contactDetails"]).toEqual({ contact: expect.objectContaining({ id: "1-C30O" }) });
  const foreign = { logSource: { id: "12346-1", type: "cpcode-products" } };
  expect((await send("PUT", shop, { ...left, ...foreign })).why).toContain("12345-1");
});

rule("log-password-hidden", "never answers a password", async () => {
  const { create, get, json } = start();
  const { id } = await create();
  const deliveryDetails = { login: "edge", password: "" };
  expect(await json(`${root}/log-configurations/${id}`)).toMatchObject({ deliveryDetails });
  const lists = [`${root}/log-sources/cpcode-products/log-configurations`, `${sourceOf("12346-1")}/log-configurations`];
  for (const target of lists) expect((await get(target)).text).not.toMatch(/hunter2|emulated/);
});

rule("log-status-moves", "log delivery suspends and redelivers if active, resumes if suspended", async () => {
  const { send, statusOf, redeliver } = start();
  expect((await send("POST", `${shop}/resume`)).status).toBe(409);
  expect((await send("POST", `${shop}/suspend`)).status).toBe(200);
  expect(await statusOf("163842")).toBe("suspended");
  expect((await send("POST", `${shop}/suspend`)).status).toBe(409);
  expect((await redeliver(day(-3))).why).toContain("suspended");
  expect((await send("POST", `${shop}/resume`)).status).toBe(200);
  expect(await statusOf("163842")).toBe("active");
  expect((await redeliver(day(-3))).status).toBe(201);
});

rule("log-status-expired", "lets a configuration expire when its last day is over", async () => {
  const { create, statusOf, world, send } = start();
  const { id } = await create({ endDate: day(2) });
  expect(await statusOf("163843")).toBe("expired");
  world.advance(2 * dayMs);
  expect(await statusOf(id)).toBe("active");
  world.advance(dayMs);
  expect(await statusOf(id)).toBe("expired");
  expect((await send("POST", `${root}/log-configurations/${id}/suspend`)).status).toBe(409);
});

rule("log-redelivery-complete", "a redelivery is refused until its original exists and is complete", async () => {
  const { redeliver, world, send, create } = start();
  // Every 24 hours, and an hour for the delivery itself; now it is ten past twelve.
  expect((await redeliver(day(0), { beginTime: 0, endTime: 3 })).why).toContain("not complete");
  expect((await redeliver(day(-1))).status).toBe(201);
  expect((await redeliver(day(-61), {})).why).toContain("30 days");
  const aggregationDetails = { type: "byLogArrival", deliveryFrequency: { id: "4" } };
  expect((await send("PUT", shop, content({ startDate: day(-60), aggregationDetails }))).status).toBe(200);
  expect((await redeliver(day(0), { beginTime: 6, endTime: 9 })).status).toBe(201);
  expect((await redeliver(day(0), { beginTime: 9, endTime: 12 })).why).toContain("not complete");
  world.advance(hourMs);
  expect((await redeliver(day(0), { beginTime: 9, endTime: 12 })).status).toBe(201);
  const { id } = await create();
  world.advance(3 * dayMs);
  expect((await redeliver(day(0), {}, id)).why).toContain("not complete");
  expect((await redeliver(day(1), {}, id)).status).toBe(201);
});

it("redelivers nothing of the time in which a configuration was suspended", async () => {
  const { redeliver, send, world } = start();
  await send("POST", `${shop}/suspend`);
  world.advance(2 * dayMs);
  await send("POST", `${shop}/resume`);
  expect((await redeliver(day(0))).why).toContain("not complete");
  expect((await redeliver(day(-1))).status).toBe(201);
});

rule("log-redelivery-retention", "redelivers a day as long as its logs are kept", async () => {
  const { redeliver, world } = start();
  expect((await redeliver(day(-30))).status).toBe(201);
  expect((await redeliver(day(-31))).why).toContain("30 days");
  world.advance(dayMs);
  expect((await redeliver(day(-30))).status).toBe(400);
});

rule("log-redelivery-whole-day", "takes hours of a day, and by calendar day the whole day alone", async () => {
  const { redeliver, send } = start();
  expect((await redeliver(day(-3), { beginTime: 6, endTime: 6 })).why).toContain("endTime");
  expect((await redeliver(day(-3), { beginTime: 6, endTime: 7 })).status).toBe(201);
  expect((await send("POST", `${root}/log-configurations/163844/resume`)).status).toBe(200);
  expect((await redeliver(day(-12), { beginTime: 6, endTime: 7 }, "163844")).why).toContain("whole days");
  expect((await redeliver(day(-12), { beginTime: 0, endTime: 24 }, "163844")).status).toBe(201);
  expect((await redeliver(day(-12), {}, "163844")).status).toBe(201);
});

rule("log-redelivery-priority", "a redelivery waits, and fails if its configuration is gone by then", async () => {
  const { redeliver, json, world, send } = start();
  const first = await redeliver(day(-3));
  const progress = async (id: string) => {
    const { status, createdDate, modifiedDate } = await json(`${root}/log-redeliveries/${id}`);
    return [status, (Date.parse(String(modifiedDate)) - Date.parse(String(createdDate))) / 60_000];
  };
  expect(await progress(first.id)).toEqual(["new", 0]);
  world.advance(5 * 60_000);
  expect(await progress(first.id)).toEqual(["scheduled", 5]);
  world.advance(2 * hourMs);
  expect(await progress(first.id)).toEqual(["success", 120]);
  const second = await redeliver(day(-3));
  await send("DELETE", shop);
  world.advance(2 * hourMs);
  expect((await progress(first.id)).concat(await progress(second.id))).toEqual(["success", 120, "failed", 120]);
});

it("refuses in its own format, with an incident for each refusal", async () => {
  const { get } = start();
  const answer = await get(`${root}/log-configurations/7`);
  expect(answer.headers["content-type"]).toBe("application/json");
  expect(answer.json()).toMatchObject({ status: 404, title: "Not Found", incidentId: expect.any(String) });
  const [detail] = (answer.json() as { details: readonly Json[] }).details;
  expect(Object.keys(detail ?? {})).toEqual(["code", "message", "data"]);
  expect((await get(`${root}/log-redeliveries/7`)).status).toBe(404);
});
