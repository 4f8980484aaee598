/** The emulator's authentication and parsing: requests that are unsigned, undeclared or malformed are refused. */
import { describe, expect, it } from "vitest";
import { createEmulator } from "../../src/emulator/index.js";
import { createWorld } from "../../src/emulator/world.js";
import { now, signature, startRaw } from "../lab/raw.js";

const queue = { target: "/ccu/v2/queues/default" };
const purge = {
  method: "POST",
  target: "/ccu/v2/queues/default",
  headers: { "content-type": "application/json" },
  body: '{"objects":["https://www.example.com/"]}',
};

describe("the signature", () => {
  it("is accepted when it matches", async () => {
    expect((await startRaw().ask(queue)).status).toBe(200);
    expect((await startRaw().ask(purge)).status).toBe(201);
  });

  it.each([
    ["the path", { ...purge, target: "/ccu/v2/queues/emergency" }],
    ["the query", { ...purge, target: "/ccu/v2/queues/default?accountSwitchKey=1" }],
    ["the body", { ...purge, body: '{"objects":["https://www.example.com/x"]}' }],
    ["the method", { ...purge, method: "GET" }],
  ])("is refused when %s was changed after signing", async (_, changed) => {
    const answer = await startRaw().ask(changed, signature(purge));
    expect(answer.status).toBe(401);
    expect(answer.json()).toMatchObject({ title: "Not authorized", detail: "The signature does not match" });
  });

  it("is refused when one character differs", async () => {
    const good = signature(queue);
    const bad = good.replace(/signature=(.)/, (_, first: string) => `signature=${first === "A" ? "B" : "A"}`);
    expect((await startRaw().ask(queue, bad)).status).toBe(401);
  });

  it.each([
    ["nonce", (header: string) => header.replace("nonce=nonce-", "nonce=nonce_")],
    ["timestamp", (header: string) => header.replace("T12:10:00", "T12:10:01")],
  ])("is refused when the %s in its header was changed after signing", async (_, change) => {
    const { ask } = startRaw();
    const good = signature(queue);
    expect(change(good)).not.toBe(good);
    expect((await ask(queue, change(good))).json()).toMatchObject({ detail: "The signature does not match" });
    expect((await ask(queue, good)).status).toBe(200);
  });

  it("is refused 31 seconds too early or too late, as an invalid timestamp", async () => {
    const { ask } = startRaw();
    for (const skew of [-31_000, 31_000])
      expect((await ask(queue, signature(queue, now + skew))).json()).toMatchObject({
        status: 400,
        detail: "Invalid timestamp",
      });
    for (const skew of [-29_000, 29_000]) expect((await ask(queue, signature(queue, now + skew))).status).toBe(200);
  });

  it("is refused when its nonce was used before", async () => {
    const { ask } = startRaw();
    const once = signature(queue);
    expect((await ask(queue, once)).status).toBe(200);
    expect((await ask(queue, once)).json()).toMatchObject({ status: 400, detail: "Invalid nonce" });
  });

  it("a signature with a used nonce is refused while its time is valid", async () => {
    let real = now;
    const emulator = createEmulator({ world: createWorld({ frozenAt: now }), wallNow: () => real });
    const send = async (authorization: string) => {
      const url = new URL(queue.target, "https://emulator.invalid");
      return (await emulator.send({ method: "GET", url, headers: { authorization }, timeLeftMs: 1_000 })).status;
    };
    // Signed by a clock that is 29 seconds ahead, so that it is accepted for 59 seconds.
    const early = signature(queue, now + 29_000);
    expect(await send(early)).toBe(200);
    real += 58_000;
    expect([await send(signature(queue, real)), await send(early)]).toEqual([200, 400]);
  });

  it("covers the first 131,072 bytes of a long body", async () => {
    const body = '{"objects":["https://www.example.com/"]}'.padEnd(131_073);
    expect((await startRaw().ask({ ...purge, body })).status).toBe(413);
    const longer = await startRaw().ask({ ...purge, body: `${body} ` }, signature({ ...purge, body }));
    expect(longer.status).toBe(413);
    const other = await startRaw().ask({ ...purge, body: ` ${body}` }, signature({ ...purge, body }));
    expect(other.status).toBe(401);
  });

  it("is refused for an unknown client, and when there is none", async () => {
    const { ask } = startRaw();
    expect((await ask(queue, signature(queue).replace("client_token=akab", "client_token=akax"))).json()).toMatchObject(
      { status: 400, detail: "Invalid client token" },
    );
    expect((await ask(queue, "")).status).toBe(401);
    expect((await ask(queue, "Basic bm9ib2R5Om5vdGhpbmc=")).status).toBe(401);
  });

  it("can be replaced by the published Basic or Bearer credentials", async () => {
    const { ask } = startRaw();
    expect((await ask(queue, `Basic ${btoa("emulator:public-password")}`)).status).toBe(200);
    expect((await ask(queue, "Bearer public-emulator-bearer-token")).status).toBe(200);
  });
});

