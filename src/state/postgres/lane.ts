/** A lane that one piece of work holds at a time, in the order in which they came. */
import { storeUnavailable } from "./database.js";

export interface Lane {
  /** @throws Failure `failed` if others hold it for too long. */
  hold<T>(work: () => Promise<T>): Promise<T>;
}

/** Together with one use of the database, less than two seconds. */
const maxWaitMs = 500;

export function createLane(): Lane {
  let last: Promise<unknown> = Promise.resolve();
  return {
    hold<T>(work: () => Promise<T>): Promise<T> {
      let isOver = false;
      const inTurn = async (): Promise<T> => {
        if (isOver) throw storeUnavailable();
        clearTimeout(timer);
        return work();
      };
      const held = last.then(inTurn);
      last = held.catch(() => undefined);
      let timer: NodeJS.Timeout | undefined;
      const tooLong = new Promise<never>((_, reject) => {
        timer = setTimeout(() => {
          isOver = true;
          reject(storeUnavailable());
        }, maxWaitMs);
      });
      return Promise.race([held, tooLong]);
    },
  };
}
