/**
 * Questions at a terminal: the approval of a change, with as much of its preview as fits, and secrets, without echo.
 */
import { createInterface, type ReadLineOptions } from "node:readline/promises";
import { Writable } from "node:stream";
import { type FoldedPreview, foldPreview, type KeptPreview } from "../guard/index.js";
import { Failure } from "../language/failure.js";
import { onOneLine } from "../text/marks.js";
import { choiceIn, log, previews } from "./command.js";
import { widthOf, wrapText } from "./terminal.js";

export interface Terminal {
  /** Its size; absent if unknown, so that nothing is folded. */
  readonly size?: { readonly columns: number; readonly rows: number };
  say(line: string): void;
  /** Reads a line; an empty text if the user leaves. */
  ask(question: string): Promise<string>;
}

/** Whether there is a terminal for both input and output. */
export const hasTerminal = (): boolean => process.stdin.isTTY === true && process.stderr.isTTY === true;

/**
 * Whether `--preview` asks for all lines at once.
 * @throws Failure `bad_configuration` for an unknown value.
 */
export const isPreviewWhole = (words: readonly string[]): boolean => choiceIn(words, "--preview", previews) === "full";

/** Asks for lines at the terminal while it is used; an empty text means that the user leaves. */
async function withQuestions<T>(typed: ReadLineOptions, use: (ask: Terminal["ask"]) => Promise<T>): Promise<T> {
  const lines = createInterface(typed);
  // A question whose terminal is closed is never answered.
  const left = new Promise<string>((resolve) => lines.once("close", () => resolve("")));
  try {
    return await use((question) => Promise.race([lines.question(question), left]));
  } finally {
    lines.close();
  }
}

/** Runs a function with the terminal of this process, which is released afterwards. */
export function atTerminal<T>(use: (terminal: Terminal) => Promise<T>): Promise<T> {
  const { stdin: input, stderr: output } = process;
  const { columns, rows } = output;
  const size = columns > 0 && rows > 0 ? { size: { columns, rows } } : {};
  return withQuestions({ input, output }, (ask) => use({ ...size, say: log, ask }));
}

/** The content and form of a question. */
interface ApprovalQuestion {
  readonly preview: KeptPreview;
  /** Whether the preview's target has to be typed. */
  readonly needsTarget: boolean;
  /** `--preview full`: whether all lines are shown at once. */
  readonly isWhole: boolean;
  /** The wording of the approval: `Do this now`. */
  readonly verb: string;
}

// The question, the sentence about folded lines, and the line for the answer.
const linesOfQuestion = 5;

// No line of a preview is indented this far, so that continuation lines are recognizable.
const hang = "      ";

/** A line of a preview, wrapped between words if only single spaces are affected. */
const wrappedLine = (line: string, columns: number | undefined): string[] =>
  /\S {2,}/.test(line) ? [line] : wrapText(line, columns, hang);

const countText = (count: number, of: string): string[] => (count === 0 ? [] : [`${count} ${of}`]);

/** The sentence about lines that are not shown; undefined if all are. */
function hiddenLinesNote({ now, repeated }: FoldedPreview): string | undefined {
  const parts = [
    ...countText(repeated, "of the request, which are covered by the changes above"),
    ...countText(now, "of the present state"),
  ];
  if (parts.length === 0) return undefined;
  return `… ${now + repeated} more lines: ${parts.join(", and ")}. Type v to see all of them.`;
}

/** The head of a preview, which is repeated before the question if it has scrolled away. */
const headOf = ({ lines, warnings }: KeptPreview): string[] => [
  lines[0] ?? "",
  ...warnings.map((warning) => `Warning: ${onOneLine(warning)}`),
];

/**
 * Shows a preview and asks until the answer is not `v`, which shows all of it.
 * @returns The typed text; only a yes, or the target if it is required, is an approval.
 */
export async function askApproval(
  { size, say, ask }: Terminal,
  { preview, needsTarget, isWhole, verb }: ApprovalQuestion,
): Promise<{ readonly isApproved: boolean; readonly typed: string }> {
  const target = onOneLine(preview.target);
  const printable: KeptPreview = { ...preview, lines: preview.lines.map(onOneLine) };
  const inLines = (line: string): string[] => wrappedLine(line, size?.columns);
  const heightOf = (line: string): number =>
    inLines(line).reduce((sum, one) => sum + Math.max(1, Math.ceil(widthOf(one) / (size?.columns ?? 1))), 0);
  const heightOfAll = (lines: readonly string[]): number => lines.reduce((sum, line) => sum + heightOf(line), 0);
  const height = size === undefined ? Number.POSITIVE_INFINITY : size.rows - linesOfQuestion;
  const show = (lines: readonly string[]): void => {
    lines.flatMap(inLines).forEach(say);
    // The most important lines have scrolled away by then.
    if (heightOfAll(lines) > height) ["", ...headOf(printable)].flatMap(inLines).forEach(say);
  };
  const room = isWhole ? Number.POSITIVE_INFINITY : height;
  const first = foldPreview(printable, room, heightOf);
  show(first.lines);
  const hiddenNote = hiddenLinesNote(first);
  if (hiddenNote !== undefined) say(hiddenNote);
  const v = hiddenNote === undefined ? "" : ", or v for the whole preview";
  const question = needsTarget ? `${verb}: type ${target}${v}\n> ` : `${verb}? (yes or no${v}) `;
  for (;;) {
    const typed = await ask(question);
    const isApproved = needsTarget ? typed === target : /^y(es)?$/i.test(typed.trim());
    if (isApproved || hiddenNote === undefined || !/^v$/i.test(typed.trim())) return { isApproved, typed };
    show(printable.lines);
  }
}

/** Discards what readline would echo. */
const silent = (): Writable => new Writable({ write: (_chunk, _encoding, done) => done() });

/**
 * Creates the question for secrets.
 * @param prompt Where the question is written; the input is never echoed.
 * @throws Failure `declined`, from the question, if nothing was typed.
 */
export function secretPrompt(
  input: NodeJS.ReadableStream,
  prompt: NodeJS.WritableStream,
): (argument: string, member: string) => Promise<string> {
  const answers = new Map<string, Promise<string>>();
  const ask = async (argument: string, member: string): Promise<string> => {
    prompt.write(`${member} (not shown, or name a file in ${argument}): `);
    const silently = { input, output: silent(), terminal: true, historySize: 0 };
    const typed = await withQuestions(silently, (question) => question(""));
    prompt.write("\n");
    if (typed !== "") return typed;
    throw new Failure("declined", `Nothing was typed for ${member}.`, {
      why: "The call needs it. Nothing was sent.",
      next: `Make the call again and type it, or name a file that contains it in ${argument}.`,
    });
  };
  return (argument, member) => {
    const found = answers.get(argument) ?? ask(argument, member);
    answers.set(argument, found);
    return found;
  };
}
