/** What a person has to know before versions of the two older policy services are activated. */
import type { Arguments, ByHand, Guard } from "../../language/conduct.js";
import { activationDifference, itemDifference } from "../../language/line-difference.js";
import { memberAt } from "../../language/member.js";
import { callInWords, type WholeCall } from "../../language/next-call.js";
import { isSameNetwork, listed, networkName, plain, told } from "../../language/words.js";
import type { z } from "../../language/z.js";
import { namedRules, rulesInWords } from "./rules.js";
import { Activations, QueuePolicy } from "./shapes.js";

/** More versions than these are named by their ids alone: each takes a call of its own to read. */
const maxRead = 10;

/** The ids of a call of which the versions are read beside it, the first of many. */
const readIds = (ids: unknown): readonly number[] =>
  Array.isArray(ids) ? [...new Set(ids.map(Number))].slice(0, maxRead) : [];

/** The ids of all versions that are read beside a call: its own, and what is active now, which they may replace. */
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

/** The versions that were read, each in its envelope, by their ids. */
export const versionsIn = (bodies: unknown): ReadonlyMap<number, Version> =>
  new Map(
    (Array.isArray(bodies) ? bodies : []).flatMap((one) => {
      const { data } = QueuePolicy.safeParse(payloadOf(one));
      return data ? [[data.id, data] as const] : [];
    }),
  );

/** Where policies are active, of a list that one service answers in the envelope and the other without. */
export const activeIn = (body: unknown): Active => Activations.safeParse(payloadOf(body) ?? body).data ?? [];

/** A version as people know it: `version 2 of sale_queue (id 102)`, or its id where it was not read. */
function nameOf(id: unknown, versions: ReadonlyMap<number, Version>): string {
  const found = versions.get(Number(id));
  if (found === undefined) return `the version with the id ${plain(id)}`;
  const { version, policyName } = found;
  return `version ${version ?? "unknown"} of ${policyName === undefined ? "a policy without a name" : plain(policyName)} (id ${plain(id)})`;
}

/** All versions of a call, in words. */
const namesOf = (ids: unknown, versions: ReadonlyMap<number, Version>): string =>
  listed((Array.isArray(ids) ? ids : []).map((id) => nameOf(id, versions)));

/** What a person types for all versions of a call. */
const targetOf = (ids: unknown, versions: ReadonlyMap<number, Version>): string =>
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

/**
 * The call that returns to what was active before; nothing takes a version off a network in these services.
 * @param call The call for the ids of the versions to return to.
 */
export function wayBack(
  ids: unknown,
  versions: ReadonlyMap<number, Version>,
  active: Active | undefined,
  { call, list }: { readonly call: (ids: readonly number[]) => WholeCall; readonly list: string },
): string | ByHand {
  const unread = readIds(ids).some((id) => !versions.has(id)) || (Array.isArray(ids) && ids.length > maxRead);
  if (active === undefined || unread)
    return `What was active before is not known: ${list} with historyOnly true names all that ever were.`;
  const former = new Map(othersIn(ids, versions, active).map((one) => [one.id, one]));
  const isOnePerPolicy = new Set([...former.values()].map(({ policyName }) => policyName)).size === former.size;
  if (former.size === 0)
    return "No other version of the same policy was active before, and none can be taken off a network. Only a version with other rules, activated in its place, changes it back.";
  const names = listed(
    [...former.values()].map(({ version, policyName }) => `version ${plain(version)} of ${plain(policyName)}`),
  );
  if (isOnePerPolicy) {
    const only = call([...former.keys()]);
    return { says: `Return to ${names}: call ${callInWords(only)}.`, call: only };
  }
  const calls = [...former.keys()].map((id) => callInWords(call([id])));
  return `Several versions of one policy were active before (${names}). Choose one of them, and call ${calls.join(", or ")}.`;
}

