/** Protection of approvers' secrets against guessing: after wrong ones, the attempts from an address wait their turn. */
import { setTimeout as pauseFor } from "node:timers/promises";
import { minuteMs } from "../../../time/durations.js";

const freeFailures = 10;
const failureMs = minuteMs;
const turnMs = 100;
const maxAddresses = 1_000;

interface Guesses {
  failures: number;
  readonly sinceMs: number;
  /** When the last scheduled turn ends. */
  lastTurn: Promise<void>;
}

export interface Turns {
  /**
   * Waits until a secret from an address may be compared; the turn of a disconnected client takes no time.
   * @param hasLeft Whether the client has disconnected.
   */
  turn(address: string, hasLeft: () => boolean): Promise<void>;
  /** Counts a wrong secret. */
  countFailure(address: string): void;
}

/**
 * Creates the turns of a page. Blocking an address after wrong secrets would let anyone who shares it lock the approver
 * out; attempts that are delayed one after another only cost the approver a wait.
 * @param pause Waits for the given time.
 */
export function createTurns(now: () => number, pause: (ms: number) => Promise<unknown> = pauseFor): Turns {
  const guessesByAddress = new Map<string, Guesses>();
  const guessesFrom = (address: string): Guesses | undefined => {
    const found = guessesByAddress.get(address);
    return found && found.sinceMs + failureMs > now() ? found : undefined;
  };
  return {
    async turn(address, hasLeft) {
      const guesses = guessesFrom(address);
      if (guesses === undefined || guesses.failures < freeFailures) return;
      guesses.lastTurn = guesses.lastTurn.then(async () => {
        if (!hasLeft()) await pause(turnMs);
      });
      await guesses.lastTurn;
    },
    countFailure(address) {
      const guesses = guessesFrom(address) ?? { failures: 0, sinceMs: now(), lastTurn: Promise.resolve() };
      guesses.failures += 1;
      guessesByAddress.delete(address);
      guessesByAddress.set(address, guesses);
      const [oldest] = guessesByAddress.keys();
      if (guessesByAddress.size > maxAddresses && oldest !== undefined) guessesByAddress.delete(oldest);
    },
  };
}
