/** The operations on where policies are used and active. */
import type { Arguments } from "../../language/conduct.js";
import { json, op } from "../../language/define.js";
import { isRecord } from "../../language/member.js";
import { closedObject } from "../../language/open-object.js";
import { z } from "../../language/z.js";
import { besideActivation, versionActivation } from "./guards.js";
import { policy, policyMissing, version, versionMissing } from "./policies.js";
import { Activation, Properties } from "./shapes.js";

/** The activations in an answer that belong to the launch with these arguments. */
function activationsOf(body: unknown, given: Arguments): readonly string[] {
  const network = isRecord(given["body"]) ? given["body"]["network"] : undefined;
  const { data = [] } = z.array(Activation).safeParse(body);
  return data
    .filter((one) => one.policyInfo.version === given["version"] && one.network === network)
    .map((one) => one.policyInfo.status.toLowerCase());
}

export const activationOperations = {
  edgelogic_policy_properties_list: op("GET /cloudlets/api/v2/policies/{policyId}/properties", {
    does: "Lists the properties that use a policy, by name.",
    path: policy,
    returns: { 200: json(Properties) },
    means: policyMissing,
    example: { policyId: 1001 },
  }),
  edgelogic_policy_activations_list: op("GET /cloudlets/api/v2/policies/{policyId}/activations", {
    does: "Lists where and when a policy's versions were activated.",
    path: policy,
    query: { network: z.enum(["staging", "prod"]).optional(), propertyName: z.string().min(1).optional() },
    returns: { 200: json(z.array(Activation)) },
    rules: ["edgelogic-activation-moves"],
    means: policyMissing,
    example: { policyId: 1001, network: "prod" },
  }),
  edgelogic_policy_version_activate: op("POST /cloudlets/api/v2/policies/{policyId}/versions/{version}/activations", {
    does: "Activates a version on a network, for every property that uses the policy or is named.",
    path: version,
    body: json(
      closedObject("it could put live what nobody has looked at", {
        network: z.enum(["staging", "prod"]),
        additionalPropertyNames: z.array(z.string().min(1)).optional().describe("Properties that use it from now on"),
      }),
    ),
    returns: { 200: json(z.array(Activation)) },
    effect: "destructive",
    guard: versionActivation,
    shownBy: "edgelogic_policy_get",
    shownBeside: besideActivation,
    awaits: {
      status: "edgelogic_policy_activations_list",
      follow: (_, { policyId }) => ({ policyId }),
      isReady: ({ body }, given) => {
        const states = activationsOf(body, given);
        return states.length > 0 && !states.includes("pending");
      },
      state: ({ body }, given) => activationsOf(body, given).join(" "),
      reads: ["version", "body.network"],
      failure: ({ body }, given) =>
        activationsOf(body, given).includes("failed") ? "The activation of the version has failed." : undefined,
      pauseSeconds: () => 5,
    },
    rules: ["edgelogic-activation-moves"],
    means: {
      400: "The activation was refused: a property that does not exist, or a version that is being activated; edgelogic_properties_list shows the properties.",
      ...versionMissing,
    },
    example: { policyId: 1001, version: 2, body: { network: "staging" } },
  }),
};
