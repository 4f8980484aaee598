/** Previews of activations in the two older policy services: which versions they replace, and which rules change. */

import type { Arguments, ByHand, Guard } from "../../language/conduct.js";
import { activationDifference, itemDifference } from "../../language/line-difference.js";
import { memberAt } from "../../language/member.js";
import type { WholeCall } from "../../language/next-call.js";
import { calling, callingOneOf, naming, type Sentence } from "../../language/sentence.js";
import { act } from "../../language/statement.js";
import { isSameNetwork, listed, networkName, plain, withoutFalse } from "../../language/words.js";
import type { z } from "../../language/z.js";
import { namedRules, rulesInWords } from "./rules.js";
import { Activations, QueuePolicy } from "./shapes.js";

/** How many versions are read at most, with one call each; the others are named by their ids. */
const maxRead = 10;

/** The ids of a call whose versions are read for its preview: at most the first few. */
const readIds = (ids: unknown): readonly number[] =>
  Array.isArray(ids) ? [...new Set(ids.map(Number))].slice(0, maxRead) : [];

/** The ids of all versions that are read for a preview: those of the call, and the active ones that they may replace. */
export const idsToRead = (ids: unknown, active: Active): readonly number[] => [
  ...new Set([
    ...readIds(ids),
    ...readIds(
      active.flatMap(({ policies }) => policies.flatMap((one) => one.versions.map((used) => used.policyVersionId))),
    ),
  ]),
];

type Version = z.output<typeof QueuePolicy>;
export type Active = z.output<typeof Activations>;

const payloadOf = (body: unknown): unknown => memberAt(body, "response");

/** The versions that were read, by id; each body has the envelope. */
export const versionsIn = (bodies: unknown): ReadonlyMap<number, Version> =>
  new Map(
    (Array.isArray(bodies) ? bodies : []).flatMap((one) => {
      const { data } = QueuePolicy.safeParse(payloadOf(one));
      return data ? [[data.id, data] as const] : [];
    }),
  );

/** Where policies are active, from a list that one service returns in the envelope and the other without. */
export const activeIn = (body: unknown): Active => Activations.safeParse(payloadOf(body) ?? body).data ?? [];

/** A version by its name: `version 2 of sale_queue (id 102)`, or by its id if it was not read. */
function nameOf(id: unknown, versions: ReadonlyMap<number, Version>): string {
  const found = versions.get(Number(id));
  if (found === undefined) return `the version with id ${plain(id)}`;
  const { version, policyName } = found;
  return `version ${version ?? "unknown"} of ${policyName === undefined ? "an unnamed policy" : plain(policyName)} (id ${plain(id)})`;
}

/** All versions of a call, in words. */
const namesOf = (ids: unknown, versions: ReadonlyMap<number, Version>): string =>
  listed((Array.isArray(ids) ? ids : []).map((id) => nameOf(id, versions)));

/** What the approver types: the name of the version, or the number of versions. */
const targetOf = (ids: unknown, versions: ReadonlyMap<number, Version>): string =>
  Array.isArray(ids) && ids.length > 1 ? `${ids.length} policy versions` : namesOf(ids, versions);

/** The other active versions of the same policies, which would be replaced. */
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

/**
 * The call that activates the former versions again; these services cannot deactivate a version.
 * @param call The call for the ids of the versions to return to.
 */
export function undoOf(
  ids: unknown,
  versions: ReadonlyMap<number, Version>,
  active: Active | undefined,
  { call, list }: { readonly call: (ids: readonly number[]) => WholeCall; readonly list: string },
): Sentence | ByHand {
  const unread = readIds(ids).some((id) => !versions.has(id)) || (Array.isArray(ids) && ids.length > maxRead);
  if (active === undefined || unread)
    return `The version that was active before is unknown: ${list} with historyOnly true lists past activations, too.`;
  const former = new Map(othersIn(ids, versions, active).map((one) => [one.id, one]));
  const isOnePerPolicy = new Set([...former.values()].map(({ policyName }) => policyName)).size === former.size;
  if (former.size === 0)
    return "No other version of the same policy was active before, and a version cannot be deactivated. To reverse the change, activate a version with other rules.";
  const names = listed(
    [...former.values()].map(({ version, policyName }) => `version ${plain(version)} of ${plain(policyName)}`),
  );
  if (isOnePerPolicy) {
    const only = call([...former.keys()]);
    return { says: naming`Return to ${names}: ${calling(only)}.`, call: only };
  }
  const choice = callingOneOf([...former.keys()].map((id) => call([id])));
  return naming`Several versions of one policy were active before (${names}). Choose one of them and ${choice}.`;
}

/** The current state as part of a sentence: the versions that are replaced, or that the same or none is active. */
function replacedWords(ids: unknown, versions: ReadonlyMap<number, Version>, active: Active): string {
  const replaced = othersIn(ids, versions, active).map(
    ({ name, policyName, version }) => `version ${plain(version)} of ${plain(policyName)} for ${plain(name)}`,
  );
  if (replaced.length > 0) return `it replaces ${listed(replaced)}`;
  const wanted = readIds(ids);
  const used = active.flatMap(({ policies }) => policies.flatMap((one) => one.versions));
  if (wanted.some((id) => !versions.has(id))) return "the version that it replaces is unknown";
  const isActive = (id: number) => used.some(({ policyVersionId }) => policyVersionId === id);
  if (wanted.every(isActive)) return "it is already active there";
  return `no ${wanted.some(isActive) ? "other " : ""}version of it is active there now`;
}

