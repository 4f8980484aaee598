/** SQL over stored results: a limited number of processes, each for one owner and one query at a time. */
import { type ChildProcess, fork } from "node:child_process";
import { Failure } from "../../language/failure.js";
import { isZone, zoneText } from "../../time/zone.js";
import {
  engineEnd,
  missingEngine,
  type QueryReply,
  type QueryRows,
  queryCancellation,
  queryFailure,
  queryOverload,
  queryTimeout,
  type SqlQuery,
} from "./messages.js";

export type { QueryRows, SqlQuery } from "./messages.js";

export interface QueriesOptions {
  /** The file of the process that runs queries. */
  readonly worker: string;
  /** The timeout of a query, including the start of its process. */
  readonly timeMs?: number;
  /** How long an idle process is kept. */
  readonly idleMs?: number;
  /** The maximum number of processes. */
  readonly maxProcesses?: number;
}

export interface Queries {
  /**
   * Runs one SELECT over the given tables and nothing else.
   * @throws Failure, with the problem of the query.
   */
  run(owner: string, query: SqlQuery, signal?: AbortSignal): Promise<QueryRows>;
  /** Ends all processes. */
  close(): void;
}

/** How many queries of one owner can wait for the running one. */
const maxWaiting = 4;

interface EngineProcess {
  readonly child: ChildProcess;
  isBusy: boolean;
  idle?: NodeJS.Timeout;
}

function startProcess(worker: string): ChildProcess {
  const child = fork(worker, [], {
    // The engine's output is not for this process's streams, and secrets in the environment are not for the engine.
    stdio: ["ignore", "ignore", "ignore", "ipc"],
    env: {},
    execArgv: ["--max-old-space-size=320"],
    serialization: "advanced",
  });
  // Writing to a killed process can still report an error. An idle process ends itself when its channel closes, so it
  // does not keep the server alive.
  child.on("error", () => undefined);
  child.unref();
  child.channel?.unref();
  return child;
}

/** Sends a query to a process and waits for its reply; without one, the process is not reused. */
function askProcess(
  child: ChildProcess,
  query: SqlQuery,
  timeMs: number,
  signal: AbortSignal | undefined,
): Promise<QueryReply> {
  return new Promise((resolve, reject) => {
    const fail = (failure: unknown): void => {
      release();
      child.kill("SIGKILL");
      reject(failure);
    };
    // The process kills itself when its memory is used up; `killed` means that this process killed it.
    const onExit = (_: number | null, by: NodeJS.Signals | null): void =>
      fail(engineEnd(by === "SIGKILL" && !child.killed));
    const onError = (): void => fail(missingEngine());
    const onAbort = (): void => fail(queryCancellation());
    const onReply = (reply: QueryReply): void => {
      release();
      resolve(reply);
    };
    const timer = setTimeout(() => fail(queryTimeout(timeMs)), timeMs);
    const release = (): void => {
      clearTimeout(timer);
      child.off("exit", onExit).off("error", onError).off("message", onReply);
      signal?.removeEventListener("abort", onAbort);
    };
    child.on("exit", onExit).on("error", onError).on("message", onReply);
    signal?.addEventListener("abort", onAbort);
    child.send(query, (error) => {
      if (error) onError();
    });
  });
}

/** Creates the pool of a process. */
export function createQueries({ worker, timeMs = 10_000, idleMs = 30_000, maxProcesses = 4 }: QueriesOptions): Queries {
  const warm = new Map<string, EngineProcess>();
  const turns = new Map<string, { last: Promise<unknown>; count: number }>();

  const end = (owner: string): void => {
    const found = warm.get(owner);
    clearTimeout(found?.idle);
    warm.delete(owner);
    found?.child.kill("SIGKILL");
  };

  /** The owner's process; a new one replaces another owner's idle one. */
  const processOf = (owner: string): EngineProcess => {
    const known = warm.get(owner);
    if (known?.child.connected) return known;
    if (known) end(owner);
    if (warm.size >= maxProcesses) {
      const [idle] = [...warm].find(([, { isBusy }]) => !isBusy) ?? [];
      if (idle === undefined) throw queryOverload();
      end(idle);
    }
    const engineProcess: EngineProcess = { child: startProcess(worker), isBusy: false };
    warm.set(owner, engineProcess);
    return engineProcess;
  };

  const runAlone = async (owner: string, query: SqlQuery, signal: AbortSignal | undefined): Promise<QueryRows> => {
    if (signal?.aborted) throw queryCancellation();
    const engineProcess = processOf(owner);
    clearTimeout(engineProcess.idle);
    engineProcess.isBusy = true;
    let isUsable = false;
    try {
      const reply = await askProcess(engineProcess.child, query, timeMs, signal);
      isUsable = reply.kind !== "unavailable";
      if (reply.kind === "answered") return reply.answered;
      throw reply.kind === "unavailable" ? missingEngine() : queryFailure(reply.problem, reply.tables);
    } finally {
      engineProcess.isBusy = false;
      if (isUsable) engineProcess.idle = setTimeout(() => end(owner), idleMs).unref();
      else if (warm.get(owner) === engineProcess) end(owner);
    }
  };

  return {
    async run(owner, query, signal) {
      // The name becomes part of a statement, and the engine would use the machine's zone for an unknown one.
      if (!isZone(query.timeZone) || !/^[\w/+-]+$/.test(query.timeZone))
        throw new Failure("invalid_input", "There is no such time zone.", {
          next: `Give ${zoneText}.`,
          fields: [{ field: "timeZone", takes: zoneText }],
        });
      const turn = turns.get(owner) ?? { last: Promise.resolve(), count: 0 };
      if (turn.count > maxWaiting) throw queryOverload();
      turns.set(owner, turn);
      turn.count += 1;
      const mine = turn.last.then(() => runAlone(owner, query, signal));
      turn.last = mine.catch(() => undefined);
      try {
        return await mine;
      } finally {
        turn.count -= 1;
        if (turn.count === 0) turns.delete(owner);
      }
    },
    close() {
      for (const owner of [...warm.keys()]) end(owner);
    },
  };
}
