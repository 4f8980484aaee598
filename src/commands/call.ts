/** `edgewise call`: one call from the shell, made like an assistant's. */
import type { Presentation } from "../answers/result.js";
import type { Progress } from "../calls/context.js";
import type { CallOrigin, FinalOutcome, Outcome } from "../calls/index.js";
import { refusalOfTool } from "../calls/offer.js";
import { withAllLines } from "../calls/row-file.js";
import { type Config, isEmulated, settings } from "../config.js";
import type { Catalogue } from "../engine/catalogue.js";
import { createSurface } from "../engine/create-surface.js";
import { type Menu, serverMenu } from "../engine/menu.js";
import { splitProfile } from "../engine/profile-argument.js";
import { type ProfileNames, profileOf } from "../language/account.js";
import type { Arguments } from "../language/conduct.js";
import { Failure, type FieldProblem } from "../language/failure.js";
import { lazily } from "../language/once-for.js";
import { invalidInput } from "../schema/arguments.js";
import { scrub } from "../secrets/held-secrets.js";
import { argumentsInFlags, argumentsInWords, declaredTool, flagsOf, problemInFlags, unknownTool } from "./arguments.js";
import { askApproval, atTerminal, hasTerminal, isPreviewWhole, secretPrompt } from "./at-terminal.js";
import { type Command, callFlags, exitCodeOf, flagValue, log, logFailure, print, refuse } from "./command.js";
import { inEmulatedWorld } from "./emulated-world.js";
import { type OutputFormat, outcomeLines, outputOf } from "./output.js";
import { pictureLines, type ResultFile, resultFile, writeResult } from "./result-file.js";
import { shellTerms } from "./shell-terms.js";
import { columnsOfTerminal, terminalProgress } from "./terminal.js";

type Question = Extract<Outcome, { kind: "question" }>;

/** Further flags to suggest for a mistyped one, in addition to the tool's arguments. */
const furtherFlags = [...Object.keys(settings).map((name) => `--${name}`), ...Object.keys(callFlags), "--help"];

/** The arguments from the words after a tool's name; its declaration is loaded if there are flags among them. */
async function argumentsOf(tool: string, words: readonly string[], surface: Awaited<ReturnType<typeof createSurface>>) {
  let hasJson = false;
  const inWords = (bare: readonly string[]) => {
    hasJson = bare.length > 0;
    return argumentsInWords(bare, process.stdin);
  };
  if (!words.some((word) => word.startsWith("--"))) return { args: await inWords(words), hasJson };
  const declared = await declaredTool(tool, surface.catalogue);
  if (!declared) throw new Error("A tool of the catalogue has no declaration.");
  return { args: await argumentsInFlags(tool, words, declared.schema, furtherFlags, inWords), hasJson };
}

/**
 * The profile that a call names, in an argument or by `--profile`.
 * @throws Failure if it does not exist.
 */
function inOneProfile(tool: string, given: Arguments, profiles: ProfileNames | undefined) {
  if (!profiles) return { args: given, profile: undefined };
  const { profile: named, args } = splitProfile(given, false);
  const profile = profileOf(profiles, named, tool);
  if (profile instanceof Failure) refuse(profile.message, `Write --profile NAME before ${tool}.`);
  return { args, profile };
}

/** A failure of arguments with its problems in the words of the line. */
export function failureOnLine({ code, detail }: Failure, tool: string, fields: readonly FieldProblem[]): FinalOutcome {
  const { message, detail: named } = invalidInput(tool, fields);
  const next = `Correct them; \`edgewise call ${tool} --help\` describes each.`;
  return { kind: "failure", failure: new Failure(code, message, { ...detail, ...named, next }) };
}

/** A failure of arguments that names their flags, if they have any. */
async function withFlags(
  outcome: FinalOutcome,
  tool: string,
  words: readonly string[],
  hasJson: boolean,
  catalogue: Catalogue,
): Promise<FinalOutcome> {
  if (outcome.kind !== "failure") return outcome;
  const { code, detail } = outcome.failure;
  if (code !== "invalid_input" || detail.fields === undefined) return outcome;
  const flagNames = words.flatMap((word) => /^--([^=]+)/.exec(word)?.[1] ?? []);
  const isFlag = (field: string) =>
    !hasJson ||
    flagNames.some((name) => field === name || field.startsWith(`${name}.`) || field.startsWith(`${name}[`));
  const declared = await declaredTool(tool, catalogue);
  const flags = declared ? flagsOf(declared.schema) : [];
  const fields = detail.fields.flatMap((one) => (isFlag(one.field) ? problemInFlags(one, flags) : [one]));
  return failureOnLine(outcome.failure, tool, fields);
}

