/** What became of a plan follows from its marks, and what cannot be read promises least. */
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { chmodSync, copyFileSync, readFileSync, readlinkSync } from "node:fs";
import { join } from "node:path";
import { afterAll, afterEach, describe, expect, it, vi } from "vitest";
import type { Plan, VoidReason } from "../../src/guard/plan.js";
import { isAtWork, thisProcess } from "../../src/guard/plans/process.js";
import { approvalsOf, planRecordOf, planStatusOf } from "../../src/guard/plans/status.js";
import type { PlanHistory } from "../../src/guard/plans/storage.js";
import { damaged } from "../../src/system/private-directory.js";
import { needs } from "../lab/needs.js";
import { until } from "../lab/time.js";
import { binding, shownTo } from "./plan-binding.js";
import { removeDirectories, stateDirectory } from "./plan-stores.js";

const id = "plan_abcdefghijklmnopqrstuv";
const hourMs = 3_600_000;
const plan: Plan = { ...binding, ...shownTo("person"), id, createdAtMs: 0, expiresAtMs: 1_000 };
const own = thisProcess();
/** A process that cannot be looked at from here. */
const far = { pid: own.pid, space: "another machine" };
const approved = { id, channel: "terminal", atMs: 5, by: "ann" } as const;
const redeemedBy = (process: typeof own, atMs = 20) =>
  ({ id, as: "redeemed", atMs, channel: "page", approvedAtMs: 10, by: "bob", process }) as const;
const refused = { id, as: "refused", atMs: 20 } as const;
const voided = (because: VoidReason) => ({ id, as: "void", atMs: 20, because }) as const;
const sending = { id, atMs: 30 };
const done = { id, atMs: 40, state: "done", says: "it answered 201" } as const;

const unknown = "whether it was done is unknown, because no response was recorded";
const tooNew = "its owner opened too many newer plans";
const wasAsked = "the user was asked and has not said yes, so confirm no longer approves it";
const expired = "it expired at 1970-01-01T00:00:01.000Z";
const inProgress = "it is in progress";

describe("a plan is", () => {
  it.each<[string, Omit<PlanHistory, "plan">, number, string | undefined]>([
    ["open", {}, 999, undefined],
    ["open", { approved: damaged }, 999, undefined],
    ["approved", { approved }, 999, undefined],
    ["expired", { approved }, 1_000, expired],
    ["expired", {}, 1_000, expired],
    ["unknown", { sending }, 999, unknown],
    ["unknown", { taken: damaged }, 999, unknown],
    ["unknown", { taken: damaged, sending }, 999, unknown],
    ["refused", { taken: refused }, 5_000, "it was refused"],
    ["void", { taken: voided("arguments") }, 5_000, "it was used with arguments other than the previewed ones"],
    ["void", { taken: voided("state") }, 5_000, "the state changed after the preview"],
    ["void", { taken: voided("newer") }, 5_000, tooNew],
    ["void", { taken: voided("asked") }, 5_000, wasAsked],
    ["redeemed", { taken: redeemedBy(own) }, 5_000, inProgress],
    ["sending", { taken: redeemedBy(own), sending }, 5_000, inProgress],
    ["redeemed", { taken: redeemedBy(far) }, 20 + hourMs - 1, inProgress],
    ["not_sent", { taken: redeemedBy(far) }, 20 + hourMs, "the process ended before anything was sent"],
    ["sending", { taken: redeemedBy(far), sending }, 30 + hourMs - 1, inProgress],
    ["unknown", { taken: redeemedBy(far), sending }, 30 + hourMs, unknown],
    ["sending", { taken: redeemedBy(far), sending: damaged }, 20 + hourMs - 1, inProgress],
    ["unknown", { taken: redeemedBy(far), sending: damaged }, 20 + hourMs, unknown],
    ["done", { taken: redeemedBy(own), sending, settled: done }, 5_000, "it answered 201"],
    ["failed", { settled: { ...done, state: "failed", says: "it answered 400" } }, 5_000, "it answered 400"],
    ["unknown", { taken: redeemedBy(own), sending, settled: damaged }, 5_000, unknown],
  ])("%s by its marks, case %#", (status, story, nowMs, outcome) => {
    expect(planStatusOf({ plan, ...story }, nowMs)).toBe(status);
    const record = planRecordOf({ plan, ...story }, nowMs);
    expect(record).toMatchObject({ plan, status });
    expect([record.outcome, "outcome" in record]).toEqual([outcome, outcome !== undefined]);
  });
});

const both = { unmade: [1], made: [{ id: "A" }, null] };
const settledAs = (more: object) => ({ taken: redeemedBy(own), sending, settled: { ...done, ...more } });

type Known = [string, Omit<PlanHistory, "plan">, object];
const reasons = ["arguments", "state", "newer", "asked", "approvers", "freeze"] as const;

it.each<Known>([
  ...reasons.map((because): Known => [`void: ${because}`, { taken: voided(because) }, { voidBecause: because }]),
  ["refused", { taken: refused }, {}],
  ["redeemed", { taken: redeemedBy(own) }, {}],
  ["unreadable", { taken: damaged }, {}],
  ["approved", { approved }, {}],
  ["settled with all that was made", settledAs(both), both],
  ["settled with what was not made", settledAs({ unmade: [0] }), { unmade: [0] }],
  ["settled with what was made", settledAs({ made: [null] }), { made: [null] }],
  ["settled", settledAs({}), {}],
  ["settled unreadably", { ...settledAs({}), settled: damaged }, {}],
])("a record says why it is void and what was made, if known: %s", (_, story, expected) => {
  const { voidBecause, unmade, made } = planRecordOf({ plan, ...story }, 5_000);
  const known = Object.entries({ voidBecause, unmade, made }).filter(([, value]) => value !== undefined);
  expect(Object.fromEntries(known)).toStrictEqual(expected);
});

