/** What a person has to know before versions of the two older policy services are activated. */
import type { Arguments } from "../../api/conduct.js";
import { shown } from "../../api/failure.js";
import { isSameNetwork, listed, plain } from "../../api/words.js";
import type { z } from "../../api/z.js";
import { Activations, Policy } from "./shapes.js";

/** More versions than these are named by their ids alone: each takes a call of its own to read. */
const maxRead = 10;

/** The ids of which the versions are read beside a call, the first of many. */
export const readIds = (ids: unknown): readonly number[] =>
  Array.isArray(ids) ? [...new Set(ids.map(Number))].slice(0, maxRead) : [];

type Version = z.output<typeof Policy>;
export type Active = z.output<typeof Activations>;

/** The versions that were read, by their ids. */
export const versionsIn = (versions: unknown): ReadonlyMap<number, Version> =>
  new Map(
    (Array.isArray(versions) ? versions : []).flatMap((one) => {
      const { data } = Policy.safeParse(one);
      return data ? [[data.id, data] as const] : [];
    }),
  );

export const activeIn = (activations: unknown): Active => Activations.safeParse(activations).data ?? [];

/** A version as people know it: `version 2 of sale_queue (id 102)`, or its id where it was not read. */
function nameOf(id: unknown, versions: ReadonlyMap<number, Version>): string {
  const found = versions.get(Number(id));
  if (found === undefined) return `the version with the id ${plain(id)}`;
  const { version, policyName } = found;
  return `version ${version ?? "unknown"} of ${policyName === undefined ? "a policy without a name" : plain(policyName)} (id ${plain(id)})`;
}

/** All versions of a call, in words. */
export const namesOf = (ids: unknown, versions: ReadonlyMap<number, Version>): string =>
  listed((Array.isArray(ids) ? ids : []).map((id) => nameOf(id, versions)));

/** What a person types for all versions of a call. */
export const targetOf = (ids: unknown, versions: ReadonlyMap<number, Version>): string =>
  Array.isArray(ids) && ids.length > 1 ? `${ids.length} policy versions` : namesOf(ids, versions);

/** What is active of the same policies, other versions of them that would be replaced. */
function othersIn(ids: unknown, versions: ReadonlyMap<number, Version>, active: Active) {
  const wanted = new Set((Array.isArray(ids) ? ids : []).map(Number));
  const names = new Set([...wanted].map((id) => versions.get(id)?.policyName));
  return active.flatMap(({ name, policies }) =>
    policies
      .filter(({ policyName }) => names.has(policyName))
      .flatMap(({ policyName, versions: used }) =>
        used
          .filter(({ policyVersionId }) => !wanted.has(policyVersionId))
          .map(({ version, policyVersionId: id }) => ({ name, policyName, version, id })),
      ),
  );
}

/** The same in words. */
export const replacedIn = (ids: unknown, versions: ReadonlyMap<number, Version>, active: Active): string[] =>
  othersIn(ids, versions, active).map(
    ({ name, policyName, version }) => `version ${plain(version)} of ${plain(policyName)} for ${plain(name)}`,
  );

/**
 * The call that returns to what was active before; nothing takes a version off a network in these services.
 * @param call The tool with its arguments, for the ids of the versions to return to.
 */
export function wayBack(
  ids: unknown,
  versions: ReadonlyMap<number, Version>,
  active: Active | undefined,
  { call, list }: { readonly call: (ids: readonly number[]) => string; readonly list: string },
): string {
  const unread = readIds(ids).some((id) => !versions.has(id)) || (Array.isArray(ids) && ids.length > maxRead);
  if (active === undefined || unread)
    return `Activate the versions that were active before; ${list} with historyOnly true names all that ever were.`;
  const former = new Map(othersIn(ids, versions, active).map((one) => [one.id, one]));
  const isOnePerPolicy = new Set([...former.values()].map(({ policyName }) => policyName)).size === former.size;
  if (former.size === 0)
    return "No other version of the same policy was active before, and none can be taken off a network: activate a version with the rules that the user wants instead.";
  const names = listed(
    [...former.values()].map(({ version, policyName }) => `version ${plain(version)} of ${plain(policyName)}`),
  );
  if (isOnePerPolicy) return `Return to ${names}: call ${call([...former.keys()])}.`;
  const calls = [...former.keys()].map((id) => call([id]));
  return `Several versions of one policy were active before (${names}). Return to the one that the user chooses: call ${calls.join(", or ")}.`;
}

/** One match of a rule in words: `not clientip 192.0.2.0/24`. */
const matchWords = ({ matchType, matchValue, negate }: Arguments): string =>
  `${negate === true ? "not " : ""}${plain(matchType)} ${matchValue === undefined ? "of any value" : shown(matchValue)}`;

/** What the rules of a version look at, in words, or undefined where the answer does not have them. */
function rulesOf({ matchRules }: Version): string | undefined {
  if (!matchRules) return undefined;
  const rules = matchRules.map(({ matchURL, matches, passThroughPercent }) =>
    [
      ...(matchURL ? [plain(matchURL)] : []),
      ...(matches ?? []).map(matchWords),
      ...(passThroughPercent === undefined
        ? []
        : [passThroughPercent < 0 ? "everybody passes" : `${passThroughPercent} % pass`]),
    ].join(", "),
  );
  return rules.length === 0 ? "no rules" : listed(rules.map((rule) => `[${rule || "everything"}]`));
}

/** What is to be said of each version: its rules, or that they are not known. */
export function rulesWarnings(ids: unknown, versions: ReadonlyMap<number, Version>): string[] {
  const blind = (Array.isArray(ids) ? ids : []).filter((id) => {
    const found = versions.get(Number(id));
    return found === undefined || rulesOf(found) === undefined;
  });
  return blind.length === 0
    ? []
    : [
        `The rules of ${listed(blind.map((id) => nameOf(id, versions)))} are not at hand: nobody can tell from here what they do.`,
      ];
}

/** The rules of all versions in a sentence; empty where none are known. */
export function rulesWords(ids: unknown, versions: ReadonlyMap<number, Version>): string {
  const known = (Array.isArray(ids) ? ids : []).flatMap((id) => {
    const found = versions.get(Number(id));
    const rules = found && rulesOf(found);
    return rules === undefined ? [] : [`${plain(found?.policyName ?? id)}: ${rules}`];
  });
  return known.length === 0 ? "" : `; rules of ${known.slice(0, 5).join("; ")}`;
}

/** Whether a version was already active on a network, as its own counters tell it. */
const wasTried = (found: Version | undefined): boolean =>
  found !== undefined && ((found.activatedStaging ?? 0) > 0 || (found.activatedProduction ?? 0) > 0);

/** Warns of what goes to production although it was never on staging. */
export const untried = (network: unknown, ids: unknown, versions: ReadonlyMap<number, Version>): string[] =>
  isSameNetwork(network, "production")
    ? readIds(ids)
        .filter((id) => versions.has(id) && !wasTried(versions.get(id)))
        .map((id) =>
          `${nameOf(id, versions)} was never active on staging, where it could be tried first.`.replace(/^v/, "V"),
        )
    : [];
