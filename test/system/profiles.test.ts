/** What commands say and do by the profiles of a configuration. */
import { expect, it } from "vitest";
import { profiled, secret } from "./profiled.js";

const { run } = profiled();

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

it("doctor --apis today: the accounts that a profile can switch to", async () => {
  const { stdout } = await run("doctor", "--profile", "writing", "--apis", "today");
  expect(stdout).toMatch(
    /^ok {6}Accounts {3}The API client can switch to 3: "Example Shops Outlet" \(1-8OUTL:1-8BYUX\), /m,
  );
});

it("policy check: the highest tier of the profile", async () => {
  const of = { action: "invalidate", kind: "url", network: "production" };
  const purge = JSON.stringify({ ...of, body: { objects: ["https://www.example.com/"] } });
  expect((await run("policy", "check", "purge_submit", purge)).stdout).toContain(
    "deny, by highestTier of the profile reading",
  );
  expect((await run("policy", "check", "purge_submit", purge, "--profile", "writing")).stdout).toContain(
    ": approve, by default",
  );
});

it("show: an address in its profile", async () => {
  const [line = ""] = (await run("show")).stdout.split("\n").filter((one) => one.includes("?profile=writing"));
  const [address = ""] = line.split(" ");
  expect((await run("show", address)).status).toBe(0);
  expect((await run("show", address.replace("writing", "wrting"))).stderr).toContain('did you mean "writing"');
});