describe("an approval is", () => {
  const { by: _, ...nameless } = approved;
  const { by: __, ...redeemedNameless } = redeemedBy(own);
  const byAnn = { channel: "terminal", atMs: 5, by: "ann" };

  it.each<[string, Omit<PlanHistory, "plan">, readonly object[]]>([
    ["nobody's", {}, []],
    ["nobody's where it cannot be read", { approved: damaged }, []],
    ["a person's outside", { approved }, [byAnn]],
    ["a person's without a name", { approved: nameless }, [{ channel: "terminal", atMs: 5 }]],
    ["what it was redeemed with", { approved, taken: redeemedBy(own) }, [{ channel: "page", atMs: 10, by: "bob" }]],
    ["one without a name", { taken: redeemedNameless }, [{ channel: "page", atMs: 10 }]],
    ["the earlier one where it was refused then", { approved, taken: refused }, [byAnn]],
    ["the earlier one where what came of it is damaged", { approved, taken: damaged }, [byAnn]],
  ])("%s", (_, story, expected) => {
    expect(approvalsOf({ plan, ...story })).toStrictEqual(expected);
    expect(planRecordOf({ plan, ...story }, 500).approvals).toStrictEqual(expected);
  });
});

/** The start of a process by another reading of its status: what stands behind the last parenthesis. */
function startedOf(pid: number): string {
  const stat = readFileSync(`/proc/${pid}/stat`, "utf8");
  return stat.slice(stat.lastIndexOf(")") + 2).split(" ")[19] ?? "";
}

describe("on Linux, a process", needs.linux, () => {
  const children: ChildProcess[] = [];
  afterAll(() => {
    for (const child of children) child.kill("SIGKILL");
    removeDirectories();
  });
  const start = (file: string, ...args: string[]): ChildProcess => {
    const child = spawn(file, args, { stdio: ["ignore", "pipe", "ignore"] });
    children.push(child);
    return child;
  };

  it("on Linux, a process is known by pid, start, boot and pid namespace", () => {
    const boot = readFileSync("/proc/sys/kernel/random/boot_id", "utf8").trim();
    expect(own).toEqual({
      pid: process.pid,
      started: startedOf(process.pid),
      space: `${boot} ${readlinkSync("/proc/self/ns/pid")}`,
    });
  });

  it("a process is found whatever its name, and not once it is gone", async () => {
    const directory = stateDirectory();
    const name = join(directory, "a) Z 1 (b");
    copyFileSync("/bin/sleep", name);
    chmodSync(name, 0o700);
    const child = start(name, "60");
    await vi.waitUntil(() => readFileSync(`/proc/${child.pid}/comm`, "utf8").trim() === "a) Z 1 (b");
    const one = { pid: child.pid ?? 0, space: own.space, started: startedOf(child.pid ?? 0) };
    expect(isAtWork(one, 0, 10 * hourMs)).toBe(true);
    const isOver = new Promise((resolve) => child.once("exit", resolve));
    child.kill("SIGKILL");
    await isOver;
    expect(isAtWork(one, 0, 1)).toBe(false);
  });

  it("a process that ended and waits for its parent counts as ended", async () => {
    // The second program takes the place of the shell, and never asks for the child of the first. The shell itself
    // would, so the child lives until the shell is gone.
    const parent = start("/bin/sh", "-c", "sleep 60 & echo $!; exec sleep 61");
    const [line] = (await once(parent.stdout as NodeJS.ReadableStream, "data")) as [Buffer];
    const pid = Number(line.toString());
    const isReplaced = () => readFileSync(`/proc/${parent.pid}/comm`, "utf8").trim() === "sleep";
    await until(isReplaced);
    process.kill(pid, "SIGKILL");
    await until(() => / Z /.test(readFileSync(`/proc/${pid}/stat`, "utf8")));
    expect(isAtWork({ pid, space: own.space, started: startedOf(pid) }, 0, 1)).toBe(false);
  });
});

describe("a process is at work", () => {
  afterEach(() => vi.restoreAllMocks());

  it.each([
    ["EPERM", true],
    ["ESRCH", false],
  ])("a process whose signal fails with %s is at work: %s", (code, isSeen) => {
    vi.spyOn(process, "kill").mockImplementation(() => {
      throw Object.assign(new Error(), { code });
    });
    const one = { space: own.space, pid: own.pid };
    expect(isAtWork(one, 0, hourMs - 1)).toBe(isSeen);
    expect(isAtWork(one, 0, hourMs)).toBe(false);
  });

  it("a process is at work while its start is the same, however long ago", () => {
    expect(thisProcess()).toBe(own);
    expect(isAtWork(own, 0, 10 * hourMs)).toBe(true);
    expect(isAtWork({ ...own, started: "1" }, 0, 1)).toBe(false);
  });

  it.each<[string, object, boolean]>([
    ["its start is not told, and its pid is in use", { pid: own.pid }, true],
    ["its start is not told, and its pid is not in use", { pid: 2 ** 30 }, false],
    ["it is in another space of pids", { pid: 2 ** 30, space: "another machine" }, true],
  ])("where %s, no longer than a call can take", (_, process, isSeen) => {
    const one = { space: own.space, pid: own.pid, ...process };
    expect(isAtWork(one, 1_000, 1_000 + hourMs - 1)).toBe(isSeen);
    expect(isAtWork(one, 1_000, 1_000 + hourMs)).toBe(false);
  });
});
