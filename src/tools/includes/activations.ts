/** Activations of includes: their previews name every property that an include reaches on the network. */

import { type Activation, activates } from "../../language/activation.js";
import type { Arguments, DifferenceLine, Guard } from "../../language/conduct.js";
import { headLine, signedLine } from "../../language/difference-lines.js";
import { quoteValue } from "../../language/failure.js";
import { flag, type GuardParameters, reachesMany } from "../../language/guards.js";
import { listInWords, withoutFalse } from "../../language/words.js";
import {
  activationFromList,
  activationPoll,
  activationReach,
  activationReturn,
  activationTarget,
  bodyOf,
  isDeactivation,
  nextVersionArguments,
  unreviewedReason,
  versionArguments,
} from "../properties/activations.js";
import { treeDifference } from "../properties/difference.js";
import { cancellationGuard } from "../properties/guards.js";
import { activeOn, isCancellable, objectOf } from "../properties/states.js";
import { operationAt } from "./overlay.js";
import { IncludeTree, includeKind, maxParents, Parents } from "./shapes.js";

/** The properties that use the include, those on the call's network first; undefined if they are unknown. */
function parentsOf(args: Arguments, related: Arguments) {
  const items = Parents.safeParse(related["parents"]).data?.properties.items;
  const at = bodyOf(args)["network"] === "STAGING" ? "stagingVersion" : "productionVersion";
  return items
    ?.map((one) => ({ name: `${quoteValue(one.propertyName)} (${one.propertyId})`, version: one[at] ?? undefined }))
    .sort((a, b) => Number(b.version !== undefined) - Number(a.version !== undefined));
}

/** The names of the properties that an activation reaches; undefined if they are unknown. */
const reachedBy = (args: Arguments, _: unknown, related: Arguments): readonly string[] | undefined =>
  parentsOf(args, related)
    ?.filter(({ version }) => version !== undefined)
    .map(({ name }) => name);

/** What an activation reaches, as the end of a sentence. */
function reachOf(...seen: GuardParameters): string {
  const reached = reachedBy(...seen);
  if (reached === undefined) return "the properties that use it, which are unknown";
  return reached.length === 0 ? "no property that is active there" : listInWords(reached);
}

const ofNext = nextVersionArguments(includeKind);
function ofFormer(args: Arguments, present: unknown): Arguments {
  const former = activeOn(includeKind, bodyOf(args)["network"], present);
  const isRead = former !== undefined && !isDeactivation(args);
  return isRead ? { ...versionArguments(includeKind, args, former), validateRules: false } : {};
}

/** Every property that is reached, on a line. */
const reachedLines = (args: Arguments, related: Arguments): readonly DifferenceLine[] =>
  parentsOf(args, related)?.map(({ name, version }) => {
    const is = version === undefined ? "not active" : `version ${version} is active`;
    return headLine(`property ${name}: ${is} on ${String(bodyOf(args)["network"])}`);
  }) ?? [headLine("The properties that use it are unknown, because they could not be read.")];

/** The checks that a call skips, in words that lead its preview. */
const skippedBy = (args: Arguments): readonly string[] =>
  withoutFalse(
    bodyOf(args)["acknowledgeAllWarnings"] === true && "ACKNOWLEDGE ALL WARNINGS, read or not",
    bodyOf(args)["delayValidations"] === true && "DELAY VALIDATIONS until after the response",
  );

const activationOf = (args: Arguments, present: unknown, related: Arguments): Activation => {
  const [tree, former] = [related["rules"], related["formerRules"]].map((one) => IncludeTree.safeParse(one).data);
  const problems = { errors: tree?.errors ?? [], warnings: tree?.warnings ?? [] };
  const known = activationFromList(includeKind, args, present, problems);
  const isCut = parentsOf(args, related)?.length === maxParents;
  return {
    ...known,
    lead: skippedBy(args)
      .map((one) => `${one}, and `)
      .join(""),
    difference: (one) => {
      if (one === undefined) return [signedLine("added", `the rules of version ${known.to}`)];
      return tree && former && treeDifference(former.rules, tree.rules);
    },
    results: [`${known.isEnd ? "its rules stop applying to" : "it reaches"} ${reachOf(args, present, related)}`],
    warnings: [
      ...known.warnings,
      isCut && `Only the first ${maxParents} properties that use it were read: there may be more.`,
    ],
  };
};

const activation = activates("include version", "body.network", activationOf, activationReturn(includeKind));
const activationGuard: Guard = {
  ...activation,
  critical: [
    flag("body.acknowledgeAllWarnings", "it acknowledges warnings that have not been read"),
    flag("body.delayValidations", "its validations are delayed"),
    (...seen) => reachesMany(reachedBy(...seen)),
  ],
  compares: (args, present, related) => [
    ...reachedLines(args, related),
    ...(isDeactivation(args) ? [] : activation.compares(args, present, related)),
  ],
  forecasts: activationReach(includeKind),
  target: activationTarget(includeKind),
};

export const activationOperations = {
  include_activations_list: operationAt("GET /papi/v1/includes/{includeId}/activations", {
    does: "Lists an include's activations on both networks.",
    example: { includeId: "inc_310001" },
  }),
  include_version_activate: operationAt("POST /papi/v1/includes/{includeId}/activations", {
    does: "Activates an include's version on a network, for all properties that use it, or deactivates it.",
    whyClosed: unreviewedReason,
    effect: "destructive",
    guard: activationGuard,
    shownBy: "include_activations_list",
    relatedReads: {
      parents: { by: "include_parents_list", args: (args) => ({ ...objectOf(includeKind)(args), limit: maxParents }) },
      rules: { by: "include_rule_tree_get", args: ofNext, isBound: true },
      formerRules: { by: "include_rule_tree_get", args: ofFormer },
    },
    sendsTo: { by: "include_rule_tree_get", args: ofNext },
    awaits: activationPoll(includeKind),
    rules: ["include-reach"],
    means: {
      400: "Show the warnings or errors to the user; add the id of each accepted warning to body.acknowledgeWarnings.",
      409: "Another edit or activation on this network is in progress: see include_activations_list.",
      422: "It is already active or pending: see include_activations_list.",
    },
    example: {
      includeId: "inc_310001",
      body: { includeVersion: 2, network: "STAGING", notifyEmails: ["operations@shop.example"] },
    },
  }),
  include_activation_get: operationAt("GET /papi/v1/includes/{includeId}/activations/{activationId}", {
    does: "Reads an include activation's progress, and which properties its rules do not fit.",
    answerHeaders: { retryAfter: "Retry-After" },
    example: { includeId: "inc_310001", activationId: "atv_5101" },
  }),
  include_activation_cancel: operationAt("DELETE /papi/v1/includes/{includeId}/activations/{activationId}", {
    does: "Cancels an include's activation that is still PENDING.",
    guard: cancellationGuard(includeKind),
    checks: [isCancellable(includeKind)],
    shownBy: "include_activation_get",
    means: { 422: "It is no longer PENDING: activate the version that was active before." },
    example: { includeId: "inc_310002", activationId: "atv_5103" },
  }),
  include_validation_get: operationAt(
    "GET /papi/v1/includes/validation-results/{activationId}/properties/{propertyId}/versions/{propertyVersion}",
    {
      does: "Reads what validation for an include's activation found in one property version that uses it.",
      example: { activationId: "atv_5101", propertyId: "prp_175781", propertyVersion: 1 },
    },
  ),
} as const;
