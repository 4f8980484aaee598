/** The rules of live streaming, asked of the emulator in raw HTTP, and what time does to configurations, streams and events. */
import { expect, it } from "vitest";
import { streamsOf } from "../../../src/emulator/services/streams.js";
import { memberAt } from "../../../src/language/member.js";
import { now, startRaw } from "../../lab/raw.js";
import { rule } from "../../lab/rules.js";
import { treeOf } from "../xml.js";

const root = "/config-media-live/v1/live";
const own = `${root}/live.shop.example`;
const stream = `${own}/stream/201044`;
const minuteMs = 60_000;

function start() {
  const raw = startRaw();
  const read = (text: string) => Object.values(treeOf(text))[0];
  const get = async (target: string) => read((await raw.get(target)).text);
  const write = async (method: string, target: string, body?: string) => {
    const { status, headers, text } = await raw.ask({
      method,
      target,
      ...(body === undefined ? {} : { body, headers: { "content-type": "application/xml" } }),
    });
    return { status, type: headers["content-type"], body: read(text) as Record<string, unknown> };
  };
  const hostnames = async () =>
    (memberAt(await get(root), "domain") as object[]).map((one) =>
      memberAt(one, ["configuration-details", "hostname"]),
    );
  const cpCodes = async (list: string) => {
    const found = memberAt(await get(`${root}/utils/cpcode`), [`${list}-cpcode-list`, "cpcode-list"]) ?? [];
    return [found].flat().map((one) => memberAt(one, "cpcode"));
  };
  /** Where the versions of the first configuration are active, as `1 Activated`. */
  const states = async (environment: "production" | "staging" = "production") =>
    (memberAt(await get(own), ["domain-versions", "domain-version"]) as object[]).map(
      (one) => `${memberAt(one, "version")} ${memberAt(one, [`${environment}-deployment-status`])}`,
    );
  return { ...raw, get, write, hostnames, cpCodes, states };
}
const configuration = (hostname: string, archive: string, more = "") =>
  `<domain><configuration-details><configuration-name>a</configuration-name><hostname>${hostname}</hostname><reporting-cpcode>67891</reporting-cpcode></configuration-details><archive-configuration><archive-cpcode>${archive}</archive-cpcode>${more}</archive-configuration></domain>`;
const streamOf = (type: string) => `<stream><stream-type>${type}</stream-type><stream-name>n</stream-name></stream>`;

rule("live-hostname", "names a configuration by its hostname, which belongs to one alone", async () => {
  const { get, write, hostnames } = start();
  expect(await hostnames()).toEqual(["live.shop.example", "events.shop.example"]);
  expect(memberAt(await get(own), ["configuration-details", "hostname"])).toBe("live.shop.example");
  expect(await write("GET", `${root}/none.shop.example`)).toMatchObject({
    status: 404,
    type: "application/xml",
    body: { error: expect.stringContaining("none.shop.example") },
  });
  expect((await write("POST", root, configuration("live.shop.example", "70003"))).status).toBe(400);
});

rule("live-first-version", "begins a configuration with version 1, which serves nobody yet", async () => {
  const { get, write } = start();
  expect(await write("POST", root, configuration("a.shop.example", "70003"))).toMatchObject({
    status: 200,
    body: { message: expect.any(String) },
  });
  expect(memberAt(await get(`${root}/a.shop.example`), ["domain-versions", "domain-version"])).toMatchObject({
    version: "1",
    "production-deployment-status": "Inactive",
  });
});

rule("live-archive-cpcode", "live streaming refuses an undedicated CP code and an unknown place", async () => {
  const { write, hostnames } = start();
  const place = "<archive-storage-location>Atlantis</archive-storage-location>";
  for (const bad of [
    configuration("a.shop.example", "67891"),
    configuration("a.shop.example", "1"),
    configuration("a.shop.example", "70003", place),
    configuration("a.shop.example", "70003").replace("67891", "99"),
  ])
    expect(await write("POST", root, bad)).toMatchObject({ status: 400, body: { error: expect.any(String) } });
  expect(await hostnames()).toHaveLength(2);
});

