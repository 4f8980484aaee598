/** Previews of today's writes of a version's content: rules by a patch, and hostnames as a whole or one by one. */
import { type Activation, activates } from "../../language/activation.js";
import type { Check, Resolve } from "../../language/check.js";
import { type Arguments, type Guard, pickArguments, type Statement } from "../../language/conduct.js";
import { headLine, limitLines } from "../../language/difference-lines.js";
import { flag, type GuardParameters, guardsOf, memberClauses, membership, statement } from "../../language/guards.js";
import { defined, isRecord, listAt, memberAt } from "../../language/member.js";
import { type Clause, listInWords, plainOrQuoted } from "../../language/words.js";
import { z } from "../../language/z.js";
import { applyPatch, JsonPatch, patchInWords } from "../../schema/json-patch.js";
import { activationGuard, activationOf } from "./activations.js";
import { hostnameDifference, patchDifference } from "./difference.js";
import { inVersion, treeReplacement } from "./guards.js";
import { Hostnames, RuleTree } from "./shapes.js";
import { propertyKind, type VersionedKind } from "./states.js";

const ofVersion = (args: Arguments): Arguments =>
  defined(pickArguments("propertyId", "propertyVersion", "contractId", "groupId")(args));

/** The stamp that today's API requires with each write of a version's content, read where the caller leaves it out. */
export const presentStamp: Resolve = async ({ args, present }) => {
  if (args["ifMatch"] !== undefined) return { values: {}, notes: [] };
  const etag = memberAt(await present(), "etag");
  if (typeof etag !== "string") return { values: {}, notes: [] };
  const note = `ifMatch was left out; the present etag ${plainOrQuoted(etag)} was used.`;
  return { values: { ifMatch: `"${etag}"` }, notes: [note], asked: args };
};

/** The guard of a replacement of rules, whose comments and rule format come back with them. */
export function treeGuard(kind: VersionedKind): Guard {
  const replacement = treeReplacement(kind);
  return {
    ...replacement,
    undo: {
      rewrite: ({ given, before }) => ({
        ...given,
        ...(given["ruleFormat"] === undefined ? {} : defined({ ruleFormat: memberAt(before, "ruleFormat") })),
        body: defined({ ...(given["body"] as object), comments: memberAt(before, "comments") }),
      }),
    },
    warns: (...seen) => [
      seen[0]["dryRun"] === true && "dryRun is set: the tree is validated and not saved.",
      ...(replacement.warns?.(...seen) ?? []),
    ],
  };
}

const patchOf = (args: Arguments): JsonPatch => JsonPatch.safeParse(args["body"]).data ?? [];

/** A patch has to fit the present tree, and to leave its rules. */
export const patchFits: Check = async ({ args, present }) => {
  const tree = await present();
  if (tree === undefined) return [];
  const result = applyPatch(tree, patchOf(args), "body");
  if ("problem" in result) return [result.problem];
  const hasRules = isRecord(memberAt(result.value, "rules"));
  return hasRules ? [] : [{ field: "body", takes: "operations that result in a rule tree, and these leave no rules" }];
};

/** What a patch does to the rules of a version; a dry run does not save them. */
export const patchStatement = (kind: VersionedKind, args: Arguments, ...results: readonly Clause[]): Statement =>
  statement(
    args["dryRun"] === true ? "TRY, without saving, to CHANGE" : "CHANGE",
    `the rules of ${inVersion(kind, args)}`,
    ...results,
  );

export const patchGuard: Guard = {
  kind: "overwrite",
  thing: "rules",
  says: (args) => patchStatement(propertyKind, args, listInWords(patchOf(args), patchInWords)),
  compares: (args, present) => {
    const lines = patchDifference(RuleTree, present, patchOf(args));
    return lines === undefined
      ? [headLine("The differences between the rules are unknown, because they could not be read.")]
      : limitLines(lines, "The rules stay the same.");
  },
  undo: {
    tool: "property_rule_tree_replace",
    isWhole: true,
    args: ({ given, before }) => {
      const rules = memberAt(before, "rules");
      return rules === undefined ? undefined : { ...ofVersion(given), body: { rules } };
    },
  },
};

const Entry = z.looseObject({
  cnameFrom: z.string(),
  cnameTo: z.string().optional(),
  edgeHostnameId: z.string().optional(),
  cnameType: z.string().optional(),
  certProvisioningType: z.string().optional(),
});
type Entry = z.output<typeof Entry>;

export const entriesIn = (list: unknown): readonly Entry[] => z.array(Entry).safeParse(list).data ?? [];
const presentEntries = (present: unknown): readonly Entry[] =>
  entriesIn(Hostnames.safeParse(present).data?.hostnames.items);
const byName = ({ cnameFrom }: Entry): string => cnameFrom;

