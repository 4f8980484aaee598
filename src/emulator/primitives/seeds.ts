/** Reads the objects with which a world begins from the JSON beside a service. */
import { isRecord } from "../../language/member.js";
import { dayMs, hourMs, minuteMs } from "../../time/durations.js";
import { portalUser } from "../services/account.js";
import { type Authorship, authorshipAt } from "./authored.js";

/** The member of the JSON that becomes a member which ends in `AtMs`. */
type Named<N> = N extends `${infer Name}AtMs` ? `${Name}At` : N extends "atMs" ? "at" : N;
type Members<T> = { readonly [N in keyof T as Named<N>]: Named<N> extends N ? SeedOf<T[N]> : string };
/**
 * A value as JSON has it. An instant is a text: ISO 8601, or the days, hours, minutes or seconds from the beginning of the
 * world, as `-60d`. Of an authored object the user of the portal is the author, and it was not changed unless it says so.
 */
export type SeedOf<T> = T extends string
  ? string
  : T extends readonly (infer I)[]
    ? readonly SeedOf<I>[]
    : T extends Authorship
      ? Members<Omit<T, keyof Authorship>> & { readonly createdAt: string; readonly modifiedAt?: string }
      : T extends object
        ? Members<T>
        : T;

const units: Readonly<Record<string, number>> = { d: dayMs, h: hourMs, m: minuteMs, s: 1_000 };

function instantOf(text: string, beginningMs: number): number {
  const [, count, unit = ""] = /^([+-]\d+)([dhms])$/.exec(text) ?? [];
  return count === undefined ? Date.parse(text) : beginningMs + Number(count) * (units[unit] ?? 0);
}

function read(seed: unknown, beginningMs: number): unknown {
  if (Array.isArray(seed)) return seed.map((one) => read(one, beginningMs));
  if (!isRecord(seed)) return seed;
  const { createdAt } = seed;
  return {
    ...(typeof createdAt === "string" && authorshipAt(instantOf(createdAt, beginningMs), portalUser)),
    ...Object.fromEntries(
      Object.entries(seed).map(([name, value]) =>
        /^at$|At$/.test(name) ? [`${name}Ms`, instantOf(String(value), beginningMs)] : [name, read(value, beginningMs)],
      ),
    ),
  };
}

/** @param beginningMs The instant from which the seed counts, in milliseconds since 1970. */
export const seedsOf = <T>(seed: SeedOf<T>, beginningMs: number): T => read(seed, beginningMs) as T;
