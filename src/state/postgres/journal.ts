/**
 * The audit chain of one instance in PostgreSQL: lines of reads are buffered to a bound, those of a change commit with
 * its transaction.
 */
import { createHmac } from "node:crypto";
import { type AuditLine, auditLine, chainLine, type LineMembers } from "../../audit/chain.js";
import {
  type AuditSource,
  type ChainHead,
  emptyChainHead,
  isNamedHead,
  type NamedHead,
  readEntry,
} from "../../audit/files.js";
import type { AppendOptions, Journal } from "../../audit/journal.js";
import { listAt } from "../../language/member.js";
import { type Database, durableCommitSql, PostgresTransaction, type SqlRunner } from "./database.js";
import type { Instance } from "./instance.js";
import type { Lane } from "./lane.js";

const maxBuffered = 10_000;
// How long a line waits at most: a process that is killed loses it, and garbage collection copies what waits for longer.
const flushMs = 50;

const linesAtATime = 1_000;

/** The signature of heads, without which anyone who can write to the database could remove lines. */
const signatureOf = (heads: readonly NamedHead[], key: Buffer): string =>
  createHmac("sha256", key)
    .update(JSON.stringify(heads.map(({ file, seq, hash }) => [file, seq, hash])))
    .digest("base64url");

/**
 * The chains of all instances.
 * @param keys The keys under which heads of removed lines are signed, the present one first.
 */
export const chainsIn = (database: Database, keys: readonly Buffer[]): AuditSource => ({
  async retired() {
    const { rows } = await database.run<{ readonly line: string }>(
      `select line from edgewise.audit_lines where line like '%"event":"retired"%' order by written_ms desc, seq desc limit 1`,
    );
    const { members = {} } = (rows[0] && readEntry(rows[0].line)) ?? {};
    const named = listAt(members, "retired").filter(isNamedHead);
    return keys.some((key) => signatureOf(named, key) === members["signature"]) ? named : [];
  },
  async files() {
    const { rows } = await database.run<{ readonly chain: string }>(
      "select chain from edgewise.audit_lines group by chain order by min(written_ms), chain",
    );
    return rows.map(({ chain }) => chain);
  },
  async *lines(chain) {
    for (let number = 0, last = 0; ; ) {
      const { rows } = await database.run<{ readonly seq: string; readonly line: string }>(
        "select seq, line from edgewise.audit_lines where chain = $1 and seq > $2 order by seq limit $3",
        [chain, last, linesAtATime],
      );
      for (const { seq, line } of rows) {
        number += 1;
        last = Number(seq);
        yield { number, text: line, isComplete: true };
      }
      if (rows.length < linesAtATime) return;
    }
  },
});

interface ChainOptions {
  readonly chain: string;
  /** Held while lines are chained and written, because each line has the hash of the one before it. */
  readonly lane: Lane;
  readonly instance: Instance;
}

/** The chain of one instance. */
class PostgresChain implements Journal {
  #head: ChainHead = emptyChainHead;
  /** False from when lines are written until the commit is known: without an answer they may be there or not. */
  #isHeadKnown = true;
  #waiting: AuditLine[] = [];
  #timer: NodeJS.Timeout | undefined;

  constructor(
    readonly database: Database,
    readonly options: ChainOptions,
  ) {}

