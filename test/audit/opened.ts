/** An audit in a directory, or in lines that are only logged. */
import { type Audit, openAudit } from "../../src/audit/index.js";
import { openJournal, streamJournal } from "../../src/audit/journal.js";

interface Options {
  readonly log: (line: string) => void;
  readonly secrets?: readonly string[];
  readonly maxFileBytes?: number;
  readonly now?: () => number;
}

/** @param dir The directory of its files; undefined for lines that are only logged. */
export function auditIn(
  dir: string | undefined,
  { log, secrets = [], maxFileBytes = 64 * 1024 * 1024, now = Date.now }: Options,
): Audit {
  return openAudit({
    open: async () => (dir === undefined ? streamJournal(log, now) : openJournal(dir, now, { maxBytes: maxFileBytes })),
    place: { name: dir ?? "stderr", next: "Ask the operator to make it writable; then call again." },
    log,
    secrets,
  });
}