/** Writes a result to its file, if the line has one, and reports that on stderr. */
async function isInFile(
  { file, isQuiet }: CallOutput,
  outcome: FinalOutcome,
  lines: readonly string[],
): Promise<boolean | undefined> {
  if (file === undefined) return undefined;
  try {
    const summary = await writeResult(file, outcome, lines);
    if (!isQuiet) log(summary);
    return true;
  } catch (error) {
    if (!(error instanceof Failure)) throw error;
    logFailure(error);
    return false;
  }
}

/** A response with all its rows, even from a long CSV report: later commands have no stored results to read. */
const withWholeReport = (outcome: FinalOutcome, { given }: Config): FinalOutcome =>
  outcome.kind === "answer" && !given.has("max-result-tokens")
    ? { ...outcome, reply: withAllLines(outcome.reply) }
    : outcome;

/** A shell gets the whole response unless it asks for less. */
const unbounded = ({ given }: Config, presentation: Presentation): Presentation =>
  given.has("max-result-tokens") ? presentation : { ...presentation, maxTokens: Number.MAX_SAFE_INTEGER };

/** The caller: the user at this terminal, who can be asked, or else a program. */
function callOriginOf(tool: string, config: Config, menu: Menu, progress: Progress): CallOrigin {
  const isAsked = hasTerminal();
  return {
    owner: "local",
    offer: menu,
    refusal: refusalOfTool(menu, tool),
    signal: undefined,
    progress,
    supportsElicitation: isAsked,
    ...(isAsked ? { askSecret: secretPrompt(process.stdin, process.stderr) } : {}),
    isUnattended: true,
    endsWithCall: true,
    endsWithWorld: isEmulated(config),
  };
}

interface CallOutput {
  readonly config: Config;
  readonly presentation: Presentation;
  readonly terms: ReturnType<typeof shellTerms>;
  /** The output format for stdout. */
  readonly output: OutputFormat;
  readonly file: ResultFile | undefined;
  /** The list of the result that its rows are of. */
  readonly list: string | undefined;
  /** Whether the call can be made again with another list. */
  readonly isRead: boolean;
  /** Whether notes, and what to do next, are left out. */
  readonly isQuiet: boolean;
}

/** The user's decision on a change at this terminal; `isWhole` shows the whole preview at once. */
async function decisionOn(question: Question, { terms, presentation }: CallOutput, isWhole: boolean) {
  const { preview, plan, needsTarget } = question;
  const lines = await terms.previewLines(preview, plan);
  const shown = { ...preview, lines: lines.map((line) => scrub(line, presentation.secrets)) };
  const verb = needsTarget ? "To do this now" : "Do this now";
  const approvalQuestion = { preview: shown, needsTarget, isWhole, verb };
  return { plan: plan.id, ...(await atTerminal((terminal) => askApproval(terminal, approvalQuestion))) };
}

/** The format of an outcome. A failure is not written to the file, and stdout is free for it. */
const outputFor = (hasResult: boolean, { output, file }: CallOutput): OutputFormat =>
  file?.output === undefined ? output : hasResult ? file.output : "table";

/** The exit code of a call whose result goes to a file, depending on whether it was written. */
function exitCodeAfter(outcome: FinalOutcome, isWritten: boolean | undefined): number {
  if (outcome.kind === "failure") return exitCodeOf(outcome.failure);
  if (outcome.kind === "preview" || isWritten === false) return 1;
  return outcome.kind === "workflow" && outcome.hasFailed === true ? 1 : 0;
}

/**
 * Writes an outcome to stdout and stderr, and a result to the file of the line.
 * @param wasAsked Whether the reader has just read its preview.
 * @returns The exit code.
 */
