/** Opens the state of a process as its configuration says: in memory, in a directory, or in PostgreSQL. */
import { type Config, stateDirOf } from "../config.js";
import { Failure } from "../language/failure.js";
import { createResultStore, type ResultStore } from "../rows/result-store.js";
import { createRowFiles } from "../rows/row-file.js";
import type { State } from "../state/index.js";
import { readKeys } from "../state/keys.js";
import { openLocalState } from "../state/local.js";
import type { Log } from "../telemetry/log.js";
import { dayMs, minuteMs } from "../time/durations.js";

/** Memory for stored results. */
const keptBytes = { owner: 64 * 1024 * 1024, all: 256 * 1024 * 1024 };
/** Disk space for the rows of long results, in files of the maximum size. */
const keptFiles = { owner: 2, all: 4 };
/** How long results are kept, in milliseconds. */
export const resultRetentionMs = ({ values }: Config): number => values["keep-results-minutes"] * minuteMs;

/** How long ended plans and audit lines are kept, in milliseconds. */
const retentionOf = ({ values }: Config) => ({
  plans: values["keep-plans-days"] * dayMs,
  ...(values["keep-audit-days"] === 0 ? {} : { audit: values["keep-audit-days"] * dayMs }),
});

/**
 * The keys that all instances share.
 * @throws Failure `bad_configuration` if no file of keys is set, or it cannot be used.
 */
export function sharedKeys({ values }: Config): ReturnType<typeof readKeys> {
  const keyFile = values["store-key-file"];
  if (keyFile === undefined)
    throw new Failure("bad_configuration", "--store needs --store-key-file.", {
      why: "The keys of plans and questions must not be in the database, and all instances need the same.",
      next: "Write the output of openssl rand -hex 32 into a file with mode 0600, and name it for each instance.",
    });
  return readKeys(keyFile);
}

/**
 * The state that the instances of a server share.
 * @throws Failure `bad_configuration` without keys or with a URL that is not one, `failed` if the database cannot be used.
 */
async function openSharedState(
  config: Config,
  url: string,
  { results, log }: { readonly results: ResultStore; readonly log: Log },
): Promise<State> {
  const { values } = config;
  if (!/^postgres(ql)?:\/\//.test(url) || !URL.canParse(url))
    throw new Failure("bad_configuration", "--store takes the URL of a PostgreSQL database.", {
      next: "Write postgres://USER@HOST/DATABASE, with the password in a file that PGPASSFILE names; or leave it out for --state-dir.",
    });
  const keys = sharedKeys(config);
  const { openPostgresState } = await import("../state/postgres/index.js");
  return openPostgresState({
    url,
    keys,
    results: { local: results, maxBytesPerOwner: keptBytes.owner, maxBytes: 16 * keptBytes.all },
    ttlMs: resultRetentionMs(config),
    keptMs: retentionOf(config),
    // What the rows contain was filtered when they were read from the API.
    rowFiles: createRowFiles({ maxBytes: values["max-csv-bytes"], secrets: [] }),
    log,
  });
}

/**
 * The state of a process.
 * @param log Writes a line to a stream that carries no protocol messages.
 */
export async function openState(config: Config, log: Log): Promise<State> {
  const { values } = config;
  const results = createResultStore({
    maxBytesPerOwner: keptBytes.owner,
    maxBytes: keptBytes.all,
    maxDiskBytesPerOwner: keptFiles.owner * values["max-csv-bytes"],
    maxDiskBytes: keptFiles.all * values["max-csv-bytes"],
    ttlMs: resultRetentionMs(config),
  });
  if (values.store !== undefined) return openSharedState(config, values.store, { results, log });
  const directory = stateDirOf(config);
  return openLocalState({
    directory: directory === "memory" ? undefined : directory,
    results,
    log,
    keptMs: retentionOf(config),
  });
}
