/** The operations on load-balancing origins, their versions and activations. */
import type { Arguments } from "../../language/conduct.js";
import { json, op } from "../../language/define.js";
import { memberAt } from "../../language/member.js";
import { closedObject } from "../../language/open-object.js";
import { repeated, withReadOnlyMembers } from "../../language/read-only.js";
import { isSameNetwork } from "../../language/words.js";
import { z } from "../../language/z.js";
import { originVersionMutable } from "./guards.js";
import { originActivation, originVersionReplacement, readForOrigin } from "./origin-guards.js";
import { balancingMembers, CurrentActivations, LoadBalancer, OriginActivation, OriginVersion } from "./shapes.js";

// One origin id would be the path of the list of current activations.
export const originId = z
  .string()
  .min(2)
  .max(63)
  .refine((text) => text !== "currentActivations", "another id: this one is the path of the current activations");
export const originDescription = z.string().max(255).nullable().optional();
const asInPath = repeated(z.string().optional().describe("As in the path"));
const version = z.int().positive();
const validate = z.boolean().optional().describe("true: with warnings");
const noOrigin = "There is no such load balancer: edgelogic_origins_list with type alb shows all.";
const noVersion = "There is no such version: edgelogic_origin_versions_list shows all.";

const networks = ["PRODUCTION", "STAGING"] as const;
/** The API accepts other spellings of a network as well (public facts B, 4); all are sent in that of the documents. */
const Network = z.preprocess(
  (given) => networks.find((network) => isSameNetwork(network, given)) ?? given,
  z.enum(networks),
);

/** The state of the newest activation in a response that belongs to the launch with these arguments. */
function stateOf(body: unknown, { body: launch }: Arguments): string | undefined {
  const { data = [] } = z.array(OriginActivation).safeParse(body);
  const activation = data.find(
    (one) => one.version === memberAt(launch, "version") && isSameNetwork(one.network, memberAt(launch, "network")),
  );
  return activation?.status.toLowerCase();
}

