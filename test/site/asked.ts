/** Calls about hostnames in a grown account, whose requests are counted. */
import { vi } from "vitest";
import { createResults } from "../../src/calls/results.js";
import { createWorld } from "../../src/emulator/world.js";
import { createResultStore, resultsFor } from "../../src/rows/result-store.js";
import { createQueries } from "../../src/rows/sql/index.js";
import { type Args, callsIn } from "../lab/calls.js";
import { onEmulator } from "../lab/emulated.js";
import { createEmulator } from "../lab/emulator.js";
import { growSites } from "./grown.js";

export type Card = Readonly<Record<string, unknown>>;

/** Begins calls on an account with some sites, at an instant at which the clock stands. */
export function askIn(count: number, more: Parameters<typeof callsIn>[1] = {}) {
  const nowMs = Date.UTC(2026, 4, 20, 12, 30);
  vi.useFakeTimers({ toFake: ["Date"], now: nowMs });
  const world = createWorld({ frozenAt: nowMs });
  const sites = growSites(world, count);
  const emulator = createEmulator({ world });
  const sent: string[] = [];
  const { client } = onEmulator(new Map(), (request) => {
    sent.push(`${request.method} ${request.url.pathname}`);
    return emulator.send(request);
  });
  const store = createResultStore({ maxBytesPerOwner: 64e6, maxBytes: 128e6, ttlMs: 3_600_000 });
  const results = createResults({
    store: resultsFor(store, "an account"),
    queries: async () => createQueries({ worker: "none" }),
    secrets: [],
    maxTokens: 8_000,
  });
  const begun = callsIn(world, { client, results, callTimeoutMs: 60_000, ...more });
  return {
    ...begun,
    world,
    sites,
    /** Ends the work in the background. */
    async end() {
      begun.calls.close();
      await new Promise((resolve) => setTimeout(resolve, 20));
    },
    /** The requests since the last look. */
    looked: () => sent.splice(0),
    card: (args: Args) => begun.worked<Card>("properties_find", args),
    /** Lets time pass, for the world and for what was kept. */
    pass(ms: number) {
      vi.setSystemTime(Date.now() + ms);
      world.advance(ms);
    },
  };
}
