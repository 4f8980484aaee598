/** Profiles at a shell and over stdio, against the built program. */
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import { demoCredentials } from "../../../src/emulator/credentials.js";
import { folder } from "../../lab/files.js";
import { bareEnvironment, connect, startProcess } from "../../lab/session.js";
import { typed } from "../typed.js";

const secret = "a-secret-that-nobody-may-see";
const dir = folder();
const file = join(dir, "edgewise.json");
let emulator: Awaited<ReturnType<typeof startProcess>>;

const run = (...args: readonly string[]) => typed(["--config", file, "--state-dir", "memory", ...args]);

beforeAll(async () => {
  emulator = await startProcess(["emulator", "--port", "0"], bareEnvironment(), /POST (\S+)\/_emulator\/reset/);
  const { host, clientToken, clientSecret, accessToken } = demoCredentials;
  const print = `process.stdout.write(${JSON.stringify(JSON.stringify({ host, clientToken, clientSecret, accessToken }))})`;
  const fail = `console.log("${secret}"); console.error("${secret}"); process.exit(9)`;
  const command = (script: string) => ({ command: [process.execPath, "-e", script] });
  const profiles = {
    reading: { credential: command(print), baseUrl: emulator.match, highestTier: "read", timeZone: "Asia/Tokyo" },
    writing: { credential: command(print), baseUrl: emulator.match },
    broken: { credential: command(fail) },
  };
  writeFileSync(file, JSON.stringify({ defaultProfile: "reading", profiles }), { mode: 0o600 });
});
afterAll(() => void emulator.child.kill("SIGTERM"));

it("lists what each may do, and runs no command for it", async () => {
  const { stdout, stderr, status } = await run("profiles");
  expect([status, stderr]).toEqual([0, ""]);
  expect(stdout).toMatch(/^reading \(default\) +read +\d+ /m);
  expect(stdout).toMatch(/^writing +read, write, guarded, critical +\d+ /m);
  const rows = JSON.parse((await run("profiles", "--json")).stdout) as { profile: string; tools: number }[];
  expect(rows.map(({ profile }) => profile)).toEqual(["reading", "writing", "broken"]);
  expect(rows[0]?.tools).toBeLessThan(rows[1]?.tools ?? 0);
});

it("calls in the default profile, or in the one of --profile, and says which", async () => {
  const profileOf = async (...flags: string[]) =>
    (JSON.parse((await run(...flags, "call", "event_get", "--eventId", "20051")).stdout) as { profile: string })
      .profile;
  expect(await profileOf()).toBe("reading");
  expect(await profileOf("--profile", "writing")).toBe("writing");
  const within = await run("call", "event_get", '{"eventId": "20051", "profile": "writing"}');
  expect(JSON.parse(within.stdout)).toMatchObject({ status: 200, profile: "writing" });
});

it("names the profile and the exit code of a command that failed, and nothing that it wrote", async () => {
  const { stdout, stderr, status } = await run("--profile", "broken", "call", "event_get", "--eventId", "20051");
  expect([stdout, status]).toEqual(["", 78]);
  expect(stderr).toContain(
    "The credential of the profile broken could not be read: its command ended with exit code 9.",
  );
  expect(stderr).not.toContain(secret);
});

it("checks each profile by itself", async () => {
  const { stdout, status } = await run("doctor");
  expect(status).toBe(1);
  const blocks = new Map(
    stdout.split("\nProfile ").map((block) => [block.split("\n")[0], block.slice(block.indexOf("\n"))]),
  );
  for (const name of ["reading", "writing"]) {
    expect(blocks.get(name)).toMatch(/^ok {6}Credential Read from the output of the command of the profile \w+\.$/m);
    expect(blocks.get(name)).toContain("ok      Signature  The credential is accepted.");
    expect(blocks.get(name)).toMatch(/^ok {6}Account {4}Calls act on Example Shops \((?:act_)?1-7KLGH\), by /m);
  }
  expect(blocks.get("broken")).toMatch(/^\nFAIL {4}Credential .* ended with exit code 9\. /);
  expect(stdout).not.toContain(secret);
  const one = await run("doctor", "--profile", "writing");
  expect([one.status, one.stdout.includes("Profile reading")]).toEqual([0, false]);
});

it("names the accounts that the API client of a profile can switch to, with the APIs of today", async () => {
  const { stdout } = await run("doctor", "--profile", "writing", "--apis", "today");
  expect(stdout).toMatch(
    /^ok {6}Accounts {3}The API client can switch to 3: "Example Shops Outlet" \(1-8OUTL:1-8BYUX\), /m,
  );
});

it("says what the policy would, by the highest tier of the profile", async () => {
  const of = { action: "invalidate", kind: "url", network: "production" };
  const purge = JSON.stringify({ ...of, body: { objects: ["https://www.example.com/"] } });
  expect((await run("policy", "check", "purge_submit", purge)).stdout).toContain(
    "deny, by highestTier of the profile reading",
  );
  expect((await run("policy", "check", "purge_submit", purge, "--profile", "writing")).stdout).toContain(
    ": approve, by default",
  );
});

it("reads an address in its profile", async () => {
  const [line = ""] = (await run("show")).stdout.split("\n").filter((one) => one.includes("?profile=writing"));
  const [address = ""] = line.split(" ");
  expect((await run("show", address)).status).toBe(0);
  expect((await run("show", address.replace("writing", "wrting"))).stderr).toContain('did you mean "writing"');
});

it("serves a list with the profiles from its first answer on, and starts although a command would fail", async () => {
  const session = await connect("v2 2026 stdio", {
    flags: ["--config", file, "--surface", "all", "--apis", "documents"],
  });
  const { tools } = await session.client.listTools();
  for (const { inputSchema } of tools)
    expect(inputSchema.properties?.["profile"]).toMatchObject({ enum: ["reading", "writing", "broken"] });
  const { structuredContent } = await session.call("event_get", { eventId: "20051", profile: "broken" });
  expect(structuredContent).toMatchObject({ error: "unauthorized", upstream: "no profile" });
  const { structuredContent: read } = await session.call("event_get", { eventId: "20051" });
  expect(read).toMatchObject({ status: 200, profile: "reading" });
  expect(JSON.stringify(read["times"])).toContain("+09:00");
  await session.close();
});
