/** The approvals desk: who may see it, with what, for how long, and what its answers forbid a browser. */
import { connect } from "node:net";
import { beforeEach, describe, expect, it, onTestFinished } from "vitest";
import {
  behindProxy,
  browserAt,
  deskFor,
  minute,
  otherSecret,
  readIn,
  secret,
  serveBare,
  serveDesk,
  stateOfDesk,
  ticketIn,
  token,
  twoInstances,
  usual,
} from "../lab/desk.js";
import { ask } from "../lab/raw-http.js";
import { promise } from "../lab/rules.js";

let pauses: number[];
let paused = async (): Promise<void> => undefined;
const pause = async (ms: number): Promise<void> => {
  pauses.push(ms);
  await paused();
};
const desk = deskFor([usual], { pause });
const { stranger, signedIn, pass, connections } = desk;
beforeEach(() => {
  [pauses, paused] = [[], async () => undefined];
});

const path = `/plans/${usual.id}`;

describe("signing in with a secret", () => {
  it(promise("desk-needs-sign-in", "every page asks for a sign-in and tells nothing of the plans"), async () => {
    const pages = [
      await stranger().get("/plans"),
      await stranger().get(path),
      await stranger().get("/plans/plan_other"),
    ];
    for (const { status, text } of pages) {
      expect([status, text.includes('type="password"'), text.includes("REMOVE")]).toEqual([200, true, false]);
      expect(text).not.toContain("data-version");
    }
    const [, ofPlan, ofNone] = pages.map(({ text }) => readIn(text));
    expect(ofPlan).toBe(ofNone);
  });

  it("a sign-in leads to the list or the wanted plan, without the secret", async () => {
    const browser = stranger();
    const first = await browser.signIn();
    expect([first.status, first.headers["location"]]).toEqual([303, "../plans"]);
    expect((await browser.get("/plans")).text).not.toContain(secret);
    expect((await stranger().post("/plans/sign-in", { secret, plan: usual.id })).headers["location"]).toBe(usual.id);
    for (const plan of ["//evil.example", "../mcp", "https://evil.example", "plan_a/../../x"])
      expect((await stranger().post("/plans/sign-in", { secret, plan })).headers["location"]).toBe("../plans");
  });

  it("a desk session is kept from scripts and other sites", async () => {
    const { headers } = await stranger().signIn();
    const [cookie = ""] = headers["set-cookie"] as string[];
    expect(cookie).toMatch(/^edgewise-desk-\d+=[\w-]+; Max-Age=3600; HttpOnly; SameSite=Lax$/);
    expect(cookie).not.toContain("carol");
    const behindProxy = await stranger().post("/plans/sign-in", { secret }, { origin: "https://desk.example" });
    expect(String(behindProxy.headers["set-cookie"])).toMatch(/; Secure$/);
  });

  it.each([
    ["nothing", ""],
    ["a part of it", secret.slice(1)],
    ["another text", "x".repeat(40)],
    ["a client's token", token],
    ["the approver's name", "carol"],
  ])("is refused with %s", async (_, wrong) => {
    const browser = stranger();
    const { status, text } = await browser.signIn(wrong);
    expect([status, text.includes('role="alert"'), browser.jar.size]).toEqual([403, true, 0]);
    expect((await browser.get("/plans")).text).not.toContain("REMOVE");
  });

  it("is not replaced by a bearer token, even by a valid one", async () => {
    for (const bearer of [token, secret])
      expect((await stranger().get("/plans", { authorization: `Bearer ${bearer}` })).text).not.toContain("REMOVE");
  });

  it(promise("desk-hour", "lasts an hour, however often it is used, and then decides nothing"), async () => {
    const browser = await signedIn();
    const ticket = ticketIn((await browser.get(path)).text);
    pass(60 * minute - 1);
    expect((await browser.get("/plans")).text).toContain("REMOVE");
    pass(1);
    expect((await browser.get("/plans")).text).not.toContain("REMOVE");
    const { status, text } = await browser.post(path, { ticket, decision: "approve" });
    expect([status, readIn(text).includes("expired, and nothing was decided"), desk.kept.acts]).toEqual([
      403,
      true,
      [],
    ]);
  });

  it(promise("desk-sign-out", "a sign-out ends copies of the session's cookie at every instance"), async () => {
    const [here, there] = await twoInstances(desk.kept.review, desk.now);
    const [browser, thief, elsewhere] = [browserAt(here), browserAt(here), browserAt(there)];
    await browser.post("/plans/sign-in", { secret }, behindProxy);
    const copies = [thief, elsewhere];
    for (const copy of copies) for (const [name, value] of browser.jar) copy.jar.set(name, value);
    const tickets = await Promise.all(copies.map(async (copy) => ticketIn((await copy.get(path, behindProxy)).text)));
    expect(tickets.every((ticket) => ticket !== "")).toBe(true);
    const { status, text } = await browser.post("/plans/sign-out", {}, behindProxy);
    expect([status, readIn(text).includes("You are signed out"), browser.jar.size]).toEqual([200, true, 0]);
    for (const [at, copy] of copies.entries()) {
      for (const page of ["/plans", path]) expect((await copy.get(page, behindProxy)).text).not.toContain("REMOVE");
      const decision = { ticket: tickets[at] ?? "", decision: "approve" };
      expect((await copy.post(path, decision, behindProxy)).status).toBe(403);
      expect((await copy.post("/plans/sign-out", {}, behindProxy)).status).toBe(200);
    }
    expect(desk.kept.acts).toEqual([]);
    await browser.post("/plans/sign-in", { secret }, behindProxy);
    expect((await browser.get("/plans", behindProxy)).text).toContain("REMOVE");
  });

  it(promise("desk-denied", "is refused to whom an operator has denied, whose session ends"), async () => {
    let denied = "";
    const served = await serveDesk(desk.kept.review, {
      now: desk.now,
      isDenied: async ({ principal }) => principal.subject === denied,
    });
    onTestFinished(served.close);
    const [carol, dave] = [browserAt(new URL(served.url)), browserAt(new URL(served.url))];
    await carol.signIn();
    await dave.signIn(otherSecret);
    denied = "carol";
    expect((await carol.get("/plans")).text).not.toContain("REMOVE");
    expect((await dave.get("/plans")).text).toContain("REMOVE");
    const { status, text } = await carol.signIn();
    expect([status, readIn(text).includes("An operator has denied this sign-in.")]).toEqual([403, true]);
  });

  it(promise("desk-cookie-sealed", "a session cannot be made up, altered or sealed for something else"), async () => {
    const browser = await signedIn();
    const [[name = "", value = ""] = []] = browser.jar;
    const altered = [value.slice(0, -2), `${value}AA`, `A${value.slice(1)}`, value.slice(0, 40), "", "e30"];
    for (const one of altered) {
      browser.jar.set(name, one === value ? "" : one);
      expect([one, (await browser.get("/plans")).text.includes("REMOVE")]).toEqual([one, false]);
    }
    browser.jar.clear();
    browser.jar.set(name.replace("desk", "sign-in"), value);
    expect((await browser.get("/plans")).text).not.toContain("REMOVE");
  });
});

