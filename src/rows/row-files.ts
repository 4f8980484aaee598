/** Private files for the rows of long answers: in a directory of the process's own, removed with it at the latest. */
import { mkdtempSync, rmSync } from "node:fs";
import { type FileHandle, open, readdir, stat } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { dayMs } from "../language/durations.js";
import { Failure } from "../language/failure.js";
import { accessTo, type ProcessUser, processUser } from "../system/file-access.js";
import { RowFile, type RowFiles } from "./row-file.js";
import { secretFilters } from "./secret-bytes.js";

export interface RowFilesOptions {
  /** The most bytes of a body. */
  readonly maxBytes: number;
  /** The forms of the process's own secrets, which can become others. */
  readonly secrets: readonly string[];
  /** Where the directory is made. */
  readonly parent?: string;
  readonly user?: ProcessUser;
}

/** The beginning of the directories' names: those of one user, whose number may have no name in a container. */
const prefixOf = ({ uid }: ProcessUser): string => `edgewise-rows-${uid ?? "own"}-`;
// No answer is kept for so long, so whoever left it is gone.
const abandonedMs = dayMs;

const remove = (path: string): void => rmSync(path, { recursive: true, force: true });

const noRoom = (): Failure =>
  new Failure("failed", "The rows of the answer could not be written to a temporary file.", {
    why: "A long CSV answer goes to a file in the directory for temporary files, which cannot be written or is full.",
    next: "Ask for less (a shorter period, fewer objects), or have whoever runs the server make room there.",
  });

const orNoRoom = <T>(work: Promise<T>): Promise<T> =>
  work.catch(() => {
    throw noRoom();
  });

/** Removes what a process that was killed has left. */
async function removeAbandoned(parent: string, user: ProcessUser): Promise<void> {
  for (const name of await readdir(parent)) {
    const path = join(parent, name);
    const known = name.startsWith(prefixOf(user)) ? await stat(path).catch(() => undefined) : undefined;
    // Windows has a temporary directory for each user, so that all in it are this one's.
    const isOwn = known && (accessTo(known, user)?.owner ?? "self") === "self";
    if (isOwn && Date.now() - known.mtimeMs > abandonedMs) remove(path);
  }
}

/** Makes the files of a process; the directory is made with the first one. */
export function createRowFiles({
  maxBytes,
  secrets,
  parent = tmpdir(),
  user = processUser(),
}: RowFilesOptions): RowFiles & {
  /** Removes all files. */
  close(): void;
} {
  let filters: { readonly of: readonly string[]; readonly make: ReturnType<typeof secretFilters> } | undefined;
  let made: string | undefined;
  let count = 0;
  const close = (): void => {
    if (made !== undefined) remove(made);
    made = undefined;
    process.off("exit", close);
  };
  const directory = async (): Promise<string> => {
    if (made !== undefined) return made;
    // Others can neither list it nor read what is in it (mode 0700).
    made = mkdtempSync(join(parent, prefixOf(user)));
    process.once("exit", close);
    await removeAbandoned(parent, user).catch(() => undefined);
    return made;
  };
  // A file that nobody can reach any more is removed as well, such as one of a call that failed after its answer came.
  const unreachable = new FinalizationRegistry<string>(remove);
  return {
    maxBytes,
    filter() {
      const isSame = filters?.of.length === secrets.length && filters.of.every((form, at) => form === secrets[at]);
      if (!filters || !isSame) filters = { of: [...secrets], make: secretFilters(secrets) };
      return filters.make();
    },
    async create() {
      count += 1;
      const path = join(await orNoRoom(directory()), `${count}.csv`);
      const file: FileHandle = await orNoRoom(open(path, "wx", 0o600));
      let bytes = 0;
      const discard = async (): Promise<void> => {
        await file.close().catch(() => undefined);
        remove(path);
      };
      return {
        async write(rows) {
          if (rows.length === 0) return;
          const { bytesWritten } = await orNoRoom(file.write(rows));
          bytes += bytesWritten;
          if (bytesWritten < rows.length) throw noRoom();
        },
        async finish(content) {
          await orNoRoom(file.close());
          const rows = new RowFile(path, { ...content, bytes }, () => remove(path));
          unreachable.register(rows, path);
          return rows;
        },
        discard,
      };
    },
    close,
  };
}
