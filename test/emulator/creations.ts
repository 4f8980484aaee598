/** What the examples create: the row that each adds to the lists of any service, and the ids by which those rows are named. */
import { lazily } from "../../src/language/once-for.js";
import { type Args, begin, exampleOf, isRead, operations } from "./examples.js";

type Row = unknown;
/** A list in an answer, by the operation that answers it and the path of its rows, with the row that was added. */
interface Shown {
  readonly list: string;
  readonly at: string;
  readonly rows: readonly Row[];
  readonly added: Row;
}
/** A member by which the rows of a list are told apart: its value in a row of the seed, and in the row that was added. */
export interface Id {
  readonly list: string;
  readonly column: string;
  readonly seed: string;
  readonly made: string;
}
export interface Creation {
  readonly by: string;
  readonly args: Args;
  /** For each row of the seed that is of the same kind, what names it. */
  readonly rows: readonly (readonly Id[])[];
  /** What every read answers after it. */
  readonly after: Answers;
}
export type Answers = ReadonlyMap<string, unknown>;

/** The arrays of an answer by their paths; those of several rows count as one. */
export function arraysIn(value: unknown, at = "", found = new Map<string, Row[]>()): ReadonlyMap<string, Row[]> {
  if (Array.isArray(value)) {
    found.set(at, [...(found.get(at) ?? []), ...value]);
    for (const item of value) arraysIn(item, `${at}[]`, found);
  } else if (typeof value === "object" && value !== null)
    for (const [name, inner] of Object.entries(value)) arraysIn(inner, `${at}.${name}`, found);
  return found;
}

/** The texts and numbers in a value by their paths. */
export function leavesOf(value: unknown, at = ""): readonly (readonly [at: string, leaf: string | number])[] {
  if (typeof value === "string" || typeof value === "number") return [[at, value]];
  if (typeof value !== "object" || value === null) return [];
  return Object.entries(value).flatMap(([name, inner]) => leavesOf(inner, `${at}.${name}`));
}

/** Without the prefix that the property service alone has (document B). */
export const bare = (value: string | number): string => String(value).replace(/^[a-z]{3}_(?=\w)/, "");

/** Whether a text can be an id: neither a count, nor a time, nor prose. */
const canBeId = (text: string): boolean => /^[\w.@-]{3,60}$/.test(text) && !/^\d{4}-\d\d-\d\d|^\d{12,}$/.test(text);
/** Whether two rows are of one kind; a list may have several, told apart by a type. */
const isAlike = (one: ReadonlyMap<string, unknown>, other: ReadonlyMap<string, unknown>): boolean =>
  one.get(".type") === other.get(".type");

/** What names each row of the seed: the members that differ from row to row, and that had the new value nowhere before. */
function namesIn({ list, at: listAt, rows, added }: Shown, known: ReadonlySet<string>): readonly (readonly Id[])[] {
  const own = new Map(leavesOf(added));
  const alike = rows.map((row) => new Map(leavesOf(row))).filter((row) => isAlike(row, own));
  const columns = [...own].filter(([at, leaf]) => {
    const values = alike.flatMap((row) => row.get(at) ?? []).map(bare);
    const isColumn = values.length > 0 && values.every(canBeId) && new Set(values).size === values.length;
    return isColumn && canBeId(bare(leaf)) && !known.has(bare(leaf));
  });
  return alike.map((row) =>
    columns.flatMap(([at, leaf]) => {
      const seed = row.get(at);
      return seed === undefined ? [] : [{ list, column: listAt + at, seed: bare(seed), made: bare(leaf) }];
    }),
  );
}

/** Rows of several lists that name the same thing, as one. */
const merged = (rows: readonly (readonly Id[])[]): readonly (readonly Id[])[] =>
  rows.reduce<readonly (readonly Id[])[]>((all, row) => {
    const isSame = (other: readonly Id[]): boolean =>
      other.some(({ seed, made }) => row.some((id) => id.seed === seed && id.made === made));
    return [...all.filter((other) => !isSame(other)), [...all.filter(isSame).flat(), ...row]];
  }, []);

/** Reads that count over days and months what the seed did: no row of theirs is of what was created, and they take half of the time. */
const counts: ReadonlySet<string> = new Set(
  [
    "portalalerts_list usage_contract_measures_list usage_group_measures_list usage_measure_find",
    "portalalert_find report_data_get report_data_find media_viewer_data_get",
  ].flatMap((names) => names.split(" ")),
);
const reads = [...operations].filter(([tool, one]) => isRead(one) && !counts.has(tool)).map(([tool]) => tool);

/** What each read answers to its example. */
async function answersOf(call: ReturnType<typeof begin>["call"]): Promise<Answers> {
  const answers = new Map<string, unknown>();
  for (const tool of reads) answers.set(tool, (await call(tool, exampleOf(tool))).body);
  return answers;
}

/** What each read answers where the world begins. */
export const answersBefore = lazily(() => answersOf(begin().call));

function addedTo(before: Answers, after: Answers): readonly Shown[] {
  return [...before].flatMap(([list, body]) => {
    const present = arraysIn(after.get(list));
    return [...arraysIn(body)].flatMap(([at, rows]) => {
      const had = new Set(rows.map((row) => JSON.stringify(row)));
      const more = (present.get(at) ?? []).filter((row) => !had.has(JSON.stringify(row)));
      return present.get(at)?.length === rows.length + 1 && more.length === 1
        ? [{ list, at, rows, added: more[0] }]
        : [];
    });
  });
}

/**
 * The creations of the catalogue, found by calling the example of each and reading everything before and after.
 * @param others Arguments that make something new where an operation is none of the creations, or its example changes
 *   what is there.
 */
export async function creations(others: Readonly<Record<string, Args>>, before: Answers): Promise<readonly Creation[]> {
  const known = new Set([...before.values()].flatMap((body) => leavesOf(body).map(([, leaf]) => bare(leaf))));
  const found: Creation[] = [];
  for (const [by, { spec }] of operations) {
    const args = others[by] ?? (spec.effect === "create" ? exampleOf(by) : undefined);
    if (args === undefined) continue;
    const { call } = begin();
    const { status, text } = await call(by, args);
    if (status < 200 || status >= 300) throw new Error(`${by} was answered with ${status}: ${text}`);
    const after = await answersOf(call);
    found.push({ by, args, after, rows: merged(addedTo(before, after).flatMap((one) => namesIn(one, known))) });
  }
  return found;
}
