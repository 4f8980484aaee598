/** Counts work in progress, which a stopping server waits for. */

export interface WorkInProgress {
  /** Counts another piece of work. @returns what ends it; only its first call counts. */
  begin(): () => void;
  /** Waits until there is none, but no longer than this. */
  idle(mostMs: number): Promise<void>;
}

export function createWorkInProgress(): WorkInProgress {
  const all = new Set<object>();
  let onIdle = (): void => undefined;
  return {
    begin() {
      const work = {};
      all.add(work);
      return () => {
        if (all.delete(work) && all.size === 0) onIdle();
      };
    },
    async idle(mostMs) {
      if (all.size === 0) return;
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
