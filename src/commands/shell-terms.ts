/** An outcome in the terms of a shell: next steps are lines to paste instead of an assistant's calls. */
import { warnedBefore } from "../calls/finish.js";
import type { Outcome } from "../calls/index.js";
import type { Config } from "../config.js";
import { Failure } from "../language/failure.js";
import { parsedJson } from "../language/json.js";
import { isRecord, omitted, withEach } from "../language/member.js";
import { NextCall } from "../language/next-call.js";
import { pageTool, queryTool, resultTool, viewTool } from "../language/own-tools.js";
import type { Menu } from "../mcp/menu.js";
import { givenWords, type PasteLines, pasteLines, programWords, shellWords } from "./paste-line.js";

/** The end of the JSON object at the start of a text; undefined if it has no end. */
function objectEnd(text: string): number | undefined {
  let depth = 0;
  let isText = false;
  for (let at = 0; at < text.length; at += 1) {
    const character = text[at];
    if (isText && character === "\\") at += 1;
    else if (character === '"') isText = !isText;
    else if (!isText && character === "{") depth += 1;
    else if (!isText && character === "}") {
      depth -= 1;
      if (depth === 0) return at + 1;
    }
  }
  return undefined;
}

/** The JSON arguments at the start of a text, and where they end; undefined if it starts with something else. */
function argumentsAt(text: string) {
  const end = objectEnd(text);
  if (end === undefined) return undefined;
  const args = parsedJson(text.slice(0, end));
  return isRecord(args) ? { args, end } : undefined;
}

