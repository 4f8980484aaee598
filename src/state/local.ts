/** State in the memory of this process, or in a directory that the processes of one user share. */
import { hash, randomBytes } from "node:crypto";
import { join } from "node:path";
import { directorySource } from "../audit/files.js";
import { type Journal, openJournal, streamJournal } from "../audit/journal.js";
import { directoryPlanStorage } from "../guard/plans/directory.js";
import { memoryPlanStorage } from "../guard/plans/storage.js";
import { Failure } from "../language/failure.js";
import { memoryQuotaCounters } from "../policy/index.js";
import type { ResultStore } from "../rows/result-store.js";
import { privateDirectory } from "../system/private-directory.js";
import type { DeniedTokens, State, TokenGroup, WriteStop } from "./index.js";
import { processKeys } from "./keys.js";

/** The stops of a process without a directory, which only this process can know of. */
function memoryStops(): Pick<State, "writeStop" | "stopWrites" | "resumeWrites"> {
  let stop: WriteStop | undefined;
  return {
    writeStop: async () => stop,
    async stopWrites(newStop) {
      if (stop) return false;
      stop = { ...newStop, atMs: Date.now() };
      return true;
    },
    async resumeWrites() {
      const wasStopped = stop !== undefined;
      stop = undefined;
      return wasStopped;
    },
  };
}

const stopFile = (at: number): string => `stop-${String(at).padStart(6, "0")}.json`;
const resumedFile = (at: number): string => `stop-${String(at).padStart(6, "0")}.resumed.json`;

/** The stops in a directory: a file for each and one for its end, all of which stay on record. */
function directoryStops(stateDir: string): Pick<State, "writeStop" | "stopWrites" | "resumeWrites"> {
  const files = privateDirectory(join(stateDir, "stops"), {
    what: "The stops of changes",
    need: "Changes need to know them",
  });
  /** The number of the last stop, and whether it is in force. */
  const last = async (): Promise<{ readonly at: number; readonly isInForce: boolean }> => {
    const names = await files.names();
    const at = names.filter((name) => /^stop-\d{6}\.json$/.test(name)).length;
    return { at, isInForce: at > 0 && !names.includes(resumedFile(at)) };
  };
  return {
    async writeStop() {
      const { at, isInForce } = await last();
      if (!isInForce) return undefined;
      const text = await files.read(stopFile(at));
      const stop = { reason: "its record cannot be read", by: "unknown", atMs: 0 };
      try {
        return { ...stop, ...(JSON.parse(text ?? "") as Partial<WriteStop>) };
      } catch {
        return stop;
      }
    },
    async stopWrites(stop) {
      const { at, isInForce } = await last();
      return !isInForce && files.create(stopFile(at + 1), JSON.stringify({ ...stop, atMs: Date.now() }));
    },
    async resumeWrites(by) {
      const { at, isInForce } = await last();
      return isInForce && files.create(resumedFile(at), JSON.stringify({ by, atMs: Date.now() }));
    },
  };
}

const isStillDenied = ({ untilMs = Number.POSITIVE_INFINITY }: DeniedTokens): boolean => untilMs > Date.now();

/** The denied tokens of a process without a directory, which only this process can know of. */
function memoryDeniedTokens(): Pick<State, "deniedTokens" | "denyTokens" | "allowTokens"> {
  const denied = new Map<string, DeniedTokens>();
  const keyOf = ({ kind, value }: TokenGroup): string => `${kind} ${value}`;
  return {
    deniedTokens: async () => [...denied.values()].filter(isStillDenied),
    denyTokens: async (one) => void denied.set(keyOf(one), { ...one, atMs: Date.now() }),
    allowTokens: async (group) => denied.delete(keyOf(group)),
  };
}

