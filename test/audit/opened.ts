/** An audit in a directory, or in lines that are only logged, on the clock of the machine. */
import { type Audit, openAudit } from "../../src/audit/index.js";
import { openJournal, streamJournal } from "../../src/audit/journal.js";

interface Options {
  readonly log: (line: string) => void;
  readonly secrets?: readonly string[];
  readonly maxFileBytes?: number;
}

/** @param dir The directory of its files; undefined for lines that are only logged. */
export function auditIn(
  dir: string | undefined,
  { log, secrets = [], maxFileBytes = 64 * 1024 * 1024 }: Options,
): Audit {
  return openAudit({
    open: async () =>
      dir === undefined ? streamJournal(log, Date.now) : openJournal(dir, Date.now, { maxBytes: maxFileBytes }),
    place: { name: dir ?? "stderr", next: "Ask the operator to make it writable; then call again." },
    log,
    secrets,
  });
}