describe("guessing a secret", () => {
  const attempt = (wrong: string) => stranger().signIn(wrong);
  const fail = async (count: number) => {
    for (let at = 0; at < count; at += 1) expect((await attempt(`wrong ${at}`)).status).toBe(403);
  };

  it(
    promise("right-secret-admitted", "the right secret gets in whatever guesses come before or alongside"),
    async () => {
      await fail(12);
      const others = Array.from({ length: 20 }, (_, at) => attempt(`wrong ${at}`));
      expect((await attempt(secret)).status).toBe(303);
      expect(new Set((await Promise.all(others)).map((answer) => answer.status))).toEqual(new Set([403]));
    },
  );

  it(promise("wrong-secrets-wait", "after ten wrong secrets in a minute, those of an address queue"), async () => {
    await fail(10);
    expect(pauses).toEqual([]);
    let release = (): void => undefined;
    paused = () => new Promise<void>((resolve) => (release = resolve));
    const answers: number[] = [];
    const attempts = ["a", secret, "b"].map(async (one) => answers.push((await attempt(one)).status));
    for (const count of [1, 2, 3]) {
      await expect.poll(() => pauses.length).toBe(count);
      await expect.poll(() => answers.length).toBe(count - 1);
      release();
    }
    await Promise.all(attempts);
    expect([pauses, answers.toSorted()]).toEqual([
      [100, 100, 100],
      [303, 403, 403],
    ]);
    pass(minute);
    await fail(10);
    expect(pauses).toHaveLength(3);
  });

  it("gives no turn to a client that has left, whose secret does not count", async () => {
    await fail(10);
    let release = (): void => undefined;
    paused = () => new Promise<void>((resolve) => (release = resolve));
    const first = attempt("wrong");
    await expect.poll(() => pauses.length).toBe(1);
    const before = await connections();
    const body = "secret=wrong";
    const head = `POST /plans/sign-in HTTP/1.1\r\nhost: ${desk.url.host}\r\ncontent-type: application/x-www-form-urlencoded`;
    const leaving = Array.from({ length: 20 }, () => connect(Number(desk.url.port), desk.url.hostname));
    for (const one of leaving) one.write(`${head}\r\ncontent-length: ${body.length}\r\n\r\n${body}`);
    await expect.poll(connections).toBeGreaterThan(20);
    for (const one of leaving) one.destroy();
    await expect.poll(connections).toBeLessThanOrEqual(before);
    paused = async () => undefined;
    const right = attempt(secret);
    release();
    expect([(await first).status, (await right).status, pauses.length]).toEqual([403, 303, 2]);
  });
});

