/** Activations of includes: their previews name every property that an include reaches on the network. */

import { type Answered, type Arguments, type Awaits, type Guard, only } from "../../language/conduct.js";
import { json, op } from "../../language/define.js";
import { shown } from "../../language/failure.js";
import { bounded } from "../../language/line-difference.js";
import { defined, memberAt } from "../../language/member.js";
import { closedObject } from "../../language/open-object.js";
import { calling, naming } from "../../language/sentence.js";
import { act, type Statement } from "../../language/statement.js";
import { listed, withoutFalse } from "../../language/words.js";
import { z } from "../../language/z.js";
import { members } from "../fields.js";
import { activationUndo, bodyOf, fractions, isDeactivation, problemsInWords } from "../properties/activations.js";
import { treeDifference } from "../properties/difference.js";
import { IncludeId, NotifyEmails, PropertyId, PropertyVersion, place } from "../properties/ids.js";
import { isUnderWay } from "../properties/states.js";
import { IncludeActivations, IncludeTree, Parents, ValidationResult } from "./shapes.js";
import { activeOn, isCancellable, itemsOf, nameOf, ofInclude } from "./states.js";

export const prefixes = { "PAPI-Use-Prefixes": "true" } as const;

/** More parents than this are read only in part, which the preview then says. */
const maxParents = 500;

/** The properties that use the include, those on the call's network first; undefined if they are unknown. */
function parentsOf(args: Arguments, related: Arguments) {
  const items = Parents.safeParse(related["parents"]).data?.properties.items;
  const at = bodyOf(args)["network"] === "STAGING" ? "stagingVersion" : "productionVersion";
  return items
    ?.map((one) => ({ name: `${shown(one.propertyName)} (${one.propertyId})`, version: one[at] ?? undefined }))
    .sort((a, b) => Number(b.version !== undefined) - Number(a.version !== undefined));
}

/** What an activation reaches, as the end of a sentence. */
function reachOf(args: Arguments, related: Arguments): string {
  const reached = parentsOf(args, related)?.filter(({ version }) => version !== undefined);
  if (reached === undefined) return "the properties that use it, which are unknown";
  return reached.length === 0 ? "no property that is active there" : listed(reached, ({ name }) => name);
}

const ofNext = (args: Arguments): Arguments =>
  isDeactivation(args) ? {} : { ...ofInclude(args), includeVersion: bodyOf(args)["includeVersion"] };
function ofFormer(args: Arguments, present: unknown): Arguments {
  const former = activeOn(bodyOf(args)["network"], present);
  const isRead = former !== undefined && !isDeactivation(args);
  return isRead ? { ...ofInclude(args), includeVersion: former, validateRules: false } : {};
}

/** The lines of a preview: every property that is reached, and how the rules differ from those that are active now. */
function comparison(args: Arguments, present: unknown, related: Arguments): readonly string[] {
  const { network, includeVersion } = bodyOf(args);
  const parents = parentsOf(args, related)?.map(({ name, version }) =>
    version === undefined
      ? `property ${name}: not active on ${String(network)}`
      : `property ${name}: version ${version} is active on ${String(network)}`,
  );
  const reached = parents ?? ["The properties that use it are unknown, because they could not be read."];
  if (isDeactivation(args)) return reached;
  const former = activeOn(network, present);
  if (former === undefined) return [...reached, `No version is active on ${String(network)} now.`];
  const [rules, formerRules] = [related["rules"], related["formerRules"]].map((one) => IncludeTree.safeParse(one).data);
  return [
    ...reached,
    `From version ${former} to version ${String(includeVersion)} on ${String(network)}:`,
    ...(rules && formerRules
      ? bounded(treeDifference(formerRules.rules, rules.rules), "The rules are the same.")
      : ["The differences between the rules are unknown, because they could not be read."]),
  ];
}

const undoOf = activationUndo({
  version: "includeVersion",
  tool: "include_version_activate",
  cancels: "include_activation_cancel",
  of: ofInclude,
  activeOn,
});

/** The checks that a call skips, in words that lead its preview. */
const skippedBy = (args: Arguments): readonly string[] =>
  withoutFalse(
    bodyOf(args)["acknowledgeAllWarnings"] === true && "ACKNOWLEDGE ALL WARNINGS, read or not",
    bodyOf(args)["delayValidations"] === true && "DELAY VALIDATIONS until after the response",
  );

