/** Completion values, read from the account by a few calls and cached for half a minute. */
import type { Arguments } from "../language/conduct.js";
import { Failure } from "../language/failure.js";
import { onceFor } from "../language/once-for.js";
import type { LiveValues } from "../language/reading.js";
import type { Principal } from "../policy/principal.js";
import { countHidden } from "../text/marks.js";

/** The calls on behalf of a client. */
interface ValueReader {
  api(): Promise<{ invoke(tool: string, args: Arguments): Promise<{ readonly body?: unknown }> }>;
}

interface CachedValues {
  readonly untilMs: number;
  readonly values: Promise<readonly string[]>;
}

// A client asks after each keystroke: the same values serve a word that is being typed.
const cachedMs = 30_000;
const maxCached = 64;
/** The maximum number of calls for one completion, and of its values, because a long list is not useful. */
const maxCalls = 5;
const maxValues = 1_000;

const cacheOf = onceFor((_: object) => new Map<string, CachedValues>());

async function readValues(
  source: ValueReader,
  { tool, of, per }: LiveValues,
  args: Arguments,
): Promise<readonly string[]> {
  const { invoke } = await source.api();
  const each = per ? per.of.parse((await invoke(per.tool, per.args ?? {})).body).slice(0, maxCalls) : [{}];
  const answers = await Promise.all(each.map((more) => invoke(tool, { ...args, ...more })));
  const names = answers.flatMap(({ body }) => of.parse(body));
  // Ids have no invisible characters, and one shown with marks would be invalid.
  return [...new Set(names.filter((name) => countHidden(name) === 0))].slice(0, maxValues);
}

/**
 * The values in an operation's response.
 * @param filledIn Other known values of the same URI or prompt.
 * @param account The key of the account: values are cached separately, so that no account sees another's.
 * @param principal Who asks: another principal may have another credential, and other rights.
 * @returns none if the API did not return any: completion is only a convenience, and the call will report the reason.
 */
export async function liveValues(
  source: ValueReader,
  declaration: LiveValues,
  filledIn: Arguments = {},
  account: object = source,
  principal?: Principal,
): Promise<readonly string[]> {
  const cache = cacheOf(account);
  const args = Object.fromEntries(
    Object.entries(declaration.args ?? {}).map(([name, value]) => [
      name,
      Object.hasOwn(filledIn, name) ? filledIn[name] : value,
    ]),
  );
  const key = JSON.stringify([declaration.tool, args, declaration.per?.tool, declaration.per?.args, principal]);
  const nowMs = Date.now();
  const cached = cache.get(key);
  if (cached && cached.untilMs > nowMs) return cached.values;
  const values = readValues(source, declaration, args).catch((error: unknown) => {
    if (error instanceof Failure) return [];
    throw error;
  });
  cache.delete(key);
  cache.set(key, { untilMs: nowMs + cachedMs, values });
  for (const oldest of [...cache.keys()].slice(0, -maxCached)) cache.delete(oldest);
  const isOfUse = await values.then(
    (all) => all.length > 0,
    () => false,
  );
  // Empty lists are not cached: the API may be available for the next keystroke.
  if (!isOfUse && cache.get(key)?.values === values) cache.delete(key);
  return values;
}

/** The values that complete a text: those that begin with it, then those that contain it. */
export const matchingValues = (values: readonly string[], text: string): string[] => [
  ...values.filter((one) => one.startsWith(text)),
  ...values.filter((one) => !one.startsWith(text) && one.includes(text)),
];
