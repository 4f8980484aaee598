/**
 * What is known of an account's sites: readings that are kept between calls, each until it is too old, or something was
 * changed from here that it shows. What cannot be read is unknown, with the reason.
 */
import { Failure, type FailureCode } from "../language/failure.js";
import { minuteMs } from "../time/durations.js";
import type { SiteRead } from "./reads.js";

/** What a reading shows, and so which changes make it wrong. */
interface ReadingScope {
  /** The APIs that show or change it, by the first word of their paths. */
  readonly apis: readonly string[];
  /** The path arguments of what it shows: a change whose path has another value for one of them does not concern it. */
  readonly of: Readonly<Record<string, string>>;
}

/** A value that is read of the account. */
export interface SiteReading<T> extends Partial<ReadingScope> {
  /** What is read, and of what. */
  readonly key: string;
  /** How long the value can be used, in milliseconds; a quarter of an hour by default. */
  readonly lastsMs?: number;
  readonly load: (read: SiteRead) => Promise<T>;
}

/** A reading that was kept: its value, or why there is none. */
interface KeptReading extends ReadingScope {
  readonly value?: unknown;
  readonly unknown?: string;
  /** When it began. */
  readonly atMs: number;
  readonly untilMs: number;
  /** The characters of its value as JSON. */
  readonly size: number;
}

/** The readings of an account by their keys; those that were used last come last, and stay longest. */
export type KeptReadings = Readonly<Record<string, KeptReading>>;

/** A value with the time at which it was read, or why it is not known. */
export type Known<T> =
  | { readonly value: T; readonly atMs: number; readonly unknown?: undefined }
  | { readonly unknown: string };

/** A change of the account, and when it ended. */
interface AccountChange {
  readonly api: string;
  readonly path: Readonly<Record<string, string>>;
}

interface KnowledgeOptions {
  readonly read: SiteRead;
  readonly kept: KeptReadings;
  /** Whether all is read again, whatever was kept. */
  readonly isRefreshed: boolean;
  /** The changes that ended at an instant or later; undefined if they are not known. */
  readonly changesSince: (ms: number) => readonly AccountChange[] | undefined;
  readonly now?: () => number;
}

export interface Knowledge {
  /** The value of a reading: the kept one while it holds, else read once. */
  known<T>(reading: SiteReading<T>): Promise<Known<T>>;
  /** What to keep for the next call; undefined if nothing was read. */
  toKeep(): KeptReadings | undefined;
}

const usualMs = 15 * minuteMs;
/** How long a reading stays unknown that was refused for a reason which does not pass by itself. */
const refusedMs = 5 * minuteMs;
const lastingRefusals: readonly FailureCode[] = ["forbidden", "not_found", "rejected", "not_allowed", "too_large"];
/** The most characters of one reading that is kept, and of all together. */
const maxSize = { one: 300_000, all: 4_000_000 };

/** An id without the prefix that some calls of an API leave out. */
const bareId = (id: string): string => id.replace(/^[a-z]{3}_/, "");
const concerns = ({ apis, of }: ReadingScope, { api, path }: AccountChange): boolean =>
  apis.includes(api) &&
  Object.entries(of).every(([name, id]) => path[name] === undefined || bareId(path[name]) === bareId(id));

/** Opens what is known of an account for one call. */
export function openKnowledge({ read, kept, isRefreshed, changesSince, now = Date.now }: KnowledgeOptions): Knowledge {
  const inUse = new Map<string, Promise<Known<unknown>>>();
  const fresh: Record<string, KeptReading> = {};

  const holds = (reading: KeptReading): boolean =>
    reading.untilMs > now() && changesSince(reading.atMs)?.some((change) => concerns(reading, change)) === false;

  async function load<T>({
    key,
    apis = [],
    of: scope = {},
    lastsMs = usualMs,
    load: loading,
  }: SiteReading<T>): Promise<Known<T>> {
    const atMs = now();
    const keep = (of: Pick<KeptReading, "value" | "unknown">, forMs: number) => {
      const size = JSON.stringify(of).length;
      // What is too large to be kept is read again, and does not take the place of everything else.
      if (size <= maxSize.one) fresh[key] = { ...of, atMs, untilMs: atMs + forMs, size, apis, of: scope };
    };
    try {
      const value = await loading(read);
      keep({ value }, lastsMs);
      return { value, atMs };
    } catch (error) {
      if (!(error instanceof Failure)) throw error;
      const unknown = error.message;
      if (lastingRefusals.includes(error.code)) keep({ unknown }, refusedMs);
      return { unknown };
    }
  }
  return {
    known<T>(reading: SiteReading<T>) {
      const keptReading = kept[reading.key];
      const found =
        inUse.get(reading.key) ??
        (!isRefreshed && keptReading && holds(keptReading)
          ? Promise.resolve(
              keptReading.unknown === undefined
                ? { value: keptReading.value, atMs: keptReading.atMs }
                : { unknown: keptReading.unknown },
            )
          : load(reading));
      inUse.set(reading.key, found);
      return found as Promise<Known<T>>;
    },
    toKeep() {
      if (Object.keys(fresh).length === 0) return undefined;
      const others = Object.entries(kept).filter(([key]) => !(key in fresh));
      const [used, unused] = [others.filter(([key]) => inUse.has(key)), others.filter(([key]) => !inUse.has(key))];
      let room = maxSize.all;
      const newest = [...unused, ...used, ...Object.entries(fresh)].toReversed().filter(([, { size }]) => {
        room -= size;
        return room >= 0;
      });
      return Object.fromEntries(newest.reverse());
    },
  };
}
