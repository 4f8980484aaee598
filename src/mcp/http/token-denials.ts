/** Whether a token was denied by an operator: what the store says of it, asked at most once a second. */
import { nameKey } from "../../policy/principal.js";
import { waitFor } from "../../time/durations.js";
import type { Authentication } from "../owner.js";

/** Tokens that are denied: those of a subject, those of a client, or one by its `jti`. */
export interface TokenDenial {
  readonly kind: "subject" | "client" | "jti";
  readonly value: string;
}

/** What is known of a token: `unknown` until the store has answered once, undefined if it is not denied. */
type Verdict = "denied" | "unknown" | undefined;

/** Whether the token of a request is denied; a promise if the store has to be asked. */
export type DenialCheck = (one: Pick<Authentication, "principal" | "tokenId">) => Verdict | Promise<Verdict>;

const keptMs = 1_000;

/** What is denied, and the names that are: a name without an issuer is denied however it is written. */
interface KnownDenials {
  readonly keys: ReadonlySet<string>;
  readonly names: ReadonlySet<string>;
}

const keyOf = ({ kind, value }: TokenDenial): string => `${kind} ${value}`;

const denialsOf = (denials: readonly TokenDenial[]): KnownDenials => ({
  keys: new Set(denials.map(keyOf)),
  names: new Set(denials.flatMap(({ kind, value }) => (kind === "subject" ? [nameKey(value)] : []))),
});

/** Whether a token is among those that are denied. */
function verdictOf(
  denials: KnownDenials | undefined,
  { principal: { subject, issuer, client }, tokenId }: Parameters<DenialCheck>[0],
): Verdict {
  if (denials === undefined) return "unknown";
  const isListed = (kind: TokenDenial["kind"], value: string | undefined): boolean =>
    value !== undefined && denials.keys.has(keyOf({ kind, value }));
  const isNamed = issuer === undefined && denials.names.has(nameKey(subject));
  return isNamed || isListed("subject", subject) || isListed("client", client) || isListed("jti", tokenId)
    ? "denied"
    : undefined;
}

/**
 * Creates the check of an endpoint. While the store fails, reads go on, so the last known list stays in force; without a
 * list no token is accepted.
 * @param read The denied tokens, as the store has them.
 */
export function createDenialCheck(read: () => Promise<readonly TokenDenial[]>): DenialCheck {
  let denials: KnownDenials | undefined;
  let dueMs = 0;
  let reading: Promise<void> | undefined;
  const refresh = async (): Promise<void> => {
    try {
      denials = denialsOf(await read());
    } catch {
      // The last known list stays in force.
    }
    dueMs = performance.now() + keptMs;
    reading = undefined;
  };
  const refreshed = async (): Promise<void> => {
    reading ??= refresh();
    await (denials === undefined ? reading : Promise.race([reading, waitFor(keptMs, undefined, true)]));
    // Until the next attempt, no further request waits for a store that does not answer.
    if (reading !== undefined) dueMs = performance.now() + keptMs;
  };
  return (token) => {
    const nowMs = performance.now();
    if (nowMs >= dueMs) return refreshed().then(() => verdictOf(denials, token));
    // While requests come, the list is read again before it is due, so that none of them waits for it.
    if (nowMs >= dueMs - keptMs / 2) reading ??= refresh();
    return verdictOf(denials, token);
  };
}

/** For an endpoint whose tokens nothing can deny. */
export const noDenials: DenialCheck = () => undefined;