describe("the desk", () => {
  it("is not there when no approver can sign in", async () => {
    const bare = await serveBare();
    onTestFinished(bare.close);
    for (const method of ["GET", "POST"])
      for (const at of [path, "/plans", "/plans/", "/plans/events", "/plans/desk.js"]) {
        const { status, headers } = await ask(new URL(bare.url), { method, path: at, body: "" });
        expect([status, headers["content-type"]]).toEqual([404, "application/json"]);
      }
  });

  it("opens as soon as its state is available, if it was not at first", async () => {
    const state = stateOfDesk();
    let failures = 1;
    const opening = async () => {
      failures -= 1;
      if (failures >= 0) throw new Error("down");
      return state();
    };
    const late = await serveDesk(desk.kept.review, { now: desk.now, state: opening });
    onTestFinished(late.close);
    const browser = browserAt(new URL(late.url));
    expect([(await browser.get("/plans")).status, (await browser.get("/plans")).status]).toEqual([500, 200]);
  });

  it.each([
    ["GET", "/plans/", 308, undefined],
    ["GET", "/plans/x", 404, undefined],
    ["GET", "/plans/plan_a/b", 404, undefined],
    ["GET", "/plans/../mcp", 404, undefined],
    ["GET", "/plans/__proto__", 404, undefined],
    ["GET", "/plans/constructor", 404, undefined],
    ["GET", "/plans/plan_unknown", 404, undefined],
    ["POST", "/plans", 405, "GET"],
    ["GET", "/plans/sign-out", 405, "POST"],
    ["PUT", path, 405, "GET, POST"],
    ["DELETE", path, 405, "GET, POST"],
  ])("answers %s %s with %i, and says what it takes: %s", async (method, at, expected, allow) => {
    const { jar } = await signedIn();
    const cookie = [...jar].map((pair) => pair.join("=")).join("; ");
    const type = "application/x-www-form-urlencoded";
    const sent = { cookie, origin: desk.url.origin, "content-type": type };
    const { status, headers } = await ask(desk.url, { method, path: at, headers: sent, body: "" });
    expect([status, headers["allow"]]).toEqual([expected, allow]);
    if (status !== 308) return;
    expect(new URL(String(headers["location"]), new URL("/plans/", desk.url)).pathname).toBe("/plans");
  });
});

