/** The streams that keep the pages of the approvals desk up to date, and that nothing is read while there is none. */
import { type IncomingMessage, request } from "node:http";
import { afterEach, beforeEach, expect, it, onTestFinished, vi } from "vitest";
import { browserAt, deskFor, minute, planAt, serveDesk, stateOfDesk } from "../lab/desk.js";
import { barrier } from "../lab/time.js";

let looks: number;
// The desk polls by the test's clock, once a second.
beforeEach(() => void vi.useFakeTimers({ toFake: ["setInterval", "clearInterval"] }));
const desk = deskFor([]);
const { signedIn, pass } = desk;
const tick = () => vi.advanceTimersByTimeAsync(1_000);
beforeEach(() => {
  looks = 0;
  const { review } = desk.kept;
  const { version } = review;
  review.version = () => {
    looks += 1;
    return version();
  };
});
afterEach(() => void vi.useRealTimers());

/** The request for the stream of who is signed in with these cookies. */
const streamOf = (cookies: ReadonlyMap<string, string>, at: URL) => ({
  host: at.hostname,
  port: at.port,
  path: "/plans/events",
  headers: { cookie: [...cookies].map(([name, value]) => `${name}=${value}`).join("; ") },
});

/** Opens the stream of who is signed in with these cookies, and collects what it says. */
async function listen(cookies: ReadonlyMap<string, string>, at = desk.url) {
  const response = await new Promise<IncomingMessage>((resolve) => {
    request(streamOf(cookies, at), resolve).end();
  });
  let text = "";
  let isOver = false;
  response.setEncoding("utf8").on("data", (chunk: string) => {
    text += chunk;
  });
  response.once("close", () => {
    isOver = true;
  });
  return {
    response,
    text: () => text,
    isOver: () => isOver,
    versions: () => text.match(/^event: version$/gm)?.length ?? 0,
  };
}

it("a stream begins with its page's version and goes on with new ones", async () => {
  const browser = await signedIn();
  const stream = await listen(browser.jar);
  expect(stream.response.headers).toMatchObject({ "content-type": "text/event-stream", "cache-control": "no-store" });
  await expect.poll(stream.versions).toBe(1);
  const version = /data-version="([^"]*)"/.exec((await browser.get("/plans")).text)?.[1] ?? "";
  expect(stream.text()).toContain(`data: ${version.replaceAll("&quot;", '"')}\n\n`);
  await tick();
  desk.kept.add(planAt(1));
  await tick();
  await expect.poll(stream.versions).toBe(2);
});

it("the store is read once a second for all streams, and never without one", async () => {
  const { jar } = await signedIn();
  const streams = await Promise.all([listen(jar), listen(jar), listen(jar)]);
  await expect.poll(() => streams.every((one) => one.versions() === 1)).toBe(true);
  const atOnce = looks;
  expect(atOnce).toBeLessThanOrEqual(3);
  await tick();
  expect(looks).toBe(atOnce + 1);
  for (const { response } of streams) response.destroy();
  await expect.poll(() => vi.getTimerCount()).toBe(0);
  await tick();
  expect(looks).toBe(atOnce + 1);
});

it("a page that is left while its session is looked up has no stream", async () => {
  const shared = stateOfDesk();
  const { opened, open } = barrier();
  let isAsked = false;
  const state = async () => {
    const store = await shared();
    return {
      ...store,
      usedTickets: async (tickets: readonly string[]) => {
        isAsked = true;
        await opened;
        return store.usedTickets(tickets);
      },
    };
  };
  const served = await serveDesk(desk.kept.review, { now: desk.now, state });
  onTestFinished(served.close);
  const at = new URL(served.url);
  const { jar, signIn } = browserAt(at);
  await signIn();
  const left = request(streamOf(jar, at));
  left.once("error", () => undefined).end();
  await expect.poll(() => isAsked).toBe(true);
  left.destroy();
  await expect.poll(async () => (await served.counts()).connections).toBe(0);
  open();
  const stream = await listen(jar, at);
  await expect.poll(stream.versions).toBe(1);
  stream.response.destroy();
  await expect.poll(() => vi.getTimerCount()).toBe(0);
});

it("a stream goes on when the store has been away", async () => {
  const { version } = desk.kept.review;
  let failures = 0;
  desk.kept.review.version = async () => {
    failures += 1;
    throw new Error("away");
  };
  const stream = await listen((await signedIn()).jar);
  await tick();
  expect([failures, stream.versions(), stream.isOver()]).toEqual([2, 0, false]);
  desk.kept.review.version = version;
  await tick();
  await expect.poll(stream.versions).toBe(1);
});

it("a stream without a session says so and ends, also on expiry", async () => {
  const none = await listen(new Map());
  await expect.poll(none.isOver).toBe(true);
  expect(none.text()).toBe("event: signed-out\ndata: yes\n\n");
  const stream = await listen((await signedIn()).jar);
  await expect.poll(stream.versions).toBe(1);
  pass(60 * minute - 1);
  await tick();
  expect(stream.isOver()).toBe(false);
  pass(1);
  await tick();
  await expect.poll(stream.isOver).toBe(true);
  expect(stream.text()).toMatch(/event: signed-out\ndata: yes\n\n$/);
});

it("a sign-out ends the streams of that session's copies and no other", async () => {
  const shared = stateOfDesk();
  let asked = 0;
  const state = async () => {
    const opened = await shared();
    return {
      ...opened,
      usedTickets: (tickets: readonly string[]) => {
        asked += 1;
        return opened.usedTickets(tickets);
      },
    };
  };
  const served = await serveDesk(desk.kept.review, { now: desk.now, state });
  onTestFinished(served.close);
  const at = new URL(served.url);
  const [first, second] = [browserAt(at), browserAt(at)];
  for (const browser of [first, second]) await browser.signIn();
  const copies = new Map(first.jar);
  const streams = await Promise.all([copies, copies, second.jar].map((cookies) => listen(cookies, at)));
  await expect.poll(() => streams.every((one) => one.versions() === 1)).toBe(true);
  const before = asked;
  await tick();
  expect(asked - before).toBe(1);
  await first.post("/plans/sign-out", {});
  await tick();
  await expect.poll(() => streams.map((one) => one.isOver())).toEqual([true, true, false]);
  expect(streams[0]?.text()).toContain("event: signed-out");
  streams[2]?.response.destroy();
});

it("an open stream does not keep a server from stopping", async () => {
  const stream = await listen((await signedIn()).jar);
  await expect.poll(stream.versions).toBe(1);
  await desk.close();
  await expect.poll(stream.isOver).toBe(true);
});

it("one person can have 32 streams open", async () => {
  const { jar } = await signedIn();
  const streams = await Promise.all(Array.from({ length: 34 }, () => listen(jar)));
  const statuses = streams.map(({ response }) => response.statusCode);
  expect([statuses.filter((one) => one === 200).length, statuses.filter((one) => one === 429).length]).toEqual([32, 2]);
});
