/** Where the rollout of one version stands and what comes next, which is the same for a property and an include. */
import type { Arguments } from "../language/conduct.js";
import { quoteValue } from "../language/failure.js";
import { listInWords, withoutFalse } from "../language/words.js";
import type { problemsIn } from "../tools/properties/activations.js";
import { activeVersionAmong, type PropertyNetwork } from "../tools/properties/guards.js";
import { isUnderWay, reachesNetwork } from "../tools/properties/states.js";

/** What the caller gives for every activation, and the contract and group of what is named by its id. */
export interface RolloutRequest {
  readonly place: Arguments;
  readonly notifyEmails: readonly string[];
  readonly acknowledged: readonly string[];
}

interface Version {
  readonly number: number;
  readonly stagingStatus: string;
  readonly productionStatus: string;
}
interface Activation {
  readonly version?: number | undefined;
  readonly network: string;
  readonly status: string;
}

/** A version between the networks. */
export interface Position {
  /** The version that is rolled out. */
  readonly to: number;
  readonly latest: number;
  readonly staging: number | undefined;
  readonly production: number | undefined;
  readonly pending: Activation | undefined;
  /** The state of the version's latest activation. */
  readonly lastActivation: Activation | undefined;
  /** Whether the version reached a network, also before another one replaced it. */
  readonly wasActive: boolean;
  /** Whether the caller has chosen the version, which may then be an earlier one. */
  readonly isChosen: boolean;
}

/**
 * The position of a version.
 * @param activations The newest first.
 * @param chosenVersion The version; the newest if it is undefined.
 * @returns undefined if there is no such version.
 */
export function positionOf(
  versions: readonly Version[],
  activations: readonly Activation[],
  chosenVersion: number | undefined,
): Position | undefined {
  const latest = Math.max(...versions.map(({ number }) => number));
  const to = chosenVersion ?? latest;
  if (!versions.some(({ number }) => number === to)) return undefined;
  const ownActivations = activations.filter(({ version }) => version === to);
  return {
    to,
    latest,
    staging: activeVersionAmong(versions, "STAGING")?.number,
    production: activeVersionAmong(versions, "PRODUCTION")?.number,
    pending: activations.find(isUnderWay),
    lastActivation: ownActivations[0],
    wasActive: ownActivations.some(reachesNetwork),
    isChosen: chosenVersion !== undefined,
  };
}

/**
 * The active version that a version is compared with: the one on production, which visitors have, or else another one on
 * staging; undefined if there is none.
 */
export function activeCounterpart({ to, staging, production }: Position) {
  if (production !== undefined) return { version: production, network: "PRODUCTION" as const };
  return staging === undefined || staging === to ? undefined : { version: staging, network: "STAGING" as const };
}

/** What comes next for a version: an activation on a network, or what keeps it from one. */
export type Stage =
  | PropertyNetwork
  | "activating"
  | "live"
  | "needs a new version"
  | "errors"
  | "open warnings"
  | "unknown";

export type Problems = ReturnType<typeof problemsIn>;

const openIn = ({ warnings }: Problems, acknowledged: readonly string[]) =>
  warnings.filter(({ messageId }) => !acknowledged.includes(messageId ?? ""));

/** What comes next whatever the content of the version is; undefined if that decides. */
export function stageBeforeContent({
  to,
  staging,
  production,
  pending,
  wasActive,
  isChosen,
}: Position): Stage | undefined {
  if (pending) return "activating";
  if (production === to) return "live";
  // The newest version was replaced after it had been active, so a change of it needs a copy.
  return wasActive && staging !== to && !isChosen ? "needs a new version" : undefined;
}

/** What comes next, by the problems in the content of a version; undefined problems could not be read. */
export function stageOf(
  { to, staging }: Position,
  problems: Problems | undefined,
  acknowledged: readonly string[],
): Stage {
  if (problems === undefined) return "unknown";
  if (problems.errors.length > 0) return "errors";
  if (openIn(problems, acknowledged).length > 0) return "open warnings";
  return staging === to ? "PRODUCTION" : "STAGING";
}

/** The accepted warnings that a version has, as an argument of its activation. */
export function acknowledgment(problems: Problems | undefined, acknowledged: readonly string[]): Arguments {
  const own = acknowledged.filter((id) => problems?.warnings.some(({ messageId }) => messageId === id));
  return own.length === 0 ? {} : { acknowledgeWarnings: own };
}

/** What is grave about a version, in sentences. */
export function dangersOf(
  what: string,
  position: Position,
  problems: Problems | undefined,
  acknowledged: readonly string[],
): readonly string[] {
  const { to, staging, production, pending, lastActivation } = position;
  const version = `Version ${to} of ${what}`;
  const open = problems === undefined ? [] : openIn(problems, acknowledged);
  return withoutFalse(
    pending?.network === "PRODUCTION" &&
      pending.version !== staging &&
      `Version ${pending.version} of ${what} is being activated on PRODUCTION and is not active on STAGING.`,
    production === to && staging !== to && `${version} is active on PRODUCTION and not on STAGING.`,
    problems !== undefined &&
      problems.errors.length > 0 &&
      `${version} cannot be activated because of errors: ${listInWords(problems.errors, ({ title, detail, errorLocation }) => `${quoteValue(detail ?? title)} at ${quoteValue(errorLocation ?? "?")}`)}.`,
    open.length > 0 &&
      `${version} has warnings: add each that the user accepts to acknowledgeWarnings: ${listInWords(open, ({ messageId, title, detail }) => `${quoteValue(messageId ?? "?")} (${quoteValue(detail ?? title)})`)}.`,
    lastActivation?.status === "FAILED" &&
      `The latest activation of ${what} to version ${to}, on ${lastActivation.network}, FAILED.`,
    production !== undefined &&
      production > to &&
      `Version ${production} of ${what}, which is active on PRODUCTION, is newer than version ${to}: this is a rollback.`,
  );
}

/** The values of several lists in turn: the first of each, then the second of each. */
export const interleave = <T>(lists: readonly (readonly T[])[]): readonly T[] =>
  Array.from({ length: Math.max(0, ...lists.map(({ length }) => length)) }, (_, at) =>
    lists.flatMap((list) => list.slice(at, at + 1)),
  ).flat();

/** The name or id in an argument such as `www.shop.example@3`, and the version. */
export function parseVersionedName(text: string): { readonly name: string; readonly version?: number } {
  const [, name, version] = /^(.+)@(\d{1,9})$/.exec(text) ?? [];
  return name === undefined ? { name: text } : { name, version: Number(version) };
}
