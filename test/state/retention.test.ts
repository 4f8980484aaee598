/** What is taken from the audit log after its time leaves a head, so that the rest still verifies, and no more than that. */
import { mkdtempSync, readdirSync, rmSync, utimesSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, it, vi } from "vitest";
import { directorySource } from "../../src/audit/files.js";
import { openJournal } from "../../src/audit/journal.js";
import { verifyLog } from "../../src/audit/verify.js";
import { dayMs } from "../../src/language/durations.js";
import { hasPostgres } from "./postgres-server.js";
import { closeStates, openInstance, testDatabase } from "./states.js";

afterAll(closeStates);

const line = () => ({ membersOf: () => ({ event: "preview", tool: "x" }), seq: undefined });

it("removes files of a directory that ended before their time, and verifies what is left by their heads", async () => {
  const dir = mkdtempSync(join(tmpdir(), "edgewise-retention-"));
  const limits = { maxBytes: 1_000_000, keptMs: 30 * dayMs };
  const session = async (): Promise<void> => {
    const journal = await openJournal(dir, Date.now, limits);
    await journal.append([line()]);
    await journal.close({});
  };
  const source = directorySource(dir);
  for (let at = 0; at < 3; at += 1) await session();
  const { chains } = await verifyLog(source);
  const [first = "", second = "", third = ""] = readdirSync(dir).sort();
  const old = (Date.now() - 31 * dayMs) / 1_000;
  for (const file of [first, second]) utimesSync(join(dir, file), old, old);
  await session();
  expect(readdirSync(dir)).not.toContain(first);
  expect(readdirSync(dir)).toContain(third);
  for (const known of [[], chains]) {
    const { faults, notes } = await verifyLog(source, known);
    expect(faults).toEqual([]);
    expect(notes.join()).toContain("removed because they were kept for long enough");
  }
  // What is removed by hand is missed, and so is it after the next process has started.
  rmSync(join(dir, third));
  expect((await verifyLog(source, chains)).faults).toMatchObject([{ file: third }]);
  await session();
  expect((await verifyLog(source, chains)).faults).toMatchObject([{ file: third }]);
  rmSync(dir, { recursive: true });
});

it.skipIf(!hasPostgres)(
  "removes lines of PostgreSQL after their time, with a head that only a key can sign",
  async () => {
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
    // It looks with its first beat.
    await vi.waitFor(async () => expect((await verifyLog(source)).lines).toBe(4), { timeout: 10_000 });
    const found = await verifyLog(source, chains);
    expect([found.faults, found.notes.join()]).toEqual([[], expect.stringContaining("kept for long enough")]);
    await query(`delete from edgewise.audit_lines where seq = 5 and line not like '%opened%'`);
    expect((await verifyLog(source)).faults).not.toEqual([]);
    // A head that was written into the database without the key excuses nothing.
    await query(`update edgewise.audit_lines set line = replace(line, '"signature":"', '"signature":"x')`);
    expect((await verifyLog(source)).faults.length).toBeGreaterThan(0);
  },
);
