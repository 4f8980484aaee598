/** Counts work in progress, which a stopping server waits for. */

export interface WorkInProgress {
  /** Counts another piece of work. @returns what ends it; only its first call counts. */
  begin(): () => void;
  /** Waits until there is none, but no longer than this. */
  idle(mostMs: number): Promise<void>;
}

export function createWorkInProgress(): WorkInProgress {
  const unfinished = new Set<object>();
  let onIdle = (): void => undefined;
  return {
    begin() {
      const work = {};
      unfinished.add(work);
      return () => {
        if (unfinished.delete(work) && unfinished.size === 0) onIdle();
      };
    },
    async idle(mostMs) {
      if (unfinished.size === 0) return;
      await new Promise<void>((resolve) => {
        const timer = setTimeout(resolve, mostMs);
        onIdle = () => {
          clearTimeout(timer);
          resolve();
        };
      });
    },
  };
}
