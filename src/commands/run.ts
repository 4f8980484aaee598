/** Finds the command that a person typed; each is loaded only when it runs. */
import { Failure } from "../api/failure.js";
import { didYouMean } from "../api/nearest.js";
import { readConfig } from "../config.js";
import { type Command, log, print } from "./command.js";

const commands: Readonly<Record<string, () => Promise<Command>>> = {
  stdio: async () => (await import("./stdio.js")).stdio,
  http: async () => (await import("./http.js")).http,
  emulator: async () => (await import("./emulator.js")).emulator,
  operations: async () => (await import("./operations.js")).operations,
  call: async () => (await import("./call.js")).call,
  doctor: async () => (await import("./doctor.js")).doctor,
  demo: async () => (await import("./demo.js")).demo,
};

/** Exit code for a command line or a configuration that cannot be used, as in sysexits. */
const unusable = 78;

// This command has a flag of its own; every other flag is a setting.
const ownFlags: Readonly<Record<string, readonly string[]>> = { operations: ["--json"] };

/** Runs the command line and returns the exit code. */
export async function run(
  args: readonly string[],
  environment: Readonly<Record<string, string | undefined>>,
): Promise<number> {
  // A reader that has seen enough, such as head, is no failure.
  process.stdout.on("error", () => process.exit(0));
  try {
    if (args.includes("--help") || args[0] === "help") {
      const { help } = await import("./help.js");
      print(help());
      return 0;
    }
    const own = Object.values(ownFlags).flat();
    const config = readConfig(
      args.filter((word) => !own.includes(word)),
      environment,
    );
    const [name = "stdio", ...words] = config.words;
    const load = Object.hasOwn(commands, name) ? commands[name] : undefined;
    const flags = args.filter((word) => own.includes(word));
    if (!load)
      throw new Failure(
        "bad_configuration",
        `There is no command ${JSON.stringify(name)}${didYouMean(name, Object.keys(commands))}.`,
        {
          next: "`edgewise --help` lists the commands.",
        },
      );
    const stray = flags.find((flag) => !ownFlags[name]?.includes(flag));
    if (stray)
      throw new Failure("bad_configuration", `${name} has no flag ${stray}.`, {
        next: "`edgewise --help` lists all flags.",
      });
    return await (await load())(config, [...words, ...flags]);
  } catch (error) {
    if (!(error instanceof Failure)) throw error;
    log(`edgewise: ${error.message}\n${error.detail.why ? `${error.detail.why}\n` : ""}${error.detail.next}`);
    return unusable;
  }
}
