/** The operations that deploy a configuration or a custom list, and their previews. */

import { type Answered, type Arguments, type Awaits, type Guard, only } from "../../language/conduct.js";
import { comma, json, op } from "../../language/define.js";
import { bounded } from "../../language/line-difference.js";
import { listAt, memberAt } from "../../language/member.js";
import { closedObject } from "../../language/open-object.js";
import { act } from "../../language/statement.js";
import { listed, plain, withoutFalse } from "../../language/words.js";
import { z } from "../../language/z.js";
import { itemsInWords } from "./items.js";
import { noSuch } from "./notes.js";
import { compared, pendingIn, wordFor } from "./pending.js";
import { config, Deployment, deploysMore, description, Group, id, ListDeployment, RecentChanges } from "./shapes.js";

/** The approval is bound to the pending changes, because a deployment makes live the state in which it finds them. */
const readForDeployment = { pending: { by: "threat_changes_list", args: only("configId"), isBound: true } } as const;
const readForListDeployment = {
  pending: { by: "threat_list_changes_list", args: only("configId"), isBound: true },
  items: {
    by: "threat_list_items_list",
    args: ({ configId, body }: Arguments): Arguments => ({
      configId,
      listId: memberAt(body, "id"),
      numItemsPerPage: 10,
    }),
    isBound: true,
  },
} as const;

/** Deployments that are still running. */
const running = (present: unknown): readonly string[] =>
  listAt(present, [])
    .filter((one) => /^(PENDING|RUNNING|BUILDING|STAGING|REVERTING)$/.test(String(memberAt(one, "status"))))
    .map((one) => `${plain(memberAt(one, "id"))} (${plain(memberAt(one, "status"))})`);
const warnsOfRunning = (present: unknown): string[] => {
  const unfinished = running(present);
  return withoutFalse(unfinished.length > 0 && `A deployment is under way: ${listed(unfinished)}.`);
};
const unreadable = "The changes since the last deployment could not be read.";

const configurationDeployment: Guard = {
  kind: "activate",
  thing: "configuration",
  target: ({ configId }) => `configuration ${String(configId)}`,
  undo: {
    by: "A deployment cannot be rolled back. Restore the previous content with the tools that changed it, and deploy again.",
  },
  says: (args, _, { pending }) => {
    const known = pendingIn(pending) ?? [];
    const { named, others } = compared(args, known);
    // Changes that no deployment can name go live with each deployment.
    const goes = [...named.map(({ group, id }) => wordFor(group, id, known)), ...others.map(({ thing }) => thing)];
    const go = `${listed(goes)} ${goes.length === 1 ? "goes" : "go"} live for visitors of its sites within a minute`;
    const lives = goes.length === 0 ? "it names no changes to deploy" : go;
    return act`DEPLOY configuration ${String(args["configId"])}: ${lives}`;
  },
  compares: (args, _, { pending }) => {
    const known = pendingIn(pending);
    if (known === undefined) return [];
    const { left } = compared(args, known);
    const goes = known.filter((one) => !left.includes(one)).map(({ line }) => line);
    return [
      "Changes since the last deployment that go live:",
      ...bounded(goes, "None of the changes that the call names is pending."),
      ...(left.length === 0
        ? []
        : [
            "Other changes, which the call does not name:",
            ...bounded(
              left.map(({ line }) => line),
              "",
            ),
          ]),
    ];
  },
  warns: (args, present, { pending: body }) => {
    const pending = pendingIn(body);
    if (pending === undefined) return [...warnsOfRunning(present), unreadable];
    const { left, others, stray } = compared(args, pending);
    const lists = memberAt(args, "body.created.customlists") ?? memberAt(args, "body.modified.customlists");
    return withoutFalse(
      ...warnsOfRunning(present),
      left.length > 0 &&
        `Not named, so it is uncertain whether they go live: ${listed(left.map(({ thing }) => thing))}.`,
      others.length > 0 &&
        `Deployed as well, because no deployment can name them: ${listed(others.map(({ thing }) => thing))}.`,
      ...stray.map(
        ({ group, part, id }) => `${wordFor(group, id)} is named as ${part}, but no such change is pending.`,
      ),
      lists !== undefined && "Changes to custom lists are deployed with threat_list_deployment_launch.",
    );
  },
};