function sentence(args: Arguments, present: unknown, related: Arguments): Statement {
  const { includeVersion, network } = bodyOf(args);
  const lead = skippedBy(args)
    .map((one) => `${one}, and `)
    .join("");
  const what = `version ${String(includeVersion)} of include ${nameOf(args, present)} on ${String(network)}`;
  const from = activeOn(network, present);
  const reach = reachOf(args, related);
  if (isDeactivation(args)) return act(`${lead}DEACTIVATE`, what, `its rules stop applying to ${reach}`);
  const instead = from === undefined ? "no version is active there now" : `it replaces version ${from}`;
  return act(`${lead}ACTIVATE`, what, `${instead} and reaches ${reach}`);
}

function warnings(args: Arguments, present: unknown, related: Arguments): readonly string[] {
  const { includeVersion, network } = bodyOf(args);
  const [from, isActivation] = [activeOn(network, present), !isDeactivation(args)];
  const isOnStaging = itemsOf(present).some(
    (one) => one.network === "STAGING" && one.includeVersion === includeVersion && !/ABORTED|FAILED/.test(one.status),
  );
  const tree = IncludeTree.safeParse(related["rules"]).data;
  const problems = { errors: tree?.errors ?? [], warnings: tree?.warnings ?? [] };
  return withoutFalse(
    isActivation === (from === includeVersion) &&
      `According to its activations, the version is ${isActivation ? "active" : "not active"} on ${String(network)}: the API refuses the call.`,
    ...itemsOf(present)
      .filter(isUnderWay)
      .map(
        (one) =>
          `An activation of version ${one.includeVersion} on ${one.network} is ${one.status} (${one.includeActivationId}).`,
      ),
    isActivation &&
      network === "PRODUCTION" &&
      !isOnStaging &&
      `Version ${String(includeVersion)} has never been activated on STAGING, where it could be tested first.`,
    isActivation &&
      from !== undefined &&
      from > Number(includeVersion) &&
      `Version ${from}, which is active there, is newer: this is a rollback.`,
    parentsOf(args, related)?.length === maxParents &&
      `Only the first ${maxParents} properties that use it were read: there may be more.`,
    ...problemsInWords(args, problems),
  );
}

const activationGuard: Guard = {
  kind: "activate",
  thing: "include version",
  network: "body.network",
  critical: [
    {
      argument: "body.acknowledgeAllWarnings",
      unless: false,
      because: "it acknowledges warnings that have not been read",
    },
    { argument: "body.delayValidations", unless: false, because: "its validations are delayed" },
    (args, _, related) => {
      const reached = parentsOf(args, related)?.filter(({ version }) => version !== undefined);
      if (reached === undefined) return ["the properties that use it are unknown"];
      return reached.length > 1 ? [`it reaches ${reached.length} properties`] : [];
    },
  ],
  says: sentence,
  undo: { by: undoOf },
  compares: comparison,
  target: (args) => `${String(args["includeId"])} version ${String(bodyOf(args)["includeVersion"])}`,
  warns: warnings,
};

const Again = z.object({
  includeVersion: PropertyVersion,
  network: z.enum(["STAGING", "PRODUCTION"]),
  activationType: z.enum(["ACTIVATE", "DEACTIVATE"]),
  notifyEmails: NotifyEmails,
});
const cancelGuard: Guard = {
  kind: "cancel",
  thing: "activation",
  undo: {
    by: ({ given, before }) => {
      // The suggested call repeats only those fields of the response that it accepts.
      const body = Again.safeParse(itemsOf(before)[0]).data;
      const ended = "A cancelled activation cannot be resumed:";
      if (body === undefined) return `${ended} call include_version_activate for the version again.`;
      const call = { tool: "include_version_activate", arguments: { ...ofInclude(given), body } };
      return naming`${ended} ${calling(call)}.`;
    },
  },
  says: ({ activationId }, present) => {
    const [one] = itemsOf(present);
    if (!one) return act("CANCEL", `activation ${String(activationId)}`, "its version does not go live");
    return act(
      "CANCEL",
      `the activation of version ${one.includeVersion} of include ${shown(one.includeName)} on ${one.network}`,
      "it does not go live, and the active version stays",
    );
  },
};

