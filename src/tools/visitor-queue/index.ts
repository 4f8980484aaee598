/** Visitor queue (document B, deprecated): policies that set how many visitors pass, managed by commands in a form. */
import type { Arguments } from "../../language/conduct.js";
import { formJson, json, op } from "../../language/define.js";
import { memberAt } from "../../language/member.js";
import { closedObject, openObject } from "../../language/open-object.js";
import { repeated } from "../../language/read-only.js";
import { service } from "../../language/service.js";
import { plainOrQuoted } from "../../language/words.js";
import { z } from "../../language/z.js";
import { members } from "../fields.js";
import {
  type ActivePolicies,
  activeIn,
  idsToRead,
  versionActivation,
  type versionsIn,
} from "../policy-manager/guards.js";
import {
  Activations,
  commandBody,
  envelope,
  enveloped,
  matchMembers,
  policyAnswer,
  QueuePolicy,
  ruleMembers,
  updateMembers,
} from "../policy-manager/shapes.js";

/** The path to the payload of an activation in its arguments. */
const activated = "body.policyManagerRequest.activate";

/** The versions that are active for the property of a call on either network: the list does not distinguish them. */
function activeFor(args: Arguments, present: unknown): ActivePolicies {
  const { arlId, assetId } = memberAt(args, activated) as Arguments;
  return activeIn(present).filter((one) => `${one.fileId} ${one.assetId}` === `${arlId} ${assetId}`);
}

/** The same on the network of the call: a version whose counter for that network is 0 is not active there. */
function activeThere(args: Arguments, present: unknown, versions: ReturnType<typeof versionsIn>): ActivePolicies {
  const { network } = memberAt(args, activated) as Arguments;
  const number = network === "production" ? "activatedProduction" : "activatedStaging";
  return activeFor(args, present).map(({ policies, ...property }) => ({
    ...property,
    policies: policies.map(({ versions: used, ...policy }) => ({
      ...policy,
      versions: used.filter(({ policyVersionId }) => versions.get(policyVersionId)?.[number] !== 0),
    })),
  }));
}

/** The property of an activation: its ids, and its name if anything is active for it already. */
function propertyOf(args: Arguments, present: unknown): string {
  const { arlId, assetId } = memberAt(args, activated) as Arguments;
  const [known] = activeFor(args, present);
  const ids = `file ${plainOrQuoted(arlId)}, asset ${plainOrQuoted(assetId)}`;
  return known ? `${plainOrQuoted(known.name)} (${ids})` : `the property with ${ids}`;
}

const activation = versionActivation({
  ids: `${activated}.tapiocaIDs`,
  network: `${activated}.network`,
  activeFor: activeThere,
  place: (args, present) => ` for ${propertyOf(args, present)}`,
  decides: "how many visitors pass",
  warns: (args, present) =>
    activeFor(args, present).length > 0 ? [] : ["Nothing is active for this property yet, so its name is unknown."],
  list: "visitor_activations_list",
  instead: (args, ids) => {
    const { tapiocaIDs: _, ...where } = memberAt(args, activated) as Arguments;
    return {
      tool: "visitor_policy_activate",
      arguments: { body: { policyManagerRequest: { activate: { tapiocaIDs: ids, ...where } } } },
    };
  },
});

const manager = "/config-visitor-prioritization-data/api/v1/policymanager";
const rules = ["visitor-form", "visitor-envelope"] as const;
const Rule = openObject({
  type: z.literal("vpMatchRule"),
  ...ruleMembers,
  matches: z
    .array(
      openObject({
        matchType: z.enum(["protocol", "hostname", "query"]),
        matchValue: z.string().min(1),
        ...matchMembers,
      }),
    )
    .nullable()
    .optional(),
  matchURL: z.string().nullable().optional(),
  passThroughPercent: z.number().min(-1).max(100).optional().describe("Percent; -1: all"),
  useIncomingQueryString: z.boolean().optional(),
});
const id = z.int().positive();
const formOf = <C extends string, S extends z.ZodType>(name: C, payload: S) =>
  formJson("query", commandBody(name, payload));
const inner = "getPolicyInfoMapUsingACGIDs";
const listing = formOf(inner, repeated(closedObject("a listing has no payload", {}).default({})));
const unknownId = { 404: "There is no such policy version: visitor_policies_list shows the ids." };
const taken = {
  409: "The name is taken by the policy in the response: change that one with visitor_policy_update, or choose another name.",
};

