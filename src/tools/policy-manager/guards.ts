/** Previews of activations in the two older policy services: which versions they replace, and which rules change. */
import type { Arguments, DifferenceLine, Guard, ManualUndo } from "../../language/conduct.js";
import { activationDifference, headLine } from "../../language/difference-lines.js";
import { act } from "../../language/guards.js";
import { listAt, memberAt } from "../../language/member.js";
import type { WholeCall } from "../../language/next-call.js";
import { calling, callingOneOf, naming, type Sentence } from "../../language/sentence.js";
import { listInWords, networkName, plainOrQuoted } from "../../language/words.js";
import type { z } from "../../language/z.js";
import { rulesBetween, rulesInWords, rulesOf } from "./rules.js";
import { Activations, QueuePolicy } from "./shapes.js";

type Version = z.output<typeof QueuePolicy>;
type Versions = ReadonlyMap<number, Version>;
export type ActivePolicies = z.output<typeof Activations>;

/** How many versions are read at most, with one call each; the others are named by their ids. */
const maxRead = 10;

/** The ids of a call whose versions are read for its preview: at most the first few. */
const readIds = (ids: unknown): readonly number[] =>
  Array.isArray(ids) ? [...new Set(ids.map(Number))].slice(0, maxRead) : [];

/** Each version that is active, with the names of its policy and of the property. */
const eachIn = (active: ActivePolicies) =>
  active.flatMap(({ name, policies }) =>
    policies.flatMap(({ policyName, versions }) =>
      versions.map(({ version, policyVersionId: id }) => ({ name, policyName, version, id })),
    ),
  );

/** The ids of all versions that are read for a preview: those of the call, and the active ones that they may replace. */
export const idsToRead = (ids: unknown, active: ActivePolicies): readonly number[] => [
  ...new Set([...readIds(ids), ...readIds(eachIn(active).map(({ id }) => id))]),
];

const payloadOf = (body: unknown): unknown => memberAt(body, "response");

/** The versions that were read, by id; each body has the envelope. */
export const versionsIn = (bodies: unknown): Versions =>
  new Map(
    (Array.isArray(bodies) ? bodies : []).flatMap((body) => {
      const { data } = QueuePolicy.safeParse(payloadOf(body));
      return data ? [[data.id, data] as const] : [];
    }),
  );

/** Where policies are active, from a list that one service returns in the envelope and the other without. */
export const activeIn = (body: unknown): ActivePolicies => Activations.safeParse(payloadOf(body) ?? body).data ?? [];

/** A version by its name: `version 2 of sale_queue (id 102)`, or by its id if it was not read. */
function nameOf(id: unknown, versions: Versions): string {
  const found = versions.get(Number(id));
  if (found === undefined) return `the version with id ${plainOrQuoted(id)}`;
  const { version, policyName } = found;
  return `version ${version ?? "unknown"} of ${policyName === undefined ? "an unnamed policy" : plainOrQuoted(policyName)} (id ${plainOrQuoted(id)})`;
}

/** The other active versions of the same policies, which would be replaced. */
function othersIn(ids: readonly unknown[], versions: Versions, active: ActivePolicies) {
  const wanted = new Set(ids.map(Number));
  const names = new Set([...wanted].map((id) => versions.get(id)?.policyName));
  return eachIn(active).filter(({ policyName, id }) => names.has(policyName) && !wanted.has(id));
}

const inWords = ({ version, policyName }: { readonly version: unknown; readonly policyName: unknown }): string =>
  `version ${plainOrQuoted(version)} of ${plainOrQuoted(policyName)}`;
const isIn = (active: ActivePolicies, id: number): boolean => eachIn(active).some((one) => one.id === id);

/**
 * The call that activates the former versions again; these services cannot deactivate a version.
 * @param call The call for the ids of the versions to return to.
 */
export function undoOf(
  ids: readonly unknown[],
  versions: Versions,
  active: ActivePolicies | undefined,
  { call, list }: { readonly call: (ids: readonly number[]) => WholeCall; readonly list: string },
): Sentence | ManualUndo {
  const unread = readIds(ids).some((id) => !versions.has(id)) || ids.length > maxRead;
  if (active === undefined || unread)
    return `The version that was active before is unknown: ${list} with historyOnly true lists past activations, too.`;
  const former = new Map(othersIn(ids, versions, active).map((one) => [one.id, one]));
  const isOnePerPolicy = new Set([...former.values()].map(({ policyName }) => policyName)).size === former.size;
  if (former.size === 0)
    return "No other version of the same policy was active before, and a version cannot be deactivated. To reverse the change, activate a version with other rules.";
  const names = listInWords([...former.values()], inWords);
  if (isOnePerPolicy) {
    const only = call([...former.keys()]);
    return { says: naming`Return to ${names}: ${calling(only)}.`, call: only };
  }
  const choice = callingOneOf([...former.keys()].map((id) => call([id])));
  return naming`Several versions of one policy were active before (${names}). Choose one of them and ${choice}.`;
}

