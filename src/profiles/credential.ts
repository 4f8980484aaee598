/**
 * Credentials that are read when they are needed, by a command if the profile has one, cached, and read again after a
 * refusal.
 */
import { type ChildProcessByStdio, spawn } from "node:child_process";
import type { Readable } from "node:stream";
import { Failure } from "../language/failure.js";
import type { Credentials } from "../wire/edgerc.js";

interface CredentialCommand {
  readonly program: string;
  readonly args: readonly string[];
}

// A prompt for a fingerprint takes a moment, and a call has less than a minute.
const usualTimeoutMs = 30_000;
const maxBytes = 64 * 1024;

/** A failure without the command's output: either of its streams can contain the secret. */
function commandFailure(profile: string, how: string): Failure {
  return new Failure(
    "unauthorized",
    `The credential of the profile ${profile} could not be read: its command ${how}.`,
    {
      why: "The output of the command is not shown, because it may contain the secret. Nothing was sent.",
      next: "Have the operator run the command in a shell, as the user that the server runs as.",
    },
  );
}

/** Starts a program; undefined if that fails immediately. */
function startCommand(program: string, args: readonly string[]): ChildProcessByStdio<null, Readable, null> | undefined {
  try {
    // The server's own input and output carry the protocol, so the program gets neither.
    return spawn(program, args, { shell: false, stdio: ["ignore", "pipe", "ignore"], windowsHide: true });
  } catch {
    // For example because of a null byte, or on Windows for a .cmd file, which needs a shell; the error may quote an
    // argument.
    return undefined;
  }
}

/**
 * Runs the command of a profile, without a shell.
 * @returns Its standard output.
 * @throws Failure `unauthorized` with the profile and the exit code.
 */
export function runCommand(
  profile: string,
  { program, args }: CredentialCommand,
  timeoutMs: number = usualTimeoutMs,
): Promise<string> {
  return new Promise((resolve, reject) => {
    const child = startCommand(program, args);
    if (child === undefined) return reject(commandFailure(profile, "could not be started"));
    const chunks: Buffer[] = [];
    let size = 0;
    const end = (how: string): void => {
      clearTimeout(timer);
      child.kill("SIGKILL");
      reject(commandFailure(profile, how));
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
          commandFailure(
            profile,
            code === null ? `was ended by ${signal ?? "a signal"}` : `ended with exit code ${code}`,
          ),
        );
    });
  });
}

interface KeptCredential {
  /**
   * The credential, read unless it is cached.
   * @throws Failure `unauthorized` if it cannot be read, or names a different host than before.
   */
  current(): Promise<Credentials>;
  /**
   * Reports that the API rejected it.
   * @returns Whether another one may be available now; not if it was read a moment ago.
   */
  refused(credentials: Credentials): boolean;
  /** Discards it. */
  close(): void;
}

interface KeptCredentialOptions {
  readonly profile: string;
  read(): Promise<Credentials>;
  /** Called with each credential that was read, before it is used. */
  onRead(credentials: Credentials): void;
  readonly keptMs: number;
  /** The minimum time between two readings because of refusals. */
  readonly apartMs?: number;
  readonly now?: () => number;
}

const usualApartMs = 30_000;

/** An error in an operator's file: its text has a path, which clients must not see. */
const unreadable = (profile: string): Failure =>
  new Failure("unauthorized", `The credential of the profile ${profile} cannot be read.`, {
    why: "It is missing or incomplete. Nothing was sent.",
    next: "Have the operator run `edgewise doctor`, which reports the problem.",
  });

const otherHost = (profile: string): Failure =>
  new Failure("unauthorized", `The credential of the profile ${profile} has a different host than before.`, {
    why: "Plans and stored results are bound to the first one. Nothing was sent.",
    next: "Have the operator restart this server.",
  });

export function keepCredential({
  profile,
  read,
  onRead,
  keptMs,
  apartMs = usualApartMs,
  now = () => Date.now(),
}: KeptCredentialOptions): KeptCredential {
  let cacheEntry: { readonly credentials: Credentials; readonly readAtMs: number } | undefined;
  let reading: Promise<Credentials> | undefined;
  let host: string | undefined;
  let timer: NodeJS.Timeout | undefined;

  const forget = (): void => {
    clearTimeout(timer);
    cacheEntry = undefined;
  };
  const readAnew = async (): Promise<Credentials> => {
    const isFirst = host === undefined;
    const credentials = await read().catch((error: unknown) => {
      // The operator is the reader at the start, and a client later.
      if (isFirst || !(error instanceof Failure) || error.code !== "bad_configuration") throw error;
      throw unreadable(profile);
    });
    host ??= credentials.host;
    if (credentials.host !== host) throw otherHost(profile);
    onRead(credentials);
    cacheEntry = { credentials, readAtMs: now() };
    // Without calls, nothing of it stays in memory.
    timer = setTimeout(forget, keptMs).unref();
    return credentials;
  };

  return {
    current() {
      if (cacheEntry && now() < cacheEntry.readAtMs + keptMs) return Promise.resolve(cacheEntry.credentials);
      forget();
      // Concurrent calls share one reading.
      reading ??= readAnew().finally(() => {
        reading = undefined;
      });
      return reading;
    },
    refused(credentials) {
      if (cacheEntry && cacheEntry.credentials !== credentials) return true;
      if (cacheEntry && now() < cacheEntry.readAtMs + apartMs) return false;
      forget();
      return true;
    },
    close: forget,
  };
}