/** What a sentence says of what is there now: the versions that are replaced, or that the same or none is active. */
function replacedWords(ids: unknown, versions: ReadonlyMap<number, Version>, active: Active): string {
  const replaced = othersIn(ids, versions, active).map(
    ({ name, policyName, version }) => `version ${plain(version)} of ${plain(policyName)} for ${plain(name)}`,
  );
  if (replaced.length > 0) return `it replaces ${listed(replaced)}`;
  const wanted = readIds(ids);
  const used = active.flatMap(({ policies }) => policies.flatMap((one) => one.versions));
  if (wanted.some((id) => !versions.has(id))) return "what it replaces is not known";
  const isActive = (id: number) => used.some(({ policyVersionId }) => policyVersionId === id);
  if (wanted.every(isActive)) return "it is active there already";
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

/** How the rules of each version of a call differ from those that are active of the same policy. */
const comparisonOf = (
  ids: unknown,
  versions: ReadonlyMap<number, Version>,
  active: Active,
  where: string,
): readonly string[] =>
  readIds(ids).flatMap((id) => {
    const next = versions.get(id);
    if (next === undefined) return [`What ${nameOf(id, versions)} changes is not known, because it could not be read.`];
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

/** What is to be said of each version: its rules, or that they are not known. */
function rulesWarnings(ids: unknown, versions: ReadonlyMap<number, Version>): string[] {
  const blind = (Array.isArray(ids) ? ids : []).filter((id) => namedRules(versions.get(Number(id))) === undefined);
  const names = listed(blind.map((id) => nameOf(id, versions)));
  return told(
    blind.length > 0 && `The rules of ${names} could not be read, so this preview does not tell what they do.`,
  );
}

/** Whether a version was already active on a network, as its own counters tell it. */
const wasTried = (found: Version | undefined): boolean =>
  found !== undefined && ((found.activatedStaging ?? 0) > 0 || (found.activatedProduction ?? 0) > 0);

/** Warns of what goes to production although it was never on staging. */
const untried = (network: unknown, ids: unknown, versions: ReadonlyMap<number, Version>): string[] =>
  isSameNetwork(network, "production")
    ? readIds(ids)
        .filter((id) => versions.has(id) && !wasTried(versions.get(id)))
        .map((id) =>
          `${nameOf(id, versions)} was never active on STAGING, where it could be tried first.`.replace(/^v/, "V"),
        )
    : [];

type Versions = ReadonlyMap<number, Version>;

/** What tells the activations of the two services apart. */
interface Activation {
  /** The arguments that have the ids of the versions and the network. */
  readonly ids: string;
  readonly network: string;
  /** What is active where a call activates something, of the answer that shows it. */
  readonly activeFor: (args: Arguments, present: unknown, versions: Versions) => Active;
  /** For what the versions are activated, where that is not all there is: ` for the shop`. */
  readonly place?: (args: Arguments, present: unknown) => string;
  /** What an active policy decides, as the end of a sentence. */
  readonly decides: string;
  readonly warns: (args: Arguments, present: unknown) => readonly string[];
  /** The tool that lists what is active, and the call that activates other versions instead. */
  readonly list: string;
  readonly instead: (args: Arguments, ids: readonly number[]) => WholeCall;
}

/** The guard of an activation of versions, by what was read of them under the name `versions`. */
export function versionActivation(of: Activation): Guard {
  const asked = (args: Arguments, { versions }: Arguments) =>
    [memberAt(args, of.ids), versionsIn(versions), networkName(memberAt(args, of.network))] as const;
  return {
    kind: "activate",
    thing: "policy versions",
    counts: of.ids,
    network: of.network,
    undo: {
      by: ({ given, before, beside }) => {
        const [ids, versions] = asked(given, beside);
        const active = before === undefined ? undefined : of.activeFor(given, before, versions);
        return wayBack(ids, versions, active, { list: of.list, call: (former) => of.instead(given, former) });
      },
    },
    target: (args, _, beside) => {
      const [ids, versions] = asked(args, beside);
      return targetOf(ids, versions);
    },
    says: (args, present, beside) => {
      const [ids, versions, where] = asked(args, beside);
      const now = replacedWords(ids, versions, of.activeFor(args, present, versions));
      return `ACTIVATE ${namesOf(ids, versions)}${of.place?.(args, present) ?? ""} on ${where}, which decides ${of.decides}: ${now}; ${rulesWords(ids, versions)}`;
    },
    compares: (args, present, beside) => {
      const [ids, versions, where] = asked(args, beside);
      return comparisonOf(ids, versions, of.activeFor(args, present, versions), where);
    },
    warns: (args, present, beside) => {
      const [ids, versions] = asked(args, beside);
      const tried = untried(memberAt(args, of.network), ids, versions);
      return [...rulesWarnings(ids, versions), ...tried, ...of.warns(args, present)];
    },
  };
}
