/** What is kept of hostnames between calls: for how long, what makes it old, and what is read after the call. */
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { stateOf } from "../../src/emulator/services/properties/world.js";
import { Failure } from "../../src/language/failure.js";
import { memberAt } from "../../src/language/member.js";
import { noPolicy } from "../../src/policy/index.js";
import { type KeptReadings, openKnowledge } from "../../src/site/known.js";
import { minuteMs } from "../../src/time/durations.js";
import { caller } from "../lab/made-up.js";
import { askIn } from "./asked.js";
import type { Site } from "./grown.js";

let account: ReturnType<typeof askIn>;
let [first, second]: readonly Site[] = [];
const begin = (more?: Parameters<typeof askIn>[1]): void => {
  account = askIn(30, more);
  [first, second] = account.sites;
};
/** A policy that counts calls, so that nothing is read that was not asked for. */
const counting = { ...noPolicy, quotas: [{ id: "all", max: 1_000, counts: "calls", per: "hour" }] } as never;
beforeEach(() => begin({ policy: counting }));
afterEach(async () => {
  await account.end();
  vi.useRealTimers();
});

const ask = async (site = first) => {
  account.looked();
  const card = await account.card({ hostname: site?.hostname });
  return { card, requests: account.looked() };
};

it("is answered again without a request, with its age", async () => {
  expect((await ask()).card).toMatchObject({ oldestReadingSeconds: 0 });
  account.pass(90_000);
  const { card, requests } = await ask();
  expect(requests).toEqual([]);
  expect(card).toMatchObject({ oldestReadingSeconds: 90, property: { propertyId: first?.property.id } });
});

it("has errors for five minutes, and all else for a quarter of an hour", async () => {
  const all = (await ask()).requests.length;
  account.pass(5 * minuteMs - 1);
  expect((await ask()).requests).toEqual([]);
  account.pass(1);
  expect((await ask()).requests).toEqual(["GET /diagnostic-tools/v2/estats"]);
  account.pass(10 * minuteMs);
  expect((await ask()).requests).toHaveLength(all);
});

it("is read again on request", async () => {
  const all = (await ask()).requests.length;
  account.looked();
  await account.card({ hostname: first?.hostname, refresh: true });
  expect(account.looked()).toHaveLength(all);
});

it("reads only the property again for another hostname of a zone", async () => {
  const all = (await ask()).requests.length;
  const { requests } = await ask(second);
  expect(requests.length).toBeLessThan(all);
  expect(requests.filter((one) => one.startsWith("GET /cps/v2/enrollments"))).toEqual([]);
});

