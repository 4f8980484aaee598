/** A credential that is read when it is needed, by a command where its profile has one, kept for a while, and read again after it was refused. */
import { type ChildProcessByStdio, spawn } from "node:child_process";
import type { Readable } from "node:stream";
import { Failure } from "../language/failure.js";
import type { Credentials } from "../wire/edgerc.js";

interface CredentialCommand {
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

interface KeptCredential {
  /**
   * The credential, read where none is kept.
   * @throws Failure `unauthorized` when it cannot be read, or names another host than before.
   */
  current(): Promise<Credentials>;
  /**
   * Says that the API did not take one.
   * @returns Whether another one may be had now; not where it was read a moment ago.
   */
  refused(credentials: Credentials): boolean;
  /** Forgets it. */
  close(): void;
}

interface KeptCredentialOptions {
  readonly profile: string;
  read(): Promise<Credentials>;
  /** Called with each credential that was read, before anybody uses it. */
  onRead(credentials: Credentials): void;
  readonly keptMs: number;
  /** The shortest time between two readings because of refusals. */
  readonly apartMs?: number;
  readonly now?: () => number;
}

const usualApartMs = 30_000;

/** A mistake in a file of the operator's: its text has a path, which is none of a client's business. */
const unreadable = (profile: string): Failure =>
  new Failure("unauthorized", `The credential of the profile ${profile} cannot be read.`, {
    why: "It was not where the configuration says, or not whole. Nothing was sent.",
    next: "Have whoever operates this server run `edgewise doctor`, which says what is wrong.",
  });

const otherHost = (profile: string): Failure =>
  new Failure("unauthorized", `The credential of the profile ${profile} has another host than before.`, {
    why: "Plans and kept results are bound to the first one. Nothing was sent.",
    next: "Have whoever operates this server start it anew.",
  });

export function keepCredential({
  profile,
  read,
  onRead,
  keptMs,
  apartMs = usualApartMs,
  now = () => Date.now(),
}: KeptCredentialOptions): KeptCredential {
  let kept: { readonly credentials: Credentials; readonly readAtMs: number } | undefined;
  let reading: Promise<Credentials> | undefined;
  let host: string | undefined;
  let timer: NodeJS.Timeout | undefined;

  const forget = (): void => {
    clearTimeout(timer);
    kept = undefined;
  };
  const readAnew = async (): Promise<Credentials> => {
    const isFirst = host === undefined;
    const credentials = await read().catch((error: unknown) => {
      // At the start the operator reads it, and later a client does.
      if (isFirst || !(error instanceof Failure) || error.code !== "bad_configuration") throw error;
      throw unreadable(profile);
    });
    host ??= credentials.host;
    if (credentials.host !== host) throw otherHost(profile);
    onRead(credentials);
    kept = { credentials, readAtMs: now() };
    // Where nobody calls any more, nothing of it stays in memory either.
    timer = setTimeout(forget, keptMs).unref();
    return credentials;
  };

  return {
    current() {
      if (kept && now() < kept.readAtMs + keptMs) return Promise.resolve(kept.credentials);
      forget();
      // Calls that come together wait for one reading.
      reading ??= readAnew().finally(() => {
        reading = undefined;
      });
      return reading;
    },
    refused(credentials) {
      if (kept && kept.credentials !== credentials) return true;
      if (kept && now() < kept.readAtMs + apartMs) return false;
      forget();
      return true;
    },
    close: forget,
  };
}
