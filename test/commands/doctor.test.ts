/** What the doctor finds where something is good, where it is not, and where there is nothing. */
import { chmodSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { clientFindings } from "../../src/commands/doctor/clients.js";
import { type DoctorFinding, findingsOf } from "../../src/commands/doctor/finding.js";
import {
  approvalFinding,
  approversFinding,
  engineFindings,
  httpFinding,
  permissionFindings,
  policyFinding,
  recordFinding,
  stateFinding,
} from "../../src/commands/doctor/machine.js";
import { readConfig } from "../../src/config.js";
import { recordProcess } from "../audit/record.js";
import { needsImages } from "../lab/engines.js";
import { folder } from "../lab/files.js";
import { catalogueOfProject } from "../lab/project.js";

let home = "";
beforeEach(() => {
  home = folder();
  vi.stubEnv("HOME", home);
});
afterEach(() => vi.unstubAllEnvs());

/** Writes a file below the home directory, for its owner alone. */
function file(name: string, text: string, mode = 0o600): string {
  const path = join(home, name);
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, text);
  chmodSync(path, mode);
  return path;
}
const catalogue = await catalogueOfProject();
const given = (...flags: readonly string[]) => readConfig(flags, {});
type Check = (
  config: ReturnType<typeof given>,
  tools: () => typeof catalogue,
) => Promise<DoctorFinding | readonly DoctorFinding[]> | DoctorFinding;
const found = (check: Check, ...flags: readonly string[]) =>
  findingsOf("Check", () => check(given(...flags), () => catalogue));
/** A single finding as a person reads it. */
async function line(check: Check, ...flags: readonly string[]): Promise<string> {
  const [one, ...others] = await found(check, ...flags);
  expect(others).toEqual([]);
  return `${one?.state}: ${one?.what}`;
}

describe("the state directory", () => {
  it("is tried and left as it was, and is not created", async () => {
    mkdirSync(join(home, "state"), { mode: 0o700 });
    expect(await line(stateFinding, "--state-dir", join(home, "state"))).toBe(`ok: ${home}/state is writable.`);
    expect(readdirSync(join(home, "state"))).toEqual([]);
    expect(await line(stateFinding, "--state-dir", join(home, "a", "b"))).toBe(
      `not set: ${home}/a/b does not exist yet; the first call creates it.`,
    );
    expect(readdirSync(home)).toEqual(["state"]);
    expect(await line(stateFinding, "--state-dir", "memory")).toMatch(/^not set: Memory: /);
  });

  it("fails where it cannot be used", async () => {
    const path = file("a-file", "");
    expect(await line(stateFinding, "--state-dir", join(path, "state"))).toMatch(/^FAIL: .* cannot be created in /);
    mkdirSync(join(home, "open", "plans"), { recursive: true });
    chmodSync(join(home, "open"), 0o777);
    expect(await line(stateFinding, "--state-dir", join(home, "open"))).toMatch(/^FAIL: .*others can write to it/);
    expect(await line(stateFinding, "--state-dir", path)).toMatch(/^FAIL: /);
  });
});

it("doctor: an engine that does not run is not set", needsImages, async () => {
  // No build is beside this program, so that the process that runs SQL cannot start.
  const [sql, charts] = await engineFindings();
  expect(sql).toMatchObject({ state: "not set", what: expect.stringContaining("result_query is refused") });
  expect(charts).toMatchObject({ state: "ok", subject: "Charts" });
  const [, without] = await engineFindings(() => Promise.reject(new Error("not installed")));
  expect(without).toMatchObject({ state: "not set", next: expect.stringContaining("@resvg/resvg-js") });
});

describe("the policy and who approves", () => {
  const rules = (text: string) => file("policy.yaml", `version: 1\n${text}`);
  const allowing =
    "rules:\n  - id: a\n    effect: allow\n    tools: ['purge_*']\negress:\n  emails: ['*@example.com']\n";

  it("has what is in the file, or that there is none", async () => {
    expect(await line(policyFinding)).toMatch(/^not set: None: /);
    expect(await line(policyFinding, "--policy", rules(allowing))).toBe(
      `ok: ${home}/policy.yaml: 1 rule, 0 quotas, limits for emails.`,
    );
    expect(await line(policyFinding, "--policy", rules("rules: [{id: a, efect: deny}]\n"))).toMatch(/^FAIL: .*efect/);
    expect(await line(policyFinding, "--policy", join(home, "gone.yaml"))).toMatch(/^FAIL: .*cannot be read/);
  });

  it("says who approves, and that nobody does where nothing is allowed", async () => {
    for (const [says, ...flags] of [
      [/^ok: auto: the user/],
      [/^ok: human: only a person/, "--approval", "human"],
      [/^ok: None is needed/, "--read-only"],
      [/^FAIL: --approval off needs a policy/, "--approval", "off"],
      [/^ok: off: no approvals/, "--approval", "off", "--policy", rules(allowing)],
    ] as const)
      expect(await line(approvalFinding, ...flags)).toMatch(says);
  });
});