const statusOf = ({ body }: Answered): string => itemsOf(body)[0]?.status ?? "";
const awaits: Awaits<"include_activation_get"> = {
  status: "include_activation_get",
  follow: ({ body, location }, given: Arguments) => {
    const link = memberAt(body, "activationLink") ?? location;
    const [, activationId] = /\/activations\/([\w-]+)(?:\?|$)/.exec(String(link)) ?? [];
    const of = only("includeId", "contractId", "groupId")(given);
    return activationId === undefined ? undefined : defined({ ...of, activationId });
  },
  isReady: (status, given) =>
    statusOf(status) === (memberAt(given, "body.activationType") === "DEACTIVATE" ? "DEACTIVATED" : "ACTIVE"),
  state: (status) => statusOf(status),
  reads: ["body.activationType"],
  failure: (status) => {
    const now = statusOf(status);
    if (now === "FAILED") return "The network did not accept the version.";
    return now === "ABORTED" ? "The activation was cancelled." : undefined;
  },
  pauseSeconds: ({ headers }) =>
    /^\d{1,4}$/.test(headers["retryAfter"] ?? "") ? Number(headers["retryAfter"]) : undefined,
  fraction: (status) => fractions[statusOf(status)],
};

const ActivationId = z
  .string()
  .max(80)
  .regex(/^[\w-]+$/, "the id in an activationLink");
const include = { path: { includeId: IncludeId }, query: place, headers: prefixes } as const;
const one = { ...include, path: { ...include.path, activationId: ActivationId } } as const;

export const activationOperations = {
  include_activations_list: op("GET /papi/v1/includes/{includeId}/activations", {
    does: "Lists an include's activations on both networks.",
    ...include,
    returns: { 200: json(IncludeActivations) },
    example: { includeId: "inc_310001" },
  }),
  include_version_activate: op("POST /papi/v1/includes/{includeId}/activations", {
    does: "Activates an include's version on a network, for all properties that use it, or deactivates it.",
    ...include,
    body: json(
      closedObject("it could activate what has not been reviewed", {
        includeVersion: PropertyVersion,
        network: z.enum(["STAGING", "PRODUCTION"]),
        notifyEmails: NotifyEmails,
        activationType: z.enum(["ACTIVATE", "DEACTIVATE"]).optional(),
        note: z.string().max(2_000).optional(),
        acknowledgeWarnings: z.array(z.string().min(1).max(80)).optional(),
        ...members(z.boolean().optional(), "acknowledgeAllWarnings", "delayValidations", "ignoreHttpErrors"),
      }),
    ),
    returns: { 201: json(z.looseObject({ activationLink: z.string() })) },
    effect: "destructive",
    guard: activationGuard,
    shownBy: "include_activations_list",
    relatedReads: {
      parents: { by: "include_parents_list", args: (args) => ({ ...ofInclude(args), limit: maxParents }) },
      rules: { by: "include_rule_tree_get", args: ofNext, isBound: true },
      formerRules: { by: "include_rule_tree_get", args: ofFormer },
    },
    sendsTo: { by: "include_rule_tree_get", args: ofNext },
    awaits,
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
  include_activation_get: op("GET /papi/v1/includes/{includeId}/activations/{activationId}", {
    does: "Reads an include activation's progress, and which properties its rules do not fit.",
    ...one,
    answerHeaders: { retryAfter: "Retry-After" },
    returns: { 200: json(IncludeActivations) },
    example: { includeId: "inc_310001", activationId: "atv_5101" },
  }),
  include_activation_cancel: op("DELETE /papi/v1/includes/{includeId}/activations/{activationId}", {
    does: "Cancels an include's activation that is still PENDING.",
    ...one,
    returns: { 200: json(IncludeActivations) },
    guard: cancelGuard,
    checks: [isCancellable],
    shownBy: "include_activation_get",
    means: { 422: "It is no longer PENDING: activate the version that was active before." },
    example: { includeId: "inc_310002", activationId: "atv_5103" },
  }),
  include_validation_get: op(
    "GET /papi/v1/includes/validation-results/{activationId}/properties/{propertyId}/versions/{propertyVersion}",
    {
      does: "Reads what validation for an include's activation found in one property version that uses it.",
      path: { activationId: ActivationId, propertyId: PropertyId, propertyVersion: PropertyVersion },
      query: { ...place, ...members(z.int().min(0).optional(), "offset", "limit") },
      headers: prefixes,
      returns: { 200: json(ValidationResult) },
      example: { activationId: "atv_5101", propertyId: "prp_175781", propertyVersion: 1 },
    },
  ),
} as const;