/** The denied tokens in a directory: a file for each kind and value, whose name has a digest of both. */
function directoryDeniedTokens(stateDir: string): Pick<State, "deniedTokens" | "denyTokens" | "allowTokens"> {
  const files = privateDirectory(join(stateDir, "denied-tokens"), {
    what: "The denied tokens",
    need: "Requests need to know them",
  });
  const prefixOf = ({ kind, value }: TokenGroup): string => `${hash("sha256", `${kind} ${value}`)}-`;
  const namesOf = async (group: TokenGroup): Promise<readonly string[]> =>
    (await files.names()).filter((name) => name.startsWith(prefixOf(group)));
  const readOne = async (name: string): Promise<DeniedTokens | undefined> => {
    const text = await files.read(name);
    // It was removed since the directory was read.
    if (text === undefined) return undefined;
    try {
      return JSON.parse(String(text)) as DeniedTokens;
    } catch {
      throw new Failure("failed", "A record of denied tokens cannot be read.", {
        why: "It is unknown whose tokens it denies, so that none can be accepted.",
        next: `The operator can remove ${JSON.stringify(name)} and deny the tokens again.`,
      });
    }
  };
  return {
    async deniedTokens() {
      const names = (await files.names()).filter((name) => /^[0-9a-f]{64}-[0-9a-f]{8}\.json$/.test(name));
      const found = await Promise.all(names.map(readOne));
      return found
        .flatMap((one) => (one !== undefined && isStillDenied(one) ? [one] : []))
        .sort((one, other) => one.atMs - other.atMs);
    },
    async denyTokens(denied) {
      const before = await namesOf(denied);
      // Written before the earlier record is removed, so that they are accepted at no time in between.
      const name = `${prefixOf(denied)}${randomBytes(4).toString("hex")}.json`;
      await files.create(name, JSON.stringify({ ...denied, atMs: Date.now() }));
      for (const one of before) await files.remove(one);
    },
    async allowTokens(group) {
      const names = await namesOf(group);
      for (const name of names) await files.remove(name);
      return names.length > 0;
    },
  };
}

/** Used tickets, each until it would have expired; in memory, because each process has its own keys for tickets. */
function memoryTickets(): Pick<State, "useTicket" | "usedTickets"> {
  const used = new Map<string, number>();
  return {
    async useTicket(ticket, forgottenAtMs) {
      for (const [one, atMs] of used) if (atMs <= Date.now()) used.delete(one);
      if (used.has(ticket)) return false;
      used.set(ticket, forgottenAtMs);
      return true;
    },
    usedTickets: async (tickets) => new Set(tickets.filter((one) => used.has(one))),
  };
}

export interface LocalStateOptions {
  /** The state directory; undefined for the memory of this process. */
  readonly directory: string | undefined;
  readonly results: ResultStore;
  /** Writes an audit line that is only logged, without a directory. */
  readonly log: (line: string) => void;
  /** How long ended plans and audit lines are kept, in milliseconds; lines are kept permanently by default. */
  readonly keptMs?: { readonly plans?: number; readonly audit?: number | undefined };
}

/** The size at which a new audit file is started. */
const maxAuditBytes = 64 * 1024 * 1024;

/** Opens the state of one process, or of the processes of one user. */
export function openLocalState({ directory, results, log, keptMs = {} }: LocalStateOptions): State {
  const auditDir = directory === undefined ? "stderr" : join(directory, "audit");
  const openChain = async (): Promise<Journal> =>
    directory === undefined
      ? streamJournal(log, Date.now)
      : openJournal(auditDir, Date.now, { maxBytes: maxAuditBytes, keptMs: keptMs.audit });
  const countersOf = new Map<string, ReturnType<typeof memoryQuotaCounters>>();
  return {
    isShared: directory !== undefined,
    keys: processKeys(),
    plans: directory === undefined ? memoryPlanStorage() : directoryPlanStorage(directory, keptMs.plans),
    results,
    counters(account) {
      const known = countersOf.get(account) ?? memoryQuotaCounters();
      countersOf.set(account, known);
      return known;
    },
    openJournal: openChain,
    auditSource: directory === undefined ? undefined : directorySource(auditDir),
    auditPlace: {
      name: auditDir,
      next: "Ask the operator to make that directory writable only for this server's user, or to set another with --state-dir; then call again.",
    },
    ...memoryTickets(),
    ...(directory === undefined ? memoryStops() : directoryStops(directory)),
    ...(directory === undefined ? memoryDeniedTokens() : directoryDeniedTokens(directory)),
    inTransaction: (work) => work(undefined),
    check: async () => undefined,
    now: Date.now,
    close: async () => undefined,
  };
}
