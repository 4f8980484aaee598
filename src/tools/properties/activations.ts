/** Operations on activations: how a version reaches the staging or the production network. */
import type { Answered, Arguments, Awaits } from "../../language/conduct.js";
import { empty, json, op } from "../../language/define.js";
import { defined, memberAt } from "../../language/member.js";
import { closedObject } from "../../language/open-object.js";
import { z } from "../../language/z.js";
import { members } from "../fields.js";
import { activationGuard, besideActivation, sendsTo } from "./activation-guard.js";
import { isCancellable } from "./editable.js";
import { cancelGuard } from "./guards.js";
import { ActivationId, NotifyEmails, PropertyId, PropertyVersion, place } from "./ids.js";
import { Activations } from "./shapes.js";

const property = { propertyId: PropertyId };
const one = { propertyId: PropertyId, activationId: ActivationId };

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
    path: property,
    query: place,
    returns: { 200: json(Activations) },
    example: { propertyId: "prp_175780" },
  }),
  property_version_activate: op("POST /papi/v0/properties/{propertyId}/activations/", {
    does: "Activates a version on a network in place of the active one, or takes it off with DEACTIVATE.",
    path: property,
    query: place,
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
    path: one,
    query: place,
    answerHeaders: { retryAfter: "Retry-After" },
    returns: { 200: json(Activations) },
    example: { propertyId: "prp_175780", activationId: "atv_5001" },
  }),
  property_activation_cancel: op("DELETE /papi/v0/properties/{propertyId}/activations/{activationId}", {
    does: "Cancels an activation that is still PENDING.",
    path: one,
    query: place,
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
