/** Finds the data store that can serve a query, and the ids for the names in it (document C, "Media analytics"). */
import type { Resolve } from "../../language/check.js";
import { type Arguments, pickArguments } from "../../language/conduct.js";
import { type FieldProblem, fieldProblem, quoteValue } from "../../language/failure.js";
import { defined, fieldOf, listAt, withMember } from "../../language/member.js";
import { z } from "../../language/z.js";
import { didYouMean } from "../../text/nearest.js";
import { minuteMs } from "../../time/durations.js";
import { readUsDate } from "../../time/instant.js";
import { DataStore } from "./shapes.js";

const Stores = z.array(DataStore);
type Store = z.output<typeof DataStore>;
type Kind = "dimension" | "metric";

/** One place in the arguments that names a dimension or metric. */
interface Use {
  readonly path: readonly [argument: string, ...PropertyKey[]];
  readonly kind: Kind;
  readonly given: string | number;
}

/** Every dimension and metric that the arguments use: in columns, in filters and in the sort order. */
const usesOf = (args: Arguments): readonly Use[] => [
  ...(["dimension", "metric"] as const).flatMap((kind) =>
    listAt(args, `${kind}s`).map(
      (given, at): Use => ({ path: [`${kind}s`, at], kind, given: given as string | number }),
    ),
  ),
  ...["filterParams", "sortParams"].flatMap((name) =>
    listAt(args, name).map((item, at): Use => {
      const { type, id } = item as { type: Kind; id: string | number };
      return { path: [name, at, "id"], kind: type, given: id };
    }),
  ),
];

/** The id of the member with this id or name; ids come first, because a name may consist of digits, too. */
function idIn(store: Store, { kind, given }: Use): number | undefined {
  const wanted = String(given).trim().toLowerCase();
  const members = store[`${kind}s`];
  const found =
    members.find(({ id }) => String(id) === wanted) ?? members.find(({ name }) => name.trim().toLowerCase() === wanted);
  return found?.id;
}
const hasNamed = (use: Use) => (store: Store) => idIn(store, use) !== undefined;

const idAndName = ({ id, name }: { readonly id: number; readonly name: string }): string => `${id} (${name})`;

/** The problem with a dimension or metric that no store has, with the list of those that exist. */
function unknownProblem(use: Use, stores: readonly Store[]): FieldProblem {
  const known = [...new Map(stores.flatMap((store) => store[`${use.kind}s`]).map((one) => [one.id, one])).values()];
  const names = known.map(({ name }) => name);
  const takes = `a ${use.kind} of the report pack by name or id${didYouMean(String(use.given), names)}: ${known.map(idAndName).join(", ")}`;
  return { field: fieldOf(use.path), given: quoteValue(use.given), takes };
}

/** Why no store can serve everything, and what the nearest stores can serve. */
function apartProblem(uses: readonly Use[], stores: readonly Store[]): FieldProblem {
  const parts = stores
    .map((store) => ({ store, served: uses.filter((use) => hasNamed(use)(store)) }))
    .sort((a, b) => b.served.length - a.served.length);
  const most = parts[0]?.served.length ?? 0;
  const wordsOf = (some: readonly Use[]) => [...new Set(some.map(({ given }) => quoteValue(given)))].join(", ");
  const nearest = parts
    .filter(({ served }) => served.length === most)
    .map(
      ({ store, served }) =>
        `data store ${idAndName(store)} serves ${wordsOf(served)} without ${wordsOf(uses.filter((use) => !served.includes(use)))}`,
    );
  const each = uses.map((use) => `${quoteValue(use.given)}: ${stores.filter(hasNamed(use)).map(idAndName).join(", ")}`);
  return {
    field: uses.some(({ kind }) => kind === "metric") ? "metrics" : "dimensions",
    given: wordsOf(uses),
    takes: `dimensions and metrics of one data store, and none has all of these; ${nearest.join("; ")}. The data stores of each: ${[...new Set(each)].join("; ")}`,
  };
}

const secondsOf: Readonly<Record<string, number>> = { day: 86_400, week: 604_800 };

/** How far a store is from an aggregation: 0 if it has it, 1 if its own divides it or is unknown, 2 otherwise. */
function mismatch(store: Store, wanted: unknown): number {
  if (wanted === undefined || store.aggregation === undefined) return 1;
  const seconds = secondsOf[String(wanted)] ?? Number(wanted);
  if (seconds === store.aggregation) return 0;
  return seconds % store.aggregation === 0 ? 1 : 2;
}

const duration = (minutes: number): string =>
  minutes % 1_440 === 0 ? `${minutes / 1_440} days` : `${minutes} minutes`;

/**
 * Resolves names to ids by the data stores of the report pack: the store has to have all of them and accept the period.
 * Of several stores, the one with the requested aggregation is used, or the first.
 */
export const resolveNames =
  (family: string | undefined): Resolve =>
  async ({ args, read }) => {
    const { reportPackId, startDate, endDate, aggregation } = args;
    const uses = usesOf(args);
    const takes = "a metric, unless dimensions are given: a query needs at least one of either";
    if (listAt(args, "dimensions").length + listAt(args, "metrics").length === 0)
      return { problems: [{ field: "metrics", takes }] };
    const answer = await read("media_data_stores_list", { family: args["family"] ?? family, reportPackId });
    const stores = Stores.safeParse(answer).data ?? [];
    const shows = "a report pack with data stores: media_data_stores_list returns none for this one";
    if (stores.length === 0) return { problems: fieldProblem("reportPackId", reportPackId, shows) };
    const unknown = uses.filter((use) => !stores.some(hasNamed(use)));
    if (unknown.length > 0) return { problems: unknown.map((use) => unknownProblem(use, stores)) };
    const able = stores.filter((store) => uses.every((use) => hasNamed(use)(store)));
    if (able.length === 0) return { problems: [apartProblem(uses, stores)] };
    const minutes = (readUsDate(String(endDate)) - readUsDate(String(startDate))) / minuteMs;
    const longEnough = able.filter(({ maxQueryDurationInMinutes }) => maxQueryDurationInMinutes >= minutes);
    if (longEnough.length === 0) {
      const limits = able.map(
        (store) => `${duration(store.maxQueryDurationInMinutes)} in data store ${idAndName(store)}`,
      );
      const shorter = `a period of at most ${limits.join(", ")}: ask for parts of it`;
      return { problems: fieldProblem("endDate", endDate, shorter) };
    }
    const [store] = longEnough.toSorted((a, b) => mismatch(a, aggregation) - mismatch(b, aggregation)) as [Store];
    const all = uses.reduce<unknown>((some, use) => withMember(some, use.path, idIn(store, use)), args) as Arguments;
    const values = defined(pickArguments("dimensions", "metrics", "filterParams", "sortParams")(all));
    return { values, notes: notesOf(store, uses) };
  };

/** Which store serves the query, and the ids that its names resolve to. */
function notesOf(store: Store, uses: readonly Use[]): readonly string[] {
  const ids = uses.flatMap((use) => {
    const id = idIn(store, use);
    return String(id) === String(use.given) ? [] : [`${use.kind} ${quoteValue(use.given)} is ${id}`];
  });
  const every = store.aggregation === undefined ? "" : ` in rows of ${store.aggregation} seconds`;
  const resolved = ids.length === 0 ? "" : `; ${[...new Set(ids)].join(", ")}`;
  return [
    `Data store ${idAndName(store)} serves this query${every} and keeps data for ${store.purgeIntervalInDays} days${resolved}.`,
  ];
}
