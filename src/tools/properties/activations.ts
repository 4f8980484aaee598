/** Activations: how a version reaches the staging or the production network, and what a person has to know before. */
import {
  type Answered,
  type Approved,
  type Arguments,
  type Awaits,
  type ByHand,
  type Guard,
  only,
} from "../../language/conduct.js";
import { empty, json, op } from "../../language/define.js";
import { shown } from "../../language/failure.js";
import { bounded } from "../../language/line-difference.js";
import { defined, memberAt } from "../../language/member.js";
import { callInWords } from "../../language/next-call.js";
import { closedObject } from "../../language/open-object.js";
import { told } from "../../language/words.js";
import { z } from "../../language/z.js";
import { members } from "../fields.js";
import { hostnameDifference, treeDifference } from "./difference.js";
import { cancelGuard } from "./guards.js";
import { ActivationId, NotifyEmails, PropertyId, PropertyVersion, place } from "./ids.js";
import { Activations, Hostnames, RuleTree } from "./shapes.js";
import { activeOn, isCancellable, isUnderWay, itemsOf, nameOf } from "./states.js";

/** What the call says of the version; an activation that is to be ended has no version to come. */
const bodyOf = (args: Arguments): Arguments => (memberAt(args, "body") ?? {}) as Arguments;
const isEnding = (args: Arguments): boolean => bodyOf(args)["activationType"] === "DEACTIVATE";

/** Where the property is looked for. */
const ofProperty = (args: Arguments): Arguments => defined(only("propertyId", "contractId", "groupId")(args));

/** The version whose content the new one replaces; where staging has none, the one on production is compared. */
function formerOf(args: Arguments, present: unknown): { readonly version: number; readonly on: string } | undefined {
  const { network } = bodyOf(args);
  for (const on of network === "STAGING" ? ["STAGING", "PRODUCTION"] : [String(network)]) {
    const version = activeOn(on, present);
    if (version !== undefined) return { version, on };
  }
  return undefined;
}

/** The arguments that read what is to come; an ending has nothing to come, and arguments that do not suffice. */
const ofNext = (args: Arguments): Arguments =>
  isEnding(args) ? {} : { ...ofProperty(args), propertyVersion: bodyOf(args)["propertyVersion"] };
const ofFormer = (args: Arguments, present: unknown): Arguments => {
  if (isEnding(args)) return { ...ofProperty(args), propertyVersion: bodyOf(args)["propertyVersion"] };
  const former = formerOf(args, present);
  return former === undefined ? {} : { ...ofProperty(args), propertyVersion: former.version };
};

/** The content of both versions. An approval holds for the content that was shown, which can still be written. */
const besideActivation = {
  rules: { by: "property_rule_tree_get", args: ofNext, isBound: true },
  hostnames: { by: "property_hostnames_list", args: ofNext, isBound: true },
  formerRules: {
    by: "property_rule_tree_get",
    args: (args: Arguments, present: unknown): Arguments =>
      isEnding(args) ? {} : { ...ofFormer(args, present), validateRules: false },
  },
  formerHostnames: { by: "property_hostnames_list", args: ofFormer },
} as const;

/** The origins that requests go to from then on stand in the rules of the version. */
const sendsTo = { by: "property_rule_tree_get", args: ofNext } as const;

/**
 * Whether the API refuses the call with 422, by the activations that it lists: the version is active there already, or is
 * not and is to be taken off (public facts B, 3.4). The list is not sure enough to refuse the call for it.
 */
const isInVain = (args: Arguments, present: unknown): boolean =>
  present !== undefined &&
  isEnding(args) !== (activeOn(bodyOf(args)["network"], present) === bodyOf(args)["propertyVersion"]);

/** How the version that would be active differs from the one that is, in words. */
function comparison(args: Arguments, present: unknown, beside: Arguments): readonly string[] {
  const { propertyVersion, network } = bodyOf(args);
  const [next, now] = [beside["hostnames"], beside["formerHostnames"]].map(
    (one) => Hostnames.safeParse(one).data?.hostnames.items,
  );
  if (isEnding(args))
    return now === undefined || isInVain(args, present)
      ? []
      : bounded(hostnameDifference(now, []), "It has no hostnames.");
  const former = formerOf(args, present);
  if (former === undefined)
    return [
      `No version is active on ${String(network)} now, so all of it is new there.`,
      ...bounded(hostnameDifference([], next ?? []), next ? "It has no hostnames." : "Its hostnames are not known."),
    ];
  const [rules, formerRules] = [beside["rules"], beside["formerRules"]].map((one) => RuleTree.safeParse(one).data);
  const where = former.on === network ? String(network) : `${String(network)}, compared with ${former.on}`;
  return [
    `From version ${former.version} to version ${String(propertyVersion)} on ${where}:`,
    ...(rules && formerRules
      ? bounded(treeDifference(formerRules.rules, rules.rules), "The rules are the same.")
      : ["How the rules differ is not known, because they could not be read."]),
    ...(next && now
      ? bounded(hostnameDifference(now, next), "The hostnames are the same.")
      : ["How the hostnames differ is not known, because they could not be read."]),
  ];
}