describe("the wire", () => {
  it.each([
    [404, "an unknown path", { target: "/ccu/v2/nothing" }],
    [404, "a path of no service", { target: "/nothing" }],
    [405, "another method", { method: "DELETE", target: "/ccu/v2/queues/default" }],
    [400, "a value outside its set", { target: "/ccu/v2/queues/third" }],
    [400, "an unknown query name", { target: "/ccu/v2/queues/default?pretty=1" }],
    [400, "a repeated query name", { target: "/events/ws/api/v2/current-account/events?limit=1&limit=2" }],
    [400, "a repeated account switch key", { target: "/ccu/v2/queues/default?accountSwitchKey=1&accountSwitchKey=2" }],
    [400, "a query name that every object has", { target: "/ccu/v2/queues/default?constructor=1" }],
    [
      400,
      "such a name beside declared ones",
      { target: "/events/ws/api/v2/current-account/events?limit=1&__proto__=1" },
    ],
    [400, "a missing query name", { target: "/config-saas-registration/v1/pairs/" }],
    [400, "an escaped slash in the path", { target: "/events/ws/api/v2/current-account/events/a%2Fb" }],
    [
      400,
      "a missing body",
      { method: "POST", target: "/ccu/v2/queues/default", headers: { "content-type": "application/json" } },
    ],
    [400, "a body that is not JSON", { ...purge, body: "{" }],
    [
      400,
      "a body with an unknown field",
      { ...purge, body: '{"objects":["https://www.example.com/"],"domian":"staging"}' },
    ],
    [
      400,
      "a body where none is taken",
      { method: "POST", target: "/identity-management/v1/open-identities/oi-7421/credentials", body: "{}" },
    ],
    [415, "a body of another medium", { ...purge, headers: { "content-type": "text/plain" } }],
    [
      415,
      "a form under the wrong type",
      {
        method: "POST",
        target: "/config-saas-registration/v1/pairs/?contractId=C-1FRYVV3",
        headers: { "content-type": "application/x-www-form-urlencoded" },
        body: "customerSurrogateId=9101&applicationSurrogateId=9001",
      },
    ],
    [406, "an Accept that fits no answer", { ...queue, headers: { accept: "text/csv" } }],
    [406, "an Accept that excludes the answer", { ...queue, headers: { accept: "application/json;q=0, text/csv" } }],
    [
      406,
      "an Accept whose exclusion stands over a range",
      { ...queue, headers: { accept: "*/*, application/json; q=0.0" } },
    ],
  ])("answers %i to %s", async (status, _, raw) => {
    const answer = await startRaw().ask(raw);
    expect(answer.status).toBe(status);
    expect(answer.headers["content-type"]).toMatch(/json/);
  });

  it("says in a header which methods a path takes", async () => {
    const answer = await startRaw().ask({ method: "DELETE", target: "/ccu/v2/queues/default" });
    expect(answer.headers["allow"]).toBe("GET, POST");
  });

  it("accepts a path without its trailing slash, and no added slash", async () => {
    const { get } = startRaw();
    for (const path of ["/contract-api/v1/reportingGroups", "/alerts/v2/alert-templates"])
      expect((await get(path)).json()).toEqual((await get(`${path}/`)).json());
    expect((await get("/contract-api/v1/reportingGroups/identifiers/")).status).toBe(404);
  });

  it("reads media types in any case, as HTTP has them", async () => {
    const { ask } = startRaw();
    expect((await ask({ ...queue, headers: { accept: "Application/JSON" } })).status).toBe(200);
    expect((await ask({ ...purge, headers: { "content-type": "Application/JSON; charset=utf-8" } })).status).toBe(201);
  });

  it("numbers its answers, and begins again after a reset", async () => {
    const { get, world } = startRaw();
    const id = async () => (await get("/ccu/v2/queues/default")).headers["x-request-id"];
    const first = await id();
    expect(first).toMatch(/^[0-9a-f]{8}$/);
    expect(await id()).not.toBe(first);
    world.reset();
    expect(await id()).toBe(first);
  });

  it("accepts the account switch key on every operation", async () => {
    expect((await startRaw().get("/ccu/v2/queues/default?accountSwitchKey=1-8OUTL:1-8BYUX")).status).toBe(200);
  });
});
