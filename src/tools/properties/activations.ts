/** Activations: how a version reaches the staging or production network, and what its preview shows the approver. */
import { type Activation, activates, type Return } from "../../language/activation.js";
import type { Answered, Arguments, Awaits, Guard } from "../../language/conduct.js";
import { empty, json, op } from "../../language/define.js";
import { shown } from "../../language/failure.js";
import { flag } from "../../language/guards.js";
import { bounded } from "../../language/line-difference.js";
import { defined, memberAt } from "../../language/member.js";
import { closedObject } from "../../language/open-object.js";
import { z } from "../../language/z.js";
import { members } from "../fields.js";
import { hostnameDifference, treeDifference } from "./difference.js";
import { cancelGuard, ofProperty } from "./guards.js";
import { ActivationId, NotifyEmails, PropertyId, PropertyVersion, place } from "./ids.js";
import { Activations, Hostnames, RuleTree } from "./shapes.js";
import { activeOn, isCancellable, isUnderWay, itemsOf, nameOf } from "./states.js";

/** The body of the call; a deactivation has no next version. */
export const bodyOf = (args: Arguments): Arguments => (memberAt(args, "body") ?? {}) as Arguments;
export const isDeactivation = (args: Arguments): boolean => bodyOf(args)["activationType"] === "DEACTIVATE";

/** The version that the new one is compared with: the one that it replaces, or if staging has none, the one on production. */
function formerOf(args: Arguments, present: unknown): { readonly version: number; readonly on: string } | undefined {
  const { network } = bodyOf(args);
  for (const on of network === "STAGING" ? ["STAGING", "PRODUCTION"] : [String(network)]) {
    const version = activeOn(on, present);
    if (version !== undefined) return { version, on };
  }
  return undefined;
}

/** The arguments that read the next version; a deactivation has none, so its arguments are left incomplete. */
const ofNext = (args: Arguments): Arguments =>
  isDeactivation(args) ? {} : { ...ofProperty(args), propertyVersion: bodyOf(args)["propertyVersion"] };
const ofFormer = (args: Arguments, present: unknown): Arguments => {
  if (isDeactivation(args)) return { ...ofProperty(args), propertyVersion: bodyOf(args)["propertyVersion"] };
  const former = formerOf(args, present);
  return former === undefined ? {} : { ...ofProperty(args), propertyVersion: former.version };
};

/** The content of both versions. An approval is bound to the next one's content, which may still change. */
const readForActivation = {
  rules: { by: "property_rule_tree_get", args: ofNext, isBound: true },
  hostnames: { by: "property_hostnames_list", args: ofNext, isBound: true },
  formerRules: {
    by: "property_rule_tree_get",
    args: (args: Arguments, present: unknown): Arguments =>
      isDeactivation(args) ? {} : { ...ofFormer(args, present), validateRules: false },
  },
  formerHostnames: { by: "property_hostnames_list", args: ofFormer },
} as const;

/** The version's rules name the origins to which requests go from then on. */
const sendsTo = { by: "property_rule_tree_get", args: ofNext } as const;

/**
 * Whether the API is likely to refuse the call with 422, by the activations that it lists: the version to activate is
 * already active, or the one to deactivate is not (public facts B, 3.4). The list is too unreliable to refuse the call here.
 */
const isWithoutEffect = (args: Arguments, present: unknown): boolean =>
  present !== undefined &&
  isDeactivation(args) !== (activeOn(bodyOf(args)["network"], present) === bodyOf(args)["propertyVersion"]);

/** How the next version differs from the active one, in words. */
function comparison(args: Arguments, present: unknown, related: Arguments): readonly string[] {
  const { propertyVersion, network } = bodyOf(args);
  const [next, now] = [related["hostnames"], related["formerHostnames"]].map(
    (one) => Hostnames.safeParse(one).data?.hostnames.items,
  );
  if (isDeactivation(args))
    return now === undefined || isWithoutEffect(args, present)
      ? []
      : bounded(hostnameDifference(now, []), "It has no hostnames.");
  const former = formerOf(args, present);
  if (former === undefined)
    return [
      `No version is active on ${String(network)} now, so everything is new there.`,
      ...bounded(hostnameDifference([], next ?? []), next ? "It has no hostnames." : "Its hostnames are unknown."),
    ];
  const [rules, formerRules] = [related["rules"], related["formerRules"]].map((one) => RuleTree.safeParse(one).data);
  const where = former.on === network ? String(network) : `${String(network)}, compared with ${former.on}`;
  return [
    `From version ${former.version} to version ${String(propertyVersion)} on ${where}:`,
    ...(rules && formerRules
      ? bounded(treeDifference(formerRules.rules, rules.rules), "The rules are the same.")
      : ["The differences between the rules are unknown, because they could not be read."]),
    ...(next && now
      ? bounded(hostnameDifference(now, next), "The hostnames are the same.")
      : ["The differences between the hostnames are unknown, because they could not be read."]),
  ];
}

