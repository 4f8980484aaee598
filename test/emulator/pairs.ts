/** Which arguments take the ids of what another operation creates, found in the examples: they name a row of the seed. */
import type { AnyOperation } from "../../src/language/define.js";
import { onceFor } from "../../src/language/once-for.js";
import { idsInPath } from "../../src/wire/known-ids.js";
import { bare, type Creation, type Id, leavesOf } from "./creations.js";
import { type Args, exampleOf, operationOf, operations } from "./examples.js";

/** An operation with its example's arguments for what was created, and for what is not there. */
export interface Pair {
  readonly creation: Creation;
  readonly tool: string;
  /** The paths of the arguments. */
  readonly at: readonly string[];
  readonly ids: readonly Id[];
  readonly made: Args;
  readonly strange: Args;
}

/** Another id of the same form, which nothing has. */
export const strangeFor = ({ made }: Id): string =>
  /\d/.test(made)
    ? made.replace(/\d+(?=\D*$)/, (digits) => String(Number(digits) + 7_919).padStart(digits.length, "0"))
    : made.replace(/^\w+/, (word) => `${word}zz`);

const boundary = "[A-Za-z0-9_.@-]";
const wordsIn = (ids: readonly Id[]): RegExp => {
  const words = ids.map(({ seed }) => seed.replaceAll(/[.-]/g, "\\$&")).sort((a, b) => b.length - a.length);
  return new RegExp(`(?<!${boundary})(?:${words.join("|")})(?!${boundary})`, "g");
};

/** A value with what names one row in the place of what names another; the prefix of an id stays. */
function replaced(value: unknown, ids: readonly Id[], by: (id: Id) => string): unknown {
  if (typeof value === "string" || typeof value === "number") {
    const rest = bare(value);
    const text = rest.replace(wordsIn(ids), (seed) => by(ids.find((id) => id.seed === seed) as Id));
    const whole = String(value).slice(0, String(value).length - rest.length) + text;
    return typeof value === "number" ? Number(whole) : whole;
  }
  if (Array.isArray(value)) return value.map((item) => replaced(item, ids, by));
  return typeof value === "object" && value !== null
    ? Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, replaced(inner, ids, by)]))
    : value;
}

/** Whether a value tells by itself what it names: a plain word, a host name and a short number mean other things elsewhere. */
export const isTelling = (text: string): boolean => /\d/.test(text) && !/^\d{1,4}$|\.[a-z]+$/i.test(text);

const nameIn = (path: string): string =>
  (path.split(".").findLast((name) => /[a-z]/i.test(name)) ?? "").toLowerCase().replaceAll(/[^a-z]/g, "");
/** Whether a path ends in the name of a column, where that says more than that it is an id. */
export const hasName = ({ column }: Id, path: string): boolean =>
  nameIn(column) !== "id" && nameIn(column) === nameIn(path);
const columnOf = ({ list, column }: Id): string => `${list} ${column}`;

export function grouped<T>(items: readonly T[], keyOf: (item: T) => string): ReadonlyMap<string, readonly T[]> {
  const groups = new Map<string, T[]>();
  for (const item of items) groups.set(keyOf(item), [...(groups.get(keyOf(item)) ?? []), item]);
  return groups;
}

/** The values that more than one kind of thing has in the seed; lists that show the same new row are of one kind. */
function ambiguous(all: readonly Creation[]): ReadonlySet<string> {
  const rows = all.flatMap(({ rows: own }) => own);
  const kinds = new Map<string, Set<string>>();
  for (const { rows: own } of all) {
    const byMade = grouped(own.flat(), ({ seed, made }) => `${seed} ${made}`);
    for (const ids of byMade.values()) {
      const merged = new Set(ids.flatMap((id) => [columnOf(id), ...(kinds.get(columnOf(id)) ?? [])]));
      for (const column of merged) kinds.set(column, merged);
    }
  }
  const bySeed = grouped(rows.flat(), ({ seed }) => seed);
  return new Set(
    [...bySeed].filter(([, ids]) => new Set(ids.map((id) => kinds.get(columnOf(id)))).size > 1).map(([seed]) => seed),
  );
}

const idsOf = onceFor((operation: AnyOperation) => idsInPath(operation, operation.service?.operations ?? {}));
const idsIn = (tool: string) => idsOf(operationOf(tool));

/** Whether an argument means what a list's column names, and not something else that has the same value. */
function isMeant(id: Id, tool: string, path: string, shared: ReadonlySet<string>): boolean {
  const isDeclared = idsIn(tool).some(({ id: param, listedBy }) => `.${param}` === path && listedBy === id.list);
  return isDeclared || (isTelling(id.seed) && !shared.has(id.seed)) || hasName(id, path);
}

/** A row whose list is declared to show the id in an operation's path, with the example's id in the place of the seed's. */
function declaredRow({ rows: [row = []] }: Creation, tool: string, example: Args): readonly Id[] {
  return idsIn(tool).flatMap(({ id: param, listedBy }) => {
    const listed = row.filter(({ list }) => list === listedBy);
    // The number of a version is no id, although a row may have one besides.
    const byId = param === "version" ? undefined : listed.find((one) => nameIn(one.column) === "id");
    const id = listed.find((one) => nameIn(one.column) === nameIn(param)) ?? byId;
    return id === undefined ? [] : [{ ...id, seed: bare(String(example[param])) }];
  });
}

/** The arguments of all examples that name what the creations create. */
export function pairsOf(all: readonly Creation[]): readonly Pair[] {
  const shared = ambiguous(all);
  const found = new Map<string, Pair>();
  for (const creation of all)
    for (const [tool, { route }] of operations) {
      // An answer without a body does not say what is unknown.
      if (route.startsWith("HEAD ")) continue;
      const example = exampleOf(tool);
      for (const row of [declaredRow(creation, tool, example), ...creation.rows]) {
        const used = leavesOf(example).flatMap(([path, leaf]) =>
          row
            .filter((id) => isMeant(id, tool, path, shared) && wordsIn([id]).test(bare(leaf)))
            .map((id) => [path, id] as const),
        );
        if (used.length === 0) continue;
        const at = [...new Set(used.map(([path]) => path))];
        const ids = [...new Map(used.map(([, id]) => [id.seed, id])).values()];
        found.set(`${creation.by} ${tool} ${at.join()}`, {
          creation,
          tool,
          at,
          ids,
          made: replaced(example, ids, ({ made }) => made) as Args,
          strange: replaced(example, ids, strangeFor) as Args,
        });
      }
    }
  return [...found.values()];
}
