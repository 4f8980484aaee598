/** The record of calls: a line before a call is sent and one after, in a chain that shows what was changed later. */
import { Failure } from "../language/failure.js";
import { lazily } from "../language/once-for.js";
import { type Intent, type Members, membersOfCall, membersOfOutcome, type Note, type Outcome } from "./event.js";
import { UnusableDirectory } from "./files.js";
import { type Journal, openJournal, streamJournal } from "./journal.js";

export { type AuditedCall, argumentsHash, type Intent, type Note, newCallId, type Purpose } from "./event.js";

/** What a line says, made when it is written. */
interface Line {
  readonly membersOf: () => Members;
  /** Its sequence number; undefined until it is written, and for good when it cannot be. */
  seq: number | undefined;
}

/** The intent of a call as it was recorded, for the line of its outcome. */
export interface Recorded {
  readonly line: Line;
  /** What both lines say of the call. */
  readonly membersOf: () => Members;
  readonly isRead: boolean;
}

export interface Audit {
  /**
   * Records a call before it is sent. When the promise resolves, the line of a guarded or critical call is on the disk
   * and that of another change is written. The lines of reads, which change nothing, wait until their call waits for
   * something else.
   * @throws Failure `not_allowed` when the line of a guarded or critical call cannot be written: it must not be sent.
   */
  intent(intent: Intent): Promise<Recorded>;
  /** Records what became of a call; resolves when the line is written. Never throws: the call has been made. */
  outcome(recorded: Recorded, outcome: Outcome): Promise<void>;
  /** Records a call that ended without a request. Never throws. */
  note(note: Note): Promise<void>;
  /** Writes the last line. Lines after it count as lines that cannot be written. */
  close(): Promise<void>;
}

export interface AuditOptions {
  /** The directory of the audit files, or `stderr` for lines that are only logged. */
  readonly dir: string;
  readonly now: () => number;
  /** Writes a line to stderr. */
  readonly log: (line: string) => void;
  /** The forms of the process's own secrets at any time; no line holds one. */
  readonly secrets: readonly string[];
  /** The size at which a file is continued in a further one. */
  readonly maxFileBytes?: number;
}

/** Why a line cannot be written: the system's error code, which names no file and quotes nothing. */
function reasonOf(error: unknown): string {
  if (error instanceof UnusableDirectory) return error.message;
  const { code } = error as { readonly code?: unknown };
  return typeof code === "string" ? code : "closed";
}

/** Opens the record of a process. Nothing is read or written before the first line. */
export function openAudit(options: AuditOptions): Audit {
  const { dir, now, log, secrets, maxFileBytes = 64 * 1024 * 1024 } = options;
  const isStream = dir === "stderr";
  let opening: Promise<Journal> | undefined;
  let journal: Journal | undefined;
  let isClosed = false;
  let lost = 0;

  const begin = async (): Promise<Journal> => {
    try {
      journal = isStream ? streamJournal(log, now) : await openJournal(dir, now, maxFileBytes);
      return journal;
    } catch (error) {
      // The directory may be usable at the next line.
      opening = undefined;
      throw error;
    }
  };

  /** Writes a line. While lines are lost it says so once, and the first line after them tells how many there were. */
  const write = async (line: Line): Promise<void> => {
    try {
      if (isClosed) throw new Error("The record is closed.");
      opening ??= begin();
      const to = journal ?? (await opening);
      const members = line.membersOf();
      line.seq = to.append(lost === 0 ? members : { ...members, lost });
      lost = 0;
    } catch (error) {
      lost += 1;
      if (lost === 1) log(`edgewise: audit lines cannot be written to ${dir} (${reasonOf(error)})`);
      throw error;
    }
  };

  let waiting: (() => void)[] = [];
  const writeWaiting = (): void => {
    const lines = waiting;
    waiting = [];
    for (const writeOne of lines) writeOne();
  };
  const append = (line: Line, mayWait = false): Promise<void> => {
    if (!mayWait || isClosed) {
      writeWaiting();
      return write(line);
    }
    return new Promise((resolve, reject) => {
      const isFirst = waiting.push(() => void write(line).then(resolve, reject)) === 1;
      if (isFirst) setImmediate(writeWaiting);
    });
  };

  const refusal = (error: unknown): Failure =>
    new Failure("not_allowed", "A guarded call is not made without its audit line.", {
      why: `The line cannot be written to ${dir} (${reasonOf(error)}). Nothing was sent.`,
      next: "Ask the operator to make that directory writable for this server's user alone, or to set another with --state-dir; then call again.",
    });

  const outcome: Audit["outcome"] = async ({ line, membersOf, isRead }, ended) => {
    const all = () => ({ event: "outcome", ...membersOf(), ...membersOfOutcome(line.seq, ended, secrets) });
    await append({ membersOf: all, seq: undefined }, isRead).catch(() => undefined);
  };

  return {
    async intent(intent) {
      const mustBeDurable = intent.tier === "guarded" || intent.tier === "critical";
      const membersOf = lazily(() => membersOfCall(intent, secrets));
      const line: Line = { membersOf: () => ({ event: "intent", ...membersOf() }), seq: undefined };
      const recorded = { line, membersOf, isRead: intent.tier === "read" };
      try {
        const written = append(line, recorded.isRead);
        if (recorded.isRead) written.catch(() => undefined);
        else await written;
        if (mustBeDurable) await journal?.durable();
      } catch (error) {
        if (!mustBeDurable) return recorded;
        if (line.seq !== undefined) await outcome(recorded, { code: "not_sent", requests: 0, ms: 0 });
        throw refusal(error);
      }
      return recorded;
    },
    outcome,
    async note(note) {
      await append({ membersOf: () => membersOfCall(note, secrets), seq: undefined }).catch(() => undefined);
    },
    async close() {
      writeWaiting();
      isClosed = true;
      // Lines that wait for the file to open are written before the last one.
      await opening?.catch(() => undefined);
      try {
        await journal?.close(lost === 0 ? {} : { lost });
      } catch (error) {
        log(`edgewise: the audit file could not be closed (${reasonOf(error)})`);
      }
    },
  };
}