/** A sentence in which calls with arguments, as written by `callInWords`, become commands. */
async function withCommands(text: string, paste: Pick<PasteLines, "lineOf">): Promise<string> {
  const found = /(?:\b([Cc])all )?\b([a-z]+(?:_[a-z0-9]+)+) with (?=\{)/.exec(text);
  if (!found) return text;
  const [whole, letter, tool = ""] = found;
  const begin = found.index + whole.length;
  const read = argumentsAt(text.slice(begin));
  const line = read && (await paste.lineOf({ tool, arguments: read.args }));
  const before = text.slice(0, found.index);
  const rest = text.slice(begin + (read?.end ?? 0));
  const verb = letter === undefined ? "" : letter === "C" ? "Run " : "run ";
  const said = line === undefined ? text.slice(found.index, text.length - rest.length) : `${verb}\`${line}\``;
  return before + said + (await withCommands(rest, paste));
}

/** Sentences that do not apply at a shell, with their replacements; they are left out if that is empty. */
const sentences: readonly (readonly [about: RegExp, instead: string])[] = [
  // Commands do not store results, so everything that is needed has to be requested at once.
  [new RegExp(`(?<!call )\\b(?:${resultTool}|${queryTool}|${viewTool})\\b`), ""],
  [
    /\bRepeat the call whose result was stored\b/,
    "Commands do not store results: make the call again, and read its rows with --output csv.",
  ],
  // A command ends and receives no notifications.
  [/\blive:\/\//, ""],
  [/\bDo not ask again unless the user wants it\b/, "Run the same line again if it is wanted after all."],
  [/\bThe user was asked and did not approve\b/, "The answer did not approve it."],
];

const asksAnew = "Run the same line again: it previews the present state, and asks again.";

/** The sentences of a text that apply at a shell. There, only the user at the terminal approves. */
function trueOf(text: string): string {
  const all = text.split(/(?<=\.) /);
  const confirming = all.findIndex((one) => /\bwithout confirm\b/.test(one));
  const told = (confirming === -1 ? all : [...all.slice(0, confirming), asksAnew]).map((one) => {
    const found = sentences.find(([about]) => about.test(one));
    return found ? found[1] : one;
  });
  return told.filter((one) => one !== "").join(" ");
}

/** Phrases that do not apply at a shell, within sentences that do, with their replacements. */
const terms: readonly (readonly [said: RegExp, instead: string])[] = [
  [/,? and confirm does not replace (?:it|(?:that|their) answer)(?:, whatever [^.]*)?/g, ""],
  [/ outside (?:the|this) conversation/g, ""],
  // In the form of `callInWords`, so that it becomes a command.
  [/\b([Cc]all \w+) with plan ("[^"]+")/g, '$1 with {"plan":$2}'],
  [/the resource ([a-z]+:\/\/[^\s.,;]+(?:\.[^\s.,;]+)*)/g, "`edgewise show $1`"],
  [
    new RegExp(`\\b${pageTool} describes all arguments of (\\w+)`, "g"),
    "`edgewise call $1 --help` lists its arguments",
  ],
  [new RegExp(`\\b${pageTool} gives the whole schema of (\\w+)`, "g"), "`edgewise call $1 --help` lists its arguments"],
];

/**
 * One of our sentences about what to do or to know, as it applies at a shell; empty if it does not.
 * @param isTool Whether a word is the name of a tool.
 */
export async function shellSentence(
  text: string,
  paste: PasteLines,
  isTool: (word: string) => boolean,
): Promise<string> {
  const told = terms.reduce((said, [pattern, instead]) => said.replace(pattern, instead), trueOf(text));
  return (await withCommands(told, paste)).replace(
    // Text in backquotes is already a command.
    /`[^`]*`|\b([Cc]all|[Ww]ith|[Bb]y|[Pp]oll) ([a-z]+(?:_[a-z0-9]+)+)\b/g,
    (whole, verb?: string, tool = "") => {
      if (!isTool(tool)) return whole;
      const said = verb === "Call" ? "Run" : verb === "call" ? "run" : verb;
      return `${said} \`${paste.begin(tool)}\``;
    },
  );
}

/** A call, and its field: `readMore`, or `changes.readMore` for one of the rows of `changes`. */
interface OfferedCall {
  readonly at: string;
  readonly call: NextCall;
}

function without(value: unknown, at: readonly string[], found: OfferedCall[]): unknown {
  if (value instanceof NextCall) {
    found.push({ at: at.join("."), call: value });
    return omitted;
  }
  if (!Array.isArray(value) && !isRecord(value)) return value;
  const rest = withEach(value, (member, key) =>
    without(member, typeof key === "number" ? at : [...at, key], found),
  ) as object;
  // A list of only calls has nothing left to show.
  return Array.isArray(value) && value.length > 0 && (rest as unknown[]).length === 0 ? omitted : rest;
}

/** An outcome without the calls that it offers, and these calls in order. */
export function withoutOffers(outcome: Ended): { readonly outcome: Ended; readonly offered: readonly OfferedCall[] } {
  const offered: OfferedCall[] = [];
  if (outcome.kind === "answer") {
    const { offers: given = {}, ...reply } = outcome.reply;
    const offers = without(given, [], offered) as Readonly<Record<string, unknown>>;
    return { outcome: { ...outcome, reply: { ...reply, offers } as typeof outcome.reply }, offered };
  }
  if (outcome.kind !== "workflow") return { outcome, offered };
  const result = without(outcome.result, [], offered) as typeof outcome.result;
  return { outcome: { ...outcome, result }, offered };
}

type Ended = Exclude<Outcome, { kind: "question" }>;

/** A line to paste, and its purpose. */
export interface NextLine {
  readonly label: string;
  readonly line: string;
}

/** An outcome for a user at a shell. */
interface AtShell {
  readonly outcome: Ended;
  /** The calls that were offered, which are removed from the outcome. */
  readonly next: readonly NextLine[];
}

/** The fields of a workflow's result that contain our sentences. */
const spoken = ["notes", "undo", "next", "unchanged", "more"];

const isTexts = (value: unknown): value is readonly string[] =>
  Array.isArray(value) && value.every((one) => typeof one === "string");

/** What to do if a failure's next step does not exist at a shell. */
const asksForLess = "Ask for less: a shorter period, fewer objects, a filter.";

/** The purpose of a call, from its field: `changes.readMore` is "Read more (changes)". */
function labelOf(at: string): string {
  const steps = at.split(".");
  const words = (steps.pop() ?? "").replace(/With$/, "").replace(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`);
  const label = words.charAt(0).toUpperCase() + words.slice(1);
  return steps.length === 0 ? label : `${label} (${steps.join(".")})`;
}

/** A result without notes that repeat the lines below it or, if its reader has seen that, its preview. */
function withoutRepeats(outcome: Ended, next: readonly NextLine[], wasAsked: boolean): Ended {
  if (outcome.kind !== "answer") return outcome;
  const notes = outcome.reply.notes
    .filter((note) => !wasAsked || !note.startsWith(warnedBefore))
    .map((note) => next.reduce((text, { line }) => text.replace(`\`${line}\``, "the line below"), note));
  return { ...outcome, reply: { ...outcome.reply, notes } };
}

