/** Finds the command to run; each is loaded only when it runs. */
import { Failure } from "../api/failure.js";
import { didYouMean } from "../api/nearest.js";
import { readConfig } from "../config.js";
import { type Command, log, print } from "./command.js";

interface Entry {
  load(): Promise<Command>;
  /** How many positional arguments it takes; none when left out. */
  readonly maxPositionals?: number;
  /** Its flags besides the settings, which every command takes; one that ends in `=` takes a value. */
  readonly flags?: readonly string[];
}

const commands: Readonly<Record<string, Entry>> = {
  stdio: { load: async () => (await import("./stdio.js")).stdio },
  http: { load: async () => (await import("./http.js")).http },
  emulator: { load: async () => (await import("./emulator.js")).emulator },
  operations: { load: async () => (await import("./operations.js")).operations, flags: ["--json"] },
  call: { load: async () => (await import("./call.js")).call, maxPositionals: 2 },
  audit: {
    load: async () => (await import("./audit.js")).audit,
    maxPositionals: 2,
    flags: ["--json", "--tool=", "--since="],
  },
  policy: { load: async () => (await import("./policy.js")).policy, maxPositionals: 3, flags: ["--json"] },
  plans: { load: async () => (await import("./plans.js")).plans, flags: ["--json"] },
  approve: { load: async () => (await import("./approve.js")).approve, maxPositionals: 1, flags: ["--refuse"] },
  setup: { load: async () => (await import("./setup.js")).setup, maxPositionals: 1, flags: ["--write"] },
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

/** Runs the command line and returns the exit code. */
export async function run(
  args: readonly string[],
  environment: Readonly<Record<string, string | undefined>>,
): Promise<number> {
  // A reader that closes the pipe early, such as head, is not an error.
  process.stdout.on("error", () => process.exit(0));
  try {
    // These answer whatever else is on the line or in the environment.
    if (args[0] === "help" || args.includes("--help") || args.includes("-h")) {
      print((await import("./help.js")).help());
      return 0;
    }
    if (args.includes("--version")) {
      print((await import("./help.js")).version());
      return 0;
    }
    const { flags, others } = takeFlags(args);
    const config = readConfig(others, environment);
    const [name = "stdio", ...positionals] = config.positionals;
    const command = await commandOf(name, positionals, flags).load();
    return await command(config, [...positionals, ...flags]);
  } catch (error) {
    if (!(error instanceof Failure)) throw error;
    // Two lines: what is wrong, and what to do.
    log(`edgewise: ${error.message}${error.detail.why ? ` ${error.detail.why}` : ""}\n${error.detail.next}`);
    return unusable;
  }
}