/** The problems that the API has found in the content of a version. */
export function problemsIn(related: Arguments) {
  const answers = [RuleTree.safeParse(related["rules"]).data, Hostnames.safeParse(related["hostnames"]).data];
  return {
    errors: answers.flatMap((one) => one?.errors ?? []),
    warnings: answers.flatMap((one) => one?.warnings ?? []),
  };
}

/** The errors and warnings of the version, each warning with the id that acknowledges it. */
function problemsInWords(args: Arguments, { errors, warnings }: ReturnType<typeof problemsIn>): string[] {
  const { acknowledgeWarnings = [], acknowledgeAllWarnings } = bodyOf(args);
  return [
    ...errors.map(
      ({ title, detail, errorLocation }) =>
        `The API refuses to activate this version because of an error at ${shown(errorLocation ?? "?")}: ${shown(detail ?? title)}`,
    ),
    ...warnings.map(({ messageId, title, detail }) => {
      const [id, text] = [shown(messageId ?? "?"), shown(detail ?? title)];
      if ((acknowledgeWarnings as readonly unknown[]).includes(messageId)) return `Acknowledged ${id}: ${text}`;
      if (acknowledgeAllWarnings === true) return `Acknowledged with all others, ${id}: ${text}`;
      return `Not acknowledged, so the API refuses the activation: ${text}. Once the user accepts it, add ${id} to body.acknowledgeWarnings.`;
    }),
  ];
}

/** The calls that undo the activation of a version, of a property or an include. */
export const backTo = (
  version: "propertyVersion" | "includeVersion",
  of: (given: Arguments) => Arguments,
  tools: Pick<Return, "tool" | "list"> & { readonly cancel: string },
): Return => ({
  ...tools,
  args: (given, number, isEnd) => {
    const { network, notifyEmails } = bodyOf(given);
    const type = isEnd ? { activationType: "DEACTIVATE" } : {};
    return { ...of(given), body: { [version]: number, ...type, network, notifyEmails } };
  },
  first: `While it is PENDING, cancel it with ${tools.cancel} and the id from activationLink. `,
  when: (isEnd) => `once it is ${isEnd ? "DEACTIVATED" : "ACTIVE"}`,
});

/** An activation in the list of a property or an include. */
interface Listed {
  readonly version: number | undefined;
  readonly id: string | undefined;
  readonly network: string;
  readonly status: string;
}

/**
 * What the activations say of a call.
 * @param active The version that is active on its network.
 * @param all The activations; undefined if they could not be read.
 */
export function byActivations(
  args: Arguments,
  to: number,
  active: number | undefined,
  all: readonly Listed[] | undefined,
  problems: ReturnType<typeof problemsIn>,
) {
  const [network, isEnd] = [String(bodyOf(args)["network"]), isDeactivation(args)];
  const isOnStaging = all?.some(
    (one) => one.network === "STAGING" && one.version === to && !/ABORTED|FAILED/.test(one.status),
  );
  const is = isEnd ? "not active" : "active";
  return {
    to,
    isEnd,
    network,
    from: all === undefined ? undefined : active === undefined ? [] : [active],
    untried: isOnStaging !== true && "has never been activated on",
    warnings: [
      all !== undefined &&
        isEnd !== (active === to) &&
        `According to its activations, the version is ${is} on ${network}: the API refuses the call with 422.`,
      ...(all ?? [])
        .filter(isUnderWay)
        .map((one) => `An activation of version ${one.version} on ${one.network} is ${one.status} (${one.id}).`),
      ...problemsInWords(args, problems),
    ],
  } satisfies Partial<Activation>;
}

