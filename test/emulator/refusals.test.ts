/** What is refused because it is too much: the bytes of a purge, and the diagnostic requests of a minute. */
import { describe, expect, it } from "vitest";
import { createEmulator } from "../../src/emulator/index.js";
import { createWorld } from "../../src/emulator/world.js";
import { now, signature, startRaw } from "../lab/raw.js";

describe("a purge over 50,000 bytes", () => {
  const headers = { "content-type": "application/json" };
  const fitting = '{"objects":["https://www.example.com/"]}';
  const wide = JSON.stringify({ objects: Array(300).fill(`https://www.example.com/${"ü".repeat(100)}`) });
  const purge = (body: string, more: object = {}) =>
    startRaw().ask({ method: "POST", target: "/ccu/v2/queues/default", headers: { ...headers, ...more }, body });

  it.each([
    ["in bytes but not in characters", wide, {}],
    ["by white space alone", fitting.padEnd(50_001), {}],
    ["under a length that says less", fitting.padEnd(50_001), { "content-length": "40" }],
  ])("is refused with 413 when it is over %s", async (_, body, more) => {
    const answer = await purge(body, more);
    expect(answer.headers["content-type"]).toBe("application/api-problem+json");
    expect(answer.json()).toMatchObject({ httpStatus: 413 });
  });

  it("begins one byte above 50,000", async () => {
    expect((await purge(fitting.padEnd(50_000))).status).toBe(201);
  });
});

const diagnosed = "/diagnostic-tools/v2/gtm/gtm-properties";

it("requests are counted per minute, and refused when none are left", async () => {
  const { get, world } = startRaw();
  const ask = async (target = diagnosed) => {
    const { status, headers } = await get(target);
    return [status, headers["x-ratelimit-limit"], headers["x-ratelimit-remaining"]];
  };
  expect(await ask()).toEqual([200, "300", "299"]);
  expect(await ask("/diagnostic-tools/v2/cpcodes/1/estats")).toEqual([404, "300", "298"]);
  for (let left = 297; left >= 0; left -= 1) expect(await ask()).toEqual([200, "300", String(left)]);
  expect(await ask()).toEqual([429, "300", "0"]);
  expect(await ask("/ccu/v2/queues/default")).toEqual([200, undefined, undefined]);
  world.advance(60_000);
  expect(await ask()).toEqual([200, "300", "299"]);
});

it("a new minute begins by the real clock if the world's is frozen", async () => {
  let real = now;
  const emulator = createEmulator({ world: createWorld({ frozenAt: now }), wallNow: () => real });
  const left = async () => {
    const url = new URL(diagnosed, "https://emulator.invalid");
    const headers = { authorization: signature({ target: diagnosed }, real) };
    const answer = await emulator.send({ method: "GET", url, headers, timeLeftMs: 1_000 });
    return answer.headers["x-ratelimit-remaining"];
  };
  expect([await left(), await left()]).toEqual(["299", "298"]);
  real += 60_000;
  expect(await left()).toBe("299");
});
