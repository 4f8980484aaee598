/** Secret files between instances: who may fetch one, what passes between them, and what is said of one out of reach. */
import { createHmac } from "node:crypto";
import { readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, afterEach, describe, expect, it } from "vitest";
import { type AnswerPeer, createSecretExchange } from "../../src/engine/secret-exchange.js";
import { lazily } from "../../src/language/once-for.js";
import { serveHttp } from "../../src/mcp/http/index.js";
import { madeFiles, secretFiles } from "../../src/secrets/files.js";
import type { Instances, State } from "../../src/state/index.js";
import { keysFrom } from "../../src/state/keys.js";
import { ask as askHttp } from "../lab/raw-http.js";
import { promise } from "../lab/rules.js";
import { isSystemLane } from "../lab/run/lane.js";
import { secretDirectory } from "../lab/secret-files.js";
import { memoryState } from "../lab/state.js";
import { keptMode } from "../lab/users.js";
import { hasPostgres } from "./postgres-server.js";
import { closeStates, openInstance, testDatabase } from "./states.js";

/** A state that several can share, in the memory of the tests. */
function inMemory(): () => Promise<readonly [State, Instances]> {
  const state = memoryState();
  const addresses = new Map<string, string>();
  const holders = new Map<string, string>();
  let count = 0;
  return async () => {
    count += 1;
    const id = `i${count}`;
    const keyOf = (file: object) => JSON.stringify(file);
    const instances: Instances = {
      own: () => id,
      async find(of) {
        const address = addresses.get(of);
        return address === undefined ? undefined : { id: of, address };
      },
      serveAt: async (address) => void addresses.set(id, address),
      secretHolders: {
        add: async (file) => void holders.set(keyOf(file), id),
        remove: async (file) => void holders.delete(keyOf(file)),
        find: async (file) => holders.get(keyOf(file)),
        async take(file, from) {
          const isThere = holders.get(keyOf(file)) === from;
          if (isThere) holders.set(keyOf(file), id);
          return isThere;
        },
        async claim(files) {
          for (const key of files.map(keyOf)) if (!addresses.has(holders.get(key) ?? "")) holders.set(key, id);
        },
      },
    };
    return [{ ...state, close: async () => void addresses.delete(id) }, instances];
  };
}

function inPostgres(): () => Promise<readonly [State, Instances]> {
  const url = lazily(async () => (await testDatabase()).url);
  return async () => {
    const state = await openInstance(await url());
    return [state, state.instances as Instances];
  };
}

const closing: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0)) await close();
});
afterAll(closeStates);

type Passed = Parameters<AnswerPeer>[0] & Awaited<ReturnType<AnswerPeer>> & { authorization: string | undefined };

/** Starts an instance with a secret directory of its own. */
async function startInstance(
  open: ReturnType<typeof inMemory>,
  { keys, directory = secretDirectory("ann") }: { readonly keys?: State["keys"]; readonly directory?: string } = {},
) {
  const [shared, instances] = await open();
  const state = keys ? { ...shared, keys } : shared;
  const exchange = createSecretExchange(state, instances, madeFiles(directory));
  const passed: Passed[] = [];
  const answer: AnswerPeer = async (request, authorization) => {
    const given = await exchange.answer(request, authorization);
    passed.push({ ...request, authorization, ...given });
    return given;
  };
  const served = await serveHttp({
    ...{ host: "127.0.0.1", port: 0, allowedHosts: [], log: () => undefined },
    build: () => Promise.reject(new Error("No client connects.")),
    answerPeer: async () => answer,
  });
  await instances.serveAt(served.url);
  let isClosed = false;
  const close = async () => {
    if (!isClosed) await served.close();
    isClosed = true;
  };
  closing.push(close);
  const files = (at: string | undefined = directory) =>
    secretFiles(at, { elsewhere: exchange.elsewhere })({ tokenName: "ann", account: "one" });
  return {
    ...{ state, instances, elsewhere: exchange.elsewhere, directory, passed, files, answer, close },
    origin: new URL(served.url).origin,
    names: () => readdirSync(join(directory, "ann")).filter((name) => name.startsWith("tool-")),
    async create() {
      const file = await files().create("tool");
      expect(await file.write(secret)).toBe(true);
      return file.path.split(/[\\/]/).at(-1) ?? "";
    },
  };
}
const startTwo = async (open: ReturnType<typeof inMemory>) =>
  [await startInstance(open), await startInstance(open)] as const;
