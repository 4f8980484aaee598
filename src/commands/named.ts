/** Finds the command, and the action of it, that the words of a line name. */
import { loadCatalogue } from "../engine/catalogue.js";
import { Failure } from "../language/failure.js";
import { didYouMean } from "../language/nearest.js";
import { searchFor } from "./arguments.js";
import { type Entry, refuse, type Usage } from "./command.js";
import { commands } from "./table.js";

/** A command without actions, or an action; else a command whose action the line does not name. */
type Named =
  | { readonly entry: Entry; readonly name: string; readonly usage: Usage }
  | { readonly entry: Entry; readonly does: string; readonly actions: Readonly<Record<string, Usage>> };

const isIn = (all: object, name: string): boolean => Object.hasOwn(all, name);

/** The failure for a word in a command's place: one like it, a tool, or what a search might find. */
function noCommand(name: string, catalogue: typeof loadCatalogue): Failure {
  const guess = didYouMean(name, Object.keys(commands));
  const isTool = guess === "" && catalogue().has(name);
  return new Failure(
    "bad_configuration",
    `There is no command ${JSON.stringify(name)}${guess}${isTool ? "; it is a tool" : ""}.`,
    {
      next: isTool
        ? `Write: edgewise call ${name}.`
        : `\`edgewise --help\` lists the commands${guess === "" ? `, and ${searchFor(name)} finds tools by what they do` : ""}.`,
    },
  );
}

/**
 * What a command's name and the word after it name.
 * @throws Failure `bad_configuration` where there is no such command or action.
 */
export function namedBy(name: string, word: string | undefined, catalogue = loadCatalogue): Named {
  const entry = isIn(commands, name) ? commands[name] : undefined;
  if (!entry) throw noCommand(name, catalogue);
  if (!entry.actions) return { entry, name, usage: entry };
  const { does, actions } = entry;
  if (word === undefined) return { entry, does, actions };
  const usage = isIn(actions, word) ? actions[word] : undefined;
  if (usage) return { entry, name: `${name} ${word}`, usage };
  const guess = didYouMean(word, Object.keys(actions));
  refuse(
    `${name} has no action ${JSON.stringify(word)}${guess}.`,
    `\`edgewise ${name} --help\` describes what it takes.`,
  );
}
