/** Activations: how a version reaches the staging or production network, and what its preview shows the approver. */
import { type Activation, activates, activationScope, type VersionReturn } from "../../language/activation.js";
import {
  type Arguments,
  type DifferenceLine,
  type Guard,
  type JobPolling,
  pickArguments,
  type UpstreamAnswer,
} from "../../language/conduct.js";
import { empty, json, op } from "../../language/define.js";
import { headLine, limitLines } from "../../language/difference-lines.js";
import { quoteValue } from "../../language/failure.js";
import type { ActivationScope } from "../../language/forecast.js";
import { flag } from "../../language/guards.js";
import { defined, memberAt } from "../../language/member.js";
import { closedObject } from "../../language/open-object.js";
import { z } from "../../language/z.js";
import { members } from "../fields.js";
import { hostnameDifference, treeDifference } from "./difference.js";
import { cancellationGuard } from "./guards.js";
import { ActivationId, NotifyEmails, PropertyId, PropertyVersion, place } from "./ids.js";
import { Activations, Hostnames, RuleTree } from "./shapes.js";
import {
  activeOn,
  isCancellable,
  isUnderWay,
  objectName,
  objectOf,
  propertyKind,
  reachesNetwork,
  type VersionedKind,
} from "./states.js";

/** The body of the call; a deactivation has no next version. */
export const bodyOf = (args: Arguments): Arguments => (memberAt(args, "body") ?? {}) as Arguments;
export const isDeactivation = (args: Arguments): boolean => bodyOf(args)["activationType"] === "DEACTIVATE";

/** The version that the new one is compared with: the one that it replaces, or if staging has none, the one on production. */
function formerOf(args: Arguments, present: unknown): { readonly version: number; readonly on: string } | undefined {
  const { network } = bodyOf(args);
  for (const on of network === "STAGING" ? ["STAGING", "PRODUCTION"] : [String(network)]) {
    const version = activeOn(propertyKind, on, present);
    if (version !== undefined) return { version, on };
  }
  return undefined;
}

/** The arguments that read a version of the property or the include of a call. */
export const versionArguments = (kind: VersionedKind, args: Arguments, version: unknown): Arguments => ({
  ...objectOf(kind)(args),
  [`${kind.noun}Version`]: version,
});
/** The arguments that read the next version; a deactivation has none, so its arguments are left incomplete. */
export const nextVersionArguments =
  (kind: VersionedKind) =>
  (args: Arguments): Arguments =>
    isDeactivation(args) ? {} : versionArguments(kind, args, bodyOf(args)[`${kind.noun}Version`]);
const ofNext = nextVersionArguments(propertyKind);
const ofFormer = (args: Arguments, present: unknown): Arguments => {
  const former = isDeactivation(args) ? bodyOf(args)["propertyVersion"] : formerOf(args, present)?.version;
  return former === undefined ? {} : versionArguments(propertyKind, args, former);
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

/**
 * Whether the API is likely to refuse the call with 422, by the activations that it lists: the version to activate is
 * already active, or the one to deactivate is not (public facts B, 3.4). The list is too unreliable to refuse the call here.
 */
const isWithoutEffect = (args: Arguments, present: unknown): boolean =>
  present !== undefined &&
  isDeactivation(args) !==
    (activeOn(propertyKind, bodyOf(args)["network"], present) === bodyOf(args)["propertyVersion"]);

/** How the next version differs from the active one, in words. */
function comparison(args: Arguments, present: unknown, related: Arguments): readonly DifferenceLine[] {
  const { propertyVersion, network } = bodyOf(args);
  const [next, now] = [related["hostnames"], related["formerHostnames"]].map(
    (one) => Hostnames.safeParse(one).data?.hostnames.items,
  );
  if (isDeactivation(args))
    return now === undefined || isWithoutEffect(args, present)
      ? []
      : limitLines(hostnameDifference(now, []), "It has no hostnames.");
  const former = formerOf(args, present);
  if (former === undefined)
    return [
      headLine(`No version is active on ${String(network)} now, so everything is new there.`),
      ...limitLines(hostnameDifference([], next ?? []), next ? "It has no hostnames." : "Its hostnames are unknown."),
    ];
  const [rules, formerRules] = [related["rules"], related["formerRules"]].map((one) => RuleTree.safeParse(one).data);
  const where = former.on === network ? String(network) : `${String(network)}, compared with ${former.on}`;
  return [
    headLine(`From version ${former.version} to version ${String(propertyVersion)} on ${where}:`),
    ...(rules && formerRules
      ? limitLines(treeDifference(formerRules.rules, rules.rules), "The rules are the same.")
      : [headLine("The differences between the rules are unknown, because they could not be read.")]),
    ...(next && now
      ? limitLines(hostnameDifference(now, next), "The hostnames are the same.")
      : [headLine("The differences between the hostnames are unknown, because they could not be read.")]),
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
        `The API refuses to activate this version because of an error at ${quoteValue(errorLocation ?? "?")}: ${quoteValue(detail ?? title)}`,
    ),
    ...warnings.map(({ messageId, title, detail }) => {
      const [id, text] = [quoteValue(messageId ?? "?"), quoteValue(detail ?? title)];
      if ((acknowledgeWarnings as readonly unknown[]).includes(messageId)) return `Acknowledged ${id}: ${text}`;
      if (acknowledgeAllWarnings === true) return `Acknowledged with all others, ${id}: ${text}`;
      return `Not acknowledged, so the API refuses the activation: ${text}. Once the user accepts it, add ${id} to body.acknowledgeWarnings.`;
    }),
  ];
}

