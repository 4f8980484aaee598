/** The record: a line before and after each call, in order, safe to read, and no guarded call without it. */
import {
  chmodSync,
  closeSync,
  mkdirSync,
  openSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { dirname, join } from "node:path";
import { setImmediate } from "node:timers/promises";
import { expect, it } from "vitest";
import { AuditChain, auditLine, type ChainFile } from "../../src/audit/chain.js";
import { readEntry } from "../../src/audit/files.js";
import { newAuditedCall, openAudit } from "../../src/audit/index.js";
import { openJournal } from "../../src/audit/journal.js";
import { secretForms } from "../../src/secrets/held-secrets.js";
import { folder } from "../lab/files.js";
import { promise } from "../lab/rules.js";
import { hasModes, keptMode, onLinux, onWindows } from "../lab/users.js";
import { filesOf, freshDirectory, intent, linesOf, record, recordCalls } from "./record.js";
import { verifyDirectory } from "./verified.js";

const entriesOf = (dir: string) =>
  filesOf(dir)
    .flatMap((file) => linesOf(dir, file))
    .map((line) => JSON.parse(line) as Record<string, unknown>);

it("a line says who called what, by whose approval, and with what outcome", async () => {
  const dir = freshDirectory();
  const { audit } = record(dir);
  const policy = { rule: "r1", hash: "abc" };
  const [ann, bob] = [
    { channel: "terminal", by: "ann" },
    { channel: "page", by: "bob", subject: { subject: "b1" }, reason: "why" },
  ] as const;
  const [firstAt, secondAt] = ["2026-05-01T12:00:00.000Z", "2026-05-01T12:00:01.000Z"] as const;
  const approvals = [
    { ...ann, atMs: Date.parse(firstAt) },
    { ...bob, atMs: Date.parse(secondAt) },
  ];
  const call = intent({ tier: "critical", session: "the-id-of-the-session", plan: "plan_1", approvals, policy });
  const recorded = await audit.intent(call);
  await audit.outcome(recorded, { code: "ok", requests: 1, status: 201, upstreamRequestId: "u-1", ms: 12 });
  await audit.note({ event: "denied", ...intent(), policy: { rule: "r2" } });
  await audit.close();
  const [opened, sent, ended, denied, closed] = entriesOf(dir);
  const args = expect.stringMatching(/^[0-9a-f]{64}$/);
  const client = { name: "test", version: "1.0.0" };
  const who = { who: "local", client, account: "the emulator", tool: "purge_queue_get", args };
  const approved = {
    ...{ ...who, tier: "critical", session: expect.stringMatching(/^[0-9a-f]{16}$/), plan: "plan_1", policy },
    approvals: [
      { ...ann, at: firstAt },
      { ...bob, at: secondAt },
    ],
  };
  expect(opened).toMatchObject({ seq: 1, event: "opened", heads: [], prev: "" });
  expect(sent).toMatchObject({ seq: 2, event: "intent", ...approved, prev: opened?.["hash"] });
  const end = { of: 2, code: "ok", status: 201, upstreamRequestId: "u-1", ms: 12 };
  expect(ended).toMatchObject({ seq: 3, event: "outcome", ...approved, ...end });
  expect(denied).toMatchObject({ seq: 4, event: "denied", ...who, tier: "read", policy: { rule: "r2" } });
  expect(closed).toMatchObject({ seq: 5, event: "closed" });
});

it("audit files appear with the first line, closed to other users", async () => {
  const dir = freshDirectory();
  const { audit } = record(dir);
  expect(() => statSync(dir)).toThrow();
  await audit.note({ event: "preview", ...intent(), plan: "plan_1" });
  expect(statSync(dir).mode & 0o777).toBe(keptMode(0o700));
  expect(statSync(join(dir, filesOf(dir)[0] ?? "")).mode & 0o777).toBe(keptMode(0o600));
  await audit.close();
});

it("lines are in the order of the calls, however many come at once", async () => {
  const dir = freshDirectory();
  const { audit } = record(dir, { maxFileBytes: 4_000 });
  const calls = Array.from({ length: 200 }, (_, at) =>
    audit.intent(intent({ args: String(at), tier: at % 3 === 0 ? "critical" : "write" })),
  );
  const closing = audit.close();
  const recorded = await Promise.all(calls);
  await closing;
  const written = entriesOf(dir).filter(({ event }) => event === "intent");
  expect(written.map(({ args }) => args)).toEqual(recorded.map((_, at) => String(at)));
  expect(recorded.map(({ line }) => line.seq)).toEqual(written.map(({ seq }) => seq));
  expect(await verifyDirectory(dir)).toMatchObject({ faults: [], notes: [] });
});

it("audit lines of reads wait one event loop turn, a change's do not", async () => {
  const { audit, logged } = record(undefined);
  await audit.outcome(await audit.intent(intent()), { code: "ok", requests: 1, ms: 1 });
  expect(logged).toEqual([]);
  await setImmediate();
  expect(logged.map((line) => readEntry(line)?.event)).toEqual(["opened", "intent", "outcome"]);
  void audit.outcome(await audit.intent(intent()), { code: "ok", requests: 1, ms: 1 });
  await audit.intent(intent({ tier: "write" }));
  const written = logged.map(readEntry);
  expect(written.slice(3).map((entry) => entry?.members["tier"])).toEqual(["read", "read", "write"]);
  expect(written.map((entry) => entry?.members["of"])).toEqual([undefined, undefined, 2, undefined, 4, undefined]);
  await audit.close();
  // What is on no disk is the same chain.
  const entries = logged.map(readEntry);
  expect(entries.at(-1)?.event).toBe("closed");
  expect(entries.map((entry) => entry?.prev)).toEqual(["", ...entries.slice(0, -1).map((entry) => entry?.hash)]);
  expect(entries.every((entry) => entry?.isIntact)).toBe(true);
});

const forged = '"}\n{"seq":1,"event":"closed"}\r\u0085\u2028\u2029\0\x1b[2J\ud800';

it("values from outside cannot forge a line, nor fill the disk", async () => {
  const dir = freshDirectory();
  const { audit } = record(dir);
  const evil = { who: forged, session: forged, tool: forged, client: { name: forged, version: "9".repeat(1e6) } };
  const recorded = await audit.intent(intent(evil));
  await audit.outcome(recorded, { code: "ok", requests: 1, upstreamRequestId: forged, ms: 1 });
  await audit.close();
  const lines = linesOf(dir, filesOf(dir)[0] ?? "");
  expect(lines.map((line) => readEntry(line)?.event)).toEqual(["opened", "intent", "outcome", "closed"]);
  for (const line of lines) {
    expect(line).toMatch(/^[\x20-\x7e]+$/);
    expect(line.length).toBeLessThan(3_000);
  }
  expect(JSON.parse(lines[1] ?? "").who).toBe(forged);
});

it("values from outside are whole up to 256 characters, and cut beyond", async () => {
  const { audit, logged } = record(undefined);
  const whole = "w".repeat(256);
  for (const who of [whole, `${whole}w`]) await audit.note({ event: "preview", ...intent({ who }), plan: "plan_1" });
  await audit.close();
  const names = logged.map((line) => readEntry(line)?.members["who"]);
  expect(names).toEqual([undefined, whole, `${whole}…`, undefined]);
});

it("values from outside hold no secret of the process", async () => {
  const secret = 'canary+secret/"12345678=';
  const dir = freshDirectory();
  const forms = secretForms([secret]);
  const { audit } = record(dir, { secrets: forms });
  const echo = (at: number) => `id ${forms[at % forms.length]} end`;
  const recorded = await audit.intent(
    intent({ who: echo(0), tool: echo(1), client: { name: echo(2), version: echo(3) }, account: echo(4) }),
  );
  await audit.outcome(recorded, { code: "ok", requests: 1, upstreamRequestId: echo(5), ms: 1 });
  await audit.note({ event: "refused", ...intent(), code: "invalid_input", plan: echo(6) });
  await audit.close();
  const written = linesOf(dir, filesOf(dir)[0] ?? "").join("\n");
  expect(written.match(/\[secret\]/g)?.length).toBeGreaterThanOrEqual(12);
  for (const form of forms) expect(written).not.toContain(form);
});

it("the hash of recorded arguments ignores the order of keys", () => {
  const argumentsHash = (args: unknown) => newAuditedCall(args).args;
  expect(argumentsHash({ a: 1, b: [{ c: 2, d: 3 }] })).toBe(argumentsHash({ b: [{ d: 3, c: 2 }], a: 1 }));
  expect(argumentsHash({ a: 1 })).not.toBe(argumentsHash({ a: "1" }));
  let deep: unknown = "bottom";
  for (let level = 0; level < 200_000; level += 1) deep = [deep];
  expect(argumentsHash(deep)).toBe("none: nested too deep");
});

const unusable: Readonly<Record<string, (dir: string) => unknown>> = {
  "a directory under a file": (dir) => writeFileSync(dirname(dir), ""),
  "a link to a directory": (dir) => symlinkSync(folder(), dir, "junction"),
  // Windows has no modes, and so no such directory that is known to be one.
  ...(hasModes && { "a directory that others can write to": (dir) => openTo(dir) }),
};
const openTo = (dir: string): void => {
  mkdirSync(dir);
  chmodSync(dir, 0o777);
};

it("Windows: the journal checks no modes and flushes no directory", async () => {
  const dir = freshDirectory();
  openTo(dir);
  await expect(openJournal(dir, Date.now, { maxBytes: 1_000_000 }, onLinux)).rejects.toThrow(
    /^(it belongs to|other users can)/,
  );
  const journal = await openJournal(dir, Date.now, { maxBytes: 1_000_000 }, onWindows);
  await journal.append([{ membersOf: () => ({ event: "note" }), seq: undefined }]);
  await journal.durable();
  await journal.close({});
  expect(filesOf(dir)).toHaveLength(1);
});

it.each(Object.entries(unusable))(
  promise("record-first", "a record in %s stops a guarded call and no other"),
  async (what, spoil) => {
    const dir = what.includes("under a file") ? join(freshDirectory(), "below") : freshDirectory();
    spoil(dir);
    const { audit, logged } = record(dir);
    const read = await audit.intent(intent());
    await audit.outcome(read, { code: "ok", requests: 1, ms: 1 });
    expect((await audit.intent(intent({ tier: "write" }))).line.seq).toBeUndefined();
    expect(read.line.seq).toBeUndefined();
    for (const tier of ["guarded", "critical"] as const)
      await expect(audit.intent(intent({ tier }))).rejects.toMatchObject({
        name: "Failure",
        code: "not_allowed",
        message: "A guarded call is not made without its audit line.",
      });
    expect(logged).toEqual([expect.stringMatching(/^edgewise: audit lines cannot be written to .* \(.+\)$/)]);
    await audit.close();
  },
);

it("a lost line is counted by the first line that is written again", async () => {
  const dir = freshDirectory();
  writeFileSync(dir, "in the way");
  const { audit } = record(dir);
  await recordCalls(audit, 2);
  rmSync(dir);
  await recordCalls(audit, 1);
  await audit.close();
  const written = entriesOf(dir).map(({ event, lost }) => `${event} ${lost ?? 0}`);
  expect(written).toEqual(["opened 0", "intent 4", "outcome 0", "closed 0"]);
  expect((await verifyDirectory(dir)).notes).toEqual([
    expect.stringMatching(/^Lines that could not be written .*: 4\.$/),
  ]);
});

it("a lost line is counted by the last line when none is written after", async () => {
  const dir = freshDirectory();
  const { audit } = record(dir);
  await recordCalls(audit, 1);
  const closing = audit.close();
  await Promise.all([audit.intent(intent()), audit.intent(intent())]);
  await closing;
  expect(entriesOf(dir).at(-1)).toMatchObject({ event: "closed", lost: 2 });
});

/** An audit over a journal that a test makes up. */
const auditOver = (journal: Awaited<ReturnType<typeof openJournal>>) =>
  openAudit({
    open: async () => journal,
    place: { name: "a disk", next: "Empty it." },
    log: () => undefined,
    secrets: [],
  });

it("the last audit line counts a line found lost only during closing", async () => {
  const lastLines: object[] = [];
  const audit = auditOver({
    append: async () => {
      await setImmediate();
      throw new Error("The disk is full.");
    },
    durable: async () => undefined,
    close: async (members) => void lastLines.push(members),
  });
  await audit.intent(intent());
  await audit.close();
  expect(lastLines).toEqual([{ lost: 1 }]);
});

it("a line that cannot be flushed is followed by the outcome not_sent", async () => {
  const written: object[] = [];
  const audit = auditOver({
    append: async (lines) => {
      for (const line of lines) {
        line.seq = written.length + 1;
        written.push(line.membersOf());
      }
    },
    durable: async () => Promise.reject(Object.assign(new Error(), { code: "EIO" })),
    close: async () => undefined,
  });
  await expect(audit.intent(intent({ tier: "critical" }))).rejects.toMatchObject({ code: "not_allowed" });
  expect(written).toMatchObject([
    { event: "intent", tier: "critical" },
    { event: "outcome", tier: "critical", of: 1, code: "not_sent", requests: 0 },
  ]);
});

it("a closed log stops a guarded call", async () => {
  const { audit } = record(freshDirectory());
  await recordCalls(audit, 1);
  await audit.close();
  await expect(audit.intent(intent({ tier: "guarded" }))).rejects.toMatchObject({ code: "not_allowed" });
});

/** A file of a chain that is open for writing, or for reading alone. */
const fileAt = (path: string, flags: string): ChainFile => ({
  ...{ fd: openSync(path, flags), first: {}, bytes: 1, isBroken: false },
});

it("if lines cannot be written together, the chain has none of them", () => {
  const path = join(folder(), "lines");
  const [writable, readable] = [fileAt(path, "ax"), fileAt(path, "r")];
  const chain = new AuditChain(Date.now);
  const lost = [auditLine({ event: "note 0" }), auditLine({ event: "note 1" })];
  expect(() => chain.write(readable, lost)).toThrow("EBADF");
  expect(lost.map(({ seq }) => seq)).toEqual([undefined, undefined]);
  const next = auditLine({ event: "next" });
  chain.write(writable, [next]);
  expect(next.seq).toBe(1);
  expect(readEntry(readFileSync(path, "utf8").trimEnd())).toMatchObject({ seq: 1, event: "next", prev: "" });
  for (const { fd } of [writable, readable]) closeSync(fd);
});
