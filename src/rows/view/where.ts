/** The conditions of a view: parsed from short texts, and tested on the cells of rows. */
import { quoteValue } from "../../language/failure.js";
import { isEmpty } from "../../language/member.js";
import { dayMs, hourMs, minuteMs } from "../../time/durations.js";
import type { Row } from "../index.js";
import { cellText } from "../row-text.js";
import { compareExact, type Exact, exactOf, parseNumber } from "./decimal.js";
import { columnOf, findColumn, opensName, placesOutsideQuotes, splitAtCommas, unquote } from "./schema.js";
import type { Clock, LocalMoment, Scope } from "./scope.js";

type Operator = "=" | "<" | ">" | "<=" | ">=" | "contains" | "starts" | "ends" | "in" | "empty";
interface Form {
  readonly operator: Operator;
  readonly isNot?: true;
}

/** The notations of an operator; the first in a text counts, and of two at one position the longer. */
const forms: Readonly<Record<string, Form>> = {
  "=": { operator: "=" },
  "==": { operator: "=" },
  "!=": { operator: "=", isNot: true },
  "<>": { operator: "=", isNot: true },
  "<": { operator: "<" },
  ">": { operator: ">" },
  "<=": { operator: "<=" },
  ">=": { operator: ">=" },
  " contains ": { operator: "contains" },
  " not contains ": { operator: "contains", isNot: true },
  " does not contain ": { operator: "contains", isNot: true },
  " starts with ": { operator: "starts" },
  " ends with ": { operator: "ends" },
  " in ": { operator: "in" },
  " not in ": { operator: "in", isNot: true },
  " is empty": { operator: "empty" },
  " is null": { operator: "empty" },
  " is not empty": { operator: "empty", isNot: true },
  " is not null": { operator: "empty", isNot: true },
  " is ": { operator: "=" },
  " is not ": { operator: "=", isNot: true },
};

interface ParsedCondition extends Form {
  readonly member: string;
  readonly value: string;
}

/** Lower case that preserves positions, because some letters change their length. */
const lowered = (text: string): string => text.replace(/[A-Z]/g, (letter) => letter.toLowerCase());

function parseCondition(text: string): ParsedCondition | undefined {
  // A quoted name may contain an operator.
  const quote = text[0] ?? "";
  const closing = quote === '"' || quote === "`" ? text.indexOf(quote, 1) : -1;
  const lower = lowered(text);
  let best: { readonly at: number; readonly sign: string } | undefined;
  for (const sign of Object.keys(forms)) {
    const at = lower.indexOf(sign, closing + 1);
    if (at < 1) continue;
    if (!best || at < best.at || (at === best.at && sign.length > best.sign.length)) best = { at, sign };
  }
  const form = best && forms[best.sign];
  if (!best || !form) return undefined;
  const value = text.slice(best.at + best.sign.length).trim();
  if ((value === "") !== (form.operator === "empty")) return undefined;
  return { ...form, member: text.slice(0, best.at).trim(), value };
}