rule("live-cpcode-each", "live configurations are limited by CP codes, and deletion frees one", async () => {
  const { write, cpCodes } = start();
  expect(await cpCodes("netstorage")).toEqual(["70003", "70004"]);
  for (const [at, archive] of ["70003", "70004"].entries())
    expect((await write("POST", root, configuration(`a${at}.shop.example`, archive))).status).toBe(200);
  expect(await cpCodes("netstorage")).toEqual([]);
  expect((await write("POST", root, configuration("b.shop.example", "70003"))).status).toBe(400);
  expect((await write("DELETE", `${root}/a0.shop.example`)).status).toBe(200);
  expect((await write("POST", root, configuration("b.shop.example", "70003"))).status).toBe(200);
});

rule("live-archive-path", "lists archive locations under /api alone", async () => {
  const { get, ask } = start();
  const target = "/config-media-live/v1/api/live/utils/archivelocation";
  expect(memberAt(await get(target), "repSetList")).toContainEqual({ id: "1", name: "Frankfurt" });
  expect((await ask({ target: `${root}/utils/archivelocation` })).status).toBe(404);
  const json = await ask({ target, headers: { accept: "application/json" } });
  expect(json.json()).toMatchObject({ repSetList: [{ name: "Frankfurt" }, {}, {}, {}, {}, {}] });
});

rule("live-next-version", "adds a version after the highest, and keeps the others", async () => {
  const { write, states } = start();
  expect(await states()).toEqual(["1 Activated", "2 Inactive"]);
  expect((await write("POST", `${own}/version`, "<domain-version/>")).status).toBe(200);
  expect(await states()).toEqual(["1 Activated", "2 Inactive", "3 Inactive"]);
});

rule("live-activation", "a live version replaces another only when its activation is over", async () => {
  const { world, get, write, states } = start();
  const activate = (number: number, environment: string) =>
    write("PUT", `${own}/version/${number}/activation?environment=${environment}`);
  expect((await activate(2, "Production")).status).toBe(200);
  expect(await states()).toEqual(["1 Activated", "2 Pending"]);
  expect((await activate(1, "Production")).status).toBe(400);
  expect((await activate(2, "Staging")).status).toBe(200);
  expect((await activate(9, "Staging")).status).toBe(404);
  expect((await activate(2, "Nowhere")).status).toBe(400);
  world.advance(2 * minuteMs - 1);
  expect(await states()).toEqual(["1 Activated", "2 Pending"]);
  expect(await states("staging")).toEqual(["1 Deactivated", "2 Activated"]);
  world.advance(1);
  expect(await states()).toEqual(["1 Deactivated", "2 Activated"]);
  expect(await get(`${own}/version/2/activation`)).toMatchObject({
    version: "2",
    "production-deployment-status": "Activated",
    "activate-environment": "Staging",
  });
  expect((await activate(1, "Production")).status).toBe(200);
  world.advance(2 * minuteMs);
  expect(await states()).toEqual(["1 Activated", "2 Deactivated"]);
});

rule("live-provisioned", "has a new stream pending, and its entry points when it is provisioned", async () => {
  const { world, get, write } = start();
  const { body } = await write("POST", `${own}/stream`, streamOf("Universal Streaming Live"));
  const made = `${own}/stream/${body["stream-id"]}`;
  expect(body).toMatchObject({ status: "Pending" });
  expect(await get(made)).not.toHaveProperty("entrypoints");
  world.advance(2 * minuteMs);
  expect(await get(made)).toMatchObject({
    status: "Provisioned",
    entrypoints: { entrypoint: [{ type: "Primary" }, { type: "Backup" }] },
  });
  expect((await write("POST", `${own}/stream`, streamOf("Betamax"))).status).toBe(400);
});

rule("live-event-types", "packaged live streams have events, and HLS ingest refuses them", async () => {
  const { get, write } = start();
  expect(memberAt(await get(`${stream}/event`), "event")).toHaveLength(2);
  for (const [method, path] of [["GET", ""] as const, ["DELETE", "/a"] as const])
    expect(await write(method, `${own}/stream/201045/event${path}`)).toMatchObject({
      status: 400,
      body: { error: expect.stringContaining("HD iPhone/iPad Live") },
    });
});