/** Entries with the members that are compared, which the caller may give in several forms. */
const comparable = (entries: readonly Entry[], known: readonly Entry[]) =>
  entries.map(({ cnameFrom, cnameTo, edgeHostnameId, certProvisioningType = "CPS_MANAGED" }) => {
    const to = cnameTo ?? known.find((one) => one.edgeHostnameId === edgeHostnameId)?.cnameTo ?? edgeHostnameId;
    return { cnameFrom, ...(to === undefined ? {} : { cnameTo: to }), certProvisioningType };
  });

/** The guard of a write to a version's hostnames, from the hostnames after it. */
const hostnamesGuard = (after: (args: Arguments, before: readonly Entry[]) => readonly Entry[]): Guard => ({
  ...guardsOf("hostnames", (args) => `the hostnames of ${inVersion(propertyKind, args)}`)("CHANGE", {
    kind: "overwrite",
    results: (args, present) => {
      const before = presentEntries(present);
      const { lost, gained } = membership(before, after(args, before), byName);
      const removed = listAt(args, "body.remove");
      const isUnread = present === undefined && removed.length === 0;
      const all = membership(present === undefined ? removed : lost.map(byName), gained.map(byName));
      const none = "the same hostnames stay, perhaps with other settings";
      const every = "it loses every hostname that the call leaves out";
      return isUnread && gained.length === 0 ? every : [isUnread && every, ...memberClauses(all, none)];
    },
  }),
  compares: (args, present) => {
    const before = presentEntries(present);
    const next = comparable(after(args, before), before);
    return limitLines(hostnameDifference(comparable(before, before), next), "The hostnames stay the same.");
  },
  undo: {
    tool: "property_hostnames_replace",
    isWhole: true,
    args: ({ given, before }) => {
      const body = presentEntries(before).map(
        pickArguments("cnameFrom", "cnameTo", "edgeHostnameId", "cnameType", "certProvisioningType"),
      );
      return body.length === 0 ? undefined : { ...ofVersion(given), body: body.map(defined) };
    },
  },
});

export const replacementGuard = hostnamesGuard((args) => entriesIn(args["body"]));

export const hostnamePatchGuard = hostnamesGuard((args, before) => {
  const added = entriesIn(memberAt(args, "body.add"));
  const others = membership(before, added, byName).lost;
  return [...others.filter(({ cnameFrom }) => !listAt(args, "body.remove").includes(cnameFrom)), ...added];
});

/** A change of hostnames has to add or remove some, and removes only what is there. */
export const changesHostnames: Check = async ({ args, present }) => {
  const removed = listAt(args, "body.remove");
  if (removed.length + listAt(args, "body.add").length === 0)
    return [{ field: "body.add", takes: "hostnames here or in body.remove" }];
  const now = await present();
  const known = presentEntries(now);
  return removed.flatMap((name, at) =>
    now === undefined || known.some(({ cnameFrom }) => cnameFrom === name)
      ? []
      : [{ field: `body.remove[${at}]`, given: plainOrQuoted(name), takes: "a hostname that the version has" }],
  );
};

/** The flags that skip something on the way to a network, each with what it does. */
const flags = {
  delayValidations: "validates the rules later",
  ignoreHttpErrors: "goes on in spite of HTTP errors",
} as const;

const fallsBack = (args: Arguments): boolean => memberAt(args, "body.useFastFallback") === true;

/** Whether the activations show that the version that is active cannot be left by a fast fallback. */
const cannotFallBack = (args: Arguments, present: unknown): boolean =>
  propertyKind
    .activationsIn(present)
    .some(
      (activation) =>
        activation.network === memberAt(args, "body.network") &&
        activation.status === "ACTIVE" &&
        memberAt(activation, "fallbackInfo.canFastFallback") === false,
    );

/** An activation, led by what today's flags skip. */
const activationToday = (...seen: GuardParameters): Activation => {
  const [args, present] = seen;
  const { warnings = [], ...activation } = activationOf(...seen);
  const set = Object.entries(flags).flatMap(([name, does]) => (memberAt(args, `body.${name}`) === true ? [does] : []));
  const skips = set.length === 0 ? "" : `WITH LESS CHECKING (${set.join(", ")}), `;
  return {
    ...activation,
    lead: `${skips}${fallsBack(args) && !activation.isEnd ? "AT ONCE, BY A FAST FALLBACK, " : ""}`,
    warnings: [
      fallsBack(args) &&
        cannotFallBack(args, present) &&
        "According to its activations, a fast fallback is not possible: without useFastFallback the version is activated as usual.",
      ...warnings,
    ],
  };
};

const { says, warns } = activates("property version", "body.network", activationToday);

/** The guard of an activation, whose preview leads with what today's flags skip. */
export const activationGuardToday: Guard = {
  ...activationGuard,
  says,
  warns,
  critical: [...activationGuard.critical, flag("body.delayValidations", "the rules are validated only later")],
};