/** The current state as part of a sentence: the versions that are replaced, or that the same or none is active. */
function replacedWords(ids: readonly unknown[], versions: Versions, active: ActivePolicies): string {
  const replaced = listInWords(
    othersIn(ids, versions, active),
    (one) => `${inWords(one)} for ${plainOrQuoted(one.name)}`,
  );
  if (replaced !== "") return `it replaces ${replaced}`;
  const wanted = readIds(ids);
  if (wanted.some((id) => !versions.has(id))) return "the version that it replaces is unknown";
  const isActive = (id: number) => isIn(active, id);
  if (wanted.every(isActive)) return "it is already active there";
  return `no ${wanted.some(isActive) ? "other " : ""}version of it is active there now`;
}

/** How the rules of a version of a call differ from the active rules of the same policy. */
function comparisonOf(
  id: number,
  versions: Versions,
  active: ActivePolicies,
  where: string,
): readonly DifferenceLine[] {
  const next = versions.get(id);
  if (next === undefined)
    return [headLine(`The changes of ${nameOf(id, versions)} are unknown: it could not be read.`)];
  const of = next.policyName === undefined ? `the policy of ${id}` : plainOrQuoted(next.policyName);
  const to = next.version ?? id;
  const others = new Map(othersIn([id], versions, active).map((one) => [one.id, one.version]));
  if (others.size === 0) {
    const from = isIn(active, id) ? to : undefined;
    return activationDifference({ from, to, where, of }, rulesBetween([], rulesOf(next)), "It has no rules.");
  }
  return [...others].flatMap(([other, from]) => {
    const lines = rulesBetween(rulesOf(versions.get(other)), rulesOf(next));
    return activationDifference({ from, to, where, of }, lines, "The rules are the same.");
  });
}

/** Whether a version has ever been active on a network, by its own counters. */
const wasTried = ({ activatedStaging, activatedProduction }: Version): boolean =>
  (activatedStaging ?? 0) > 0 || (activatedProduction ?? 0) > 0;

/** How the activations of the two services differ. */
interface Activation {
  /** The arguments that hold the version ids and the network. */
  readonly ids: string;
  readonly network: string;
  /** The versions that are active where a call activates others, read from the response that shows the state. */
  readonly activeFor: (args: Arguments, present: unknown, versions: Versions) => ActivePolicies;
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
  const partsOf = (args: Arguments, present: unknown, related: Arguments) => {
    const [ids, versions] = [listAt(args, of.ids), versionsIn(related["versions"])];
    const names = listInWords(ids, (id) => nameOf(id, versions));
    const where = networkName(memberAt(args, of.network));
    return { ids, versions, names, where, active: of.activeFor(args, present, versions) };
  };
  return {
    kind: "activate",
    thing: "policy versions",
    counts: of.ids,
    network: of.network,
    undo: {
      by: ({ given, before, related }) => {
        const { ids, versions, active } = partsOf(given, before, related);
        const call = (former: readonly number[]) => of.instead(given, former);
        return undoOf(ids, versions, before === undefined ? undefined : active, { list: of.list, call });
      },
    },
    target: (...seen) => {
      const { ids, names } = partsOf(...seen);
      return ids.length > 1 ? `${ids.length} policy versions` : names;
    },
    says: (...seen) => {
      const { ids, versions, names, where, active } = partsOf(...seen);
      const [args, present] = seen;
      const rules = readIds(ids).map((id) => {
        const found = versions.get(id);
        return `${found?.policyName === undefined ? `version ${id}` : plainOrQuoted(found.policyName)} has ${rulesInWords(found)}`;
      });
      return act`ACTIVATE ${names}${of.place?.(args, present) ?? ""} on ${where}, which decides ${of.decides}: ${replacedWords(ids, versions, active)}; ${listInWords(rules)}`;
    },
    compares: (...seen) => {
      const { ids, versions, active, where } = partsOf(...seen);
      return readIds(ids).flatMap((id) => comparisonOf(id, versions, active, where));
    },
    warns: (...seen) => {
      const { ids, versions, where } = partsOf(...seen);
      const blind = ids.filter((id) => rulesOf(versions.get(Number(id))) === undefined);
      const names = listInWords(blind, (id) => nameOf(id, versions));
      const known = where === "PRODUCTION" ? readIds(ids).flatMap((id) => versions.get(id) ?? []) : [];
      return [
        names !== "" && `The rules of ${names} could not be read, so this preview does not show what they do.`,
        ...known.map(
          (one) => !wasTried(one) && `Never active on STAGING, where it could be tested: ${nameOf(one.id, versions)}.`,
        ),
        ...of.warns(seen[0], seen[1]),
      ];
    },
  };
}