/** The activation of a property's version, as data. */
export const activationOf = (args: Arguments, present: unknown, related: Arguments): Activation => {
  const { propertyVersion, network, acknowledgeAllWarnings } = bodyOf(args);
  const all = itemsOf(present).map((one) => ({ ...one, version: one.propertyVersion, id: one.activationId }));
  const listed = present === undefined ? undefined : all;
  const known = byActivations(args, Number(propertyVersion), activeOn(network, present), listed, problemsIn(related));
  return {
    ...known,
    of: nameOf(args, present),
    content: "rules",
    difference: () => undefined,
    results: [known.isEnd && "its hostnames are no longer served there"],
    warnings: [
      acknowledgeAllWarnings === true &&
        "acknowledgeAllWarnings acknowledges every warning of the API, including those that are not shown here.",
      ...known.warnings,
    ],
  };
};

export const activationGuard = {
  ...activates(
    "property version",
    "body.network",
    activationOf,
    backTo("propertyVersion", ofProperty, {
      tool: "property_version_activate",
      list: "property_activations_list",
      cancel: "property_activation_cancel",
    }),
  ),
  critical: [flag("body.acknowledgeAllWarnings", "it acknowledges warnings that have not been read")],
  compares: comparison,
  target: (args: Arguments) =>
    `${String(args["propertyId"])} version ${String(memberAt(args, "body.propertyVersion"))}`,
} as const satisfies Guard;

const property = { path: { propertyId: PropertyId }, query: place } as const;
const one = { path: { propertyId: PropertyId, activationId: ActivationId }, query: place } as const;

const statusOf = ({ body }: Answered): string => Activations.safeParse(body).data?.activations.items[0]?.status ?? "";

/** How much of an activation is done, by its status; it reaches the network zone by zone (public facts B, 3.3). */
export const fractions: Readonly<Record<string, number>> = {
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

/** The members of an activation; a closed object holds them, because another one could activate what was not reviewed. */
export const activationMembers = {
  propertyVersion: PropertyVersion,
  network: z.enum(["STAGING", "PRODUCTION"]),
  notifyEmails: NotifyEmails,
  activationType: z.enum(["ACTIVATE", "DEACTIVATE"]).optional(),
  note: z.string().max(2_000).optional(),
  acknowledgeWarnings: z.array(z.string().min(1).max(80)).optional().describe("Ids of warnings that were read"),
  acknowledgeAllWarnings: z.boolean().optional().describe("true: unread warnings too"),
  ...members(z.boolean().optional(), "fastPush", "delayValidations", "ignoreHttpErrors", "useFastFallback"),
};
export const unreviewed = "it could activate what has not been reviewed";

export const activationOperations = {
  property_activations_list: op("GET /papi/v0/properties/{propertyId}/activations/", {
    does: "Lists a property's activations, newest first.",
    ...property,
    returns: { 200: json(Activations) },
    example: { propertyId: "prp_175780" },
  }),
  property_version_activate: op("POST /papi/v0/properties/{propertyId}/activations/", {
    does: "Activates a version on a network in place of the active one, or deactivates it with DEACTIVATE.",
    ...property,
    body: json(closedObject(unreviewed, activationMembers)),
    returns: { 201: json(z.looseObject({ activationLink: z.string() })) },
    effect: "destructive",
    guard: activationGuard,
    shownBy: "property_activations_list",
    relatedReads: readForActivation,
    sendsTo,
    awaits,
    means: {
      400: "Show the warnings or errors to the user; add the id of each accepted warning to body.acknowledgeWarnings.",
      422: "It is already active or pending: see property_activations_list.",
    },
    example: {
      propertyId: "prp_175780",
      body: { propertyVersion: 3, network: "STAGING", notifyEmails: ["operations@shop.example"] },
    },
  }),
  property_activation_get: op("GET /papi/v0/properties/{propertyId}/activations/{activationId}", {
    does: "Reads an activation's progress, from PENDING to ACTIVE.",
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
      204: "It was already cancelled.",
      422: "It is no longer PENDING, so it cannot be cancelled; activate the version that was active before.",
    },
    example: { propertyId: "prp_175782", activationId: "atv_5004" },
  }),
} as const;