/** The calls that undo the activation of a version. */
export const activationReturn = (kind: VersionedKind): VersionReturn => ({
  tool: `${kind.noun}_version_activate`,
  list: `${kind.noun}_activations_list`,
  args: (given, number, isEnd) => {
    const { network, notifyEmails } = bodyOf(given);
    const type = isEnd ? { activationType: "DEACTIVATE" } : {};
    return { ...objectOf(kind)(given), body: { [`${kind.noun}Version`]: number, ...type, network, notifyEmails } };
  },
  first: `While it is PENDING, cancel it with ${kind.noun}_activation_cancel and the id from activationLink. `,
  when: (isEnd) => `once it is ${isEnd ? "DEACTIVATED" : "ACTIVE"}`,
});

/** What an approver types to approve a critical activation. */
export const activationTarget =
  ({ noun }: VersionedKind) =>
  (args: Arguments): string =>
    `${String(args[`${noun}Id`])} version ${String(bodyOf(args)[`${noun}Version`])}`;

/** What an activation reaches on the site. */
export const activationReach =
  (kind: VersionedKind) =>
  (args: Arguments): ActivationScope => {
    const { network, [`${kind.noun}Version`]: version } = bodyOf(args);
    const isEnd = isDeactivation(args);
    const within = defined(pickArguments("contractId", "groupId")(args));
    return activationScope(kind.noun, args[`${kind.noun}Id`], network, isEnd ? undefined : version, { isEnd, within });
  };

/** An activation as data, as far as its arguments and the listed activations tell. */
export function activationFromList(
  kind: VersionedKind,
  args: Arguments,
  present: unknown,
  problems: ReturnType<typeof problemsIn>,
) {
  const [network, isEnd] = [String(bodyOf(args)["network"]), isDeactivation(args)];
  const to = Number(bodyOf(args)[`${kind.noun}Version`]);
  const active = activeOn(kind, network, present);
  const all = present === undefined ? undefined : kind.activationsIn(present);
  const isOnStaging = all?.some((one) => one.network === "STAGING" && one.version === to && reachesNetwork(one));
  const is = isEnd ? "not active" : "active";
  return {
    of: `${kind.title}${objectName(kind, args, present)}`,
    to,
    isEnd,
    network,
    from: all === undefined ? undefined : active === undefined ? [] : [active],
    content: "rules",
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
  const known = activationFromList(propertyKind, args, present, problemsIn(related));
  return {
    ...known,
    difference: () => undefined,
    results: [known.isEnd && "its hostnames are no longer served there"],
    warnings: [
      bodyOf(args)["acknowledgeAllWarnings"] === true &&
        "acknowledgeAllWarnings acknowledges every warning of the API, including those that are not shown here.",
      ...known.warnings,
    ],
  };
};

export const activationGuard = {
  ...activates("property version", "body.network", activationOf, activationReturn(propertyKind)),
  critical: [flag("body.acknowledgeAllWarnings", "it acknowledges warnings that have not been read")],
  compares: comparison,
  forecasts: activationReach(propertyKind),
  target: activationTarget(propertyKind),
} as const satisfies Guard;

const property = { path: { propertyId: PropertyId }, query: place } as const;
const activationPlace = { path: { propertyId: PropertyId, activationId: ActivationId }, query: place } as const;

/** How much of an activation is done, by its status; it reaches the network zone by zone (public facts B, 3.3). */
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

/** How an activation is polled until its end. */
export function activationPoll<N extends VersionedKind["noun"]>(
  kind: VersionedKind<N>,
): JobPolling<`${N}_activation_get`> {
  const statusOf = ({ body }: UpstreamAnswer): string => kind.activationsIn(body)[0]?.status ?? "";
  return {
    status: `${kind.noun}_activation_get`,
    follow: ({ body, location }, given: Arguments) => {
      const link = memberAt(body, "activationLink") ?? location;
      const [, activationId] = kind.activationLink.exec(String(link)) ?? [];
      return activationId === undefined ? undefined : { ...objectOf(kind)(given), activationId };
    },
    isReady: (status, given) => statusOf(status) === (isDeactivation(given) ? "DEACTIVATED" : "ACTIVE"),
    state: statusOf,
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
}

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
export const unreviewedReason = "it could activate what has not been reviewed";

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
    body: json(closedObject(unreviewedReason, activationMembers)),
    returns: { 201: json(z.looseObject({ activationLink: z.string() })) },
    effect: "destructive",
    guard: activationGuard,
    shownBy: "property_activations_list",
    relatedReads: readForActivation,
    // The version's rules name the origins to which requests go from then on.
    sendsTo: { by: "property_rule_tree_get", args: ofNext },
    awaits: activationPoll(propertyKind),
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
    ...activationPlace,
    answerHeaders: { retryAfter: "Retry-After" },
    returns: { 200: json(Activations) },
    example: { propertyId: "prp_175780", activationId: "atv_5001" },
  }),
  property_activation_cancel: op("DELETE /papi/v0/properties/{propertyId}/activations/{activationId}", {
    does: "Cancels an activation that is still PENDING.",
    ...activationPlace,
    returns: { 200: json(Activations), 204: empty },
    guard: {
      ...cancellationGuard(propertyKind),
      warns: (_, present) =>
        propertyKind
          .activationsIn(present)
          .filter(({ status }) => status !== "PENDING")
          .map(({ status }) => `It is ${status}; only a PENDING activation can be cancelled.`),
    },
    checks: [isCancellable(propertyKind)],
    shownBy: "property_activation_get",
    rules: ["property-cancel-pending"],
    means: {
      204: "It was already cancelled.",
      422: "It is no longer PENDING, so it cannot be cancelled; activate the version that was active before.",
    },
    example: { propertyId: "prp_175782", activationId: "atv_5004" },
  }),
} as const;
