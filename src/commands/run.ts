/** Finds the command to run; each is loaded only when it runs. */
import { apisOfLine, readConfig } from "../config.js";
import { type Catalogue, loadCatalogue } from "../engine/catalogue.js";
import { Failure } from "../language/failure.js";
import { lazily } from "../language/once-for.js";
import {
  type CommandEntry,
  flagForms,
  log,
  logAs,
  logFailure,
  misuseExitCode,
  print,
  refuse,
  type Usage,
} from "./command.js";
import { allFlagForms, bareWords, findCommand, splitCall, wordsWithValues } from "./command-line.js";
import { commands } from "./table.js";

/** The form in which a command declares a flag: its name, followed by `=` if it takes a value. */
const declaredForm = (flag: string): string => flag.replace(/=.*/s, "=");

/**
 * Extracts the commands' own flags from a command line. A flag with a value becomes one word, `--name=VALUE`, however
 * it was written.
 */
function takeFlags(args: readonly string[]): { readonly flags: readonly string[]; readonly others: readonly string[] } {
  const forms = new Set(allFlagForms());
  const flags: string[] = [];
  const others: string[] = [];
  for (const [word, value] of wordsWithValues(args, (flag) => forms.has(`${flag}=`))) {
    if (forms.has(declaredForm(word))) flags.push(word);
    else if (forms.has(`${word}=`))
      flags.push(value === undefined ? refuse(`${word} needs a value.`, `Write ${word} VALUE.`) : `${word}=${value}`);
    else others.push(word);
  }
  return { flags, others };
}

/** The number of words that a command takes; a tool's arguments do not count, because the call parses them. */
const mostWords = ({ positionals = [] }: Usage): number =>
  positionals.some(({ isRepeated }) => isRepeated)
    ? Number.POSITIVE_INFINITY
    : positionals.filter(({ kind }) => kind !== "arguments").length;

/** The command that words name; rejects unknown words and flags, because ignoring them would hide mistakes. */
function commandOf(
  name: string,
  positionals: readonly string[],
  flags: readonly string[],
  catalogue: () => Catalogue,
): CommandEntry {
  const match = findCommand(name, positionals[0], catalogue);
  if (!("usage" in match))
    return refuse(
      `${name} takes one of ${Object.keys(match.actions).join(", ")}.`,
      `\`edgewise ${name} --help\` describes its usage.`,
    );
  const { entry, name: whole, usage } = match;
  const next = `\`edgewise ${whole} --help\` describes its usage.`;
  const strayFlag = flags
    .map((flag) => flag.replace(/=.*/s, ""))
    .find((flag) => !Object.hasOwn(usage.flags ?? {}, flag));
  if (strayFlag !== undefined) refuse(`${whole} has no flag ${strayFlag}.`, next);
  const words = entry.actions ? positionals.slice(1) : positionals;
  const stray = words.slice(mostWords(usage)).map((word) => JSON.stringify(word));
  if (stray.length > 0) refuse(`${whole} does not take ${stray.join(", ")}.`, next);
  return entry;
}

/**
 * The command of a line, with its configuration, its words and its own flags.
 * @throws Failure `bad_configuration` for invalid words, flags and values.
 */
export function commandLine(args: readonly string[], environment: Readonly<Record<string, string | undefined>>) {
  const { flags, others } = takeFlags(args);
  const catalogue = () => loadCatalogue(apisOfLine(args, environment));
  const [first] = bareWords(args);
  // Before the flags, because those of an unknown command mean nothing.
  const named = first !== undefined && first === args[0] ? findCommand(first, undefined, catalogue).entry : undefined;
  const ownFlags = (named ? flagForms(named) : []).map((form) => form.replace("=", ""));
  const config = readConfig(others, environment, ownFlags);
  const [name = "stdio", ...positionals] = config.positionals;
  return { entry: commandOf(name, positionals, flags, catalogue), config, words: positionals, flags };
}

/** Runs the command line and returns the exit code. */
export async function run(
  args: readonly string[],
  environment: Readonly<Record<string, string | undefined>>,
): Promise<number> {
  // A reader that closes the pipe early, such as head, is not an error.
  process.stdout.on("error", () => process.exit(0));
  try {
    const apis = lazily(() => apisOfLine(args, environment));
    // These take precedence over the rest of the line and the environment.
    if (args[0] === "completion" && args[1] === "candidates") {
      (await import("./candidates.js")).completionCandidates(args.slice(2), apis()).forEach(print);
      return 0;
    }
    const line = splitCall(args, () => loadCatalogue(apis()));
    const programArgs = line?.own ?? args;
    const asksByWord = programArgs[0] === "help";
    if (asksByWord || programArgs.includes("--help") || programArgs.includes("-h")) {
      const [{ help }, { boxedCatalogue }] = await Promise.all([import("./help.js"), import("../engine/imported.js")]);
      print(await help(bareWords(asksByWord ? programArgs.slice(1) : programArgs), () => boxedCatalogue(apis())));
      return 0;
    }
    if (programArgs.includes("--version")) {
      const { default: manifest } = await import("../../package.json", { with: { type: "json" } });
      print(`${manifest.name} ${manifest.version}`);
      return 0;
    }
    const { entry, config, words, flags } = commandLine(programArgs, environment);
    logAs(config.values.log);
    const command = await entry.load();
    const code = await command(config, words, flags, line?.words);
    // There is no client at a terminal, and a user may be waiting for a prompt.
    if (entry === commands["stdio"] && process.stdin.isTTY === true)
      log((await import("./help.js")).linesAtStart().join("\n"));
    return code;
  } catch (error) {
    if (!(error instanceof Failure)) throw error;
    logFailure(error);
    return misuseExitCode;
  }
}