export const originOperations = {
  edgelogic_origins_list: op("GET /cloudlets/api/v2/origins", {
    does: "Lists origins: load balancers, and those of properties.",
    query: { type: z.enum(["alb", "customer", "netstorage"]).optional() },
    returns: { 200: json(z.array(LoadBalancer)) },
    rules: ["edgelogic-origin-types"],
    example: { type: "alb" },
  }),
  edgelogic_origin_get: op("GET /cloudlets/api/v2/origins/{originId}", {
    does: "Reads a load balancer.",
    path: { originId },
    returns: { 200: json(LoadBalancer) },
    rules: ["edgelogic-alb-only"],
    means: { 404: noOrigin },
    example: { originId: "shopBalancer" },
  }),
  edgelogic_origin_create: op("POST /cloudlets/api/v2/origins/{originId}", {
    does: "Creates a load balancer, without versions yet.",
    path: { originId },
    body: json({ description: originDescription, originId: asInPath }),
    returns: { 200: json(LoadBalancer), 201: json(LoadBalancer) },
    effect: "create",
    shownBy: "edgelogic_origin_get",
    means: {
      409: "The id is taken: edgelogic_origin_get shows the load balancer with this id. Add a version to that one with edgelogic_origin_version_create, or choose another id.",
    },
    example: { originId: "apiBalancer", body: { description: "Shop API in two regions" } },
  }),
  edgelogic_origin_update: op("PUT /cloudlets/api/v2/origins/{originId}", {
    does: "Changes a load balancer's description.",
    path: { originId },
    body: json(withReadOnlyMembers({ description: originDescription, originId: asInPath }, LoadBalancer)),
    returns: { 200: json(LoadBalancer) },
    effect: "update",
    shownBy: "edgelogic_origin_get",
    rules: ["edgelogic-alb-only"],
    means: { 404: noOrigin },
    example: { originId: "shopBalancer", body: { description: "Shop front in two regions" } },
  }),
  edgelogic_origin_versions_list: op("GET /cloudlets/api/v2/origins/{originId}/versions", {
    does: "Lists a load balancer's versions, newest first.",
    path: { originId },
    returns: { 200: json(z.array(OriginVersion)) },
    rules: ["edgelogic-alb-only"],
    means: { 404: noOrigin },
    example: { originId: "shopBalancer" },
  }),
  edgelogic_origin_version_create: op("POST /cloudlets/api/v2/origins/{originId}/versions", {
    does: "Adds a version: data centers with their shares, and the liveness test.",
    path: { originId },
    body: json(balancingMembers),
    returns: { 200: json(OriginVersion), 201: json(OriginVersion) },
    effect: "create",
    shownBy: "edgelogic_origin_versions_list",
    rules: ["edgelogic-alb-only", "edgelogic-data-center-country"],
    means: { 404: noOrigin },
    example: {
      originId: "shopBalancer",
      body: {
        balancingType: "WEIGHTED",
        description: "All traffic to Frankfurt",
        dataCenters: [
          {
            originId: "shopFrankfurt",
            percent: 100,
            cloudService: false,
            continent: "EU",
            country: "DE",
            latitude: 50.11,
            longitude: 8.68,
          },
        ],
        livenessSettings: { path: "/status", port: 443, protocol: "HTTPS", interval: 25, timeout: 30 },
      },
    },
  }),
  edgelogic_origin_version_get: op("GET /cloudlets/api/v2/origins/{originId}/versions/{version}", {
    does: "Reads a version of a load balancer.",
    path: { originId, version },
    query: { validate },
    returns: { 200: json(OriginVersion) },
    rules: ["edgelogic-origin-validate"],
    means: { 404: noVersion },
    example: { originId: "shopBalancer", version: 1, validate: true },
  }),
  edgelogic_origin_version_update: op("PUT /cloudlets/api/v2/origins/{originId}/versions/{version}", {
    does: "Replaces a load-balancing version that was never activated.",
    path: { originId, version },
    query: { validate },
    body: json(
      withReadOnlyMembers(
        {
          ...balancingMembers,
          // An omitted deletion deletes nothing, and its preview must not report a removal.
          deleted: z.boolean().default(false),
          originId: asInPath,
          version: repeated(z.int().optional().describe("As in the path")),
        },
        OriginVersion,
      ),
    ),
    returns: { 200: json(OriginVersion) },
    effect: "update",
    // Omitted fields are removed, and with deleted it deletes.
    guard: originVersionReplacement,
    shownBy: "edgelogic_origin_version_get",
    checks: [originVersionMutable],
    rules: ["edgelogic-origin-immutable", "edgelogic-origin-validate", "edgelogic-data-center-country"],
    means: {
      400: "The version was refused. An activated version is fixed: create a new one with edgelogic_origin_version_create.",
      404: noVersion,
    },
    example: { originId: "shopBalancer", version: 2, body: { description: "Half to Tokyo, from Monday" } },
  }),
  edgelogic_current_activations_list: op("GET /cloudlets/api/v2/origins/currentActivations", {
    does: "Lists which version of each load balancer is active, by network.",
    returns: { 200: json(CurrentActivations) },
  }),
  edgelogic_origin_activations_list: op("GET /cloudlets/api/v2/origins/{originId}/activations", {
    does: "Lists a load balancer's activations, newest first.",
    path: { originId },
    returns: { 200: json(z.array(OriginActivation)) },
    rules: ["edgelogic-alb-only"],
    means: { 404: noOrigin },
    example: { originId: "shopBalancer" },
  }),
  edgelogic_origin_activate: op("POST /cloudlets/api/v2/origins/{originId}/activations", {
    does: "Activates a load-balancing version on a network.",
    path: { originId },
    body: json(
      closedObject("it could activate an untested version", {
        network: Network,
        version,
        dryrun: z.boolean().optional().describe("true: only check"),
      }),
    ),
    returns: { 200: json(OriginActivation) },
    effect: "destructive",
    guard: originActivation,
    shownBy: "edgelogic_origin_activations_list",
    relatedReads: readForOrigin,
    sendsTo: {
      by: "edgelogic_origin_version_get",
      args: ({ originId: id, body }) => ({ originId: id, version: memberAt(body, "version") }),
    },
    awaits: {
      status: "edgelogic_origin_activations_list",
      follow: ({ body }, given) => (memberAt(body, "dryrun") === true ? undefined : { originId: given["originId"] }),
      isReady: ({ body }, given) => ["active", "deactivated", "inactive"].includes(stateOf(body, given) ?? ""),
      state: ({ body }, given) => stateOf(body, given) ?? "",
      reads: ["body.version", "body.network"],
      failure: ({ body }, given) =>
        stateOf(body, given) === "failed" ? "The activation of the version has failed." : undefined,
      pauseSeconds: () => 5,
    },
    rules: ["edgelogic-origin-activation", "edgelogic-origin-dryrun"],
    means: {
      400: "The version cannot be activated: edgelogic_origin_version_get with validate true reports why.",
      409: "It is already being activated: edgelogic_origin_activations_list shows the progress.",
      404: noOrigin,
    },
    example: { originId: "shopBalancer", body: { network: "STAGING", version: 2 } },
  }),
};
