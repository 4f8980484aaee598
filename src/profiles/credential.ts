/** A credential that is read when it is needed, kept for a while, and read again after it was refused. */
import { Failure } from "../language/failure.js";
import type { Credentials } from "../wire/edgerc.js";

export interface KeptCredential {
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

export interface KeptCredentialOptions {
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

/** Keeps the credential of a profile. */
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