it("doctor: who approves and connects over HTTP, without their tokens", async () => {
  const secret = "Zm9vYmFyLXRoZS1zZWNyZXQtb2YtYW4tYXBwcm92ZXI";
  const tokens = file("tokens", `ann ${secret}\n`);
  const withTokens = ["--token-file", tokens];
  const issuer = ["--allow-writes", "--oauth-issuer", "https://login.example.com/"];
  for (const [check, says, ...flags] of [
    [approversFinding, /^not set: /],
    [approversFinding, /^ok: .*: ann\.$/, "--approver-token-file", tokens],
    [httpFinding, /^not set: .*only read\.$/],
    [httpFinding, /^FAIL: .*--token-file or --oauth-issuer/, "--allow-writes"],
    [httpFinding, /^FAIL: --instance-url takes a URL without a user/, "--instance-url", "http://ann:pw@one:3940"],
    [httpFinding, /^FAIL: --instance-url takes a URL/, "--instance-url", "one"],
    [httpFinding, /^ok: .*make changes: .*login\.example\.com/, ...issuer],
    [httpFinding, /^ok: .*only read: ann\.$/, ...withTokens],
    [httpFinding, /^ok: .*make changes: ann\.$/, ...withTokens, "--allow-writes"],
  ] as const)
    expect(await line(check, ...flags)).toMatch(says);
  const open = file("open", `ann ${secret}\n`, 0o644);
  for (const [check, flag] of [
    [approversFinding, "--approver-token-file"],
    [httpFinding, "--token-file"],
  ] as const) {
    expect(await line(check, flag, open)).toMatch(/^FAIL: Other users can read/);
    expect(await line(check, flag, file("short", "ann short\n"))).toMatch(/^FAIL: .*shorter than 32/);
    expect(JSON.stringify(await found(check, flag, open))).not.toContain(secret);
  }
});

it("verifies the record, and says where it is broken or that there is none", async () => {
  const dir = join(home, "state", "audit");
  const flags = ["--state-dir", join(home, "state")];
  expect(await line(recordFinding, ...flags)).toBe(`not set: No call has been recorded in ${dir}.`);
  expect(await line(recordFinding, "--state-dir", "memory")).toMatch(/^not set: /);
  await recordProcess(dir, 2);
  expect(await line(recordFinding, ...flags)).toMatch(/^ok: \d+ audit lines in 1 file of .*, unbroken\.$/);
  const [name = ""] = readdirSync(dir);
  writeFileSync(join(dir, name), readFileSync(join(dir, name), "utf8").replace(/"tool":"[^"]+"/, '"tool":"other"'));
  expect(await line(recordFinding, ...flags)).toMatch(/^FAIL: .* is BROKEN: .*, line 2 .*edited\.$/);
});

describe("the clients", () => {
  const cursor = (entry: object) => file(".cursor/mcp.json", JSON.stringify({ mcpServers: { edgewise: entry } }));

  it("that have no entry are named, and none is called good", async () => {
    file(".cursor/mcp.json", '{"mcpServers": {"other": {"command": "x"}}}');
    expect(await line(clientFindings)).toMatch(/^not set: None of Claude Code, .*, Cursor, .* has an entry\.$/);
  });

  it("doctor: a client's entry is shown without secrets", async () => {
    const program = file("server.js", "");
    const path = cursor({
      command: process.execPath,
      args: [program, "--surface", "core", "--section=prod"],
      env: { PASSWORD: "secret-of-env" },
    });
    expect(await line(clientFindings)).toBe(
      `ok: Cursor: the entry in ${path} starts ${program} --surface core --section=prod.`,
    );
    file(".codex/config.toml", `[mcp_servers.edgewise]\ncommand = "npx"\nargs = ["-y", "edgewise"]\n`);
    const [one, other] = await found(clientFindings);
    expect([one?.state, other?.state]).toEqual(["ok", "warning"]);
    expect(other?.what).toMatch(
      /^Codex: the entry in .* starts edgewise, which the client looks up on its own PATH\.$/,
    );
    cursor({ command: process.execPath, args: [program, "--apikey", "secret-of-args"] });
    const [broken] = await found(clientFindings);
    expect(broken?.state).toBe("FAIL");
    expect(JSON.stringify(broken)).not.toContain("secret-of");
  });

  const starts = (...args: string[]) => ({ command: "edgewise", args });
  it.each<[string, object, RegExp]>([
    ["whose program is gone", { command: process.execPath, args: ["/gone.js"] }, /^FAIL: .*gone\.js/],
    ["that starts nothing", {}, /^FAIL: /],
    ["with flags that exclude each other", starts("--section", "a", "--profiles", "b"), /^FAIL: .*--section/],
    ["with a policy that is gone", starts("--policy", "/gone.yaml"), /^FAIL: .*The policy/],
    ["to an address that does not respond", { url: "http://127.0.0.1:1/mcp?token=a-secret" }, /^warning: .*:1\/mcp,/],
    ["to an invalid URL", { url: "nonsense-with-a-secret" }, /^warning: /],
  ])("doctor: a client's entry %s is not ok", async (_, entry, expected) => {
    cursor(entry);
    const shown = await line(clientFindings);
    expect(shown).toMatch(expected);
    expect(shown).not.toContain("a-secret");
  });

  it("with a broken file are a warning", async () => {
    file(".cursor/mcp.json", "{");
    expect(await line(clientFindings)).toMatch(/^warning: Cursor: .* cannot be read or is broken/);
  });
});

it("doctor: files whose access lists to check, only on Windows", () => {
  const named = ["--edgerc", "C:\\keys\\edgerc", "--policy", "C:\\policy.yaml", "--token-file", "C:\\tokens"];
  expect(permissionFindings(given("doctor", ...named), "win32")).toMatchObject([
    {
      ...{ state: "warning", subject: "Access", next: expect.stringMatching(/^Run icacls on each; only your user/) },
      what: expect.stringContaining("lists of C:\\keys\\edgerc, C:\\policy.yaml, C:\\tokens were not checked"),
    },
  ]);
  for (const platform of ["linux", "darwin"] as const)
    expect(permissionFindings(given("doctor", ...named), platform)).toEqual([]);
  expect(permissionFindings(given("doctor", "--emulator"), "win32")).toEqual([]);
});
