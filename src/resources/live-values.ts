/** Values for completions, read from the account by a few calls and kept for half a minute. */
import type { Arguments } from "../language/conduct.js";
import { Failure } from "../language/failure.js";
import { countHidden } from "../language/marks.js";
import { onceFor } from "../language/once-for.js";
import type { LiveValues } from "../language/reading.js";

/** What makes the calls, for whoever asks. */
interface Source {
  api(): Promise<{ invoke(tool: string, args: Arguments): Promise<{ readonly body?: unknown }> }>;
}

interface Kept {
  readonly untilMs: number;
  readonly values: Promise<readonly string[]>;
}

// A client asks at each key that is pressed: the same values serve a word that is being typed.
const keptForMs = 30_000;
const maxKept = 64;
/** The most calls for one completion, and the most values of it: a list to choose from is short or useless. */
const maxCalls = 5;
const maxValues = 1_000;

const keptFor = onceFor((_: object) => new Map<string, Kept>());

async function read(source: Source, { tool, of, per }: LiveValues, args: Arguments): Promise<readonly string[]> {
  const { invoke } = await source.api();
  const each = per ? per.of.parse((await invoke(per.tool, per.args ?? {})).body).slice(0, maxCalls) : [{}];
  const answers = await Promise.all(each.map((more) => invoke(tool, { ...args, ...more })));
  const names = answers.flatMap(({ body }) => of.parse(body));
  // No id has invisible characters, and one that is shown with marks would name nothing.
  return [...new Set(names.filter((name) => countHidden(name) === 0))].slice(0, maxValues);
}

/**
 * The values that an operation's answer has.
 * @param filledIn What else of the same address or prompt is known.
 * @param account What stands for the account that is read: values are kept for it alone, so that no account sees another's.
 * @returns none where the API did not give any: completion is only a convenience, and the call will say why.
 */
export async function liveValues(
  source: Source,
  wanted: LiveValues,
  filledIn: Arguments = {},
  account: object = source,
): Promise<readonly string[]> {
  const own = keptFor(account);
  const given = (wanted.given ?? []).filter((name) => Object.hasOwn(filledIn, name));
  const args = { ...wanted.args, ...Object.fromEntries(given.map((name) => [name, filledIn[name]])) };
  const key = JSON.stringify([wanted.tool, args, wanted.per?.tool, wanted.per?.args]);
  const nowMs = Date.now();
  const found = own.get(key);
  if (found && found.untilMs > nowMs) return found.values;
  const values = read(source, wanted, args).catch((error: unknown) => {
    if (error instanceof Failure) return [];
    throw error;
  });
  own.delete(key);
  own.set(key, { untilMs: nowMs + keptForMs, values });
  for (const oldest of [...own.keys()].slice(0, -maxKept)) own.delete(oldest);
  const isOfUse = await values.then(
    (all) => all.length > 0,
    () => false,
  );
  // Nothing is not worth keeping: the next key may find the API back.
  if (!isOfUse && own.get(key)?.values === values) own.delete(key);
  return values;
}

/** The values that complete a text: those that begin with it, then those that contain it. */
export const matching = (values: readonly string[], text: string): string[] => [
  ...values.filter((one) => one.startsWith(text)),
  ...values.filter((one) => !one.startsWith(text) && one.includes(text)),
];
