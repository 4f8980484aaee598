/** Credentials of profiles: read on use from files and commands, kept for a while, renewed when refused, and never told. */
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from "vitest";
import { operatorsCheck } from "../../src/calls/caller.js";
import type { Failure } from "../../src/language/failure.js";
import { keepCredential, runCommand } from "../../src/profiles/credential.js";
import { type Credentials, credentialsIn } from "../../src/wire/edgerc.js";
import { folder } from "../lab/files.js";
import { caller } from "../lab/made-up.js";
import { configFile, fieldsOf, type Recorder, startRecorder, surfaceWith } from "./two.js";

const secret = "a-secret-that-nobody-may-see";
const node = (script: string) => ({ program: process.execPath, args: ["-e", script] });
const failureOf = async (work: Promise<unknown>): Promise<Failure> =>
  work.then(
    () => {
      throw new Error("It did not fail.");
    },
    (error) => error as Failure,
  );

describe("a command", () => {
  it("is run without a shell", async () => {
    const { program, args } = node("console.log(process.argv[1])");
    expect(await runCommand("p", { program, args: [...args, "$HOME; echo `id`"] })).toBe("$HOME; echo `id`\n");
  });

  it.each([
    ["exit code", node(`console.log("${secret}"); console.error("${secret}"); process.exitCode = 7`), "exit code 7"],
    ["length", node(`process.stdout.write("${secret}".repeat(10_000))`), "wrote more than"],
    ["absence", { program: `/nowhere/${secret}`, args: [] }, "could not be started"],
    // These the system refuses before there is a process, as Windows does a program that is a .cmd file.
    ["size", { program: process.execPath, args: [secret, "x".repeat(4_000_000)] }, "could not be started"],
    ["null byte", { program: process.execPath, args: [`${secret}\0`] }, "could not be started"],
    ["duration", node("setTimeout(() => undefined, 60_000)"), "took longer than 0.3 s"],
  ])("that fails by its %s is named by its profile, and nothing that it wrote is", async (what, command, says) => {
    const failure = await failureOf(runCommand("prod", command, what === "duration" ? 300 : 10_000));
    expect(failure).toMatchObject({ code: "unauthorized", message: expect.stringContaining(says) });
    expect(failure.message).toContain("the profile prod");
    expect(JSON.stringify([failure.message, failure.detail])).not.toContain(secret);
  });
});

describe("what a command wrote", () => {
  const { host, clientToken, clientSecret, accessToken } = fieldsOf("x");
  const lines = `host = ${host}\nclient_token = ${clientToken}\nclient_secret = ${clientSecret}\naccess_token = ${accessToken}\n`;
  const read = (text: string) => credentialsIn(text, "What it wrote", { isAnyHostAllowed: false });

  it.each([
    ["the lines of a section", lines],
    ["a section with its header", `[default]\r\n${lines.replaceAll("\n", "\r\n")}`],
    ["JSON", JSON.stringify(fieldsOf("x"))],
    [
      "JSON in the names of an .edgerc",
      JSON.stringify({ host, client_token: clientToken, client_secret: clientSecret, access_token: accessToken }),
    ],
  ])("is a credential as %s", (_, text) => {
    expect({ ...read(text) }).toMatchObject({ host, clientToken, clientSecret, accessToken });
  });

  it.each([
    [`[one]\n${lines}[two]\n${lines}`, /has several sections/],
    [lines.replace("access_token", "other"), /lacks access_token/],
    ['{"host": "', /begins like JSON/],
    [lines.replace(host, `${secret}.example`), /is not a host of the management APIs/],
    [`${lines}${secret}\n`, /a line that is not a key/],
  ])("that is none is refused without a word of it", (text, says) => {
    expect(() => read(text)).toThrow(says);
    expect(() => read(text)).not.toThrow(secret);
  });
});

