/** What is taken from the audit log after its time leaves a head, so that the rest still verifies, and no more than that. */
import { readdirSync, readFileSync, rmSync, utimesSync } from "node:fs";
import { join } from "node:path";
import { afterAll, expect, it, vi } from "vitest";
import { directorySource } from "../../src/audit/files.js";
import { openJournal } from "../../src/audit/journal.js";
import { verifyLog } from "../../src/audit/verify.js";
import { dayMs } from "../../src/time/durations.js";
import { folder } from "../lab/files.js";
import { isSystemLane } from "../lab/run/lane.js";
import { eventually } from "../lab/time.js";
import { hasPostgres } from "./postgres-server.js";
import { closeStates, openInstance, testDatabase } from "./states.js";

afterAll(closeStates);

const limits = { maxBytes: 1_000_000, keptMs: 30 * dayMs };
/** Writes a file, from its first line to its last. */
async function session(dir: string, now: () => number = Date.now): Promise<void> {
  const journal = await openJournal(dir, now, limits);
  await journal.append([line()]);
  await journal.close({});
}
const line = () => ({ membersOf: () => ({ event: "preview", tool: "x" }), seq: undefined });

it("old audit files are removed, and the rest verifies", async () => {
  const dir = folder();
  const begin = () => session(dir);
  const source = directorySource(dir);
  for (let at = 0; at < 3; at += 1) await begin();
  const { chains } = await verifyLog(source);
  const [first = "", second = "", third = ""] = readdirSync(dir).sort();
  const old = (Date.now() - 31 * dayMs) / 1_000;
  for (const file of [first, second]) utimesSync(join(dir, file), old, old);
  await begin();
  expect(readdirSync(dir)).not.toContain(first);
  expect(readdirSync(dir)).toContain(third);
  for (const known of [[], chains]) {
    const { faults, notes } = await verifyLog(source, known);
    expect(faults).toEqual([]);
    expect(notes.join()).toContain("removed because they were kept for long enough");
  }
  // A file that is removed by hand is reported missing, also after the next process has started.
  rmSync(join(dir, third));
  expect((await verifyLog(source, chains)).faults).toMatchObject([{ file: third }]);
  await begin();
  expect((await verifyLog(source, chains)).faults).toMatchObject([{ file: third }]);
});

it.each([
  ["keeps", "process that runs", undefined],
  ["keeps", "process of another user", "EPERM"],
  ["removes", "process that is gone", "ESRCH"],
])("%s an old file without a last line, of a %s", async (what, _, code) => {
  const dir = folder();
  await (await openJournal(dir, Date.now, limits)).append([line()]);
  const [open = ""] = readdirSync(dir);
  utimesSync(join(dir, open), 0, 0);
  const kill = vi.spyOn(process, "kill").mockImplementation(() => {
    if (code !== undefined) throw Object.assign(new Error(), { code });
    return true;
  });
  await openJournal(dir, Date.now, limits);
  kill.mockRestore();
  expect(readdirSync(dir).includes(open)).toBe(what === "keeps");
});

it("an audit file is kept for 30 days to the millisecond", async () => {
  for (const [seconds, isKept] of [
    [0, true],
    [1, false],
  ] as const) {
    const dir = folder();
    const now = () => Date.UTC(2026, 4, 31);
    await session(dir, now);
    const [ended = ""] = readdirSync(dir);
    const writtenAt = (now() - limits.keptMs) / 1_000 - seconds;
    utimesSync(join(dir, ended), writtenAt, writtenAt);
    await openJournal(dir, now, limits);
    expect(readdirSync(dir).includes(ended)).toBe(isKept);
  }
});

it("the head of a removed file is repeated while another file names it", async () => {
  const dir = folder();
  let nowMs = Date.UTC(2026, 4, 31);
  const now = () => {
    nowMs += 1_000;
    return nowMs;
  };
  const begin = async (): Promise<string> => {
    await session(dir, now);
    return readdirSync(dir).sort().at(-1) ?? "";
  };
  const retire = (file: string) => utimesSync(join(dir, file), 0, 0);
  const retiredBy = (file: string) => {
    const [first = ""] = readFileSync(join(dir, file), "utf8").split("\n", 1);
    return (JSON.parse(first) as { retired?: { file: string }[] }).retired?.map((head) => head.file);
  };
  const [first, second] = [await begin(), await begin()];
  retire(first);
  const third = await begin();
  retire(second);
  const fourth = await begin();
  expect([retiredBy(third), retiredBy(fourth)]).toEqual([[first], [second]]);
});

it.runIf(isSystemLane && hasPostgres)("old audit lines of PostgreSQL are removed, with a signed head", async () => {
  const { url, query } = await testDatabase();
  const writer = await openInstance(url);
  const journal = await writer.openJournal();
  for (let at = 0; at < 5; at += 1) await journal.append([line()]);
  const source = writer.auditSource;
  if (source === undefined) return expect.fail("It has no audit lines.");
  const { chains, lines } = await verifyLog(source);
  expect(lines).toBe(6);
  await query(`update edgewise.audit_lines set written_ms = 0 where seq <= 4`);
  await openInstance(url, { keptMs: { audit: 30 * dayMs } });
  // The lines are removed with its first beat.
  await eventually(async () => expect((await verifyLog(source)).lines).toBe(4));
  const found = await verifyLog(source, chains);
  expect([found.faults, found.notes.join()]).toEqual([[], expect.stringContaining("kept for long enough")]);
  await query(`delete from edgewise.audit_lines where seq = 5 and line not like '%opened%'`);
  expect((await verifyLog(source)).faults).not.toEqual([]);
  // A head that was written into the database without the key excuses nothing.
  await query(`update edgewise.audit_lines set line = replace(line, '"signature":"', '"signature":"x')`);
  expect((await verifyLog(source)).faults.length).toBeGreaterThan(0);
});