/** The problems that the API has found in the content of a version. */
export function problemsIn(beside: Arguments) {
  const answers = [RuleTree.safeParse(beside["rules"]).data, Hostnames.safeParse(beside["hostnames"]).data];
  return {
    errors: answers.flatMap((one) => one?.errors ?? []),
    warnings: answers.flatMap((one) => one?.warnings ?? []),
  };
}

/** The errors and warnings of the version, each warning with the id to acknowledge it by. */
function problemsInWords(args: Arguments, beside: Arguments): string[] {
  const { acknowledgeWarnings = [], acknowledgeAllWarnings } = bodyOf(args);
  const { errors, warnings } = problemsIn(beside);
  return [
    ...errors.map(
      ({ title, detail, errorLocation }) =>
        `The API refuses to activate this version because of an error at ${shown(errorLocation ?? "?")}: ${shown(detail ?? title)}`,
    ),
    ...warnings.map(({ messageId, title, detail }) => {
      const [id, says] = [shown(messageId ?? "?"), shown(detail ?? title)];
      if ((acknowledgeWarnings as readonly unknown[]).includes(messageId)) return `Acknowledged ${id}: ${says}`;
      if (acknowledgeAllWarnings === true) return `Acknowledged with all others, ${id}: ${says}`;
      return `Not acknowledged, so the API refuses the activation: ${says}. Once the user accepts it, body.acknowledgeWarnings takes ${id}.`;
    }),
  ];
}

/** The call that returns to what was active before this one. */
function wayBack({ given, before }: Approved): string | ByHand {
  const { propertyVersion, network, notifyEmails } = bodyOf(given);
  const cancel =
    "While it is PENDING, cancel it with property_activation_cancel, which takes the activation's id from activationLink.";
  const by = (when: string, body: Arguments): ByHand => {
    const args = { ...ofProperty(given), body: { ...body, network, notifyEmails } };
    const call = { tool: "property_version_activate", arguments: args };
    return { says: `${cancel} ${when} call ${callInWords(call)}.`, call };
  };
  if (isEnding(given)) return by("Once it is DEACTIVATED,", { propertyVersion });
  if (before === undefined)
    return `${cancel} Once it is ACTIVE, activate the version that was active before, which the preview names, with property_version_activate.`;
  const former = activeOn(network, before);
  return former === undefined
    ? by("No version was active there before: once it is ACTIVE,", { propertyVersion, activationType: "DEACTIVATE" })
    : by(`Once it is ACTIVE, return to version ${former}:`, { propertyVersion: former });
}

const activationGuard: Guard = {
  kind: "activate",
  thing: "property version",
  network: "body.network",
  critical: [
    {
      argument: "body.acknowledgeAllWarnings",
      unless: false,
      because: "it acknowledges warnings that nobody has read",
    },
  ],
  says: (args, present) => {
    const { propertyVersion, network, activationType } = memberAt(args, "body") as Arguments;
    const from = activeOn(network, present);
    const what = `version ${String(propertyVersion)} of ${nameOf(args, present)}`;
    if (activationType === "DEACTIVATE") {
      const stays = from === undefined ? "no version is active there" : `version ${from} is, and stays`;
      return `DEACTIVATE ${what} on ${String(network)}: ${isInVain(args, present) ? `it is not active there; ${stays}` : "its hostnames are no longer served there"}`;
    }
    if (isInVain(args, present)) return `ACTIVATE ${what} on ${String(network)}, where it is active already`;
    const instead = from === undefined ? "no version is active there now" : `it replaces version ${from}`;
    return `ACTIVATE ${what} on ${String(network)}: ${instead}`;
  },
  undo: { by: wayBack },
  compares: comparison,
  target: (args) => `${String(args["propertyId"])} version ${String(memberAt(args, "body.propertyVersion"))}`,
  warns: (args, present, beside) => {
    const { propertyVersion, network, activationType } = memberAt(args, "body") as Arguments;
    const from = activeOn(network, present);
    const pending = itemsOf(present).filter(isUnderWay);
    const isOnStaging = itemsOf(present).some(
      (one) =>
        one.network === "STAGING" && one.propertyVersion === propertyVersion && !/ABORTED|FAILED/.test(one.status),
    );
    return told(
      isInVain(args, present) &&
        `By its activations the version is ${isEnding(args) ? "not active" : "active"} on ${String(network)}: the API refuses the call with 422.`,
      memberAt(args, "body.acknowledgeAllWarnings") === true &&
        "acknowledgeAllWarnings: every warning of the API is acknowledged, also one that is not shown here.",
      ...pending.map(
        (one) =>
          `An activation of version ${one.propertyVersion} on ${one.network} is ${one.status} (${one.activationId}).`,
      ),
      activationType !== "DEACTIVATE" &&
        network === "PRODUCTION" &&
        !isOnStaging &&
        `Version ${String(propertyVersion)} was never activated on STAGING, where it could be tried first.`,
      activationType !== "DEACTIVATE" &&
        from !== undefined &&
        from > Number(propertyVersion) &&
        `Version ${from}, which is active there, is newer: this goes back.`,
      ...problemsInWords(args, beside),
    );
  },
};