  /** Takes the head from the database, and forgets the lines that were written. */
  async #findHead({ run }: SqlRunner): Promise<void> {
    const { rows } = await run<{ readonly line: string }>(
      "select line from edgewise.audit_lines where chain = $1 order by seq desc limit 1",
      [this.options.chain],
    );
    const found = rows[0] && readEntry(rows[0].line);
    if (found && found.seq > this.#head.seq) {
      this.#waiting = this.#waiting.slice(found.seq - this.#head.seq);
      this.#head = { seq: found.seq, hash: found.hash };
    }
    this.#isHeadKnown = true;
  }

  /** Chains lines behind the head and writes them; the head is theirs once they are committed. */
  async #write(runner: SqlRunner, lines: readonly AuditLine[]): Promise<ChainHead> {
    const { chain, instance } = this.options;
    this.#isHeadKnown = false;
    let next = this.#head;
    const entries = lines.map((line) => {
      const entry = chainLine(line, next, instance.now());
      next = entry.head;
      return entry;
    });
    await runner.run(
      `insert into edgewise.audit_lines (chain, seq, written_ms, line)
       select $1, * from unnest($2::bigint[], $3::bigint[], $4::text[])`,
      [chain, entries.map((one) => one.head.seq), entries.map(() => instance.now()), entries.map(({ text }) => text)],
    );
    return next;
  }

  /** Notes whether written lines are committed. @param waited How many of them, from the first, had waited. */
  #written(lines: readonly AuditLine[], waited: number, head: ChainHead | undefined): void {
    if (head === undefined) {
      for (const line of lines) line.seq = undefined;
      return;
    }
    this.#head = head;
    this.#isHeadKnown = true;
    this.#waiting = this.#waiting.slice(waited);
  }

  /** Writes what waits; lines that cannot be written wait for the next attempt. */
  #flush(): Promise<void> {
    return this.options.lane.hold(async () => {
      if (!this.#isHeadKnown) await this.#findHead(this.database);
      const lines = [...this.#waiting];
      if (lines.length === 0) return;
      let head: ChainHead | undefined;
      try {
        head = await this.database.transaction(async (transaction) => {
          // A line that is lost after others have continued it would look like tampering.
          await transaction.run(durableCommitSql);
          return this.#write(transaction, lines);
        });
      } finally {
        this.#written(lines, lines.length, head);
      }
    });
  }

  readonly #flushSoon = (): void => {
    this.#timer ??= setTimeout(() => {
      this.#timer = undefined;
      this.#flush().catch(this.#flushSoon);
    }, flushMs).unref();
  };

  /** Writes the lines that wait, and these after them, in a transaction whose owner holds the lane. */
  async #appendIn(transaction: PostgresTransaction, last: readonly AuditLine[]): Promise<void> {
    if (!this.#isHeadKnown) await this.#findHead(transaction);
    const waited = this.#waiting.length;
    const lines = [...this.#waiting, ...last];
    const head = await this.#write(transaction, lines);
    transaction.afterwards((isCommitted) => this.#written(lines, waited, isCommitted ? head : undefined));
  }

  async append(lines: readonly AuditLine[], { transaction, mayWait = false }: AppendOptions = {}): Promise<void> {
    if (transaction instanceof PostgresTransaction) return this.#appendIn(transaction, lines);
    if (this.#waiting.length >= maxBuffered)
      throw Object.assign(new Error("Too many lines wait."), { code: "ENOBUFS" });
    this.#waiting.push(...lines);
    // A line that does not stand or fall with its call is written once the database answers again.
    if (!mayWait && this.options.instance.isHealthy()) return this.#flush().catch(this.#flushSoon);
    this.#flushSoon();
  }

  async durable(): Promise<void> {
    // Every line that has to be durable is on disk with its commit.
  }

  /** Writes the first line, which names the last lines of all other chains. */
  async open(): Promise<void> {
    const { rows } = await this.database.run<{ readonly chain: string; readonly line: string }>(
      "select distinct on (chain) chain, line from edgewise.audit_lines order by chain, seq desc",
    );
    const heads = rows.flatMap(({ chain: file, line }) => {
      const entry = readEntry(line);
      return entry ? [{ file, seq: entry.seq, hash: entry.hash }] : [];
    });
    this.#waiting = [auditLine({ event: "opened", version: 1, heads })];
    await this.#flush();
  }

  async close(members: LineMembers): Promise<void> {
    clearTimeout(this.#timer);
    this.#waiting.push(auditLine({ event: "closed", ...members }));
    await this.#flush();
  }
}

/**
 * Removes lines that were written before a time, except for the last one of each chain, and records the signed heads of
 * what was removed in a line of this instance.
 * @returns how many were removed.
 */
export async function retireLines(
  transaction: PostgresTransaction,
  journal: Journal,
  { beforeMs, key }: { readonly beforeMs: number; readonly key: Buffer },
): Promise<number> {
  const { run } = transaction;
  const { rows } = await run<{ readonly chain: string; readonly line: string }>(
    `select distinct on (chain) chain, line from edgewise.audit_lines old
     where written_ms < $1 and exists (select from edgewise.audit_lines later
       where later.chain = old.chain and later.seq > old.seq)
     order by chain, seq desc`,
    [beforeMs],
  );
  if (rows.length === 0) return 0;
  let removed = 0;
  for (const { chain, line } of rows) {
    const entry = readEntry(line);
    if (entry === undefined) continue;
    const { count } = await run("delete from edgewise.audit_lines where chain = $1 and seq <= $2", [chain, entry.seq]);
    removed += count;
    await run(
      `insert into edgewise.audit_heads (chain, seq, hash) values ($1, $2, $3)
       on conflict (chain) do update set (seq, hash) = (excluded.seq, excluded.hash)`,
      [chain, entry.seq, entry.hash],
    );
  }
  const all = await run<{ readonly file: string; readonly seq: string; readonly hash: string }>(
    "select chain as file, seq, hash from edgewise.audit_heads order by chain",
  );
  const retired = all.rows.map(({ file, seq, hash }) => ({ file, seq: Number(seq), hash }));
  const signature = signatureOf(retired, key);
  await journal.append([auditLine({ event: "retired", retired, signature })], { transaction });
  return removed;
}

/** Opens the chain of this instance. */
export async function openPostgresChain(database: Database, options: ChainOptions): Promise<Journal> {
  const chain = new PostgresChain(database, options);
  await chain.open();
  return chain;
}