/** An apostrophe is a quote only where a value can begin. */
const opensValue = (sign: string, before: string): boolean =>
  opensName(sign) || (sign === "'" && /[\s=<>,([]/.test(before));

/** The parts of a text separated by a word outside of quotes. */
function splitAtWord(text: string, word: string): string[] {
  const lower = lowered(text);
  const parts: string[] = [];
  let start = 0;
  for (const at of placesOutsideQuotes(text, opensValue)) {
    if (!lower.startsWith(word, at)) continue;
    parts.push(text.slice(start, at));
    start = at + word.length;
  }
  return [...parts, text.slice(start)].map((part) => part.trim());
}

const unitMs: Readonly<Record<string, number>> = { m: minuteMs, h: hourMs, d: dayMs, w: 7 * dayMs };

/** The moment of a written value: a time in the view's zone, or `now` with a distance. */
function momentIn(text: string, { clock, nowMs }: Scope): LocalMoment | undefined {
  const [, sign, count = "0", unit = "m"] = /^now(?:\s*([+-])\s*(\d{1,6})\s*([mhdw]))?$/i.exec(text) ?? [];
  if (/^now/i.test(text) && (sign !== undefined || text.length === 3)) {
    const distance = Number(count) * (unitMs[unit.toLowerCase()] ?? 0);
    return { ms: nowMs + (sign === "-" ? -distance : distance), local: 0, isDay: false };
  }
  return clock.momentOf(text, { zoned: true });
}

/** A written value, in the form for each type of cell. */
interface Value {
  readonly text: string;
  readonly number: Exact | undefined;
  readonly moment: LocalMoment | undefined;
  /** The first instant after the moment: of the day after a date. */
  readonly after: number;
}

function readValue(rawText: string, scope: Scope): Value {
  const text = unquote(rawText);
  const moment = momentIn(text, scope);
  const after = moment === undefined ? 0 : moment.isDay ? scope.clock.dayAfter(moment) : moment.ms + 1;
  return { text: text.toLowerCase(), number: parseNumber(text), moment, after };
}

/**
 * The position of a cell relative to a value: negative before it, zero in it, positive after it; undefined if they are
 * not comparable.
 */
function distance(cell: unknown, value: Value, clock: Clock): number | undefined {
  const { moment, after } = value;
  const ms = moment && clock.momentOf(cell, { epoch: true })?.ms;
  if (moment && ms !== undefined) return ms >= after ? 1 : Math.min(0, Math.sign(ms - moment.ms));
  const number = exactOf(cell);
  if (value.number !== undefined && number !== undefined) return compareExact(number, value.number);
  if (typeof cell === "object" || cell === undefined) return undefined;
  const text = String(cell).toLowerCase();
  // A word is neither more nor less than a number.
  if (text === value.text) return 0;
  return value.number !== undefined || value.moment || number !== undefined ? undefined : text < value.text ? -1 : 1;
}

type Test = (cell: unknown) => boolean;

function testOf({ operator, value }: ParsedCondition, scope: Scope): Test {
  if (operator === "empty") return isEmpty;
  const holds = holdsFor(operator, valuesOf(operator, value, scope), scope.clock);
  // A list matches if one of its items does.
  return (cell) => (Array.isArray(cell) ? cell.some(holds) : holds(cell));
}

function valuesOf(operator: Operator, value: string, scope: Scope): readonly Value[] {
  const inList = value.replace(/^[([]/, "").replace(/[)\]]$/, "");
  return (operator === "in" ? splitAtCommas(inList) : [value]).map((one) => readValue(one, scope));
}

const byDistance: Readonly<Record<"<" | ">" | "<=" | ">=", (at: number) => boolean>> = {
  "<": (at) => at < 0,
  ">": (at) => at > 0,
  "<=": (at) => at <= 0,
  ">=": (at) => at >= 0,
};
const byText: Readonly<Record<"contains" | "starts" | "ends", (text: string, value: string) => boolean>> = {
  contains: (text, value) => text.includes(value),
  starts: (text, value) => text.startsWith(value),
  ends: (text, value) => text.endsWith(value),
};

/** Whether a single cell matches an operator with its values. */
function holdsFor(operator: Exclude<Operator, "empty">, values: readonly Value[], clock: Clock): Test {
  const [only] = values;
  const isThere = (cell: unknown): boolean => cell !== null && cell !== undefined;
  if (only === undefined) return () => false;
  if (operator === "=" || operator === "in")
    return (cell) => isThere(cell) && values.some((one) => distance(cell, one, clock) === 0);
  if (operator === "contains" || operator === "starts" || operator === "ends") {
    const isMet = byText[operator];
    return (cell) => isThere(cell) && isMet(cellText(cell).toLowerCase(), only.text);
  }
  const isMet = byDistance[operator];
  return (cell) => {
    const at = isThere(cell) ? distance(cell, only, clock) : undefined;
    return at !== undefined && isMet(at);
  };
}

const grammar = [
  '"status = 404", "hits >= 1000", "name contains shop", "type in A,AAAA", "end is empty"; operators are =, !=, <, <=, >, >=, in, not in, contains, not contains, starts with, ends with, is empty, is not empty',
];

function conditionsIn(text: string, scope: Scope): readonly ParsedCondition[] {
  const parts = splitAtWord(text, " and ");
  const partConditions = parts.map(parseCondition);
  // Text next to "and" without an operator belongs to a value, such as "terms and conditions".
  const conditions = partConditions.every((one) => one !== undefined) ? partConditions : [parseCondition(text)];
  const usable = conditions.flatMap((one) => (one === undefined ? [] : [one]));
  const isChoice = usable.some(({ value }) => splitAtWord(value, " or ").slice(1).some(parseCondition));
  if (usable.length === 0 || isChoice)
    scope.problems.push({
      field: "where",
      given: quoteValue(text),
      ...(isChoice
        ? { takes: `conditions that all hold; for one of several values use in: "type in A,AAAA"` }
        : { takes: "field, operator and value", names: grammar }),
    });
  return usable;
}

/** A condition on what a group has, such as `sum(hits) > 1000`. */
export interface GroupCondition {
  readonly member: string;
  readonly isMet: Test;
}

/** The conditions of a view. */
interface Conditions {
  /** Whether a row matches all of its conditions; undefined if there are none. */
  readonly ofRow: ((row: Row) => boolean) | undefined;
  readonly ofGroup: readonly GroupCondition[];
}

/**
 * Parses the conditions of a view; problems are reported to the scope.
 * @param isGrouped Whether a condition can be on what a group has: what names no field of the rows is taken for one.
 */
export function conditionsOf(
  scope: Scope,
  input: string | readonly string[] | undefined,
  isGrouped: boolean,
): Conditions {
  const texts = input === undefined ? [] : typeof input === "string" ? [input] : input;
  const ofGroup: GroupCondition[] = [];
  const tests = texts
    .flatMap((text) => conditionsIn(text.trim(), scope))
    .flatMap((condition) => {
      const { member, isNot = false } = condition;
      const test = testOf(condition, scope);
      if (isGrouped && "problem" in findColumn(scope, member, "where")) {
        ofGroup.push({ member, isMet: (cell) => test(cell) !== isNot });
        return [];
      }
      const column = columnOf(scope, member, "where");
      return column ? [(row: Row) => test(column.read(row)) !== isNot] : [];
    });
  return { ofRow: tests.length === 0 ? undefined : (row) => tests.every((test) => test(row)), ofGroup };
}
