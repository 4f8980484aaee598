/** The operations that make changes live: of a configuration in half a minute, of a custom list in half an hour. */
import type { Answered, Arguments, Awaits } from "../../language/conduct.js";
import { comma, json, op } from "../../language/define.js";
import { memberAt } from "../../language/member.js";
import { closedObject } from "../../language/open-object.js";
import { z } from "../../language/z.js";
import {
  besideDeployment,
  besideListDeployment,
  configurationDeployment,
  listDeployment,
} from "./deployment-guards.js";
import { noSuch } from "./notes.js";
import { config, Deployment, deploysMore, description, Group, id, ListDeployment, RecentChanges } from "./shapes.js";

/** The id of a launched deployment: the last segment of its Location, or the member of its answer. */
function launchedId({ body, location }: Answered): number | undefined {
  const [, last] = /\/(\d{1,15})\/?$/.exec(location ?? "") ?? [];
  const own = last === undefined ? memberAt(body, "id") : Number(last);
  return typeof own === "number" ? own : undefined;
}

/** How a deployment is followed to its end, by the operation that reads it and the name of its id there. */
const awaits = <N extends string>(status: N, argument: string, pauseSeconds: number): Awaits<N> => ({
  status,
  follow: (launch: Answered, { configId }: Arguments) => {
    const launched = launchedId(launch);
    return launched === undefined ? undefined : { configId, [argument]: launched };
  },
  isReady: ({ body }) => memberAt(body, "status") === "COMPLETED",
  state: ({ body }) => `${String(memberAt(body, "status"))} ${String(memberAt(body, "progressPct") ?? "")}`,
  failure: ({ body }) => {
    const state = memberAt(body, "status");
    return state === "FAILED" || state === "ABORTED" || state === "REVERTING"
      ? `The deployment is ${state}: what was live before stays live.`
      : undefined;
  },
  pauseSeconds: () => pauseSeconds,
  fraction: ({ body }) => {
    const percent = memberAt(body, "progressPct");
    return typeof percent === "number" ? percent / 100 : undefined;
  },
});

const statuses = z.enum(["PENDING", "BUILDING", "STAGING", "RUNNING", "COMPLETED", "REVERTING", "FAILED", "ABORTED"]);
const underWay = { 409: "Another deployment is under way: wait for its end, then read what is pending again." };

export const deploymentOperations = {
  threat_changes_list: op("GET /etp-config/v1/configs/{configId}/recentChanges", {
    does: "Lists what was changed, custom lists aside, and is not deployed.",
    path: config,
    returns: { 200: json(RecentChanges) },
    rules: ["threat-configuration-deployment"],
    example: { configId: 1100 },
  }),
  threat_deployments_list: op("GET /etp-config/v1/configs/{configId}/deployments", {
    does: "Lists a configuration's deployments.",
    path: config,
    query: { deploymentStatuses: comma(z.array(statuses).min(1).optional()) },
    returns: { 200: json(z.array(Deployment)) },
    example: { configId: 1100 },
    note: "deploymentStatuses is from public facts on the next version.",
  }),
  threat_deployment_launch: op("POST /etp-config/v1/configs/{configId}/deployments", {
    does: "Deploys the named sites, policies and honeypots, in 20 to 30 seconds.",
    needs: "threat_undeployed_changes_list prepares it.",
    path: config,
    body: json(closedObject(deploysMore, { comment: description, created: Group, modified: Group, deleted: Group })),
    returns: { 200: json(Deployment.optional()), 201: json(Deployment.optional()) },
    effect: "destructive",
    guard: configurationDeployment,
    shownBy: "threat_deployments_list",
    shownBeside: besideDeployment,
    awaits: awaits("threat_deployment_get", "configDeploymentId", 5),
    rules: ["threat-configuration-deployment", "threat-deployment-times"],
    means: underWay,
    example: {
      configId: 1100,
      body: { comment: "New guest network", created: { sites: [{ id: 103 }] }, modified: {}, deleted: {} },
    },
  }),
  threat_deployment_get: op("GET /etp-config/v1/configs/{configId}/deployments/{configDeploymentId}", {
    does: "Reads how far a configuration deployment is.",
    path: { ...config, configDeploymentId: id },
    returns: { 200: json(Deployment) },
    means: noSuch("threat_deployments_list"),
    example: { configId: 1100, configDeploymentId: 5001 },
  }),
  threat_list_deployments_list: op("GET /etp-config/v1/configs/{configId}/lists/deployments", {
    does: "Lists the deployments of custom lists.",
    path: config,
    returns: { 200: json(z.array(ListDeployment)) },
    example: { configId: 1100 },
  }),
  threat_list_deployment_launch: op("POST /etp-config/v1/configs/{configId}/lists/deployments", {
    does: "Deploys one custom list, in about 30 minutes.",
    path: config,
    body: json(closedObject(deploysMore, { id: id.describe("List"), status: z.literal("PENDING").default("PENDING") })),
    returns: { 200: json(ListDeployment.optional()), 201: json(ListDeployment.optional()) },
    effect: "destructive",
    guard: listDeployment,
    shownBy: "threat_list_deployments_list",
    shownBeside: besideListDeployment,
    awaits: awaits("threat_list_deployment_get", "listDeploymentId", 60),
    rules: ["threat-list-deployment", "threat-deployment-times"],
    means: underWay,
    example: { configId: 1100, body: { id: 4541 } },
  }),
  threat_list_deployment_get: op("GET /etp-config/v1/configs/{configId}/lists/deployments/{listDeploymentId}", {
    does: "Reads how far the deployment of a custom list is.",
    path: { ...config, listDeploymentId: id },
    returns: { 200: json(ListDeployment) },
    means: noSuch("threat_list_deployments_list"),
    example: { configId: 1100, listDeploymentId: 7001 },
  }),
} as const;
