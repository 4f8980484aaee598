/**
 * The road of a call, counted: the rooms that it enters, the files that it touches, the functions that it runs.
 *
 * - A room is a folder directly in `src`, or a file there. Every function that is called, a closure too, is called in the
 *   room of the file that it is written in. Its caller is the function that runs when it is called, also behind an
 *   `await`; for what a timer, an event or `then` calls, it is the function that has set it up. What a library calls is
 *   called by the function that has called the library. A return enters nothing.
 * - An entry is a call from a function of another room. The first one, from the protocol's library, counts too.
 * - A climb is an entry of a room that its caller's room may not import by the table of docs/architecture.md: what is
 *   called there was handed down.
 * - A leaf room is one that all others may ask. Its entries are counted apart, and what it calls back is called by the
 *   room that has asked it: a closure that comes back to where it was made enters nothing.
 * - An inner read is a call that the road makes by itself of another operation. What it enters is counted apart.
 * - Files and named functions are all those that run, in leaf rooms and in inner reads, too. A function is named where
 *   the language gives it a name.
 *
 * Each call is made for the second time, so that nothing is loaded any more, as the protocol's handler makes it; the
 * record and the plans are on the disk, as they are by default. An upstream of the bench takes the network's place, and
 * the emulator has no part in it.
 */
import { readFileSync } from "node:fs";
import { loadCalls } from "./road-program.js";
import type { Passage, Trace } from "./road-trace.js";

/** The rooms that each room may import; undefined where it may import all. */
type ImportTable = ReadonlyMap<string, ReadonlySet<string> | undefined>;

/** The row of files that are in no folder. */
const anyFile = "*.ts";

/** Reads the table of docs/architecture.md, which a test holds against the imports. */
function readImportTable(): ImportTable {
  const rows = readFileSync("docs/architecture.md", "utf8").matchAll(/^\| *(`src\/[^|]*)\|[^|]*\|([^|]*)\|$/gm);
  const table = new Map<string, ReadonlySet<string> | undefined>();
  for (const [, names = "", cell = ""] of rows) {
    const may = cell.trim();
    const listed = may === "nothing of ours" ? [] : may.split(",").map((one) => one.trim());
    const isOpen = may.startsWith("anything");
    for (const [, room = ""] of names.matchAll(/`src\/([^`/]+)\/?`/g))
      table.set(room, isOpen ? undefined : new Set(listed));
  }
  for (const listed of table.values())
    for (const room of listed ?? [])
      if (!table.has(room))
        throw new Error(`docs/architecture.md lets a folder import ${room}, which has no row there.`);
  return table;
}

/** Whether the second room was entered from below. */
function isClimb(table: ImportTable, from: string, to: string): boolean {
  if (from === "") return false;
  const row = table.has(from) ? from : from.endsWith(".ts") ? anyFile : undefined;
  if (row === undefined || !table.has(row)) throw new Error(`docs/architecture.md has no row for src/${from}.`);
  return table.get(row)?.has(to) === false;
}

interface Entry {
  readonly from: string;
  readonly to: string;
  readonly times: number;
  readonly isClimb: boolean;
}

const entriesOf = (table: ImportTable, { entries }: Passage): Entry[] =>
  [...entries].flatMap(([from, rooms]) =>
    [...rooms].map(([to, times]) => ({ from, to, times, isClimb: isClimb(table, from, to) })),
  );

const sum = (entries: readonly Entry[]): number => entries.reduce((total, { times }) => total + times, 0);

/** All that is counted of a call, by its name. */
function countsOf(table: ImportTable, { own, inner, innerReads, files, namedFunctions }: Trace) {
  const [entries, innerEntries] = [entriesOf(table, own), entriesOf(table, inner)];
  return {
    "rooms entered": sum(entries),
    "different rooms": new Set(entries.map(({ to }) => to)).size,
    climbs: sum(entries.filter((one) => one.isClimb)),
    "leaf rooms entered": own.leafEntries,
    "inner reads": innerReads,
    "rooms entered by them": sum(innerEntries),
    "climbs of them": sum(innerEntries.filter((one) => one.isClimb)),
    "leaf rooms entered by them": inner.leafEntries,
    "files touched": files.size,
    "named functions run": namedFunctions.size,
  };
}

type Counts = ReturnType<typeof countsOf>;

/** What a confirm came to before the road was rebuilt; half of it is the goal, and a limit once it is reached. */
const goals: readonly { readonly of: keyof Counts; readonly before: number; readonly isLimit: boolean }[] = [
  { of: "rooms entered", before: 74, isLimit: true },
  { of: "climbs", before: 22, isLimit: true },
];

const table = readImportTable();
const traces = await (await loadCalls()).tracedCalls();
const counts = Object.values(traces).map((trace) => countsOf(table, trace));
const confirm = countsOf(table, traces.confirm);
const printRow = (title: string, cells: readonly unknown[]) =>
  console.log(title.padEnd(28), ...cells.map((cell) => String(cell).padStart(14)));
printRow("the road of a call", Object.keys(traces));
for (const name of Object.keys(confirm) as (keyof Counts)[])
  printRow(
    name,
    counts.map((one) => one[name]),
  );

console.log("\nrooms entered by a confirm");
for (const { from, to, times, isClimb } of entriesOf(table, traces.confirm.own).sort((a, b) => b.times - a.times))
  console.log(`${String(times).padStart(4)}  ${from || "the protocol"} -> ${to}${isClimb ? ", a climb" : ""}`);

console.log();
for (const { of, before, isLimit } of goals) {
  const goal = Math.floor(before / 2);
  const state = !isLimit ? "open" : confirm[of] <= goal ? "kept" : "MISSED";
  if (state === "MISSED") process.exitCode = 1;
  const measured = `${confirm[of]} (${before} before the road was rebuilt)`;
  const bound = isLimit ? `limit ${goal}` : `goal ${goal}, no limit yet`;
  console.log(`${state}  ${`a confirm: ${of}`.padEnd(30)} ${measured.padEnd(48)} ${bound}`);
}
