/** The emulator's authentication and parsing: requests that are unsigned, undeclared or malformed are refused. */
import { describe, expect, it } from "vitest";
import { createEmulator } from "../../src/emulator/index.js";
import { createWorld } from "../../src/emulator/world.js";
import { now, type Raw, signature, startRaw } from "../lab/raw.js";

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

  const signed = signature(purge);
  it.each<[string, Raw, string]>([
    ["the path", { ...purge, target: "/ccu/v2/queues/emergency" }, signed],
    ["the query", { ...purge, target: "/ccu/v2/queues/default?accountSwitchKey=1" }, signed],
    ["the body", { ...purge, body: '{"objects":["https://www.example.com/x"]}' }, signed],
    ["the method", { ...purge, method: "GET" }, signed],
    ["the nonce", purge, signed.replace("nonce=nonce-", "nonce=nonce_")],
    ["the timestamp", purge, signed.replace("T12:10:00", "T12:10:01")],
  ])("is refused when %s was changed after signing", async (_, changed, authorization) => {
    const answer = await startRaw().ask(changed, authorization);
    expect(answer.json()).toMatchObject({ status: 401, detail: "The signature does not match" });
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

const credentials = "/identity-management/v1/open-identities/oi-7421/credentials";

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
    [400, "a missing query name", { target: "/config-saas-registration/v1/pairs/" }],
    [400, "an escaped slash in the path", { target: "/events/ws/api/v2/current-account/events/a%2Fb" }],
    [400, "a missing body", { ...queue, method: "POST", headers: purge.headers }],
    [400, "a body that is not JSON", { ...purge, body: "{" }],
    [400, "a body with an unknown field", { ...purge, body: '{"objects":["https://a.example/"],"domian":"staging"}' }],
    [400, "a body where none is taken", { method: "POST", target: credentials, body: "{}" }],
    [415, "a body of another medium", { ...purge, headers: { "content-type": "text/plain" } }],
    [406, "an Accept that fits no answer", { ...queue, headers: { accept: "text/csv" } }],
    [406, "an Accept that excludes the answer", { ...queue, headers: { accept: "*/*, application/json; q=0.0" } }],
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

  it("numbers its answers, and begins again after a reset", async () => {
    const { get, world } = startRaw();
    const id = async () => (await get("/ccu/v2/queues/default")).headers["x-request-id"];
    const first = await id();
    expect(first).toMatch(/^[0-9a-f]{8}$/);
    expect(await id()).not.toBe(first);
    world.reset();
    expect(await id()).toBe(first);
  });
});
