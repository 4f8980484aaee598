/**
 * The destination of audit lines: a file of this process that continues in another file when it is full, or a stream.
 */
import { closeSync, fdatasync, fsync, openSync, rmSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import type { Transaction } from "../language/transaction.js";
import { processUser, syncDirectory } from "../system/file-access.js";
import { AuditChain, type AuditLine, auditLine, type ChainFile, chainLine, type LineMembers } from "./chain.js";
import { emptyChainHead, headsToName, makeAuditDirectory, newName, retireFiles } from "./files.js";

/** How lines are written. */
export interface AppendOptions {
  /** Whether they may be written later, because nothing depends on them. */
  readonly mayWait?: boolean;
  /** The transaction with which they stand or fall. */
  readonly transaction?: Transaction | undefined;
}

export interface Journal {
  /**
   * Writes the next lines, all of them or none. The chain only continues from complete lines.
   * @throws the system's error; a partial line is removed.
   */
  append(lines: readonly AuditLine[], how?: AppendOptions): Promise<void>;
  /** Resolves when all lines written so far are on disk. */
  durable(): Promise<void>;
  /** Writes the last line, with members of the caller, and ends the journal. */
  close(members: LineMembers): Promise<void>;
}

/** The journal of a process without stored lines: each line is written to a stream. */
export function streamJournal(write: (line: string) => void, now: () => number): Journal {
  let head = emptyChainHead;
  const append = (line: AuditLine): void => {
    const next = chainLine(line, head, now());
    write(next.text);
    head = next.head;
  };
  append(auditLine({ event: "opened", version: 1, heads: [] }));
  return {
    append: async (lines) => lines.forEach(append),
    durable: async () => undefined,
    close: async (members) => append(auditLine({ event: "closed", ...members })),
  };
}

interface JournalFile extends ChainFile {
  readonly name: string;
  /** Whether its name is on disk. */
  isNamed: boolean;
  /** Settles when no flush of it is running, so that it can be closed. */
  flushed: Promise<unknown>;
}

/** The size at which another file is started, and how long lines are kept; undefined if permanently. */
export interface FileLimits {
  readonly maxBytes: number;
  readonly keptMs?: number | undefined;
}

const sync = promisify(fsync);
const syncData = promisify(fdatasync);

/**
 * Starts a file of this process in a directory, which it creates. Processes never share a file, so they need no locks.
 * Its first line names the last lines of the other files, so that the removal of a file can be detected.
 * @throws the system's error, or UnusableDirectory.
 */
export async function openJournal(
  dir: string,
  now: () => number,
  { maxBytes, keptMs }: FileLimits,
  user = processUser(),
): Promise<Journal> {
  await makeAuditDirectory(dir, user);
  const chain = new AuditChain(now);
  let latestMs = 0;

  const create = (first: LineMembers): JournalFile => {
    // Names sort in the order in which the files continue each other, even if the clock stands still.
    latestMs = Math.max(now(), latestMs + 1);
    const name = newName(latestMs);
    const fd = openSync(join(dir, name), "ax", 0o600);
    return { name, fd, first, bytes: 0, isBroken: false, isNamed: false, flushed: Promise.resolve() };
  };

  /** Removes a file into which nothing was written. */
  const discard = ({ name, fd }: JournalFile): void => {
    closeSync(fd);
    rmSync(join(dir, name), { force: true });
  };

  const retired = keptMs === undefined ? [] : await retireFiles(dir, now() - keptMs);
  const heads = await headsToName(dir, now());
  let file = create({ heads, ...(retired.length === 0 ? {} : { retired }) });

  /** Continues the chain in another file; both files record it, so that neither can be removed unnoticed. */
  const rotate = (): void => {
    const full = file;
    const next = create(full.first);
    try {
      if (!full.isBroken) chain.write(full, [auditLine({ event: "rotated", to: next.name })]);
    } catch (error) {
      discard(next);
      throw error;
    }
    // A file into which nothing could be written leaves nothing to continue.
    if (full.bytes > 0) next.first = { continues: { file: full.name, ...chain.head }, heads: [] };
    file = next;
    void full.flushed.then(() => fsync(full.fd, () => closeSync(full.fd)));
  };

  return {
    async append(lines) {
      if (file.isBroken || file.bytes >= maxBytes) rotate();
      chain.write(file, lines);
    },
    async durable() {
      const current = file;
      const flush = syncData(current.fd);
      current.flushed = Promise.allSettled([current.flushed, flush]);
      await flush;
      if (current.isNamed) return;
      await syncDirectory(dir, user.platform);
      current.isNamed = true;
    },
    async close(members) {
      try {
        if (!file.isBroken) chain.write(file, [auditLine({ event: "closed", ...members })]);
        await sync(file.fd);
        await file.flushed;
      } finally {
        closeSync(file.fd);
      }
    },
  };
}