/** Converts outcomes to those of a shell, for calls of one profile. */
export function shellTerms(config: Config, menu: Menu, profile: string | undefined, secrets: readonly string[]) {
  const paste = pasteLines(config, menu, profile, secrets);
  const { lineOf } = paste;
  const stateWords = givenWords(config, (name) => name !== "state-dir" || config.given.get(name) !== "line");
  const isTool = (word: string): boolean => menu.tools.has(word);
  const sentence = (text: string) => shellSentence(text, paste, isTool);
  const all = async (texts: readonly string[]) =>
    (await Promise.all(texts.map(sentence))).filter((text) => text !== "");
  const sentences = async (value: unknown): Promise<unknown> =>
    typeof value === "string" ? sentence(value) : isTexts(value) ? all(value) : value;

  /** A line of a preview, in which the undo can name a call. */
  const previewLine = async (line: string): Promise<string> =>
    /^(?:Calls? [\d, to]+: )?Undo: /.test(line) ? withCommands(line, paste) : line;

  async function failed({ code, message, detail }: Failure): Promise<Failure> {
    const [why, next] = await Promise.all([sentences(detail.why), sentence(detail.next)]);
    return new Failure(code, message, {
      ...detail,
      ...(why === undefined ? {} : { why: String(why) }),
      next: next === "" ? asksForLess : next,
    });
  }

  async function inTerms(outcome: Ended): Promise<Ended> {
    switch (outcome.kind) {
      case "failure":
        return { kind: "failure", failure: await failed(outcome.failure) };
      case "answer": {
        const notes = await all(outcome.reply.notes);
        return { ...outcome, reply: { ...outcome.reply, notes } };
      }
      case "workflow": {
        const told = await Promise.all(
          spoken
            .filter((name) => Object.hasOwn(outcome.result, name))
            .map(async (name) => [name, await sentences(outcome.result[name])] as const),
        );
        const notes = outcome.notes && (await all(outcome.notes));
        return { ...outcome, result: { ...outcome.result, ...Object.fromEntries(told) }, ...(notes ? { notes } : {}) };
      }
      case "preview":
        return outcome;
    }
  }

  return {
    /** An outcome with its sentences in the terms of a shell; its calls stay as they are sent, for programs. */
    inTerms,
    /**
     * The same without the calls that it offers, and these as lines.
     * @param wasAsked Whether its reader has just read its preview.
     */
    async forReader(given: Ended, wasAsked = false): Promise<AtShell> {
      if (given.kind === "failure") {
        const { code, message, detail } = given.failure;
        const { corrected, ...others } = detail;
        const line = corrected && (await lineOf(corrected));
        const label = "Corrected, if this is what you meant";
        return {
          outcome: { kind: "failure", failure: new Failure(code, message, others) },
          next: line === undefined ? [] : [{ label, line }],
        };
      }
      if (given.kind === "preview") {
        const lines = await Promise.all(given.preview.lines.map(previewLine));
        return { outcome: { ...given, preview: { ...given.preview, lines } }, next: [] };
      }
      const { outcome, offered } = withoutOffers(given);
      const lines = await Promise.all(
        offered.map(async ({ at, call }) => ({ label: labelOf(at), line: await lineOf(call) })),
      );
      const next = lines.flatMap(({ label, line }) => (line === undefined ? [] : [{ label, line }]));
      return { outcome: withoutRepeats(outcome, next, wasAsked), next };
    },
    /** How to approve a plan that waits for a person. */
    howToApprove: (id: string): string =>
      config.values["state-dir"] === "memory"
        ? "Run the same line at a terminal, where you are asked: with --state-dir memory no plan outlives its command."
        : `Approve it at a terminal with \`${shellWords([...programWords(), ...stateWords, "approve", id])}\`; then run the same line again, which executes it once.`,
    previewLine,
  };
}
