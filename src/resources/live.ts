/**
 * Live state as resources, `live://TOOL?argument=value`, and its polling for subscribers, limited in number and time.
 */
import type { Arguments, JobPolling, UpstreamAnswer } from "../language/conduct.js";
import type { AnyOperation } from "../language/define.js";
import { Failure, type FailureCode } from "../language/failure.js";
import { withMember } from "../language/member.js";
import { argumentsSchema } from "../schema/arguments.js";
import { hourMs, minuteMs, waitFor } from "../time/durations.js";
import { operation } from "../tools/index.js";

/** Live state, as named by a URI. */
interface LiveState {
  /** Equal for all URIs of it. */
  readonly key: string;
  /** The operation that reads the state, and its arguments. */
  readonly tool: string;
  readonly args: Arguments;
  /** A text that differs whenever the state has changed. */
  readonly state: (answer: UpstreamAnswer) => string;
  /** Whether the state is final. */
  readonly isOver: (answer: UpstreamAnswer) => boolean;
  /** How long the API asks to wait before the next poll, in seconds. */
  readonly pauseSeconds: (answer: UpstreamAnswer) => number | undefined;
}

type Tools = ReadonlyMap<string, { readonly service: string }>;

// A URI has a few names and ids; a longer one is not ours.
const maxAddress = 2_000;
const grammar = /^live:\/\/([a-z0-9_]+)\?([\w.\-~%=&+@]+)$/;

const operationOf = (tool: string, tools: Tools): Promise<AnyOperation | undefined> => operation(tool, tools.get(tool));

/** The arguments in a URI, each name once; undefined if a name is repeated. */
function valuesIn(query: string): ReadonlyMap<string, string> | undefined {
  const entries = [...new URLSearchParams(query)];
  const values = new Map(entries);
  return values.size === entries.length ? values : undefined;
}

/** A value as the functions of a declaration compare it: a numeral is the number that a caller would have given. */
const argumentValue = (text: string): unknown => (/^(0|[1-9]\d{0,14})$/.test(text) ? Number(text) : text);

/** The state of a launch, which is polled by the operation that its declaration names. */
function launchedState(
  awaits: JobPolling,
  values: ReadonlyMap<string, string>,
  status: AnyOperation,
): Omit<LiveState, "key"> {
  const argumentNames = Object.keys(argumentsSchema(status).shape);
  const launch = (awaits.reads ?? []).reduce<unknown>(
    (args, path) => {
      const value = values.get(path);
      return value === undefined ? args : withMember(args, path.split("."), argumentValue(value));
    },
    { body: {} },
  ) as Arguments;
  return {
    tool: awaits.status,
    args: Object.fromEntries([...values].filter(([name]) => argumentNames.includes(name))),
    state: (answer) => awaits.state(answer, launch),
    isOver: (answer) => awaits.isReady(answer, launch) || awaits.failure?.(answer, launch) !== undefined,
    pauseSeconds: (answer) => awaits.pauseSeconds?.(answer),
  };
}

/**
 * The live state that a URI names.
 * @param tools The callable tools by name.
 * @returns undefined for a different URI, an unknown tool, or one without live state.
 */
export async function liveAt(uri: string, tools: Tools): Promise<LiveState | undefined> {
  const [, tool = "", query = ""] = (uri.length <= maxAddress && grammar.exec(uri)) || [];
  const values = valuesIn(query);
  const declared = await operationOf(tool, tools);
  if (!values || !declared) return undefined;
  const { awaits } = declared.spec;
  if (awaits === undefined) return undefined;
  const key = JSON.stringify([tool, ...[...values].sort()]);
  if (awaits.status !== undefined) {
    const status = await operationOf(awaits.status, tools);
    return status && { key, ...launchedState(awaits, values, status) };
  }
  const args = Object.fromEntries(values);
  return {
    ...{ key, tool, args, pauseSeconds: () => undefined },
    state: (answer) => awaits.state(answer, args),
    isOver: (answer) => awaits.isReady(answer, args),
  };
}

/** The result of one poll. */
export interface PollResult {
  /** A text that differs whenever the state has changed. */
  readonly state: string;
  /** Whether the state is final. */
  readonly isOver: boolean;
  /** How long the API asks to wait before the next poll, in seconds, if it does. */
  readonly pauseSeconds: number | undefined;
}

export interface PollingBounds {
  /** The most subscriptions of one owner. */
  readonly perOwner: number;
  /** The most subscriptions of all owners, which the instances of a server divide. */
  readonly all: number;
  /** The maximum duration of a subscription. */
  readonly lastsMs: number;
}

const usualPollingBounds: PollingBounds = { perOwner: 16, all: 256, lastsMs: 2 * hourMs };

/** Ends a subscription for one of its subscribers. */
type Stop = () => void;