const secret = "correct-horse-battery-staple";
type Started = Awaited<ReturnType<typeof startInstance>>;

type Line = readonly [method: string, path: string];

/** Signs a request as an instance does, but for what a test has otherwise. */
function signed(
  { state }: Pick<Started, "state">,
  [method, path]: Line,
  { atMs = state.now(), nonce = Math.random().toString(36) } = {},
): string {
  const words = JSON.stringify(["request", method, path, String(atMs), nonce]);
  const mac = createHmac("sha256", state.keys.of("instances")[0]).update(words).digest("base64url");
  return `Edgewise-Instance ${atMs}:${nonce}:${mac}`;
}
const ask = async ({ origin }: Started, [method, path]: Line, authorization?: string, more = {}) => {
  const headers: Record<string, string> = { ...(authorization === undefined ? {} : { authorization }), ...more };
  return (await askHttp(new URL(origin), { method, path, headers })).status;
};

const inPostgresOnly = isSystemLane && hasPostgres;
const shared = [[inPostgresOnly ? "in PostgreSQL" : "in memory", inPostgresOnly ? inPostgres : inMemory]] as const;
describe.each(shared)("a secret file of another instance, with state %s", (_, state) => {
  it("a secret file is fetched once, and moves back", async () => {
    const [one, two] = await startTwo(state());
    const name = await one.create();
    for (let times = 0; times < 2; times += 1) expect(await two.files().read(name)).toBe(secret);
    expect(one.passed.map(({ method, status }) => [method, status])).toEqual([
      ["GET", 200],
      ["DELETE", 204],
    ]);
    expect([one.names(), two.names()]).toEqual([[], [name]]);
    expect(readFileSync(join(two.directory, "ann", name), "utf8")).toBe(secret);
    expect(statSync(join(two.directory, "ann", name)).mode & 0o777).toBe(keptMode(0o600));
    expect(await one.files().read(name)).toBe(secret);
    expect([one.names(), two.names()]).toEqual([[name], []]);
  });

  it(promise("exchange-unreadable", "can be read by nobody on its way"), async () => {
    const [one, two] = await startTwo(state());
    await two.files().read(await one.create());
    const all = one.passed.map(({ body, ...rest }) => JSON.stringify(rest) + String(body?.toString("latin1")));
    expect(all).toHaveLength(2);
    for (const form of [secret, Buffer.from(secret).toString("base64")]) expect(all.join()).not.toContain(form);
  });

  it("a secret file asked for at once by several exists once", async () => {
    const open = state();
    const one = await startInstance(open);
    const others = await Promise.all([1, 2].map(() => startInstance(open)));
    const name = await one.create();
    const read = await Promise.all([...others, ...others].map((each) => each.files().read(name)));
    expect(read.filter((text) => text === secret).length).toBeGreaterThan(0);
    expect([one, ...others].flatMap((each) => each.names())).toEqual([name]);
  });

  it(promise("exchange-needs-keys", "a secret file is given to holders of the keys alone"), async () => {
    const [one, two] = await startTwo(state());
    const name = await one.create();
    const get = ["GET", `/secret-files/ann/${name}`] as const;
    const once = signed(one, get);
    const stranger = { state: { ...two.state, keys: keysFrom([Buffer.alloc(32, 1)]) } };
    for (const authorization of [
      undefined,
      "Bearer x",
      `${once}x`,
      signed(stranger, get),
      signed(one, ["DELETE", get[1]]),
      signed(one, ["GET", `${get[1]}x`]),
      signed(one, get, { atMs: one.state.now() - 31_000 }),
      signed(one, get, { atMs: one.state.now() + 31_000 }),
      signed(one, get, { atMs: Number.NaN }),
    ])
      expect([authorization, await ask(one, get, authorization)]).toEqual([authorization, 403]);
    expect(await ask(one, get, once)).toBe(200);
    expect(await ask(one, get, once)).toBe(403);
    // A request that was seen on its way is used at every instance.
    expect(await ask(two, get, once)).toBe(403);
    expect(one.names()).toEqual([name]);
  });

  it(promise("exchange-deletes-late", "a secret file is deleted once another instance has it"), async () => {
    const [one, two] = await startTwo(state());
    const name = await one.create();
    const path = `/secret-files/ann/${name}`;
    expect(await ask(one, ["DELETE", path], signed(one, ["DELETE", path]))).toBe(409);
    expect(one.names()).toEqual([name]);
    await two.instances.secretHolders.take({ directory: "ann", name }, one.instances.own());
    expect(await ask(one, ["GET", path], signed(one, ["GET", path]))).toBe(404);
    expect(await ask(one, ["PUT", path], signed(one, ["PUT", path]))).toBe(404);
    expect(await ask(one, ["DELETE", path], signed(one, ["DELETE", path]))).toBe(204);
    expect(one.names()).toEqual([]);
  });

  it("is found at an instance that was restarted", async () => {
    const open = state();
    const [one, two] = [await startInstance(open), await startInstance(open)];
    const name = await one.create();
    await one.close();
    await one.state.close();
    const again = await startInstance(open, { directory: one.directory });
    const holder = () => two.instances.secretHolders.find({ directory: "ann", name });
    await expect.poll(holder).toBe(again.instances.own());
    expect(await two.files().read(name)).toBe(secret);
  });

  it(promise("exchange-not-of-users", "no secret file of a user or outside the directory"), async () => {
    const one = await startInstance(state());
    writeFileSync(join(one.directory, "ann", "pin"), secret, { mode: 0o600 });
    const made = await one.create();
    for (const [directory, name] of [
      ["ann", "pin"],
      ["", made],
      ["..", made],
    ] as const) {
      await one.instances.secretHolders.add({ directory, name });
      const path = `/secret-files/${directory === "" ? "" : `${directory}/`}${name}`;
      expect((await one.answer({ method: "GET", path }, signed(one, ["GET", path]))).status).toBe(404);
    }
  });

  it("answers under the instance's own host names alone", async () => {
    const one = await startInstance(state());
    const path = `/secret-files/ann/${await one.create()}`;
    const statusFor = (host: string) => ask(one, ["GET", path], signed(one, ["GET", path]), { host });
    expect([await statusFor("evil.example"), await statusFor(new URL(one.origin).host)]).toEqual([403, 200]);
  });

  const removed = (one: Started) => madeFiles(one.directory).delete({ directory: "ann", name: one.names()[0] ?? "" });
  it.each<[string, string, (one: Started) => unknown]>([
    ["the instance is gone", "gone, or serves no address", ({ state }) => state.close()],
    ["the instance cannot be reached", "cannot be reached", ({ close }) => close()],
    ["the file is gone", "no longer has it", removed],
  ])(promise("exchange-refusals", "is refused with the reason where %s"), async (_what, because, fail) => {
    const [one, two] = await startTwo(state());
    const name = await one.create();
    await fail(one);
    for (let times = 0; times < 2; times += 1)
      expect(await two.files().read(name)).toEqual({ takes: expect.stringContaining(because) });
    expect(await two.instances.secretHolders.find({ directory: "ann", name })).toBe(one.instances.own());
  });

  it("stays where it is if it cannot be stored by the one that asks", async () => {
    const [one, two] = await startTwo(state());
    const file = { directory: "ann", name: await one.create() };
    expect(await two.elsewhere.fetch(file, async () => undefined)).toEqual({ why: "it cannot be stored here" });
    expect([one.names(), await two.files().read(file.name)]).toEqual([[file.name], secret]);
  });

  it("a secret file is refused between instances with other keys", async () => {
    const open = state();
    const one = await startInstance(open);
    const [other, former] = [Buffer.alloc(32, 1), Buffer.alloc(32, 2)];
    const two = await startInstance(open, { keys: keysFrom([other]) });
    const name = await one.create();
    expect(await two.files().read(name)).toEqual({ takes: expect.stringContaining("has refused it") });
    expect(await secretFiles(undefined)({ tokenName: "ann", account: "one" }).read(name)).toEqual({
      takes: expect.stringContaining("this server has none"),
    });
    // While the key is changed, an instance with the new one still answers those with the former one.
    const three = await startInstance(open, { keys: keysFrom([former, other]) });
    expect(await two.files().read(await three.create())).toBe(secret);
  });
});
