/** Slows the guessing of secrets down, by address: after some wrong ones each attempt waits for its turn, and none is refused unheard. */
import { setTimeout as pauseFor } from "node:timers/promises";

const freeFailures = 10;
const failureMs = 60_000;
const turnMs = 100;
const maxAddresses = 1_000;

interface Guesses {
  failures: number;
  readonly sinceMs: number;
  /** The end of the last turn that was given out. */
  lastTurn: Promise<void>;
}

export interface Turns {
  /**
   * Waits until a secret from an address may be compared; a turn of whoever has left by then takes no time.
   * @param hasLeft Whether nobody waits for the answer any more.
   */
  turn(address: string, hasLeft: () => boolean): Promise<void>;
  /** Counts a wrong secret. */
  failed(address: string): void;
}

/**
 * Makes the turns of a page. A right secret cannot be told from a wrong one before it is compared, so that refusing an
 * address would let anybody who shares it lock the approver out; one after the other, they cost the approver a wait.
 * @param pause Waits for a time.
 */
export function createTurns(now: () => number, pause: (ms: number) => Promise<unknown> = pauseFor): Turns {
  const known = new Map<string, Guesses>();
  const of = (address: string): Guesses | undefined => {
    const found = known.get(address);
    return found && found.sinceMs + failureMs > now() ? found : undefined;
  };
  return {
    async turn(address, hasLeft) {
      const guesses = of(address);
      if (guesses === undefined || guesses.failures < freeFailures) return;
      guesses.lastTurn = guesses.lastTurn.then(async () => {
        if (!hasLeft()) await pause(turnMs);
      });
      await guesses.lastTurn;
    },
    failed(address) {
      const guesses = of(address) ?? { failures: 0, sinceMs: now(), lastTurn: Promise.resolve() };
      guesses.failures += 1;
      known.delete(address);
      known.set(address, guesses);
      const [longest] = known.keys();
      if (known.size > maxAddresses && longest !== undefined) known.delete(longest);
    },
  };
}
