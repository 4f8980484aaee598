/** The built program on a command line that is typed in the process of the tests: a process costs ten times as much as most commands. */
import { resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { vi } from "vitest";
import { bareEnvironment } from "../lab/session.js";

const program = pathToFileURL("dist/program/server.js").href;
let count = 0;

interface Typed {
  readonly stdout: string;
  readonly stderr: string;
  readonly status: number;
}

/** Sets the variables of the process itself, by which the platform knows the home directory. */
function setEnvironment(variables: Readonly<Record<string, string | undefined>>): void {
  for (const name of Object.keys(process.env)) if (!Object.hasOwn(variables, name)) delete process.env[name];
  Object.assign(process.env, variables);
}

/**
 * Runs a command that reads nothing from its standard input and ends by itself; one at a time. The entry is loaded anew
 * for each, and everything behind it once.
 */
export async function typed(
  args: readonly string[],
  env: Readonly<Record<string, string>> = bareEnvironment(),
  directory = process.cwd(),
): Promise<Typed> {
  const written = { stdout: "", stderr: "" };
  const before = { argv: process.argv, exitCode: process.exitCode };
  const [environment, usual] = [{ ...process.env }, process.cwd()];
  const listeners = process.stdout.listeners("error");
  const spies = (["stdout", "stderr"] as const).map((name) =>
    vi.spyOn(process[name], "write").mockImplementation((text) => {
      written[name] += String(text);
      return true;
    }),
  );
  process.argv = [process.execPath, resolve("dist/server.js"), ...args];
  setEnvironment(env);
  process.chdir(directory);
  process.exitCode = undefined;
  try {
    count += 1;
    await import(/* @vite-ignore */ `${program}?run=${count}`);
    // The program sets it when a command has ended.
    while (process.exitCode === undefined) await new Promise((resolve) => setTimeout(resolve, 1));
    return { ...written, status: Number(process.exitCode) };
  } finally {
    for (const spy of spies) spy.mockRestore();
    for (const listener of process.stdout.listeners("error"))
      if (!listeners.includes(listener)) process.stdout.off("error", listener as () => void);
    process.chdir(usual);
    setEnvironment(environment);
    Object.assign(process, before);
  }
}