export const visitorQueue = service("visitor", {
  name: "visitor-queue",
  document: "B",
  title: "Visitor queue (deprecated)",
  about: "Manages policies that limit how many visitors reach a site; deprecated in favor of edge logic.",
  envelope,
  standing: { state: "unknown", stage: "deprecated", successor: "edge logic, the application VP (/cloudlets/api/v2)" },
  ids: {
    id: "visitor_policies_list",
    policyId: "visitor_policies_list",
    tapiocaIDs: "visitor_policy_versions_list",
    cloudletId: "edgelogic_applications_list",
    arlId: "edgelogic_properties_list",
    assetId: "edgelogic_properties_list",
  },
  rules: {
    "visitor-form": "A command is sent as a form whose one field, query, holds JSON.",
    "visitor-envelope": "A response code other than 0 is a failure with its message.",
    "visitor-update-id": "An update returns a new id.",
    "visitor-name-taken": "A policy with a taken name is refused; the response is the existing policy.",
    "visitor-activation": "An activation makes a version active for a property on a network.",
    "visitor-history": "The list of activations has the current ones, or with historyOnly all of them.",
  },
  operations: {
    visitor_policies_list: op(`POST ${manager}?command=getAllPolicyInfoMaps`, {
      does: "Lists visitor queue policies.",
      body: { ...listing, schema: listing.schema.default({ policyManagerRequest: { command: inner, [inner]: {} } }) },
      ...policyAnswer(z.array(QueuePolicy)),
      effect: "read",
      rules,
    }),
    visitor_policy_create: op(`POST ${manager}?command=create`, {
      does: "Creates a visitor queue policy.",
      body: formOf(
        "create",
        openObject({
          cloudletId: z.int(),
          policyName: z.string().min(1),
          policyDescription: z.string().nullable().optional(),
        }),
      ),
      ...policyAnswer(QueuePolicy),
      effect: "create",
      shownBy: "visitor_policies_list",
      rules: [...rules, "visitor-name-taken"],
      means: taken,
      example: {
        body: {
          policyManagerRequest: { create: { cloudletId: 1, policyName: "flash_queue", policyDescription: "Flash" } },
        },
      },
    }),
    visitor_policy_get: op(`POST ${manager}?command=read`, {
      does: "Reads one version of a policy with its rules.",
      body: formOf("read", openObject({ id })),
      ...policyAnswer(QueuePolicy),
      effect: "read",
      rules,
      means: unknownId,
      example: { body: { policyManagerRequest: { read: { id: 102 } } } },
    }),
    visitor_policy_update: op(`POST ${manager}?command=update`, {
      does: "Changes a policy; returns a version with a new id.",
      body: formOf("update", openObject({ ...updateMembers, id, matchRules: z.array(Rule).nullable().optional() })),
      ...policyAnswer(QueuePolicy),
      effect: "update",
      shownBy: "visitor_policy_get",
      rules: [...rules, "visitor-update-id"],
      means: unknownId,
      example: {
        body: {
          policyManagerRequest: {
            update: {
              overwriteRules: true,
              id: 102,
              matchRules: [{ type: "vpMatchRule", matchURL: "/checkout", passThroughPercent: 25 }],
            },
          },
        },
      },
    }),
    visitor_policy_versions_list: op(`POST ${manager}?command=getPolicyInfoList`, {
      does: "Lists the versions of a policy.",
      body: formOf("getPolicyInfoList", openObject({ policyId: id })),
      ...policyAnswer(z.array(QueuePolicy)),
      effect: "read",
      rules,
      means: { 404: "There is no such policy: visitor_policies_list shows all." },
      note: "The document does not show the payload; policyId is assumed by analogy.",
      example: { body: { policyManagerRequest: { getPolicyInfoList: { policyId: 1003 } } } },
    }),
    visitor_policy_clone: op(`POST ${manager}?command=clone`, {
      does: "Copies a policy version into a new policy.",
      body: formOf("clone", openObject({ id, policyName: z.string().min(1).optional() })),
      ...policyAnswer(QueuePolicy),
      effect: "create",
      shownBy: "visitor_policies_list",
      rules: [...rules, "visitor-name-taken"],
      means: { ...taken, ...unknownId },
      note: "The document does not show the payload; its members are assumed by analogy.",
      example: { body: { policyManagerRequest: { clone: { id: 102, policyName: "sale_queue_copy" } } } },
    }),
    visitor_policy_activate: op(`POST ${manager}`, {
      does: "Activates policy versions for a property on a network.",
      needs: "Ids from visitor_activations_list (fileId as arlId) and visitor_policies_list.",
      body: formOf(
        "activate",
        closedObject("it could activate more versions than are named", {
          tapiocaIDs: z.array(id).min(1).describe("Ids of policy versions"),
          ...members(z.string().min(1), "arlId", "assetId"),
          network: z.enum(["staging", "production"]),
        }),
      ),
      returns: { 200: enveloped(z.unknown()) },
      effect: "destructive",
      guard: activation,
      shownBy: "visitor_activations_list",
      relatedReads: {
        versions: {
          by: "visitor_policy_get",
          args: (args, present) =>
            idsToRead(memberAt(args, `${activated}.tapiocaIDs`), activeFor(args, present)).map((one) => ({
              body: { policyManagerRequest: { read: { id: one } } },
            })),
          isBound: true,
        },
      },
      rules: [...rules, "visitor-activation"],
      means: unknownId,
      note: "The document does not show the payload; it is taken from public facts.",
      example: {
        body: {
          policyManagerRequest: {
            activate: { tapiocaIDs: [102], arlId: "175780", assetId: "10333526", network: "production" },
          },
        },
      },
    }),
    visitor_activations_list: op("GET /config-visitor-prioritization-data/api/v1/common/activation", {
      does: "Lists which policy versions are active for which property.",
      query: { historyOnly: z.boolean().optional().describe("true: past ones too") },
      returns: { 200: json(Activations) },
      rules: ["visitor-history"],
    }),
  },
});