async function writeOutcome(ended: FinalOutcome, writing: CallOutput, wasAsked: boolean): Promise<number> {
  const { config, presentation, terms, file, list, isRead, isQuiet } = writing;
  const hasResult = ended.kind === "answer" || ended.kind === "workflow";
  const output = outputFor(hasResult, writing);
  // Programs get calls as they are sent, people get lines. The rows of a workflow have them in their cells.
  const isForReader = output === "table" || (output !== "json" && ended.kind !== "workflow");
  const { outcome, next } = isForReader ? await terms.forReader(ended, wasAsked) : { outcome: ended, next: [] };
  const { out, err } = outcomeLines(outcome, unbounded(config, presentation), output, {
    list,
    isRead,
    out: columnsOfTerminal(process.stdout),
    err: columnsOfTerminal(process.stderr),
    next: isQuiet ? [] : next,
    howToApprove: terms.howToApprove,
  });
  // Of a result, stderr has only notes.
  for (const line of isQuiet && hasResult ? [] : err) log(line);
  const isWritten = hasResult ? await isInFile(writing, outcome, out) : undefined;
  if (file?.output === undefined || isWritten === false) out.forEach(print);
  if (output === "table") pictureLines(outcome, columnsOfTerminal(process.stdout)).forEach(print);
  return exitCodeAfter(outcome, isWritten);
}

/** A call as a command line asks for it. */
interface CallLine {
  readonly tool: string;
  /** The flags of the command. */
  readonly flags: readonly string[];
  readArguments(): Promise<Arguments>;
  /** An outcome in the words of the command line. */
  inWords(outcome: FinalOutcome): Promise<FinalOutcome>;
}

/**
 * Makes the call of a line, and writes its outcome.
 * @returns The exit code.
 */
export async function makeCall(
  config: Config,
  surface: Awaited<ReturnType<typeof createSurface>>,
  { tool, flags, readArguments, inWords }: CallLine,
): Promise<number> {
  const output = outputOf(flags, process.stdout.isTTY === true);
  const isWhole = isPreviewWhole(flags);
  const list = flagValue(flags, "--list");
  const file = await resultFile(tool, flags);
  const rows = file?.output ?? output;
  if (list !== undefined && rows !== "csv" && rows !== "ndjson")
    refuse("--list takes the list of which CSV or NDJSON has the rows.", "Add --output csv, or --to FILE.csv.");
  const menu = serverMenu(surface);
  const { args: given, profile } = inOneProfile(tool, await readArguments(), menu.choice.profiles);
  const ticket = flagValue(flags, "--ticket");
  const args = ticket === undefined ? given : { ...given, ticket };
  const { runtimeFor: within, close } = await surface.engine();
  const isQuiet = flags.includes("--quiet");
  const { progress, clear } = terminalProgress(isQuiet ? { write: () => undefined } : process.stderr);
  const origin = callOriginOf(tool, config, menu, progress);
  try {
    const { calls, presentation } = await within(profile, origin);
    const terms = shellTerms(config, menu, profile, presentation.secrets);
    const isRead = surface.catalogue.get(tool)?.effect === "read";
    const writing: CallOutput = { config, presentation, terms, output, file, list, isRead, isQuiet };
    const askAndCall = async (question: Question): Promise<FinalOutcome> => {
      clear();
      const decision = await decisionOn(question, writing, isWhole);
      const outcome = await calls.call(tool, args, { ...origin, decision });
      if (outcome.kind === "question") throw new Error("A decision was answered with another question.");
      return outcome;
    };
    const first = await calls.call(tool, args, origin);
    const ended = first.kind === "question" ? await askAndCall(first) : first;
    clear();
    const world = await inEmulatedWorld(ended, tool, config, surface.catalogue);
    const shownOutcome = await terms.inTerms(await inWords(withWholeReport(world.outcome, config)));
    const code = await writeOutcome(shownOutcome, writing, first.kind === "question").catch((error: unknown) => {
      if (!(error instanceof Failure)) throw error;
      logFailure(error);
      return 1;
    });
    if (world.line !== undefined && !isQuiet) log(world.line);
    return code;
  } finally {
    await close();
  }
}

export const callCommand: Command = async (config, [tool], flags, words = []) => {
  if (tool === undefined)
    refuse(
      "call takes a tool and its arguments.",
      'Write: edgewise call TOOL --name value, or edgewise call TOOL \'{"name": "value"}\'.',
    );
  const surface = await createSurface(config, log);
  const { catalogue } = surface;
  if (!catalogue.has(tool)) throw unknownTool(tool, catalogue);
  const readLine = lazily(() => argumentsOf(tool, words, surface));
  return makeCall(config, surface, {
    tool,
    flags,
    readArguments: async () => (await readLine()).args,
    inWords: async (outcome) => withFlags(outcome, tool, words, (await readLine()).hasJson, catalogue),
  });
};