const property = { path: { propertyId: PropertyId }, query: place } as const;
const one = { path: { propertyId: PropertyId, activationId: ActivationId }, query: place } as const;

const statusOf = ({ body }: Answered): string => Activations.safeParse(body).data?.activations.items[0]?.status ?? "";

/** How much of an activation is done, by its status; the network is reached zone by zone (public facts B, 3.3). */
const fractions: Readonly<Record<string, number>> = {
  NEW: 0,
  PENDING: 0.1,
  PENDING_DEACTIVATION: 0.1,
  ZONE_1: 0.3,
  ZONE_2: 0.5,
  ZONE_3: 0.8,
  ACTIVE: 1,
  DEACTIVATED: 1,
};

const awaits: Awaits<"property_activation_get"> = {
  status: "property_activation_get",
  follow: ({ body, location }, { propertyId, contractId, groupId }: Arguments) => {
    const link = memberAt(body, "activationLink") ?? location;
    const [, activationId] = /\/activations\/((?:atv_)?\d+)(?:\?|$)/.exec(String(link)) ?? [];
    return activationId === undefined ? undefined : defined({ propertyId, activationId, contractId, groupId });
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

export const activationOperations = {
  property_activations_list: op("GET /papi/v0/properties/{propertyId}/activations/", {
    does: "Lists a property's activations, newest first.",
    ...property,
    returns: { 200: json(Activations) },
    example: { propertyId: "prp_175780" },
  }),
  property_version_activate: op("POST /papi/v0/properties/{propertyId}/activations/", {
    does: "Activates a version on a network in place of the active one, or takes it off with DEACTIVATE.",
    ...property,
    body: json(
      closedObject("it could put live what nobody has looked at", {
        propertyVersion: PropertyVersion,
        network: z.enum(["STAGING", "PRODUCTION"]),
        notifyEmails: NotifyEmails,
        activationType: z.enum(["ACTIVATE", "DEACTIVATE"]).optional(),
        note: z.string().max(2_000).optional(),
        acknowledgeWarnings: z.array(z.string().min(1).max(80)).optional().describe("Ids of warnings that were read"),
        acknowledgeAllWarnings: z.boolean().optional().describe("true: also warnings that nobody has read"),
        ...members(z.boolean().optional(), "fastPush", "delayValidations", "ignoreHttpErrors", "useFastFallback"),
      }),
    ),
    returns: { 201: json(z.looseObject({ activationLink: z.string() })) },
    effect: "destructive",
    guard: activationGuard,
    shownBy: "property_activations_list",
    shownBeside: besideActivation,
    sendsTo,
    awaits,
    means: {
      400: "Show the warnings or errors to the user; put the id of each accepted warning into body.acknowledgeWarnings.",
      422: "It is active already, or pending: property_activations_list shows which.",
    },
    example: {
      propertyId: "prp_175780",
      body: { propertyVersion: 3, network: "STAGING", notifyEmails: ["operations@shop.example"] },
    },
  }),
  property_activation_get: op("GET /papi/v0/properties/{propertyId}/activations/{activationId}", {
    does: "Reads how far an activation is, from PENDING to ACTIVE.",
    ...one,
    answerHeaders: { retryAfter: "Retry-After" },
    returns: { 200: json(Activations) },
    example: { propertyId: "prp_175780", activationId: "atv_5001" },
  }),
  property_activation_cancel: op("DELETE /papi/v0/properties/{propertyId}/activations/{activationId}", {
    does: "Cancels an activation that is still PENDING.",
    ...one,
    returns: { 200: json(Activations), 204: empty },
    guard: cancelGuard,
    checks: [isCancellable],
    shownBy: "property_activation_get",
    rules: ["property-cancel-pending"],
    means: {
      204: "It had been cancelled before.",
      422: "It is no longer PENDING, so it cannot be cancelled; activate the version that was active before.",
    },
    example: { propertyId: "prp_175782", activationId: "atv_5004" },
  }),
} as const;
