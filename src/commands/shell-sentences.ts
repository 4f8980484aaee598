/** Sentences of a result in the terms of a shell: what is written there for an assistant's call names the command instead. */
import { isRecord } from "../language/member.js";
import { pageTool, queryTool, resultTool, viewTool } from "../language/own-tools.js";
import type { PasteLines } from "./paste-line.js";

/** The end of the first JSON object in a text that begins with one; undefined where it has no end. */
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

/** The arguments that a text begins with, as JSON, and where they end; undefined where it begins with something else. */
function argumentsAt(text: string) {
  const end = objectEnd(text);
  if (end === undefined) return undefined;
  try {
    const args: unknown = JSON.parse(text.slice(0, end));
    return isRecord(args) ? { args, end } : undefined;
  } catch {
    return undefined;
  }
}

/** A sentence in which a call with its arguments, as `callInWords` writes it, is a command. */
export async function withCommands(text: string, paste: Pick<PasteLines, "lineOf">): Promise<string> {
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

/** Whole sentences that are not true at a shell, and what takes the place of each; nothing where it is left out. */
const sentences: readonly (readonly [about: RegExp, instead: string])[] = [
  // Nothing of one command is kept for the next, so what is read or queried later is asked for at once.
  [new RegExp(`(?<!call )\\b(?:${resultTool}|${queryTool}|${viewTool})\\b`), ""],
  [
    /\bRepeat the call whose result was kept\b/,
    "No result is kept for a later command: make the call again, and read its rows with --output csv.",
  ],
  // A command ends and hears of nothing.
  [/\blive:\/\//, ""],
  [/\bDo not ask again unless the user wants it\b/, "Run the same line again if it is wanted after all."],
  [/\bThe user was asked and did not approve\b/, "The answer did not approve it."],
];

const asksAnew = "Run the same line again: it previews what is there now, and asks anew.";

/** The sentences of a text that are true at a shell. Nobody but the person at the terminal approves there. */
function trueOf(text: string): string {
  const all = text.split(/(?<=\.) /);
  const confirming = all.findIndex((one) => /\bwithout confirm\b/.test(one));
  const told = (confirming === -1 ? all : [...all.slice(0, confirming), asksAnew]).map((one) => {
    const found = sentences.find(([about]) => about.test(one));
    return found ? found[1] : one;
  });
  return told.filter((one) => one !== "").join(" ");
}

/** What means nothing at a shell in a sentence that is true there otherwise, and what takes its place. */
const terms: readonly (readonly [said: RegExp, instead: string])[] = [
  [
    /,? and confirm does not take (?:their place|its place|the place of (?:that|their answer))(?:, whatever [^.]*)?/g,
    "",
  ],
  [/ outside (?:the|this) conversation/g, ""],
  // As `callInWords` writes it, so that it becomes a command.
  [/\b([Cc]all \w+) with plan ("[^"]+")/g, '$1 with {"plan":$2}'],
  [/the resource ([a-z]+:\/\/[^\s.,;]+(?:\.[^\s.,;]+)*)/g, "`edgewise show $1`"],
  [
    new RegExp(`\\b${pageTool} describes all arguments of (\\w+)`, "g"),
    "`edgewise call $1 --help` lists its arguments",
  ],
  [new RegExp(`\\b${pageTool} gives the whole schema of (\\w+)`, "g"), "`edgewise call $1 --help` lists its arguments"],
];

/**
 * A sentence of ours about what to do or to know, as it is true at a shell; empty where nothing of it is.
 * @param isTool Whether a word is the name of a tool.
 */
export async function shellSentence(
  text: string,
  paste: PasteLines,
  isTool: (word: string) => boolean,
): Promise<string> {
  const told = terms.reduce((said, [pattern, instead]) => said.replace(pattern, instead), trueOf(text));
  return (await withCommands(told, paste)).replace(
    // What is in backquotes is a command already.
    /`[^`]*`|\b([Cc]all|[Ww]ith|[Bb]y|[Pp]oll) ([a-z]+(?:_[a-z0-9]+)+)\b/g,
    (whole, verb?: string, tool = "") => {
      if (!isTool(tool)) return whole;
      const said = verb === "Call" ? "Run" : verb === "call" ? "run" : verb;
      return `${said} \`${paste.begin(tool)}\``;
    },
  );
}
