/** The emulator's authentication: requests that are unsigned, or signed for something else, are refused. */
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

it("numbers its answers, and begins again after a reset", async () => {
  const { get, world } = startRaw();
  const id = async () => (await get("/ccu/v2/queues/default")).headers["x-request-id"];
  const first = await id();
  expect(first).toMatch(/^[0-9a-f]{8}$/);
  expect(await id()).not.toBe(first);
  world.reset();
  expect(await id()).toBe(first);
});
