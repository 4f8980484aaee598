/** A call as the line of a shell that makes it: with the settings of the line that was run, so that it acts on the same account. */
import { scrubbed } from "../answers/secret-forms.js";
import { visible } from "../answers/visible.js";
import type { WholeCall } from "../api/next-call.js";
import type { Config, SettingName } from "../config.js";
import type { Menu } from "../mcp/menu.js";
import { givenWords, ofHttp } from "./given-words.js";
import { programWords } from "./own-program.js";
import { shellWords } from "./shell-words.js";

/** They change how a result is written, and nothing about what a call does. */
const ofForm: readonly SettingName[] = ["max-result-tokens", "structured", "surface"];

/** Writes calls as lines. */
export interface PasteLines {
  /** A whole call; undefined where no line makes it from here. */
  lineOf(call: WholeCall): Promise<string | undefined>;
  /** A call whose arguments are still to be given. */
  begin(tool: string): string;
}

/** The settings of the line that was run, as words; the profile is the one that was meant, wherever it was named. */
function settingWords(config: Config, profile: string | undefined): string[] {
  const isLeftOut = (name: SettingName) =>
    config.given.get(name) !== "line" || ofHttp.includes(name) || ofForm.includes(name) || name === "profile";
  return [...givenWords(config, isLeftOut), ...(profile === undefined ? [] : ["--profile", profile])];
}

/**
 * Makes what writes calls as lines.
 * @param secrets The forms of the process's own secrets; a call that holds one is not written.
 */
export function pasteLines(
  config: Config,
  menu: Menu,
  profile: string | undefined,
  secrets: readonly string[],
): PasteLines {
  const words = (tool: string) => [...programWords(), ...settingWords(config, profile), "call", tool];
  const lineOf = async (call: WholeCall) => {
    // With marks in the place of what is invisible it would be another call.
    if (menu.written(call, {}) === undefined || visible(call.arguments).count > 0) return undefined;
    const [{ declaredTool }, { wordsOf }] = await Promise.all([import("./tool-schema.js"), import("./tool-flags.js")]);
    const declared = await declaredTool(call.tool, menu.tools);
    if (!declared) return undefined;
    const flags = wordsOf(call.arguments, declared.schema);
    // A line end in a word would be two lines to paste; JSON writes it as text.
    const args = flags.some((word) => /\s/.test(word.replaceAll(" ", ""))) ? [JSON.stringify(call.arguments)] : flags;
    const line = shellWords([...words(call.tool), ...args]);
    return scrubbed(line, secrets) === line ? line : undefined;
  };
  return { lineOf, begin: (tool) => shellWords(words(tool)) };
}
