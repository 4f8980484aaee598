/** A response in CSV as it was sent: the whole lines that fit, and where the rest is. */
import type { AnswerDisplay } from "../language/conduct.js";
import { defined, isEmpty } from "../language/member.js";
import type { CsvText } from "../rows/csv-reader.js";
import { cheapRows } from "../rows/index.js";
import { type KeepResult, referenceTo } from "../rows/result-store.js";
import type { RowFile } from "../rows/row-file.js";
import { isComputable } from "../rows/summary.js";
import { unitsOf } from "../rows/units.js";
import { fittingCount } from "./budget.js";
import { targetFields } from "./place.js";
import { budgetedResult, type Presentation, type ToolResult } from "./result.js";
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

const bytesOfLine = (line: string): number => Buffer.byteLength(line) + 1;

const countRows = (lines: readonly string[]): number => lines.filter((line) => line !== "").length;

/** The result of a reply in CSV: only its lines, with everything else in a separate text. */
export function csvResult(
  reply: CsvReply,
  presentation: Presentation,
  shows: AnswerDisplay = {},
  keep?: KeepResult,
): ToolResult {
  const { status, csv, rows, summary, headers } = reply;
  const lines = [...csv.before, ...csv.rows];
  const total = rows?.count ?? countRows(csv.rows);
  const reference = referenceTo(rows ?? reply.body, keep);
  const units = unitsOf(reply.body, shows, shows.units ? cheapRows(reply.body, shows) : []);
  const isKept = keep !== undefined && rows === undefined && isComputable(reply.body);
  const content = (maxBytes: number) => {
    const count = fittingCount(lines, maxBytes, bytesOfLine);
    const shown = countRows(lines.slice(csv.before.length, count));
    const isCut = rows !== undefined || count < lines.length;
    const ending = isCut
      ? {
          lines: [],
          said: { cut: true, summary },
          notes: [`${shown} of ${total} rows are shown.`, ...reference.note()],
        }
      : { lines: csv.after, said: {}, notes: [] };
    const text = [...lines.slice(0, count), ...ending.lines].join("\n");
    const notes = [...reply.notes, ...ending.notes];
    return defined({
      status,
      ...(!isCut && isKept ? reference.handle() : {}),
      data: text.endsWith("\n") ? text : `${text}\n`,
      ...ending.said,
      units,
      headers: isEmpty(headers) ? undefined : headers,
      notes: isEmpty(notes) ? undefined : notes,
      ...targetFields(presentation),
    });
  };
  const result = budgetedResult(presentation, content, content, JSON.stringify);
  const { data, ...others } = result.structuredContent;
  return {
    ...result,
    content: [
      { type: "text", text: String(data) },
      { type: "text", text: answerText(others) },
    ],
  };
}
