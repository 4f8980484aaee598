/** What a forecast reads, and the reasons for what it cannot find. */
import type { Arguments } from "../language/conduct.js";
import { Failure, type FailureCode } from "../language/failure.js";
import type { Forecasted } from "../language/forecast.js";
import { memberAt, numberAt } from "../language/member.js";
import type { z } from "../language/z.js";

/**
 * Reads with an operation by its tool's name.
 * @returns The body of the answer.
 * @throws Failure
 */
export type SiteRead = (tool: string, args: Arguments) => Promise<unknown>;

/** The reads of one forecast, in its time and within the API's limits. */
export interface SiteReads {
  /** When the forecast began, in milliseconds since 1970. */
  readonly nowMs: number;
  /** Whether the tools are those of today's APIs, of which some take other arguments. */
  readonly isToday: boolean;
  /** Reads what is there now. */
  readonly read: SiteRead;
  /**
   * What is needed of a body that may be minutes old.
   * @param reduce A function of its module, with a small result.
   * @throws Failure
   */
  recall<T>(tool: string, args: Arguments, reduce: (body: unknown) => T): Promise<T>;
}

/** A clause on a failure to read something. */
const reasons: Readonly<Partial<Record<FailureCode, (what: string) => string>>> = {
  unknown_tool: (what) => `the APIs in use have no ${what}`,
  not_allowed: (what) => `this server's settings or policy do not let it read the ${what}`,
  unauthorized: (what) => `the credential was not accepted for the ${what}`,
  forbidden: (what) => `the contract or the credential's permissions do not include the ${what}`,
  not_found: (what) => `the API found no ${what}`,
  rate_limited: (what) => `the API's limit of requests for the ${what} is used up`,
  timeout: (what) => `the ${what} was not there within two seconds`,
  bad_reply: (what) => `the API's answer with the ${what} has a form that is not documented`,
  rejected: (what) => `the API refused the request for the ${what}`,
};

/** The failure of a read whose response does not have the form that its operation declares. */
export const otherForm = (): Failure =>
  new Failure("bad_reply", "The response has another form than is documented.", { next: "Call the tool to see it." });

/**
 * A body of which the members in a schema are known.
 * @throws Failure if it has another form.
 */
export function bodyAs<S extends z.ZodType>(schema: S, body: unknown): z.output<S> {
  const { success, data } = schema.safeParse(body);
  if (!success) throw otherForm();
  return data;
}

/**
 * The list at a path of a body.
 * @throws Failure if there is none.
 */
export function listIn(body: unknown, path: string): readonly unknown[] {
  const list = memberAt(body, path);
  if (!Array.isArray(list)) throw otherForm();
  return list;
}

/**
 * The text at a path of a body.
 * @throws Failure if there is none.
 */
export function textIn(body: unknown, path: string): string {
  const text = memberAt(body, path);
  if (typeof text !== "string") throw otherForm();
  return text;
}

/**
 * The number at a path of a body, which counts something.
 * @throws Failure if there is none.
 */
export function countIn(body: unknown, path: string): number {
  const count = numberAt(body, path);
  if (count === undefined || !Number.isFinite(count) || count < 0) throw otherForm();
  return count;
}

/**
 * A fact that is found by reading, or why it is unknown.
 * @param what The noun for what is read, such as "traffic report".
 */
export async function orUnknown<T>(what: string, fact: Promise<Forecasted<T>>): Promise<Forecasted<T>> {
  try {
    return await fact;
  } catch (error) {
    if (!(error instanceof Failure)) throw error;
    return { unknown: reasons[error.code]?.(what) ?? `the ${what} could not be read` };
  }
}
