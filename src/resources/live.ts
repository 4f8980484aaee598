/** What moves without a call, as a resource: `live://TOOL?argument=value`; and the looks at it for those who follow it, bounded in number and time. */
import { argumentsSchema } from "../arguments/index.js";
import type { Answered, Arguments, Awaits } from "../language/conduct.js";
import type { AnyOperation } from "../language/define.js";
import { hourMs, minuteMs, waitFor } from "../language/durations.js";
import { Failure, type FailureCode } from "../language/failure.js";
import { withMember } from "../language/member.js";
import { operation } from "../tools/index.js";

/** Something that moves, as its address names it. */
interface Live {
  /** The same for all addresses of it. */
  readonly key: string;
  /** The operation that reads where it stands, and its arguments. */
  readonly tool: string;
  readonly args: Arguments;
  /** A text that is another one whenever it has moved. */
  readonly state: (answer: Answered) => string;
  /** Whether it will not move any more. */
  readonly isOver: (answer: Answered) => boolean;
  /** How long the API asks to wait before the next look, in seconds. */
  readonly pauseSeconds: (answer: Answered) => number | undefined;
}

type Tools = ReadonlyMap<string, { readonly service: string }>;

// An address is a few names and ids; a longer one is none of ours.
const maxAddress = 2_000;
const grammar = /^live:\/\/([a-z0-9_]+)\?([\w.\-~%=&+@]+)$/;

const operationOf = async (tool: string, tools: Tools): Promise<AnyOperation | undefined> => {
  const entry = tools.get(tool);
  return entry && operation(entry.service, tool);
};

/** The arguments as they stand in an address, each name once; undefined where a name stands twice. */
function valuesIn(query: string): ReadonlyMap<string, string> | undefined {
  const entries = [...new URLSearchParams(query)];
  const values = new Map(entries);
  return values.size === entries.length ? values : undefined;
}

/** A value as the functions of a declaration compare it: a numeral is the number that a caller would have given. */
const given = (text: string): unknown => (/^(0|[1-9]\d{0,14})$/.test(text) ? Number(text) : text);

/** A launch that is followed by the operation that its declaration names. */
function launched(awaits: Awaits, values: ReadonlyMap<string, string>, status: AnyOperation): Omit<Live, "key"> {
  const known = Object.keys(argumentsSchema(status).shape);
  const launch = (awaits.reads ?? []).reduce<unknown>(
    (args, path) => {
      const value = values.get(path);
      return value === undefined ? args : withMember(args, path.split("."), given(value));
    },
    { body: {} },
  ) as Arguments;
  return {
    tool: awaits.status,
    args: Object.fromEntries([...values].filter(([name]) => known.includes(name))),
    state: (answer) => awaits.state(answer, launch),
    isOver: (answer) => awaits.isReady(answer, launch) || awaits.failure?.(answer, launch) !== undefined,
    pauseSeconds: (answer) => awaits.pauseSeconds?.(answer),
  };
}

/**
 * What an address names.
 * @param tools The tools that can be called here, by name.
 * @returns undefined for an address of another form, for a tool that is not there, and for one that starts nothing and
 * shows nothing that moves.
 */
export async function liveAt(uri: string, tools: Tools): Promise<Live | undefined> {
  const [, tool = "", query = ""] = (uri.length <= maxAddress && grammar.exec(uri)) || [];
  const values = valuesIn(query);
  const declared = await operationOf(tool, tools);
  if (!values || !declared) return undefined;
  const { awaits } = declared.spec;
  if (awaits === undefined) return undefined;
  const key = JSON.stringify([tool, ...[...values].sort()]);
  if (awaits.status !== undefined) {
    const status = await operationOf(awaits.status, tools);
    return status && { key, ...launched(awaits, values, status) };
  }
  const args = Object.fromEntries(values);
  return {
    ...{ key, tool, args, pauseSeconds: () => undefined },
    state: (answer) => awaits.state(answer, args),
    isOver: (answer) => awaits.isReady(answer, args),
  };
}

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

const usualFollowing: FollowingBounds = { perOwner: 16, all: 256, lastsMs: 2 * hourMs };

/** Ends the following for one of those who follow. */
type Stop = () => void;

interface Following {
  /**
   * Follows something for an owner until it is over.
   * @param key The same for all addresses of the same thing.
   * @param tell Called when it has moved, when it is over, once when it cannot be read, and when it is followed no longer.
   * @throws Failure `rate_limited` when there is no room.
   */
  follow(owner: string, key: string, look: (signal: AbortSignal) => Promise<Look>, tell: () => void): Stop;
}

const shortestPauseMs = 500;
const usualPauseMs = 5_000;
const longestPauseMs = minuteMs;

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

/** What is known after a look, or before the first one. */
interface Known {
  readonly state: string | undefined;
  /** Whether the last look failed. */
  readonly isFailing: boolean;
  /** How long nobody looks again where the API says nothing of it. */
  readonly restingMs: number;
}

/** What is known after a look, and what follows from it. */
interface Step extends Known {
  readonly isNews: boolean;
  readonly isEnded: boolean;
  /** How long the API asks to wait. */
  readonly advisedMs?: number | undefined;
}

function afterLook(before: Known, { state, isOver, pauseSeconds }: Look): Step {
  const hasMoved = before.isFailing || (before.state !== undefined && state !== before.state);
  const restingMs =
    hasMoved || before.state === undefined ? usualPauseMs : Math.min(longestPauseMs, before.restingMs * 1.5);
  const advisedMs = pauseSeconds === undefined ? undefined : pauseSeconds * 1_000;
  return { state, isFailing: false, restingMs, isNews: hasMoved || isOver, isEnded: isOver, advisedMs };
}

function afterFailure({ state, isFailing }: Known, error: unknown): Step {
  const isEnded =
    error instanceof Failure && lasting.includes(error.code) && error.detail.retryAfterSeconds === undefined;
  return { state, isFailing: true, restingMs: longestPauseMs, isNews: !isFailing, isEnded };
}

/** Advice is a lower bound; without any, what has not moved for long is looked at less often. */
const pauseAfter = ({ advisedMs, restingMs }: Step): number =>
  advisedMs === undefined ? restingMs : Math.max(shortestPauseMs, advisedMs);

/** Looks until it is over, or until its time is up. */
async function watch(
  { tellers, controller: { signal } }: Watch,
  look: (signal: AbortSignal) => Promise<Look>,
  { rest, setRest, lastsMs }: { readonly rest: Rest | undefined; setRest(rest: Rest): void; readonly lastsMs: number },
): Promise<void> {
  const endMs = performance.now() + lastsMs;
  const tell = (): void => {
    for (const teller of tellers) teller();
  };
  const restFor = (ms: number, { state }: Known): void => setRest({ untilMs: performance.now() + ms, state });
  if (rest) await waitFor(rest.untilMs - performance.now(), signal, true);
  let known: Known = { state: rest?.state, isFailing: false, restingMs: usualPauseMs };
  while (!signal.aborted) {
    restFor(known.restingMs, known);
    let step: Step;
    try {
      step = afterLook(known, await look(signal));
    } catch (error) {
      step = afterFailure(known, error);
    }
    if (signal.aborted) return;
    if (step.isNews) tell();
    const pauseMs = pauseAfter(step);
    restFor(pauseMs, step);
    if (step.isEnded) return;
    if (performance.now() + pauseMs > endMs) return tell();
    known = step;
    await waitFor(pauseMs, signal, true);
  }
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
          .then(() => watch(begun, look, { rest: rests.get(id), setRest: (rest) => rests.set(id, rest), lastsMs }))
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
  };
}
