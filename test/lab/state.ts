/** The state of a process that keeps it in its memory, and no results. */
import { createResultStore } from "../../src/rows/result-store.js";
import type { State } from "../../src/state/index.js";
import { openLocalState } from "../../src/state/local.js";

export const memoryState = (): State =>
  openLocalState({
    directory: undefined,
    results: createResultStore({
      maxBytesPerOwner: 0,
      maxBytes: 0,
      maxDiskBytesPerOwner: 0,
      maxDiskBytes: 0,
      ttlMs: 0,
    }),
    log: () => undefined,
  });
