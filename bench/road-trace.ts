/** Follows a call through the instrumented program: which rooms it enters from which, in which files, by which functions. */
import { AsyncLocalStorage } from "node:async_hooks";

/** Rooms that others import for what they know, and that no call passes through; names that are no folder do no harm. */
const leafRooms: ReadonlySet<string> = new Set([
  "language",
  "schema",
  "system",
  "time",
  "secrets",
  "rows",
  "arguments",
]);

/** The function that makes an inner read, by its name. */
const innerRead = "callUnguarded";

/** What was entered: by the call itself, or by its inner reads. */
export interface Passage {
  /** How often which room was entered from which; the first one from none, written "". */
  readonly entries: Map<string, Map<string, number>>;
  leafEntries: number;
}

/** All that a call ran. */
export interface Trace {
  readonly own: Passage;
  readonly inner: Passage;
  innerReads: number;
  readonly files: Set<string>;
  readonly namedFunctions: Set<Place>;
}

/** Where a function stands. */
interface Place {
  readonly file: string;
  readonly name: string | undefined;
  readonly room: string;
}

/** Where a call is: what a function that is called next was called from. */
interface Frame {
  readonly run: { readonly trace: Trace; unfinished: number };
  readonly isInner: boolean;
  /** The room that it is in, and the leaf room that it asks from there. */
  readonly room: string;
  readonly leaf: string | undefined;
}

const frames = new AsyncLocalStorage<Frame>();
let knowsInnerRead = false;

/**
 * The places of a file's functions; each module of the instrumented program begins with it.
 * @param file Below `src`.
 * @param names Those of its functions in their order, empty for one that has none.
 */
export function placesOf(file: string, names: readonly string[]): Place[] {
  knowsInnerRead ||= names.includes(innerRead);
  const [room = file] = file.split("/");
  return names.map((name) => ({ file, name: name || undefined, room }));
}

const newPassage = (): Passage => ({ entries: new Map(), leafEntries: 0 });

/** Counts a call of a function, and says where the call is in it. */
function stepTo(place: Place, from: Frame): Frame {
  const { file, name, room } = place;
  const { trace } = from.run;
  trace.files.add(file);
  if (name !== undefined) trace.namedFunctions.add(place);
  const isNewRead = name === innerRead;
  if (isNewRead) trace.innerReads += 1;
  const isInner = from.isInner || isNewRead;
  const passage = isInner ? trace.inner : trace.own;
  if (leafRooms.has(room)) {
    if (from.leaf === room) return from;
    passage.leafEntries += 1;
    return { ...from, leaf: room };
  }
  if (from.room !== room) {
    const entered = passage.entries.get(from.room) ?? new Map<string, number>();
    passage.entries.set(from.room, entered.set(room, (entered.get(room) ?? 0) + 1));
  }
  return from.room === room && from.leaf === undefined && from.isInner === isInner
    ? from
    : { run: from.run, isInner, room, leaf: undefined };
}

/** Runs the body of a function at its place. */
export function enter<T>(place: Place, body: () => T): T {
  const from = frames.getStore();
  if (from === undefined) return body();
  const result = frames.run(stepTo(place, from), body);
  if (result instanceof Promise) {
    const { run } = from;
    const finished = () => {
      run.unfinished -= 1;
    };
    run.unfinished += 1;
    result.then(finished, finished);
  }
  return result;
}

/** The same for a generator, whose body runs in turns, each time at its place. */
export function enterInTurns(place: Place, body: Generator & AsyncGenerator) {
  const from = frames.getStore();
  if (from === undefined) return body;
  const frame = stepTo(place, from);
  const turns = {
    next: (value: unknown) => frames.run(frame, () => body.next(value)),
    return: (value: unknown) => frames.run(frame, () => body.return(value)),
    throw: (error: unknown) => frames.run(frame, () => body.throw(error)),
    [Symbol.iterator]: () => turns,
    [Symbol.asyncIterator]: () => turns,
  };
  return turns;
}

const turn = () => new Promise((resolve) => setImmediate(resolve));

/** Makes a call, and returns with its answer what it ran, also what it left to be done after the answer. */
export async function traced<T>(call: () => Promise<T>): Promise<{ readonly answer: T; readonly trace: Trace }> {
  if (!knowsInnerRead)
    throw new Error(`No function is named ${innerRead}: inner reads would be counted as the call's own.`);
  const trace: Trace = {
    own: newPassage(),
    inner: newPassage(),
    innerReads: 0,
    files: new Set(),
    namedFunctions: new Set(),
  };
  const run = { trace, unfinished: 0 };
  const answer = await frames.run({ run, isInner: false, room: "", leaf: undefined }, call);
  do await turn();
  while (run.unfinished > 0);
  return { answer, trace };
}
