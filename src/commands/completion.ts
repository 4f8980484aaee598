/**
 * `edgewise completion`: the scripts for completing Edgewise's commands, tools, arguments and their values in a shell.
 */
import { readFileSync } from "node:fs";
import { type Command, print, refuse } from "./command.js";

/**
 * The file of each shell's completion script. A script runs `edgewise completion candidates` with the words of the line,
 * the last one incomplete, and gets one candidate per line, with its meaning after a tab.
 */
export const completionFiles: Readonly<Record<string, string>> = {
  // Bash completes the part after the last separator of COMP_WORDBREAKS, so only that part is returned. The bash of
  // macOS, 3.2, reads nothing from `source <(…)`.
  bash: "completion.bash",
  // `_describe` separates a word from its meaning by a colon, so colons in the word are escaped.
  zsh: "completion.zsh",
  fish: "completion.fish",
};

export const completionCommand: Command = async (_, [shell = ""]) => {
  const file = Object.hasOwn(completionFiles, shell) ? completionFiles[shell] : undefined;
  if (file === undefined)
    refuse(
      "completion takes the name of a shell.",
      `Write edgewise completion and one of ${Object.keys(completionFiles).join(", ")}.`,
    );
  print(readFileSync(new URL(`./${file}`, import.meta.url), "utf8").trimEnd());
  return 0;
};