/** The rules of the versions of a call in words, by their names. */
const rulesWords = (ids: unknown, versions: ReadonlyMap<number, Version>): string =>
  listed(
    readIds(ids).map((id) => {
      const found = versions.get(id);
      return `${found?.policyName === undefined ? `version ${id}` : plain(found.policyName)} has ${rulesInWords(found)}`;
    }),
  );

/** How the rules of each version of a call differ from the active rules of the same policy. */
const comparisonOf = (
  ids: unknown,
  versions: ReadonlyMap<number, Version>,
  active: Active,
  where: string,
): readonly string[] =>
  readIds(ids).flatMap((id) => {
    const next = versions.get(id);
    if (next === undefined) return [`The changes of ${nameOf(id, versions)} are unknown: it could not be read.`];
    const of = next.policyName === undefined ? `the policy of ${id}` : plain(next.policyName);
    const to = next.version ?? id;
    const rules = namedRules(next);
    const difference = (now: ReturnType<typeof namedRules>) =>
      now && rules && itemDifference("rule", now, rules, { isOrdered: true });
    const others = new Map(othersIn([id], versions, active).map((one) => [one.id, one.version]));
    const isActive = active.some(({ policies }) =>
      policies.some((one) => one.versions.some(({ policyVersionId }) => policyVersionId === id)),
    );
    if (others.size === 0)
      return activationDifference(
        { from: isActive ? to : undefined, to, where, of },
        difference([]),
        "It has no rules.",
      );
    return [...others].flatMap(([other, from]) =>
      activationDifference(
        { from, to, where, of },
        difference(namedRules(versions.get(other))),
        "The rules are the same.",
      ),
    );
  });

/** Warns about versions whose rules could not be read. */
function rulesWarnings(ids: unknown, versions: ReadonlyMap<number, Version>): string[] {
  const blind = (Array.isArray(ids) ? ids : []).filter((id) => namedRules(versions.get(Number(id))) === undefined);
  const names = listed(blind.map((id) => nameOf(id, versions)));
  return withoutFalse(
    blind.length > 0 && `The rules of ${names} could not be read, so this preview does not show what they do.`,
  );
}

/** Whether a version has ever been active on a network, by its own counters. */
const wasTried = (found: Version | undefined): boolean =>
  found !== undefined && ((found.activatedStaging ?? 0) > 0 || (found.activatedProduction ?? 0) > 0);

/** Warns about versions that go to production without having been on staging. */
const untried = (network: unknown, ids: unknown, versions: ReadonlyMap<number, Version>): string[] =>
  isSameNetwork(network, "production")
    ? readIds(ids)
        .filter((id) => versions.has(id) && !wasTried(versions.get(id)))
        .map((id) =>
          `${nameOf(id, versions)} was never active on STAGING, where it could be tested.`.replace(/^v/, "V"),
        )
    : [];

type Versions = ReadonlyMap<number, Version>;

/** How the activations of the two services differ. */
interface Activation {
  /** The arguments that hold the version ids and the network. */
  readonly ids: string;
  readonly network: string;
  /** The versions that are active where a call activates others, read from the response that shows the state. */
  readonly activeFor: (args: Arguments, present: unknown, versions: Versions) => Active;
  /** What the versions are activated for, unless it is everything: ` for the shop`. */
  readonly place?: (args: Arguments, present: unknown) => string;
  /** What an active policy decides, as the end of a sentence. */
  readonly decides: string;
  readonly warns: (args: Arguments, present: unknown) => readonly string[];
  /** The tool that lists what is active, and the call that activates other versions instead. */
  readonly list: string;
  readonly instead: (args: Arguments, ids: readonly number[]) => WholeCall;
}

/** The guard of an activation of versions, which were read under the name `versions`. */
export function versionActivation(of: Activation): Guard {
  const partsOf = (args: Arguments, { versions }: Arguments) =>
    [memberAt(args, of.ids), versionsIn(versions), networkName(memberAt(args, of.network))] as const;
  return {
    kind: "activate",
    thing: "policy versions",
    counts: of.ids,
    network: of.network,
    undo: {
      by: ({ given, before, related }) => {
        const [ids, versions] = partsOf(given, related);
        const active = before === undefined ? undefined : of.activeFor(given, before, versions);
        return undoOf(ids, versions, active, { list: of.list, call: (former) => of.instead(given, former) });
      },
    },
    target: (args, _, related) => {
      const [ids, versions] = partsOf(args, related);
      return targetOf(ids, versions);
    },
    says: (args, present, related) => {
      const [ids, versions, where] = partsOf(args, related);
      const now = replacedWords(ids, versions, of.activeFor(args, present, versions));
      return act`ACTIVATE ${namesOf(ids, versions)}${of.place?.(args, present) ?? ""} on ${where}, which decides ${of.decides}: ${now}; ${rulesWords(ids, versions)}`;
    },
    compares: (args, present, related) => {
      const [ids, versions, where] = partsOf(args, related);
      return comparisonOf(ids, versions, of.activeFor(args, present, versions), where);
    },
    warns: (args, present, related) => {
      const [ids, versions] = partsOf(args, related);
      const tried = untried(memberAt(args, of.network), ids, versions);
      return [...rulesWarnings(ids, versions), ...tried, ...of.warns(args, present)];
    },
  };
}
