/** What commands and a client get by the profiles of a configuration, whose credentials are what commands print. */
import { afterAll, beforeAll, expect, it } from "vitest";
import { demoCredentials } from "../../src/emulator/credentials.js";
import { file } from "../lab/files.js";
import { connect, startEmulator } from "../lab/session.js";
import { typed } from "./typed.js";

const { host, clientToken, clientSecret, accessToken } = demoCredentials;
const credential = JSON.stringify({ host, clientToken, clientSecret, accessToken });
const command = (script: string) => ({ command: [process.execPath, "-e", script] });
const secret = "a-secret-that-nobody-may-see";

let config = "";
let emulator: Awaited<ReturnType<typeof startEmulator>>;
beforeAll(async () => {
  emulator = await startEmulator();
  const printing = { credential: command(`process.stdout.write(${JSON.stringify(credential)})`) };
  const failing = command(`console.log("${secret}"); console.error("${secret}"); process.exit(9)`);
  const profiles = {
    reading: { ...printing, baseUrl: emulator.match, highestTier: "read", timeZone: "Asia/Tokyo" },
    writing: { ...printing, baseUrl: emulator.match },
    broken: { credential: failing },
  };
  config = file({ defaultProfile: "reading", profiles }, { name: "edgewise.json" });
});
afterAll(() => void emulator.child.kill("SIGTERM"));
const run = (...args: readonly string[]) => typed(["--config", config, "--state-dir", "memory", ...args]);

it("a call is made in the default profile, or in the one of --profile", async () => {
  const event = ["call", "event_get"];
  for (const [words, profile] of [
    [[...event, "--eventId", "20051"], "reading"],
    [["--profile", "writing", ...event, "--eventId", "20051"], "writing"],
    [[...event, '{"eventId": "20051", "profile": "writing"}'], "writing"],
  ] as const)
    expect(JSON.parse((await run(...words)).stdout)).toMatchObject({ status: 200, profile });
});

it("the list has the profiles, although the command of one fails", async () => {
  const flags = ["--config", config, "--surface", "all", "--apis", "documents"];
  const session = await connect("v2 2026 stdio", { flags });
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

it("profiles: what each may do, with no command run", async () => {
  const { stdout, stderr, status } = await run("profiles");
  expect([status, stderr]).toEqual([0, ""]);
  expect(stdout).toMatch(/^reading \(default\) +read +\d+ /m);
  expect(stdout).toMatch(/^writing +read, write, guarded, critical +\d+ /m);
  const rows = JSON.parse((await run("profiles", "--json")).stdout) as { profile: string; tools: number }[];
  expect(rows.map(({ profile }) => profile)).toEqual(["reading", "writing", "broken"]);
  expect(rows[0]?.tools).toBeLessThan(rows[1]?.tools ?? 0);
});

it("a credential's command that fails: its exit code, not its output", async () => {
  const { stdout, stderr, status } = await run("--profile", "broken", "call", "event_get", "--eventId", "20051");
  expect([stdout, status]).toEqual(["", 78]);
  expect(stderr).toContain(
    "The credential of the profile broken could not be read: its command ended with exit code 9.",
  );
  expect(stderr).not.toContain(secret);
});

it("doctor: each profile by itself", async () => {
  const { stdout, status } = await run("doctor");
  expect(status).toBe(1);
  const blocks = stdout.split("\nProfile ");
  const of = (name: string) => blocks.find((block) => block.startsWith(`${name}\n`));
  for (const name of ["reading", "writing"]) {
    expect(of(name)).toMatch(/^ok {6}Credential Read from the output of the command of the profile \w+\.$/m);
    expect(of(name)).toContain("ok      Signature  The credential is accepted.");
    expect(of(name)).toMatch(/^ok {6}Account {4}Calls act on Example Shops \((?:act_)?1-7KLGH\), by /m);
  }
  expect(of("broken")).toMatch(/^broken\nFAIL {4}Credential .* ended with exit code 9\. /);
  expect(stdout).not.toContain(secret);
});

it("doctor --apis today: one profile, and the accounts it can switch to", async () => {
  const { stdout, status } = await run("doctor", "--profile", "writing", "--apis", "today");
  expect(stdout).toMatch(
    /^ok {6}Accounts {3}The API client can switch to 3: "Example Shops Outlet" \(1-8OUTL:1-8BYUX\), /m,
  );
  expect([status, stdout]).toEqual([0, expect.not.stringContaining("Profile reading")]);
});

it("policy check: the highest tier of the profile", async () => {
  const of = { action: "invalidate", kind: "url", network: "production" };
  const purge = JSON.stringify({ ...of, body: { objects: ["https://www.example.com/"] } });
  const check = ["policy", "check", "purge_submit", purge];
  expect((await run(...check)).stdout).toContain("deny, by highestTier of the profile reading");
  expect((await run(...check, "--profile", "writing")).stdout).toContain(": approve, by default");
});

it("show: an address in its profile", async () => {
  const [line = ""] = (await run("show")).stdout.split("\n").filter((one) => one.includes("?profile=writing"));
  const [address = ""] = line.split(" ");
  expect((await run("show", address)).status).toBe(0);
  expect((await run("show", address.replace("writing", "wrting"))).stderr).toContain('did you mean "writing"');
});
