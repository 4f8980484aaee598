/** The emulator behind a real loopback socket: signatures by the Host header, and controls that cannot break the world. */
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { createEmulator } from "../../src/emulator/index.js";
import { serveEmulator } from "../../src/emulator/serve.js";
import { type ControlledWorld, createWorld } from "../../src/emulator/world.js";
import { rejectionOfToken } from "../../src/mcp/http/access.js";
import { now, signature } from "../lab/raw.js";
import { type Answer, ask as send } from "../lab/raw-http.js";
import { promise } from "../lab/rules.js";

let world: ControlledWorld;
let served: Awaited<ReturnType<typeof serveEmulator>>;
beforeAll(async () => {
  world = createWorld({ frozenAt: now });
  const emulator = createEmulator({ world, wallNow: () => now });
  served = await serveEmulator({ host: "127.0.0.1", port: 0, emulator });
});
beforeEach(() => world.reset(1));
afterAll(() => served.close());

const ask = (method: string, path: string, headers: Record<string, string>, body = "", url = served.url) =>
  send(new URL(url), { method, path, headers, body });
const control = (name: string, body = "") => ask("POST", `/_emulator/${name}`, {}, body);
const target = "/ccu/v2/queues/default";
const bearer = { authorization: "Bearer public-emulator-bearer-token" };

describe("the served API", () => {
  it("takes a request that was signed for the host it was sent to", async () => {
    const signed = { host: "emulator.invalid", authorization: signature({ target }) };
    expect((await ask("GET", target, signed)).status).toBe(200);
  });

  it("the served API refuses requests unsigned or signed for another host", async () => {
    expect((await ask("GET", target, { authorization: signature({ target }) })).status).toBe(401);
    expect((await ask("GET", target, {})).status).toBe(401);
  });

  it("accepts a body of four megabytes and not one byte more", async () => {
    const headers = { ...bearer, "content-type": "application/json" };
    const detail = async (length: number) => {
      const { status, text } = await ask("POST", target, headers, '{"objects":["/a"]}'.padEnd(length));
      return [status, (JSON.parse(text) as { detail: string }).detail];
    };
    expect(await detail(4 * 1024 * 1024)).toEqual([413, "The request is over 50000 bytes"]);
    expect(await detail(4 * 1024 * 1024 + 1)).toEqual([413, "The body is too large"]);
  });

  it("answers 400 to a Host header that no URL can have", async () => {
    expect((await ask("GET", target, { ...bearer, host: "a b" })).status).toBe(400);
  });
});

describe("the controls", () => {
  it("set the seed and the clock, and return both", async () => {
    expect((await control("seed", '{"seed":7}')).text).toContain("2026-05-20T12:10:00.000Z");
    const advanced = await control("advance", '{"seconds":90}');
    expect(JSON.parse(advanced.text)).toEqual({ seed: 7, now: "2026-05-20T12:11:30.000Z" });
    world.advance(-90_000);
  });

  it("are not available to web pages", async () => {
    const page = { origin: "http://evil.example", "content-type": "text/plain" };
    expect((await ask("POST", "/_emulator/seed", page, '{"seed":7}')).status).toBe(403);
    expect(world.seed).toBe(1);
  });

  it("discard every change on reset", async () => {
    const headers = { ...bearer, "content-type": "application/json" };
    const count = async () =>
      (JSON.parse((await ask("GET", target, bearer)).text) as { queueLength: number }).queueLength;
    await ask("POST", target, headers, '{"objects":["https://www.example.com/"]}');
    expect(await count()).toBe(1);
    expect((await control("reset")).status).toBe(200);
    expect(await count()).toBe(0);
  });

  it("limit the requests of each service in a minute, until a reset", async () => {
    expect((await control("limit", '{"requestsPerMinute":2}')).status).toBe(200);
    const answers: Answer[] = [];
    for (const _ of [1, 2, 3]) answers.push(await ask("GET", target, bearer));
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 429]);
    const [first, second, third] = answers.map(({ headers }) => headers);
    expect(first).toMatchObject({ "x-ratelimit-limit": "2", "x-ratelimit-remaining": "1" });
    expect(first).not.toHaveProperty("x-ratelimit-next");
    for (const last of [second, third])
      expect(last).toMatchObject({ "x-ratelimit-remaining": "0", "x-ratelimit-next": "2026-05-20T12:11:00.000Z" });
    await control("reset");
    expect((await ask("GET", target, bearer)).headers).not.toHaveProperty("x-ratelimit-limit");
  });

  it.each([
    ["limit", '{"requestsPerMinute":0}'],
    ["limit", '{"requestsPerMinute":"2"}'],
    ["seed", "null"],
    ["seed", "{"],
    ["seed", '{"seed":"7"}'],
    ["advance", '{"seconds":-1}'],
    ["advance", '{"seconds":1e300}'],
    ["advance", '{"seconds":1e308}'],
    ["stop", ""],
  ])("refuse %s with %s, and leave the world as it is", async (name, body) => {
    expect((await control(name, body)).status).toBe(400);
    expect([world.seed, world.now()]).toEqual([1, now]);
  });
});

describe("the emulator beyond loopback", () => {
  const emulator = () => createEmulator({ world, wallNow: () => now });
  const token = "a-token-for-the-controls-of-the-emulator";

  it.each(["0.0.0.0", "::", "192.0.2.1", "emulator.example"])(
    promise("emulator-on-loopback", "does not listen on %s without a token"),
    async (host) => {
      await expect(serveEmulator({ host, port: 0, emulator: emulator() })).rejects.toMatchObject({
        code: "bad_configuration",
        detail: { next: expect.stringContaining("--token-file") },
      });
    },
  );

  it(
    promise("emulator-controls-take-token", "beyond loopback, only the controls ask for the --token-file token"),
    async () => {
      const access = { holder: (given: string) => (given === token ? "ci" : undefined), isOpen: false };
      const refusalOf: Parameters<typeof serveEmulator>[0]["refusalOf"] = (one) => rejectionOfToken(one, access);
      const open = await serveEmulator({ host: "0.0.0.0", port: 0, emulator: emulator(), refusalOf });
      const url = open.url.replace("0.0.0.0", "127.0.0.1");
      const controls = [
        ["reset", ""],
        ["seed", '{"seed":7}'],
        ["advance", '{"seconds":90}'],
      ] as const;
      world.reset(3);
      for (const [name, body] of controls) {
        for (const authorization of ["", bearer.authorization, `Basic ${token}`, `Bearer ${token}x`]) {
          const { status, text } = await ask("POST", `/_emulator/${name}`, { authorization }, body, url);
          expect([name, status, text]).toEqual([name, 401, expect.stringContaining("--token-file")]);
        }
        const page = { authorization: `Bearer ${token}`, origin: "http://evil.example" };
        expect((await ask("POST", `/_emulator/${name}`, page, body, url)).status).toBe(403);
      }
      expect([world.seed, world.now()]).toEqual([3, now]);
      expect((await ask("GET", target, bearer, "", url)).status).toBe(200);
      for (const [name, body] of controls)
        expect((await ask("POST", `/_emulator/${name}`, { authorization: `Bearer ${token}` }, body, url)).status).toBe(
          200,
        );
      expect(world.seed).toBe(7);
      world.advance(-90_000);
      await open.close();
    },
  );
});
