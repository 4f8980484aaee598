/** Whether an instance should be sent requests: named checks of what it depends on, asked for at most once a second. */
import type { IncomingMessage, ServerResponse } from "node:http";

/** Something that an instance depends on. */
export interface ReadyCheck {
  /** Its name in the answer, which anyone can read. */
  readonly name: string;
  /** Rejects if it cannot be used; what it rejects with is not shown. */
  check(): Promise<void>;
}

/** The longest that anyone waits for the answer. */
const mostMs = 2_000;
/** How long an answer counts, so that probes cost a check a second, however many there are. */
const keptMs = 1_000;

/** Whether a check passes within the time for it. */
async function passes(readyCheck: ReadyCheck): Promise<boolean> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<boolean>((resolve) => {
    timer = setTimeout(resolve, mostMs, false);
  });
  const passed = readyCheck.check().then(
    () => true,
    () => false,
  );
  return Promise.race([passed, late]).finally(() => clearTimeout(timer));
}

/** The names of the checks that fail; none if the instance is ready. */
async function failingAmong(checks: readonly ReadyCheck[]): Promise<readonly string[]> {
  const passed = await Promise.all(checks.map(passes));
  return checks.flatMap(({ name }, at) => (passed[at] === true ? [] : [name]));
}

/** Creates the handler of `/readyz`, which names what keeps the server from answering. */
export function createReadyPage(checks: readonly ReadyCheck[], isStopping: () => boolean) {
  let last: { readonly untilMs: number; readonly failed: Promise<readonly string[]> } | undefined;
  const failing = (): Promise<readonly string[]> => {
    const nowMs = performance.now();
    if (last === undefined || last.untilMs <= nowMs) last = { untilMs: nowMs + keptMs, failed: failingAmong(checks) };
    return last.failed;
  };
  return async (_: IncomingMessage, response: ServerResponse): Promise<void> => {
    const failed = isStopping() ? ["stopping"] : await failing();
    const isReady = failed.length === 0;
    response.writeHead(isReady ? 200 : 503, { "content-type": "application/json", "cache-control": "no-store" });
    response.end(JSON.stringify(isReady ? { status: "ok" } : { status: "not ready", failed }));
  };
}
