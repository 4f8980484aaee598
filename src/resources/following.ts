/** Looks at what moves for those who follow it: one look for all who follow the same, bounded in number and in time. */
import { waitFor } from "../api/deadline.js";
import { Failure, type FailureCode } from "../api/failure.js";

/** What one look shows. */
export interface Look {
  /** A text that is another one whenever it has moved. */
  readonly state: string;
  /** Whether it will not move any more. */
  readonly isOver: boolean;
  /** How long the API asks to wait before the next look, in seconds, where it says so. */
  readonly pauseSeconds: number | undefined;
}

export interface FollowingBounds {
  /** What one owner can follow at a time, and all owners together. */
  readonly perOwner: number;
  readonly all: number;
  /** How long something is followed at most. */
  readonly lastsMs: number;
}

const usualFollowing: FollowingBounds = { perOwner: 16, all: 256, lastsMs: 2 * 3_600_000 };

/** Ends the following for one of those who follow. */
type Stop = () => void;

export interface Following {
  /**
   * Follows something for an owner until it is over.
   * @param key The same for all addresses of the same thing.
   * @param tell Called when it has moved, when it is over, once when it cannot be read, and when it is followed no longer.
   * @throws Failure `rate_limited` when there is no room.
   */
  follow(owner: string, key: string, look: (signal: AbortSignal) => Promise<Look>, tell: () => void): Stop;
  /** Ends all of it. */
  close(): void;
}

const shortestPauseMs = 500;
const usualPauseMs = 5_000;
const longestPauseMs = 60_000;

/** What another look would meet in the same way, unless it says when it would not. */
const lasting: readonly FailureCode[] = [
  "invalid_input",
  "not_found",
  "not_allowed",
  "forbidden",
  "unauthorized",
  "unknown_tool",
];

interface Watch {
  readonly owner: string;
  readonly tellers: Set<() => void>;
  readonly controller: AbortController;
}

/** Until when nobody looks again, and what the last look has shown. */
interface Rest {
  readonly untilMs: number;
  readonly state: string | undefined;
}

/** Makes the following of a process. */
export function createFollowing({ perOwner, all, lastsMs }: FollowingBounds = usualFollowing): Following {
  const watches = new Map<string, Watch>();
  // Who leaves and comes back must not be looked for sooner than who stays.
  const rests = new Map<string, Rest>();

  const makeRoom = (owner: string): void => {
    const own = [...watches.values()].filter((watch) => watch.owner === owner).length;
    const [held, most] = own >= perOwner ? [own, perOwner] : [watches.size, all];
    if (held < most) return;
    throw new Failure(
      "rate_limited",
      `${held} things are followed ${most === perOwner ? "by this client" : "on this server"} already.`,
      {
        why: "Each of them is looked at again and again.",
        next: "End a subscription that is no longer needed, or read the resource now and then.",
      },
    );
  };

  /** Looks until it is over, or until its time is up. */
  const watch = async (
    id: string,
    { tellers, controller: { signal } }: Watch,
    look: (signal: AbortSignal) => Promise<Look>,
  ): Promise<void> => {
    const endMs = performance.now() + lastsMs;
    const tell = (): void => {
      for (const teller of tellers) teller();
    };
    const rest = rests.get(id);
    if (rest) await waitFor(rest.untilMs - performance.now(), signal, true);
    if (signal.aborted) return;
    let last = rest?.state;
    let isFailing = false;
    let restingMs = usualPauseMs;
    const restFor = (ms: number): void => void rests.set(id, { untilMs: performance.now() + ms, state: last });
    for (let isEnded = false; ; ) {
      let advisedMs: number | undefined;
      restFor(restingMs);
      try {
        const { state, isOver, pauseSeconds } = await look(signal);
        if (signal.aborted) return;
        const hasMoved = isFailing || (last !== undefined && state !== last);
        restingMs = hasMoved || last === undefined ? usualPauseMs : Math.min(longestPauseMs, restingMs * 1.5);
        [last, isFailing, isEnded] = [state, false, isOver];
        if (hasMoved || isOver) tell();
        advisedMs = pauseSeconds === undefined ? undefined : pauseSeconds * 1_000;
      } catch (error) {
        if (signal.aborted) return;
        if (!isFailing) tell();
        isFailing = true;
        restingMs = longestPauseMs;
        isEnded =
          error instanceof Failure && lasting.includes(error.code) && error.detail.retryAfterSeconds === undefined;
      }
      // Advice is a lower bound; without any, what has not moved for long is looked at less often.
      const pauseMs = advisedMs === undefined ? restingMs : Math.max(shortestPauseMs, advisedMs);
      restFor(pauseMs);
      if (isEnded) return;
      if (performance.now() + pauseMs > endMs) return tell();
      await waitFor(pauseMs, signal, true);
      if (signal.aborted) return;
    }
  };

  return {
    follow(owner, key, look, tell) {
      const id = JSON.stringify([owner, key]);
      let found = watches.get(id);
      if (!found) {
        for (const [rested, { untilMs }] of rests) if (untilMs <= performance.now()) rests.delete(rested);
        makeRoom(owner);
        const begun: Watch = { owner, tellers: new Set(), controller: new AbortController() };
        watches.set(id, begun);
        // The first who follows is there before the first look.
        void Promise.resolve()
          .then(() => watch(id, begun, look))
          .finally(() => {
            if (watches.get(id) === begun) watches.delete(id);
          });
        found = begun;
      }
      const { tellers, controller } = found;
      // The same function could follow twice.
      const teller = (): void => tell();
      tellers.add(teller);
      return () => {
        tellers.delete(teller);
        if (tellers.size > 0) return;
        controller.abort();
        if (watches.get(id)?.controller === controller) watches.delete(id);
      };
    },
    close() {
      for (const { controller } of watches.values()) controller.abort();
      watches.clear();
    },
  };
}