rule("live-event-times", "live event times are UTC, month first, and empty until they happen", async () => {
  const { world, get } = start();
  const evening = `${stream}/event/evening-show`;
  const primary = { "on-air-time": "05/20/2026 11:10:00 AM", "archive-start-time": "05/20/2026 11:10:00 AM" };
  expect(await get(evening)).toMatchObject({
    "event-name": "evening-show",
    "primary-event": { ...primary, "archive-end-time": "", "off-air-time": "", "delete-time": "" },
    "backup-event": { "on-air-time": "" },
  });
  world.advance(60 * minuteMs);
  const end = "05/20/2026 01:10:00 PM";
  expect(await get(evening)).toMatchObject({
    "primary-event": { ...primary, "archive-end-time": end, "off-air-time": end },
  });
});

rule("live-event-deletion", "deletes each recording at its time, and the event with the last", async () => {
  const { world, get, write } = start();
  const spring = `${stream}/event/spring-show`;
  const remove = (part: string, time: string) =>
    write("PUT", spring, `<event><${part}-event><delete-time>${time}</delete-time></${part}-event></event>`);
  expect((await remove("backup", "05/20/2026 12:11:00 PM")).status).toBe(200);
  expect(await get(spring)).toMatchObject({ "backup-event": { "delete-time": "05/20/2026 12:11:00 PM" } });
  world.advance(minuteMs);
  expect(await get(spring)).not.toHaveProperty("backup-event");
  await remove("primary", "05/20/2026 12:20:00 PM");
  await remove("primary", "");
  world.advance(60 * minuteMs);
  expect(await get(spring)).toHaveProperty("primary-event");
  await remove("primary", "05/20/2026 12:20:00 PM");
  expect((await write("GET", spring)).status).toBe(404);
  expect(memberAt(await get(`${stream}/event`), ["event", "event-name"])).toBe("evening-show");
});

it("an encoder password is kept if a change omits it, and never shown", async () => {
  const { get, write, ask } = start();
  const settings = (inner: string) =>
    streamOf("Universal Streaming Live").replace(
      "</stream>",
      `<encoder-settings>${inner}</encoder-settings><dvr-settings><dvr>Disabled</dvr></dvr-settings></stream>`,
    );
  expect((await write("PUT", stream, settings("<password>hunter2</password>"))).status).toBe(200);
  await write("PUT", stream, settings("<primary-encoder-ip>203.0.113.9</primary-encoder-ip>"));
  expect(await get(stream)).toMatchObject({
    "stream-name": "n",
    "encoder-settings": { username: "201044", "primary-encoder-ip": "203.0.113.9" },
    "dvr-settings": { dvr: "Disabled" },
  });
  for (const target of [stream, `${own}/stream`, own]) expect((await ask({ target })).text).not.toContain("hunter2");
});

it("media analytics has a live stream from its creation to its deletion", async () => {
  const { world, get, write } = start();
  expect([...streamsOf(world).keys()]).toEqual(["201044", "201045", "201046"]);
  world.advance(minuteMs);
  const { body } = await write("POST", `${own}/stream`, streamOf("Universal Streaming Live"));
  const made = { name: "n", cpCode: "67891", hostName: "live.shop.example", createdAtMs: now + minuteMs };
  expect(streamsOf(world).get(String(body["stream-id"]))).toEqual({ id: body["stream-id"], ...made });
  expect((await write("DELETE", `${root}/events.shop.example`)).status).toBe(200);
  expect(streamsOf(world).get("201046")).toMatchObject({ deletedAtMs: now + minuteMs });
  await write("DELETE", stream);
  expect(streamsOf(world).get("201044")).toMatchObject({ name: "shop-show", deletedAtMs: now + minuteMs });
  expect((await write("GET", stream)).status).toBe(404);
  expect(memberAt(await get(root), ["domain", "configuration-details", "hostname"])).toBe("live.shop.example");
});

it("answers in XML also where the address or the body is wrong", async () => {
  const { write } = start();
  for (const [method, target, body] of [
    ["GET", `${own}/nothing`, undefined],
    ["POST", root, "<domain><hostname>a</hostname></domain>"],
    ["POST", root, "<stream/>"],
    ["PUT", `${stream}/event/spring-show`, "<event/>"],
    ["PUT", `${stream}/event/spring-show`, '<!DOCTYPE event [<!ENTITY a "b">]><event/>'],
  ] as const) {
    const answer = await write(method, target, body);
    expect([target, answer.status >= 400, answer.type]).toEqual([target, true, "application/xml"]);
    expect(answer.body["error"]).toEqual(expect.any(String));
  }
});