const listDeployment: Guard = {
  kind: "activate",
  thing: "custom list",
  target: (args) => `list ${String(memberAt(args, "body.id"))}`,
  undo: {
    by: "A deployment cannot be rolled back. Restore the items with threat_list_item_update, and deploy the list again.",
  },
  says: (args, _, { pending }) => {
    const id = memberAt(args, "body.id");
    const known = pendingIn(pending);
    const own = known?.find((one) => one.id === id);
    const which = `${own?.thing ?? `list ${String(id)}`} of configuration ${String(args["configId"])}`;
    return known !== undefined && own === undefined
      ? act`DEPLOY ${which}: it has not changed since its last deployment`
      : act`DEPLOY ${which}: its changes go live on all networks in about 30 minutes`;
  },
  compares: (args, _, { pending, items }) => {
    const id = memberAt(args, "body.id");
    const known = pendingIn(pending);
    const own = (known ?? []).filter((one) => one.id === id).map(({ line }) => line);
    const has = itemsInWords(items);
    return withoutFalse(
      ...(known === undefined
        ? []
        : ["Changes since the last deployment that go live:", ...bounded(own, "No change to this list is pending.")]),
      has !== undefined && `The list will have ${has}.`,
    );
  },
  warns: (args, present, { pending: body }) => {
    const pending = pendingIn(body);
    const id = memberAt(args, "body.id");
    if (pending === undefined) return [...warnsOfRunning(present), unreadable];
    const isPending = pending.some((one) => one.id === id);
    const others = pending.filter((one) => one.id !== id);
    return withoutFalse(
      ...warnsOfRunning(present),
      !isPending && `List ${String(id)} has not changed since its last deployment.`,
      others.length > 0 && `Not deployed by this call: ${listed(others.map(({ thing }) => thing))}.`,
    );
  },
};

/** The id of a launched deployment: the last segment of its Location, or the member in its response. */
function launchedId({ body, location }: Answered): number | undefined {
  const [, last] = /\/(\d{1,15})\/?$/.exec(location ?? "") ?? [];
  const own = last === undefined ? memberAt(body, "id") : Number(last);
  return typeof own === "number" ? own : undefined;
}

/** How a deployment is polled until it ends, with the operation that reads it and the name of its id there. */
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
      ? `The deployment is ${state}: the previous state stays live.`
      : undefined;
  },
  pauseSeconds: () => pauseSeconds,
  fraction: ({ body }) => {
    const percent = memberAt(body, "progressPct");
    return typeof percent === "number" ? percent / 100 : undefined;
  },
});

const statuses = z.enum(["PENDING", "BUILDING", "STAGING", "RUNNING", "COMPLETED", "REVERTING", "FAILED", "ABORTED"]);
const underWay = { 409: "Another deployment is under way: wait until it ends, then read the pending changes again." };

export const deploymentOperations = {
  threat_changes_list: op("GET /etp-config/v1/configs/{configId}/recentChanges", {
    does: "Lists the changes that are not deployed, except those to custom lists.",
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
    needs: "threat_undeployed_changes_list prepares the call.",
    path: config,
    body: json(closedObject(deploysMore, { comment: description, created: Group, modified: Group, deleted: Group })),
    returns: { 200: json(Deployment.optional()), 201: json(Deployment.optional()) },
    effect: "destructive",
    guard: configurationDeployment,
    shownBy: "threat_deployments_list",
    relatedReads: readForDeployment,
    awaits: awaits("threat_deployment_get", "configDeploymentId", 5),
    rules: ["threat-configuration-deployment", "threat-deployment-times"],
    means: underWay,
    example: {
      configId: 1100,
      body: { comment: "New guest network", created: { sites: [{ id: 103 }] }, modified: {}, deleted: {} },
    },
  }),
  threat_deployment_get: op("GET /etp-config/v1/configs/{configId}/deployments/{configDeploymentId}", {
    does: "Reads a configuration deployment's progress.",
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
    relatedReads: readForListDeployment,
    awaits: awaits("threat_list_deployment_get", "listDeploymentId", 60),
    rules: ["threat-list-deployment", "threat-deployment-times"],
    means: underWay,
    example: { configId: 1100, body: { id: 4541 } },
  }),
  threat_list_deployment_get: op("GET /etp-config/v1/configs/{configId}/lists/deployments/{listDeploymentId}", {
    does: "Reads the progress of a custom list's deployment.",
    path: { ...config, listDeploymentId: id },
    returns: { 200: json(ListDeployment) },
    means: noSuch("threat_list_deployments_list"),
    example: { configId: 1100, listDeploymentId: 7001 },
  }),
} as const;