describe("a kept credential", () => {
  beforeEach(() => void vi.useFakeTimers());
  afterEach(() => void vi.useRealTimers());
  const readAs = (...hosts: readonly string[]) => {
    let count = 0;
    const read = vi.fn(async () => ({ host: hosts[count++] ?? hosts.at(-1) }) as Credentials);
    return { read, kept: keepCredential({ profile: "p", read, onRead: () => undefined, keptMs: 1_000, apartMs: 100 }) };
  };

  it("is read once for calls that come together, and again after its time", async () => {
    const { read, kept } = readAs("h");
    const [one, two] = await Promise.all([kept.current(), kept.current()]);
    expect(one).toBe(two);
    vi.advanceTimersByTime(999);
    expect(await kept.current()).toBe(one);
    vi.advanceTimersByTime(1);
    expect(await kept.current()).not.toBe(one);
    expect(read).toHaveBeenCalledTimes(2);
  });

  it("is read again when it is refused, but not twice in a moment", async () => {
    const { read, kept } = readAs("h");
    const first = await kept.current();
    expect(kept.refused(first)).toBe(false);
    vi.advanceTimersByTime(100);
    expect(kept.refused(first)).toBe(true);
    const second = await kept.current();
    // Another call that was refused with the first one uses the second as well.
    expect(kept.refused(first)).toBe(true);
    expect(kept.refused(second)).toBe(false);
    expect(await kept.current()).toBe(second);
    expect(read).toHaveBeenCalledTimes(2);
  });

  it("of another host is refused, because plans are bound to the first", async () => {
    const { kept } = readAs("h", "other");
    await kept.current();
    vi.advanceTimersByTime(1_000);
    expect(await failureOf(kept.current())).toMatchObject({ message: expect.stringContaining("has a different host") });
  });
});

describe("a call in a profile", () => {
  let upstream: Recorder;
  let file: string;
  let served: Awaited<ReturnType<typeof surfaceWith>>;
  const logged: string[] = [];
  const write = (name: string) => writeFileSync(file, JSON.stringify({ ...fieldsOf(name), host: "h" }));
  const call = async (tool: string, args: Record<string, unknown>, profile = "a") => {
    const { calls } = await (await served.engine()).within(profile, operatorsCheck);
    return calls.call(tool, args, caller);
  };
  beforeAll(async () => {
    upstream = await startRecorder();
    file = join(folder(), "credential");
    const script = `process.stdout.write(require("node:fs").readFileSync(${JSON.stringify(file)}))`;
    const { program, args } = node(script);
    const a = { credential: { command: [program, ...args] }, baseUrl: upstream.origin };
    const b = { credential: { command: [program, "-e", `console.log("${secret}"); process.exit(5)`] } };
    served = await surfaceWith(["--config", configFile({ profiles: { a, b } })], {}, (line) => void logged.push(line));
  });
  afterAll(async () => {
    await (await served.engine()).close();
    await upstream.close();
  });
  afterEach(() => void vi.useRealTimers());

  it("renews its credential after a 401, sends a read again, and a change never", async () => {
    write("first");
    const [refused, usual] = [401, 200];
    expect(await call("event_get", { eventId: "20051" })).toMatchObject({ reply: { status: usual } });
    write("second");
    // The time between two readings because of refusals has passed.
    vi.useFakeTimers({ toFake: ["Date"], now: Date.now() + 31_000 });
    upstream.refuse(refused);
    expect(await call("event_get", { eventId: "20051" })).toMatchObject({ reply: { status: usual } });
    expect(upstream.seen.map(({ token }) => token)).toEqual(
      ["first", "first", "second"].map((name) => fieldsOf(name).clientToken),
    );
    const { reply } = (await call("event_get", { eventId: "20051" })) as { reply: { body: object } };
    write("third");
    vi.setSystemTime(Date.now() + 31_000);
    upstream.seen.length = 0;
    upstream.refuse(refused);
    const change = { eventId: "20051", body: { ...reply.body, name: "Other" } };
    expect(await call("event_update", change)).toMatchObject({ kind: "failure", failure: { code: "unauthorized" } });
    const writes = upstream.seen.filter(({ method }) => method !== "GET");
    expect(writes).toHaveLength(1);
    expect(await call("event_update", change)).toMatchObject({ reply: { status: usual } });
    expect(upstream.seen.at(-1)).toMatchObject({ token: fieldsOf("third").clientToken });
  });

  it("is refused by the name of its profile where its command fails, again and again, until it does not", async () => {
    for (let times = 0; times < 2; times += 1) {
      const failure = await failureOf(call("event_get", { eventId: "20051" }, "b"));
      expect(failure.message).toContain("profile b could not be read: its command ended with exit code 5");
    }
    expect(logged.join("\n")).not.toContain(secret);
  });

  it("searches its results for every credential that was read", async () => {
    const { presentation } = await (await served.engine()).within("a", operatorsCheck);
    for (const name of ["first", "second", "third"])
      expect(presentation.secrets).toContain(fieldsOf(name).clientSecret);
  });
});
