/** Finds the command to run; each is loaded only when it runs. */
import { Failure } from "../api/failure.js";
import { didYouMean } from "../api/nearest.js";
import { type Config, readConfig } from "../config.js";
import { type Entry, logFailure, print } from "./command.js";
import { outputs, previews } from "./outputs.js";

const commands: Readonly<Record<string, Entry>> = {
  stdio: { load: async () => (await import("./stdio.js")).stdio },
  http: { load: async () => (await import("./http.js")).http },
  emulator: { load: async () => (await import("./emulator.js")).emulator },
  operations: { load: async () => (await import("./operations.js")).operations, flags: ["--json"] },
  call: {
    load: async () => (await import("./call.js")).call,
    maxPositionals: 1,
    flags: ["--output=", "--preview="],
    values: { "--output": outputs, "--preview": previews },
    words: ["tool", "arguments"],
  },
  show: { load: async () => (await import("./show.js")).show, maxPositionals: 1, words: ["address"] },
  completion: {
    load: async () => (await import("./completion.js")).completion,
    maxPositionals: 1,
    words: [["bash", "zsh", "fish"]],
  },
  audit: {
    load: async () => (await import("./audit.js")).audit,
    maxPositionals: 2,
    flags: ["--json", "--tool=", "--since=", "--head="],
    words: [["verify", "head", "show"]],
  },
  policy: {
    load: async () => (await import("./policy.js")).policy,
    maxPositionals: 3,
    flags: ["--json"],
    words: [["check"], "tool"],
  },
  profiles: { load: async () => (await import("./profiles.js")).profiles, flags: ["--json"] },
  plans: { load: async () => (await import("./plans.js")).plans, flags: ["--json"] },
  approve: {
    load: async () => (await import("./approve.js")).approve,
    maxPositionals: 1,
    flags: ["--refuse", "--preview="],
    values: { "--preview": previews },
  },
  setup: {
    load: async () => (await import("./setup.js")).setup,
    maxPositionals: 1,
    flags: ["--write"],
    words: ["client"],
  },
  doctor: { load: async () => (await import("./doctor.js")).doctor },
  demo: { load: async () => (await import("./demo.js")).demo },
};

/** Exit code for a command line or a configuration that cannot be used, as in sysexits. */
const unusable = 78;

const refuse = (what: string, next: string): never => {
  throw new Failure("bad_configuration", what, { next });
};

/** The form in which a command declares a flag: its name, and `=` after it when it takes a value. */
const declaredForm = (flag: string): string => flag.replace(/=.*/s, "=");

/**
 * Takes the commands' own flags out of a command line. A flag with a value becomes one word, `--name=VALUE`, however it
 * was written.
 */
function takeFlags(args: readonly string[]): { readonly flags: readonly string[]; readonly others: readonly string[] } {
  const own = new Set(Object.values(commands).flatMap(({ flags = [] }) => flags));
  const flags: string[] = [];
  const others: string[] = [];
  const rest = args.values();
  for (const word of rest) {
    if (own.has(declaredForm(word))) flags.push(word);
    else if (own.has(`${word}=`)) {
      const { value } = rest.next();
      flags.push(value === undefined ? refuse(`${word} needs a value.`, `Write ${word} VALUE.`) : `${word}=${value}`);
    } else others.push(word);
  }
  return { flags, others };
}

/** The command of that name; refuses arguments that it does not take, because ignoring them would hide a mistake. */
function commandOf(name: string, positionals: readonly string[], flags: readonly string[]): Entry {
  const command = Object.hasOwn(commands, name) ? commands[name] : undefined;
  if (!command)
    return refuse(
      `There is no command ${JSON.stringify(name)}${didYouMean(name, Object.keys(commands))}.`,
      "`edgewise --help` lists the commands.",
    );
  const strayFlag = flags.find((flag) => !command.flags?.includes(declaredForm(flag)));
  if (strayFlag) refuse(`${name} has no flag ${strayFlag.replace(/=.*/s, "")}.`, "`edgewise --help` lists all flags.");
  const stray = positionals.slice(command.maxPositionals ?? 0).map((word) => JSON.stringify(word));
  if (stray.length > 0)
    refuse(`${name} does not take ${stray.join(", ")}.`, "`edgewise --help` shows what each command takes.");
  return command;
}

/**
 * The command that a line names, with its configuration and its words.
 * @throws Failure `bad_configuration` for words, flags and values that cannot be used.
 */
export function commandLine(
  args: readonly string[],
  environment: Readonly<Record<string, string | undefined>>,
): { readonly entry: Entry; readonly config: Config; readonly words: readonly string[] } {
  const { flags, others } = takeFlags(args);
  const config = readConfig(others, environment);
  const [name = "stdio", ...positionals] = config.positionals;
  return { entry: commandOf(name, positionals, flags), config, words: [...positionals, ...flags] };
}

/** The words of a call, where the line is one; what reads them is loaded for it alone. */
async function callIn(args: readonly string[]) {
  if (!args.includes("call")) return undefined;
  const [{ splitCall }, { loadCatalogue }] = await Promise.all([
    import("./call-line.js"),
    import("../mcp/catalogue.js"),
  ]);
  return splitCall(args, commands["call"]?.flags ?? [], loadCatalogue);
}

/** Runs the command line and returns the exit code. */
export async function run(
  args: readonly string[],
  environment: Readonly<Record<string, string | undefined>>,
): Promise<number> {
  // A reader that closes the pipe early, such as head, is not an error.
  process.stdout.on("error", () => process.exit(0));
  try {
    // These answer whatever else is on the line or in the environment.
    if (args[0] === "completion" && args[1] === "candidates") {
      (await import("./candidates.js")).candidates(commands, args.slice(2)).forEach(print);
      return 0;
    }
    const line = await callIn(args);
    const own = line?.own ?? args;
    if (own[0] === "help" || own.includes("--help") || own.includes("-h")) {
      print(line ? await (await import("./tool-help.js")).toolHelp(line.tool) : (await import("./help.js")).help());
      return 0;
    }
    if (own.includes("--version")) {
      print((await import("./help.js")).version());
      return 0;
    }
    const { entry, config, words } = commandLine(own, environment);
    return await (await entry.load())(config, [...words, ...(line ? ["--", ...line.words] : [])]);
  } catch (error) {
    if (!(error instanceof Failure)) throw error;
    logFailure(error);
    return unusable;
  }
}
