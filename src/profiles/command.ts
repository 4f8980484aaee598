/** Runs the program that knows a credential, such as a password manager, and keeps all that it writes to itself. */
import { type ChildProcessByStdio, spawn } from "node:child_process";
import type { Readable } from "node:stream";
import { Failure } from "../language/failure.js";

export interface CredentialCommand {
  readonly program: string;
  readonly args: readonly string[];
}

// Whoever is asked for a fingerprint needs a moment, and a call has less than a minute altogether.
const usualTimeoutMs = 30_000;
const maxBytes = 64 * 1024;

/** A failure whose text holds nothing of the program's: either of its streams may carry the secret. */
function failed(profile: string, how: string): Failure {
  return new Failure(
    "unauthorized",
    `The credential of the profile ${profile} could not be read: its command ${how}.`,
    {
      why: "What the command wrote is not shown, because it may hold the secret. Nothing was sent.",
      next: "Have whoever operates this server run the command in a shell, as the user that the server runs as.",
    },
  );
}

/** Starts a program; undefined where it cannot be, as far as that is known at once. */
function started(program: string, args: readonly string[]): ChildProcessByStdio<null, Readable, null> | undefined {
  try {
    // The server's own input and output carry the protocol, so the program gets neither.
    return spawn(program, args, { shell: false, stdio: ["ignore", "pipe", "ignore"], windowsHide: true });
  } catch {
    // Such as for a null byte, or on Windows for a .cmd file, which only a shell runs; the error may quote an argument.
    return undefined;
  }
}

/**
 * Runs the command of a profile, without a shell.
 * @returns What it wrote to its standard output.
 * @throws Failure `unauthorized` with the profile and the exit code.
 */
export function runCommand(
  profile: string,
  { program, args }: CredentialCommand,
  timeoutMs: number = usualTimeoutMs,
): Promise<string> {
  return new Promise((resolve, reject) => {
    const child = started(program, args);
    if (child === undefined) return reject(failed(profile, "could not be started"));
    const chunks: Buffer[] = [];
    let size = 0;
    const end = (how: string): void => {
      clearTimeout(timer);
      child.kill("SIGKILL");
      reject(failed(profile, how));
    };
    const timer = setTimeout(() => end(`took longer than ${timeoutMs / 1000} s`), timeoutMs);
    child.stdout.on("data", (chunk: Buffer) => {
      size += chunk.length;
      if (size > maxBytes) return end(`wrote more than ${maxBytes} bytes`);
      chunks.push(chunk);
    });
    child.once("error", () => end("could not be started"));
    child.once("close", (code, signal) => {
      clearTimeout(timer);
      if (code === 0) resolve(Buffer.concat(chunks).toString("utf8"));
      else
        reject(
          failed(profile, code === null ? `was ended by ${signal ?? "a signal"}` : `ended with exit code ${code}`),
        );
    });
  });
}
