/** The calls that a result offers, as lines of its text that can be repeated unchanged. */
import { isRecord } from "../language/member.js";
import { NextCall } from "../language/next-call.js";
import { isScalar } from "./table.js";

/** Whether a list offers calls; a text among them is the mark of a truncation. */
export const isCallList = (value: unknown): value is readonly (NextCall | string)[] =>
  Array.isArray(value) && value.some((item) => item instanceof NextCall);

/** Whether the columns of a table show a call as clearly as a separate line. */
const isFlat = (value: unknown): boolean => value instanceof NextCall && Object.values(value.arguments).every(isScalar);

/** Whether a field of a record offers calls that need separate lines. */
const isLine = ([, value]: readonly [string, unknown]): boolean =>
  isCallList(value) || (value instanceof NextCall && !isFlat(value));

const linesOf = (label: string, value: unknown): string[] =>
  (isCallList(value) ? value : [value]).map(
    (call) => `${label}: ${typeof call === "string" ? call : JSON.stringify(call)}`,
  );

/** The records of a table without calls that are not readable in a cell, and a line for each of these. */
export function withoutCalls(records: readonly object[]): {
  readonly records: readonly object[];
  readonly lines: readonly string[];
} {
  const lines: string[] = [];
  const others = records.map((record, row) => {
    const members = Object.entries(record);
    const calls = members.filter(isLine);
    if (!isRecord(record) || calls.length === 0) return record;
    lines.push(...calls.flatMap(([name, value]) => linesOf(`${name} of row ${row + 1}`, value)));
    return Object.fromEntries(members.filter((member) => !isLine(member)));
  });
  return { records: others, lines };
}