it("shows what was changed from here, and reads nothing else for it", async () => {
  await ask();
  await ask(second);
  const propertyId = first?.property.id;
  await account.answer("property_version_create", { propertyId, body: { createFromVersion: 1 } });
  const { card, requests } = await ask();
  expect(card).toMatchObject({ latest: { version: first?.property.versions.length ?? 0 } });
  // Which policies a property refers to depends on its versions.
  expect(requests.filter((one) => !/^GET \/(papi|cloudlets)\//.test(one))).toEqual([]);
  expect((await ask(second)).requests.filter((one) => one.includes("prp_"))).toEqual([]);
});

it("does not keep a property while an activation is under way", async () => {
  await ask();
  const propertyId = first?.property.id;
  const body = {
    propertyVersion: 2,
    network: "PRODUCTION",
    note: "",
    notifyEmails: ["a@shop.example"],
    acknowledgeAllWarnings: true,
  };
  await account.approved("property_version_activate", { propertyId, body });
  expect((await ask()).card).toMatchObject({
    production: { version: 1 },
    lastActivation: { status: "PENDING", version: 2 },
  });
  account.pass(60 * minuteMs);
  const { card } = await ask();
  expect(card).toMatchObject({ production: { version: 2 } });
  expect(card["lastActivation"]).toBeUndefined();
});

it("does not see what others change until it is too old", async () => {
  await ask();
  const property = stateOf(account.world).properties.get(first?.property.id ?? "");
  if (!property) throw new Error("The property is gone.");
  stateOf(account.world).properties.set(property.id, { ...property, name: "renamed" });
  expect(memberAt((await ask()).card, "property.propertyName")).toBe(property.name);
  account.pass(15 * minuteMs);
  expect(memberAt((await ask()).card, "property.propertyName")).toBe("renamed");
});

it("is not kept for another caller", async () => {
  const { requests: all } = await ask();
  await account.calls.call("properties_find", { hostname: first?.hostname }, { ...caller, owner: "another" });
  expect(account.looked()).toHaveLength(all.length);
});

it("reads all hostnames after the call, unless the policy counts calls", async () => {
  await ask();
  await new Promise((resolve) => setTimeout(resolve, 300));
  expect(account.looked()).toEqual([]);
  await account.end();
  begin();
  await ask();
  const read = new Set<string>();
  await vi.waitFor(
    async () => {
      for (const one of account.looked()) read.add(one);
      expect(read.size).toBeGreaterThan(30);
    },
    { timeout: 20_000 },
  );
  await vi.waitFor(async () => expect((await account.card({ hostname: "www-2" }))["steps"]).toEqual({ done: {} }));
});

it("names what cannot be read, with the reason, and answers the rest", async () => {
  await account.end();
  begin({ policy: counting });
  const offer = {
    tools: new Map(),
    leftOut: (tool: string) => (tool.startsWith("cert_") ? { by: "a test", why: "It is" } : undefined),
  };
  const outcome = await account.calls.call("properties_find", { hostname: first?.hostname }, {
    ...caller,
    offer,
  } as never);
  expect(outcome).toMatchObject({
    kind: "workflow",
    result: {
      dns: { zone: first?.zone },
      unknown: { certificate: expect.stringContaining("cert_enrollments_list is left out here by a test") },
    },
  });
  expect(memberAt(outcome, "result.certificates")).toBeUndefined();
});

it("what is kept has a bound, and what was used last stays", async () => {
  const load = async () => "x".repeat(299_000);
  const open = (kept: KeptReadings) => openKnowledge({ read: load, kept, isRefreshed: false, changesSince: () => [] });
  let kept: KeptReadings = {};
  for (let number = 0; number < 20; number += 1) {
    const knowledge = open(kept);
    await knowledge.known({ key: "used", load });
    await knowledge.known({ key: `reading ${number}`, load });
    await knowledge.known({ key: `too large ${number}`, load: async () => "x".repeat(300_000) });
    kept = knowledge.toKeep() ?? kept;
  }
  expect(Object.keys(kept)).toEqual([
    ...Array.from({ length: 11 }, (_, at) => `reading ${at + 8}`),
    "used",
    "reading 19",
  ]);
});

it("what was refused is not asked for again for five minutes", async () => {
  let [asked, nowMs] = [0, 0];
  const failing = (code: "forbidden" | "network") => ({
    key: code,
    load: async () => {
      asked += 1;
      throw new Failure(code, "It was refused.", { next: "Go on." });
    },
  });
  let kept: KeptReadings = {};
  const ask = async (code: "forbidden" | "network") => {
    const read = async () => undefined;
    const knowledge = openKnowledge({ read, kept, isRefreshed: false, changesSince: () => [], now: () => nowMs });
    expect(await knowledge.known(failing(code))).toEqual({ unknown: "It was refused." });
    kept = knowledge.toKeep() ?? kept;
    return asked;
  };
  expect([await ask("forbidden"), await ask("forbidden")]).toEqual([1, 1]);
  nowMs = 5 * minuteMs;
  expect(await ask("forbidden")).toBe(2);
  // A connection that broke may hold the next time.
  expect([await ask("network"), await ask("network")]).toEqual([3, 4]);
});
