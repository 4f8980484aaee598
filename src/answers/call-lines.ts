/** The calls that a result offers, as lines of its text that can be repeated as they are. */
import { isRecord } from "../api/member.js";
import { NextCall } from "../api/next-call.js";
import { isScalar } from "./table.js";

/** Whether a list offers calls; a text among them is the mark of a cut. */
export const isCallList = (value: unknown): value is readonly (NextCall | string)[] =>
  Array.isArray(value) && value.some((item) => item instanceof NextCall);

/** Whether the columns of a table show a call as well as a line of its own would. */
const isFlat = (value: unknown): boolean => value instanceof NextCall && Object.values(value.arguments).every(isScalar);

/** The records of a table without the calls that would not be readable in a cell, and a line for each of these. */
export function withoutCalls(records: readonly object[]): {
  readonly records: readonly object[];
  readonly lines: readonly string[];
} {
  const lines: string[] = [];
  const others = records.map((record, row) => {
    const isLine = ([, value]: readonly [string, unknown]) =>
      isCallList(value) || (value instanceof NextCall && !isFlat(value));
    const members = Object.entries(record);
    if (!isRecord(record) || !members.some(isLine)) return record;
    for (const [name, value] of members.filter(isLine))
      for (const call of isCallList(value) ? value : [value])
        lines.push(`${name} of row ${row + 1}: ${typeof call === "string" ? call : JSON.stringify(call)}`);
    return Object.fromEntries(members.filter((member) => !isLine(member)));
  });
  return { records: others, lines };
}
