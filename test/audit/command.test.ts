/** `edgewise audit` as it is typed: what it prints, its exit codes, and its flags with values. */
import { appendFileSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { homedir } from "node:os";
import { dirname, join } from "node:path";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { run } from "../../src/commands/run.js";
import { readConfig, stateDirOf } from "../../src/config.js";
import { filesOf, freshDirectory, intent, linesOf, record, recordCalls, recordProcess, writeLines } from "./record.js";

let dir: string;
beforeEach(() => {
  dir = freshDirectory();
});
/** Runs a command line in this process, and leaves nothing of it behind. */
async function typed(...args: readonly string[]) {
  const written = { stdout: "", stderr: "" };
  for (const name of ["stdout", "stderr"] as const)
    vi.spyOn(process[name], "write").mockImplementation((text) => {
      written[name] += String(text);
      return true;
    });
  const listeners = process.stdout.listeners("error");
  try {
    const code = await run(args, {});
    return { code, ...written };
  } finally {
    vi.restoreAllMocks();
    for (const listener of process.stdout.listeners("error"))
      if (!listeners.includes(listener)) process.stdout.off("error", listener as () => void);
  }
}

const edgewise = (...args: readonly string[]) => typed(...args, "--state-dir", dirname(dir));

it("audit verify says how much there is, and that it is unbroken", async () => {
  await recordProcess(dir, 2);
  await recordProcess(dir, 1);
  const whole = { code: 0, stdout: "10 lines in 2 files, unbroken\n", stderr: "" };
  expect(await edgewise("audit", "verify")).toEqual(whole);
  expect(await edgewise("audit", "verify", dir)).toEqual(whole);
  const [file = ""] = filesOf(dir);
  const one = await edgewise("audit", "verify", join(dir, file));
  expect(one).toEqual({ code: 0, stdout: "6 lines in 1 file, unbroken\n", stderr: "" });
});

it("audit verify names the file and the line of each change, and fails", async () => {
  await recordProcess(dir, 2);
  const [first = ""] = filesOf(dir);
  writeLines(dir, first, linesOf(dir, first).toSpliced(2, 1));
  const { code, stdout } = await edgewise("audit", "verify");
  expect(code).toBe(1);
  expect(stdout.split("\n")).toEqual([
    `${first}, line 3: has the sequence number 4 instead of 3: lines were removed or reordered.`,
    "3 lines in 1 file, BROKEN",
    "",
  ]);
});

it("audit verify notes a crash, and does not fail", async () => {
  await recordProcess(dir, 1);
  appendFileSync(join(dir, filesOf(dir)[0] ?? ""), '{"seq":');
  const { code, stdout } = await edgewise("audit", "verify");
  expect(code).toBe(0);
  expect(stdout).toMatch(/^Note: \S+ ends in the middle of line 5: its process crashed there\.\n4 lines in 1 file/);
});

it("audit verify reports an empty log and refuses a missing path", async () => {
  const nothing = { code: 0, stdout: `No call has been recorded in ${dir}.\n`, stderr: "" };
  expect(await edgewise("audit", "verify")).toEqual(nothing);
  expect(await edgewise("audit", "show")).toEqual(nothing);
  expect(await edgewise("audit", "verify", join(dir, "x"))).toMatchObject({ code: 78 });
  expect(await edgewise("audit", "verify", "a", "b")).toMatchObject({ code: 78 });
});

/** Exports the head, and gives the file in which it is kept. */
const exported = async (): Promise<string> => {
  const { code, stdout, stderr } = await edgewise("audit", "head");
  expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
  const file = join(dirname(dir), "head.json");
  writeFileSync(file, stdout);
  return file;
};

it("audit head is one line with the last line of each chain", async () => {
  await recordProcess(dir, 5, 1_500);
  await recordProcess(dir, 1);
  const file = await exported();
  expect(readFileSync(file, "utf8")).toMatch(/^[^\n]+\n$/);
  const head = JSON.parse(readFileSync(file, "utf8")) as { lines: number; chains: { file: string }[] };
  const files = filesOf(dir);
  expect(head).toMatchObject({ version: 1, time: expect.stringMatching(/^\d{4}-.*Z$/) });
  expect(head.chains.map((chain) => chain.file)).toEqual(files.slice(-2));
  expect(head.lines).toBe(files.flatMap((one) => linesOf(dir, one)).length);
  expect(head.chains[1]).toEqual({ file: files.at(-1), seq: 4, hash: expect.stringMatching(/^[0-9a-f]{64}$/) });
  expect((await edgewise("audit", "head", dir)).stdout).toContain(JSON.stringify(head.chains));
});

it("audit verify finds what is missing since a head was exported", async () => {
  await recordProcess(dir, 1);
  await recordProcess(dir, 2);
  const head = await exported();
  const [, newest = ""] = filesOf(dir);
  const verified = async (...more: readonly string[]) => {
    const { code, stdout } = await edgewise("audit", "verify", ...more);
    return [code, stdout] as const;
  };
  expect((await verified("--head", head))[0]).toBe(0);
  // As PowerShell writes what a program prints.
  writeFileSync(head, `\ufeff${readFileSync(head, "utf8")}`, "utf16le");
  expect((await verified("--head", head))[0]).toBe(0);
  rmSync(join(dir, newest));
  expect((await verified())[0]).toBe(0);
  expect(await verified(dir, `--head=${head}`)).toEqual([1, expect.stringContaining(`${newest} is missing`)]);
  rmSync(dir, { recursive: true });
  const broken = [1, expect.stringContaining("0 lines in 0 files, BROKEN")];
  for (const path of [[], [dir]]) expect(await verified(...path, "--head", head)).toEqual(broken);
});

it("audit head prints the head of an empty log, but not of a broken one", async () => {
  const nothing = await edgewise("audit", "head");
  expect([nothing.code, nothing.stderr]).toEqual([0, `edgewise: no call has been recorded in ${dir}\n`]);
  expect(JSON.parse(nothing.stdout)).toMatchObject({ lines: 0, chains: [] });
  await recordProcess(dir, 2);
  const [file = ""] = filesOf(dir);
  writeLines(dir, file, linesOf(dir, file).toSpliced(2, 1));
  const { code, stdout, stderr } = await edgewise("audit", "head");
  expect({ code, stdout }).toEqual({ code: 1, stdout: "" });
  expect(stderr).toContain(`${file}, line 3: has the sequence number`);
});

it("a head that is invalid, incomplete or for one file is refused", async () => {
  await recordProcess(dir, 1);
  await recordProcess(dir, 1);
  const head = await exported();
  const text = readFileSync(head, "utf8");
  const [file = ""] = filesOf(dir);
  const { chains, ...rest } = JSON.parse(text) as { lines: number; chains: readonly { seq: number }[] };
  const [newest = { seq: 0 }] = chains;
  const later = (last: object) => [...chains.slice(1), last];
  const parts = [
    ...["", "{}", "[]", text.slice(0, -20), JSON.stringify({ ...rest, version: 2, chains })],
    ...[chains.slice(1), later({ ...newest, file: "../else" }), later({ ...newest, hash: "" })].map((changed) =>
      JSON.stringify({ ...rest, chains: changed }),
    ),
    JSON.stringify({ ...rest, lines: rest.lines - newest.seq, chains: later({ ...newest, seq: 0 }) }),
  ];
  for (const part of parts) {
    writeFileSync(head, part);
    const { code, stderr } = await edgewise("audit", "verify", "--head", head);
    expect([part, code, stderr]).toEqual([part, 78, expect.stringContaining("is not the head of an audit log")]);
  }
  writeFileSync(head, text);
  expect(await edgewise("audit", "verify", join(dir, file), "--head", head)).toMatchObject({ code: 78 });
  expect(await edgewise("audit", "head", join(dir, file))).toMatchObject({ code: 78 });
});

describe("audit show", () => {
  const nowMs = Date.UTC(2026, 4, 20, 12);
  beforeEach(async () => {
    vi.useFakeTimers({ toFake: ["Date"], now: nowMs });
    const { audit } = record(dir, { maxFileBytes: 1_500 });
    await recordCalls(audit, 3);
    const guarded = intent({ tool: "zone_replace", tier: "critical", plan: "plan_1" });
    await audit.note({ event: "preview", ...guarded, plan: "plan_1" });
    await audit.note({ event: "declined", ...guarded, plan: "plan_1", channel: "terminal" });
    await audit.note({ event: "denied", ...guarded, policy: { rule: "no-zones" } });
    await audit.note({ event: "refused", ...guarded, tier: undefined, code: "invalid_input" });
    await audit.intent(guarded);
    await audit.intent(intent({ tool: "evil\u001b[2J\nTIME" }));
    await audit.close();
    // The rows are sorted by time, so the next process has to come later.
    vi.setSystemTime(nowMs + 1_000);
    await recordProcess(dir, 1);
  });
  afterEach(() => void vi.useRealTimers());
  const rows = (stdout: string) => stdout.trimEnd().split("\n");
  const cells = (stdout: string) => rows(stdout).map((line) => line.split(/ {2,}/).slice(1));

  it("audit show has a row for each call, whatever files have its lines", async () => {
    const { code, stdout, stderr } = await edgewise("audit", "show");
    expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
    const made = (ms: string) => ["local", "purge_queue_get", "write", "ok 200", "1", ms];
    const zone = ["local", "zone_replace", "critical", "plan_1"];
    expect(filesOf(dir).length).toBeGreaterThan(3);
    expect(cells(stdout)).toEqual([
      ["WHO", "TOOL", "FOR", "TIER", "TICKET", "PLAN", "APPROVED BY", "OUTCOME", "REQUESTS", "MS"],
      made("0"),
      made("1"),
      made("2"),
      [...zone, "preview"],
      [...zone, "declined"],
      [...zone, "denied no-zones"],
      ["local", "zone_replace", "plan_1", "refused invalid_input"],
      [...zone, "no outcome recorded"],
      ["local", "evil[U+001B][2J[U+000A]TIME", "read", "no outcome recorded"],
      made("0"),
    ]);
  });

  it("has the ticket of a call, and who broke which freeze and why", async () => {
    const { audit } = record(dir);
    const approvals = [
      { channel: "page", atMs: 0, by: "ann", reason: "The shop is down" },
      { channel: "terminal", atMs: 0, by: "bob", reason: "agreed" },
    ] as const;
    const more = {
      tier: "critical",
      ticket: "INC7",
      plan: "plan_9",
      breaks: ["year-end", "quiet"],
      approvals,
    } as const;
    const recorded = await audit.intent(intent({ tool: "frozen_replace", ...more }));
    await audit.outcome(recorded, { code: "ok", status: 201, requests: 1, ms: 5 });
    await audit.close();
    const row = cells((await edgewise("audit", "show", "--tool", "frozen_replace")).stdout).at(-1);
    const broken = "against year-end, quiet: ann: The shop is down, bob: agreed";
    expect(row).toEqual(["local", "frozen_replace", "critical", "INC7", "plan_9", broken, "ok 201", "1", "5"]);
  });

  it("audit show has inner calls below their call, with their purpose", async () => {
    const { audit } = record(dir);
    const made = async (more: Parameters<typeof intent>[0], ms: number) =>
      audit.outcome(await audit.intent(intent({ tool: "inner", ...more })), { code: "ok", requests: ms, ms });
    const outer = intent({ tool: "outer", tier: "guarded", call: "p.1" });
    await made({ call: "p.3", parent: "p.2", purpose: "check" }, 3);
    await made({ call: "p.2", parent: "p.1", purpose: "state" }, 2);
    await made({ call: "p.4", parent: "p.5", purpose: "step" }, 4);
    await audit.note({ event: "preview", ...outer, plan: "plan_2" });
    await made({ call: "p.6", parent: "p.7", tool: "round" }, 6);
    await made({ call: "p.7", parent: "p.6", tool: "round" }, 7);
    await audit.close();
    const rows = cells((await edgewise("audit", "show")).stdout);
    const shown = rows.flatMap(([, tool = "", ...rest]) => (/inner|outer|round/.test(tool) ? [[tool, ...rest]] : []));
    expect(shown).toEqual([
      ["inner", "step", "read", "ok", "4", "4"],
      ["outer", "guarded", "plan_2", "preview"],
      ["↳ inner", "state", "read", "ok", "2", "2"],
      ["↳ ↳ inner", "check", "read", "ok", "3", "3"],
      ["round", "read", "ok", "6", "6"],
      ["round", "read", "ok", "7", "7"],
    ]);
    const alone = cells((await edgewise("audit", "show", "--tool", "inner")).stdout).map(([, tool]) => tool);
    expect(alone.slice(1).sort()).toEqual(["inner", "inner", "↳ inner"]);
  });

  it("audit show filters by tool and by time", async () => {
    const { stdout } = await edgewise("audit", "--tool", "zone_replace", "show");
    expect(cells(stdout).map(([, tool]) => tool)).toEqual(["TOOL", ...Array.from({ length: 5 }, () => "zone_replace")]);
    const times = async (...more: readonly string[]) =>
      rows((await edgewise("audit", "show", ...more)).stdout).map((line) => line.slice(0, 24));
    const [head = "", ...all] = await times();
    const last = all.at(-1) ?? "";
    expect(await times("--since", last)).toEqual([head, ...all.filter((time) => time >= last)]);
    expect(await times("--since", "2999-01-01")).toHaveLength(1);
    for (const text of ["yesterday", "2026-05-01T12:00", "2026-13-01"])
      expect(await edgewise("audit", "show", "--since", text)).toMatchObject({
        code: 78,
        stderr: expect.stringContaining(`--since takes an ISO 8601 time, not "${text}"`),
      });
  });

  it("audit show --json prints audit lines and leaves out changed ones", async () => {
    const [first = ""] = filesOf(dir);
    writeLines(dir, first, linesOf(dir, first).with(1, "forged"));
    const { stdout, stderr } = await edgewise("audit", "show", "--json", "--tool", "purge_queue_get");
    const lines = rows(stdout).map((line) => JSON.parse(line) as Record<string, unknown>);
    expect(lines).toHaveLength(4);
    for (const line of lines)
      expect(line).toMatchObject({ event: "outcome", tool: "purge_queue_get", hash: expect.any(String) });
    expect(stderr).toBe("edgewise: 1 line left out because of damage; `edgewise audit verify` names them\n");
  });
});

it.each([
  [["audit"], "audit takes one of verify, head, show."],
  [["audit", "verfy"], 'audit has no action "verfy" (did you mean "verify"?).'],
  [["audit", "show", "somewhere"], 'audit show does not take "somewhere".'],
  [["audit", "verify", "--json"], "audit verify has no flag --json."],
  [["audit", "head", "/none"], "There is no directory /none."],
  [["audit", "verify", "--head", "/none"], "The head /none cannot be read."],
])("audit refuses %j", async (args, message) => {
  const { code, stdout, stderr } = await edgewise(...args);
  expect({ code, stdout }).toEqual({ code: 78, stdout: "" });
  expect(stderr).toContain(`edgewise: ${message}`);
});

it("audit reads the user's state directory, and refuses one that is none", async () => {
  expect(await typed("audit", "show", "--state-dir", "memory")).toMatchObject({
    code: 78,
    stderr: expect.stringContaining("With --state-dir memory no audit line is stored."),
  });
  const home = join(homedir(), ".local", "state", "edgewise");
  expect(stateDirOf(readConfig([], {}))).toBe(home);
  expect(stateDirOf(readConfig([], { XDG_STATE_HOME: "/x/state" }))).toBe("/x/state/edgewise");
  expect(stateDirOf(readConfig([], { XDG_STATE_HOME: "relative" }))).toBe(home);
  expect(stateDirOf(readConfig(["--state-dir", "memory"], { XDG_STATE_HOME: "/x" }))).toBe("memory");
});
