/** The record of calls: a line before a call is sent and one after, in a chain that shows what was changed later. */
import { Failure } from "../api/failure.js";
import { type Intent, type Members, membersOfCall, membersOfOutcome, type Note, type Outcome } from "./event.js";
import { UnusableDirectory } from "./files.js";
import { type Journal, openJournal, streamJournal } from "./journal.js";

export { type AuditedCall, argumentsHash, type Intent, type Note } from "./event.js";

/** The intent of a call as it was recorded, for the line of its outcome. */
export interface Recorded {
  readonly members: Members;
  /** The sequence number of its line; undefined when the line could not be written and the call went on without it. */
  readonly seq: number | undefined;
}

export interface Audit {
  /**
   * Records a call before it is sent. The line of a guarded or critical call is on the disk when the promise resolves.
   * @throws Failure `not_allowed` when the line of a guarded or critical call cannot be written: it must not be sent.
   */
  intent(intent: Intent): Promise<Recorded>;
  /** Records what became of a call. Never throws: the call has been made. */
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
  /** Removes the process's own secrets from a text: a client or an upstream may have put them into a name or an id. */
  readonly scrub: (text: string) => string;
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
  const { dir, now, log, scrub, maxFileBytes = 64 * 1024 * 1024 } = options;
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
  const append = async (members: Members): Promise<number> => {
    try {
      if (isClosed) throw new Error("The record is closed.");
      opening ??= begin();
      const to = journal ?? (await opening);
      const seq = to.append(lost === 0 ? members : { ...members, lost });
      lost = 0;
      return seq;
    } catch (error) {
      lost += 1;
      if (lost === 1) log(`edgewise: audit lines cannot be written to ${dir} (${reasonOf(error)})`);
      throw error;
    }
  };

  const refusal = (error: unknown): Failure =>
    new Failure("not_allowed", "A guarded call is not made without its audit line.", {
      why: `The line cannot be written to ${dir} (${reasonOf(error)}). Nothing was sent.`,
      next: "Ask the operator to make that directory writable for this server's user alone, or to set another with --state-dir; then call again.",
    });

  const outcome: Audit["outcome"] = async ({ members, seq }, ended) => {
    const ending = membersOfOutcome(seq, ended, scrub);
    await append({ event: "outcome", ...members, ...ending }).catch(() => undefined);
  };

  return {
    async intent(intent) {
      const mustBeDurable = intent.tier === "guarded" || intent.tier === "critical";
      const members = membersOfCall(intent, scrub);
      let seq: number | undefined;
      try {
        seq = await append({ event: "intent", ...members });
        if (mustBeDurable) await journal?.durable();
      } catch (error) {
        if (!mustBeDurable) return { members, seq };
        if (seq !== undefined) await outcome({ members, seq }, { code: "not_sent", ms: 0 });
        throw refusal(error);
      }
      return { members, seq };
    },
    outcome,
    note: async (note) => void (await append(membersOfCall(note, scrub)).catch(() => undefined)),
    async close() {
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