interface LivePolling {
  /**
   * Subscribes an owner to live state until it is final.
   * @param key Equal for all URIs of the same state.
   * @param notify Called when the state has changed, when it is final, once when it cannot be read, and when the
   * subscription ends.
   * @throws Failure `rate_limited` if there are too many.
   */
  subscribe(
    owner: string,
    key: string,
    poll: (signal: AbortSignal) => Promise<PollResult>,
    notify: () => void,
  ): Promise<Stop>;
}

const shortestPauseMs = 500;
const usualPauseMs = 5_000;
const longestPauseMs = minuteMs;

/** Failures that another poll would repeat, unless they say when to retry. */
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
  readonly listeners: Set<() => void>;
  readonly controller: AbortController;
}

/** The time of the next poll, and the last result. */
interface Rest {
  readonly untilMs: number;
  readonly state: string | undefined;
}

/** What is known after a poll, or before the first one. */
interface Known {
  readonly state: string | undefined;
  /** Whether the last poll failed. */
  readonly isFailing: boolean;
  /** The interval of polls if the API does not ask for one. */
  readonly restingMs: number;
}

/** What is known after a poll, and the next step. */
interface Step extends Known {
  readonly isNews: boolean;
  readonly isEnded: boolean;
  /** How long the API asks to wait. */
  readonly advisedMs?: number | undefined;
}

function afterPoll(before: Known, { state, isOver, pauseSeconds }: PollResult): Step {
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

/** The API's advice is a lower bound; without any, unchanged state is polled less and less often. */
const pauseAfter = ({ advisedMs, restingMs }: Step): number =>
  advisedMs === undefined ? restingMs : Math.max(shortestPauseMs, advisedMs);

/** Polls until the state is final, or the time is up. */
async function watch(
  { listeners, controller: { signal } }: Watch,
  poll: (signal: AbortSignal) => Promise<PollResult>,
  { rest, setRest, lastsMs }: { readonly rest: Rest | undefined; setRest(rest: Rest): void; readonly lastsMs: number },
): Promise<void> {
  const endMs = performance.now() + lastsMs;
  const notify = (): void => {
    for (const listener of listeners) listener();
  };
  const restFor = (ms: number, { state }: Known): void => setRest({ untilMs: performance.now() + ms, state });
  if (rest) await waitFor(rest.untilMs - performance.now(), signal, true);
  let known: Known = { state: rest?.state, isFailing: false, restingMs: usualPauseMs };
  while (!signal.aborted) {
    restFor(known.restingMs, known);
    let step: Step;
    try {
      step = afterPoll(known, await poll(signal));
    } catch (error) {
      step = afterFailure(known, error);
    }
    if (signal.aborted) return;
    if (step.isNews) notify();
    const pauseMs = pauseAfter(step);
    restFor(pauseMs, step);
    if (step.isEnded) return;
    if (performance.now() + pauseMs > endMs) return notify();
    known = step;
    await waitFor(pauseMs, signal, true);
  }
}

const tooMany = (held: number, where: string): Failure =>
  new Failure("rate_limited", `There are already ${held} subscriptions ${where}.`, {
    why: "Each of them is polled repeatedly.",
    next: "End a subscription that is no longer needed, or read the resource now and then.",
  });

/**
 * Creates the subscriptions of a process.
 * @param instances How many instances the server has at the moment.
 */
export function createLivePolling(
  instances: () => number = () => 1,
  { perOwner, all, lastsMs }: PollingBounds = usualPollingBounds,
): LivePolling {
  const watches = new Map<string, Watch>();
  // A subscriber who leaves and returns must not cause earlier polls than one who stays.
  const rests = new Map<string, Rest>();

  const checkRoom = (owner: string): void => {
    const held = [...watches.values()].filter((one) => one.owner === owner).length;
    if (held >= perOwner) throw tooMany(held, "of this client");
    if (watches.size >= Math.floor(all / instances())) throw tooMany(watches.size, "on this server");
  };

  const begin = (id: string, owner: string, poll: (signal: AbortSignal) => Promise<PollResult>): Watch => {
    checkRoom(owner);
    for (const [rested, { untilMs }] of rests) if (untilMs <= performance.now()) rests.delete(rested);
    const begun: Watch = { owner, listeners: new Set(), controller: new AbortController() };
    watches.set(id, begun);
    // The first subscriber is added before the first poll has a result.
    void watch(begun, poll, { rest: rests.get(id), setRest: (rest) => rests.set(id, rest), lastsMs }).finally(() => {
      if (watches.get(id) === begun) watches.delete(id);
    });
    return begun;
  };

  return {
    async subscribe(owner, key, poll, notify) {
      const id = JSON.stringify([owner, key]);
      const { listeners, controller } = watches.get(id) ?? begin(id, owner, poll);
      // The same function could subscribe twice.
      const listener = (): void => notify();
      listeners.add(listener);
      return () => {
        listeners.delete(listener);
        if (listeners.size > 0) return;
        controller.abort();
        if (watches.get(id)?.controller === controller) watches.delete(id);
      };
    },
  };
}
