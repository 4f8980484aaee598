/** Credentials from commands: run on use without a shell, run again when refused, and never shown. */
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from "vitest";
import { operatorOrigin } from "../../src/calls/origin.js";
import { runCommand } from "../../src/profiles/credential.js";
import { folder } from "../lab/files.js";
import { caller } from "../lab/made-up.js";
import { failureFrom } from "../lab/outcome.js";
import { configFile, fieldsOf, type Recorder, startRecorder, surfaceWith } from "../profiles/two.js";

const secret = "a-secret-that-nobody-may-see";
const node = (script: string) => ({ program: process.execPath, args: ["-e", script] });

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
  ])("a command failing by %s names its profile, not its output", async (what, command, says) => {
    const failure = await failureFrom(() => runCommand("prod", command, what === "duration" ? 300 : 10_000));
    expect(failure).toMatchObject({ code: "unauthorized", message: expect.stringContaining(says) });
    expect(failure.message).toContain("the profile prod");
    expect(JSON.stringify([failure.message, failure.detail])).not.toContain(secret);
  });
});

describe("a call in a profile", () => {
  let upstream: Recorder;
  let file: string;
  let served: Awaited<ReturnType<typeof surfaceWith>>;
  const logged: string[] = [];
  const write = (name: string) => writeFileSync(file, JSON.stringify({ ...fieldsOf(name), host: "h" }));
  const call = async (tool: string, args: Record<string, unknown>, profile = "a") => {
    const { calls } = await (await served.engine()).runtimeFor(profile, operatorOrigin);
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

  it("after a 401, a credential is renewed and only reads are repeated", async () => {
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

  it("calls are refused, naming the profile, while its command fails", async () => {
    for (let times = 0; times < 2; times += 1) {
      const failure = await failureFrom(() => call("event_get", { eventId: "20051" }, "b"));
      expect(failure.message).toContain("profile b could not be read: its command ended with exit code 5");
    }
    expect(logged.join("\n")).not.toContain(secret);
  });

  it("searches its results for every credential that was read", async () => {
    const { presentation } = await (await served.engine()).runtimeFor("a", operatorOrigin);
    for (const name of ["first", "second", "third"])
      expect(presentation.secrets).toContain(fieldsOf(name).clientSecret);
  });
});
