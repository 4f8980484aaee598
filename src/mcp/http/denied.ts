/** Whether a token was denied by an operator: what the store says of it, asked at most once a second. */
import { waitFor } from "../../language/durations.js";
import { nameKey } from "../../language/principal.js";
import type { Authentication } from "../owner.js";

/** Tokens that are denied: those of a subject, those of a client, or one by its `jti`. */
export interface Denied {
  readonly kind: "subject" | "client" | "jti";
  readonly value: string;
}

/** What is known of a token: `unknown` while the store has never said, undefined for one that is not denied. */
type Verdict = "denied" | "unknown" | undefined;

/** Whether the token of a request is denied; a promise if the store has to be asked. */
export type IsDenied = (one: Pick<Authentication, "principal" | "tokenId">) => Verdict | Promise<Verdict>;

const keptMs = 1_000;

/** What is denied, and the names that are: a name without an issuer is denied however it is written. */
interface Known {
  readonly keys: ReadonlySet<string>;
  readonly names: ReadonlySet<string>;
}

const keyOf = ({ kind, value }: Denied): string => `${kind} ${value}`;

const knownOf = (denied: readonly Denied[]): Known => ({
  keys: new Set(denied.map(keyOf)),
  names: new Set(denied.flatMap(({ kind, value }) => (kind === "subject" ? [nameKey(value)] : []))),
});

/** Whether a token is among those that are denied. */
function verdictOf(
  known: Known | undefined,
  { principal: { subject, issuer, client }, tokenId }: Parameters<IsDenied>[0],
): Verdict {
  if (known === undefined) return "unknown";
  const isListed = (kind: Denied["kind"], value: string | undefined): boolean =>
    value !== undefined && known.keys.has(keyOf({ kind, value }));
  const isNamed = issuer === undefined && known.names.has(nameKey(subject));
  return isNamed || isListed("subject", subject) || isListed("client", client) || isListed("jti", tokenId)
    ? "denied"
    : undefined;
}

/**
 * Creates the check of an endpoint. A store that fails for a while does not stop what is only read, so that the last
 * known list stays in force; without one no token is accepted.
 * @param read The denied tokens, as the store has them.
 */
export function createDenied(read: () => Promise<readonly Denied[]>): IsDenied {
  let known: Known | undefined;
  let dueMs = 0;
  let reading: Promise<void> | undefined;
  const refresh = async (): Promise<void> => {
    try {
      known = knownOf(await read());
    } catch {
      // The last known list stays in force.
    }
    dueMs = performance.now() + keptMs;
    reading = undefined;
  };
  const refreshed = async (): Promise<void> => {
    reading ??= refresh();
    await (known === undefined ? reading : Promise.race([reading, waitFor(keptMs, undefined, true)]));
    // A store that does not answer keeps no further request waiting until then.
    if (reading !== undefined) dueMs = performance.now() + keptMs;
  };
  return (one) => {
    const nowMs = performance.now();
    if (nowMs >= dueMs) return refreshed().then(() => verdictOf(known, one));
    // While requests come, the list is read again before it is due, so that none of them waits for it.
    if (nowMs >= dueMs - keptMs / 2) reading ??= refresh();
    return verdictOf(known, one);
  };
}

/** For an endpoint whose tokens nothing can deny. */
export const deniesNothing: IsDenied = () => undefined;