describe("a form from elsewhere", () => {
  it.each([
    ["another origin", 403, { origin: "https://evil.example" }],
    ["an opaque origin", 403, { origin: "null" }],
    ["another site", 403, { "sec-fetch-site": "cross-site" }],
    ["another origin of this site", 403, { "sec-fetch-site": "same-site" }],
    ["another host", 403, { host: "evil.example" }],
    ["JSON", 415, { "content-type": "application/json" }],
    ["plain text, which needs no preflight", 415, { "content-type": "text/plain" }],
    ["a part form", 415, { "content-type": "multipart/form-data; boundary=x" }],
  ])("is refused: %s", async (_, expected, headers) => {
    const browser = await signedIn();
    const ticket = ticketIn((await browser.get(path)).text);
    for (const at of [path, "/plans/sign-in", "/plans/sign-out"])
      expect((await browser.post(at, { ticket, decision: "approve", secret }, headers)).status).toBe(expected);
    expect([desk.kept.acts, browser.jar.size]).toEqual([[], 1]);
  });

  it("is refused when it is large, or has a field twice", async () => {
    expect((await stranger().post("/plans/sign-in", { secret, more: "x".repeat(8 * 1024) })).status).toBe(413);
    expect((await stranger().post("/plans/sign-in", `secret=${secret}&secret=${otherSecret}`)).status).toBe(400);
  });
});

describe("every answer of the desk", () => {
  it(promise("desk-frames", "a desk answer loads only its files; nobody frames or keeps it"), async () => {
    const browser = await signedIn();
    const ticket = ticketIn((await browser.get(path)).text);
    const answers = [
      await stranger().get("/plans"),
      await browser.get("/plans"),
      await browser.get("/plans/x"),
      await browser.get(path),
      await stranger().signIn("wrong"),
      await browser.post(path, { ticket, decision: "?" }),
      await browser.post("/plans/sign-out", {}),
      await ask(desk.url, { method: "PUT", path, body: "" }),
    ];
    const nonces = new Set<string>();
    for (const { headers, text } of answers) {
      const [, nonce = ""] = /script-src 'nonce-([^']+)'/.exec(String(headers["content-security-policy"])) ?? [];
      nonces.add(nonce);
      expect(headers["content-security-policy"]).toBe(
        `default-src 'none'; script-src 'nonce-${nonce}'; style-src 'nonce-${nonce}'; img-src 'self'; connect-src 'self'; form-action 'self'; frame-ancestors 'none'; base-uri 'none'`,
      );
      expect(headers).toMatchObject({
        "content-type": "text/html; charset=utf-8",
        "cache-control": "no-store",
        // With no-referrer a browser would send the page's own forms with the origin null.
        "referrer-policy": "same-origin",
        "x-content-type-options": "nosniff",
        "x-frame-options": "DENY",
      });
      expect([...text.matchAll(/<(script|link|style)\b/g)].map(([, tag]) => tag)).toEqual(["link", "link", "script"]);
      expect(text).not.toMatch(/javascript:| on\w+=| style=/i);
    }
    expect(nonces.size).toBe(answers.length);
  });

  it("the desk names its files by content, so browsers may keep them", async () => {
    const { text } = await stranger().get(path);
    const found = [...text.matchAll(/(?:src|href)="(desk\.(?:js|css)\?\w+)" integrity="(sha256-[^"]+)"/g)];
    expect(found).toHaveLength(2);
    for (const [, address = "", integrity] of found) {
      const { status, headers, text: content } = await stranger().get(`/plans/${address}`);
      const digest = await crypto.subtle.digest("SHA-256", new TextEncoder().encode(content));
      expect([status, `sha256-${Buffer.from(digest).toString("base64")}`]).toEqual([200, integrity]);
      expect(headers["cache-control"]).toBe("public, max-age=31536000, immutable");
    }
    expect((await stranger().get("/plans")).text).toContain('href="plans/desk.css?');
  });
});
