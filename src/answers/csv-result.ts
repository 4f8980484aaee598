/** An answer in CSV as it was sent: whole lines of it within the budget, and where the rest is. */
import type { RowFile } from "../api/row-file.js";
import type { CsvText } from "../codec/csv.js";
import { type Keep, onceKept } from "./kept-once.js";
import { placeOf } from "./place.js";
import { budgeted, type Presentation, type ToolResult } from "./result.js";
import { isComputable } from "./summary.js";
import { answerText } from "./text.js";

/** A reply whose body came as CSV. */
interface CsvReply {
  readonly status: number;
  readonly body: unknown;
  readonly csv: CsvText;
  readonly rows?: RowFile | undefined;
  readonly summary?: Readonly<Record<string, unknown>> | undefined;
  readonly headers?: Readonly<Record<string, string>>;
  readonly notes: readonly string[];
}

/** How many lines have room together, in bytes; at least one. */
function countWithin(lines: readonly string[], maxBytes: number): number {
  let left = maxBytes;
  const end = lines.findIndex((line) => {
    left -= Buffer.byteLength(line) + 1;
    return left < 0;
  });
  return end < 0 ? lines.length : Math.max(1, end);
}

/** The result of a reply in CSV: its text alone, and the rest of what there is to say in a text of its own. */
export function csvResult(reply: CsvReply, presentation: Presentation, keep?: Keep): ToolResult {
  const { status, csv, rows, summary, headers = {} } = reply;
  const lines = [...csv.before, ...csv.rows];
  const rowsIn = (some: readonly string[]): number => some.filter((line) => line !== "").length;
  const total = rows?.count ?? rowsIn(csv.rows);
  const whole = onceKept(rows ?? reply.body, keep);
  const isKept = keep !== undefined && rows === undefined && isComputable(reply.body);
  const content = (maxBytes: number) => {
    const count = countWithin(lines, maxBytes);
    const shown = rowsIn(lines.slice(csv.before.length, count));
    const isCut = rows !== undefined || count < lines.length;
    const text = [...lines.slice(0, count), ...(isCut ? [] : csv.after)].join("\n");
    const notes = [...reply.notes, ...(isCut ? [`${shown} of ${total} rows are shown.`, ...whole.note()] : [])];
    return {
      status,
      ...(!isCut && isKept ? whole.handle() : {}),
      data: text.endsWith("\n") ? text : `${text}\n`,
      ...(isCut ? { cut: true } : {}),
      ...(isCut && summary !== undefined ? { summary } : {}),
      ...(Object.keys(headers).length === 0 ? {} : { headers }),
      ...(notes.length === 0 ? {} : { notes }),
      ...placeOf(presentation),
    };
  };
  const made = budgeted(presentation, content, content, JSON.stringify);
  const { data, ...others } = made.structuredContent;
  return {
    ...made,
    content: [
      { type: "text", text: String(data) },
      { type: "text", text: answerText(others) },
    ],
  };
}
