/** The built server and the limits of an upstream: one API that hangs, several that are busy, and one that counts its requests. */
import { expect, it } from "vitest";
import { connect, contentOf, type Result, type Session, startEmulator } from "../lab/session.js";
import { until } from "../lab/time.js";
import { scripted } from "./scripted.js";
import { json } from "./upstream.js";

const { upstream, against } = await scripted(["--upstream-concurrency", "2", "--upstream-queue", "3"]);
const zones = ["a.example", "b.example", "c.example", "d.example", "e.example", "f.example"];
const zone = (session: Session, name: string) => session.call("dns_zone_get", { zone: name });
const targets = () => upstream.received.map(({ target }) => target);

it("a hanging API has bounded requests and queue, and delays no other", async () => {
  const session = await against((response, { target }) => {
    if (!target.includes("/config-dns/")) json(response, 200, []);
  });
  const calls = zones.map((name) => zone(session, name));
  const [refused] = await Promise.race(calls.map(async (call) => [await call]));
  expect(refused?.structuredContent).toMatchObject({
    error: "rate_limited",
    why: expect.stringContaining("Nothing was sent."),
    retryAfterSeconds: 1,
  });
  await until(() => upstream.received.length === 2);
  expect((await session.call("contract_ids_list", {})).structuredContent).toMatchObject({ status: 200 });
  expect(targets().filter((target) => target.includes("/config-dns/"))).toHaveLength(2);
  // The upstream breaks its connections off: those two are read again, and what waited is sent.
  await against((response) => json(response, 200, { zone: {} }));
  await Promise.all(calls);
  expect(targets()).toHaveLength(5);
});

it("a busy API says how many callers are ahead, and answers them all", async () => {
  const open: (() => void)[] = [];
  const session = await against((response) => void open.push(() => json(response, 200, { zone: {} })));
  const heard: string[] = [];
  const listening = {
    onprogress: ({ message = "" }: { readonly message?: string | undefined }) => void heard.push(message),
  };
  const calls = zones.slice(0, 5).map((name) => session.call("dns_zone_get", { zone: name }, listening));
  await until(() => open.length === 2 && heard.length === 3);
  expect(heard.toSorted()).toEqual(
    [0, 1, 2].map((ahead) => `Waiting for a free slot of the DNS zones API (${ahead} ahead)`),
  );
  for (let at = 0; at < 5; at += 1) {
    await until(() => open.length > at);
    open[at]?.();
  }
  for (const { structuredContent } of await Promise.all(calls))
    expect(structuredContent).toMatchObject({ status: 200 });
});

it("a busy API is asked once by identical reads of one client", async () => {
  const session = await against((response) => void setTimeout(() => json(response, 200, { zone: {} }), 200));
  const results = await Promise.all([1, 2, 3, 4, 5, 6, 7].map(() => zone(session, "a.example")));
  for (const { structuredContent } of results) expect(structuredContent).toMatchObject({ status: 200 });
  expect(upstream.received).toHaveLength(1);
});

it("an API that counts requests gets no more than it accepts", async () => {
  const emulator = await startEmulator();
  const session = await connect("v2 2026 stdio", {
    flags: ["--upstream", emulator.match, "--call-timeout-ms", "2000"],
  });
  await fetch(`${emulator.match}/_emulator/limit`, { method: "POST", body: '{"requestsPerMinute":5}' });
  const results: Result["structuredContent"][] = [];
  for (let at = 0; at < 9; at += 1) results.push(await contentOf(session, "dns_zone_get", { zone: `${at}.example` }));
  const refused = results.filter((one) => one["error"] === "rate_limited");
  expect(refused.length).toBeGreaterThanOrEqual(3);
  for (const one of refused) {
    expect(one).toMatchObject({ why: expect.stringContaining("Nothing was sent.") });
    // It would have the status 429 if the upstream had refused it.
    expect(one).not.toHaveProperty("status");
  }
  expect(results.slice(0, 5).filter((one) => one["error"] === "rate_limited")).toEqual([]);
  await session.close();
  emulator.child.kill("SIGTERM");
});
