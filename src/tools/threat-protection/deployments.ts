/** The operations that deploy a configuration or a custom list, and their previews. */
import {
  type Arguments,
  type DifferenceLine,
  type Guard,
  type JobPolling,
  pickArguments,
  type Statement,
  type UpstreamAnswer,
} from "../../language/conduct.js";
import { comma, json, op } from "../../language/define.js";
import { headLine, limitLines } from "../../language/difference-lines.js";
import { act } from "../../language/guards.js";
import { listAt, memberAt } from "../../language/member.js";
import { closedObject } from "../../language/open-object.js";
import { listInWords, plainOrQuoted } from "../../language/words.js";
import { z } from "../../language/z.js";
import { itemsInWords, missingMeaning } from "./kinds.js";
import { comparePending, objectWords, type PendingObject, pendingObjectsIn } from "./pending.js";
import { config, Deployment, deploysMore, description, Group, id, ListDeployment, RecentChanges } from "./shapes.js";

/** Deployments that are still running. */
const running = (present: unknown): readonly string[] =>
  listAt(present, [])
    .filter((one) => /^(PENDING|RUNNING|BUILDING|STAGING|REVERTING)$/.test(String(memberAt(one, "status"))))
    .map((one) => `${plainOrQuoted(memberAt(one, "id"))} (${plainOrQuoted(memberAt(one, "status"))})`);
const things = (pending: readonly PendingObject[]): string => listInWords(pending, ({ thing }) => thing);
const linesUnder = (head: string, pending: readonly PendingObject[], none: string): readonly DifferenceLine[] => {
  const lines = pending.map(({ line }) => line);
  return [headLine(head), ...limitLines(lines, none)];
};

/** A deployment, as data. */
interface Deploys {
  readonly says: Statement;
  /** The changes that go live; undefined if they could not be read. */
  readonly live: readonly PendingObject[] | undefined;
  /** The line if there are none. */
  readonly none: string;
  /** Lines below them. */
  readonly below: readonly DifferenceLine[];
  /** Warnings that follow from the pending changes. */
  readonly warnings: readonly (string | false)[];
}

/** The guard of a deployment, which cannot be rolled back. */
const deploys = (
  thing: string,
  target: (args: Arguments) => string,
  restore: string,
  deployOf: (args: Arguments, related: Arguments) => Deploys,
): Guard => ({
  kind: "activate",
  thing,
  target,
  undo: { by: `A deployment cannot be rolled back. ${restore}` },
  says: (args, _, related) => deployOf(args, related).says,
  compares: (args, _, related) => {
    const { live, none, below } = deployOf(args, related);
    const head = "Changes since the last deployment that go live:";
    return [...(live === undefined ? [] : linesUnder(head, live, none)), ...below];
  },
  warns: (args, present, related) => {
    const { live, warnings } = deployOf(args, related);
    const unfinished = listInWords(running(present));
    return [
      unfinished !== "" && `A deployment is under way: ${unfinished}.`,
      ...(live === undefined ? ["The changes since the last deployment could not be read."] : warnings),
    ];
  },
});

const configurationDeployment = deploys(
  "configuration",
  ({ configId }) => `configuration ${String(configId)}`,
  "Restore the previous content with the tools that changed it, and deploy again.",
  (args, { pending }) => {
    const known = pendingObjectsIn(pending);
    const { named, left, others, stray } = comparePending(args, known ?? []);
    // Changes that no deployment can name go live with each deployment.
    const goes = [...named.map(({ group, id }) => objectWords(group, id, known)), ...others.map(({ thing }) => thing)];
    const go = `${listInWords(goes)} ${goes.length === 1 ? "goes" : "go"} live for visitors of its sites within a minute`;
    const lists = ["created", "modified"].some((part) => memberAt(args, `body.${part}.customlists`) !== undefined);
    return {
      says: act`DEPLOY configuration ${String(args["configId"])}: ${goes.length === 0 ? "it names no changes to deploy" : go}`,
      live: known?.filter((one) => !left.includes(one)),
      none: "None of the changes that the call names is pending.",
      below: left.length === 0 ? [] : linesUnder("Other changes, which the call does not name:", left, ""),
      warnings: [
        left.length > 0 && `Not named, so it is uncertain whether they go live: ${things(left)}.`,
        others.length > 0 && `Deployed as well, because no deployment can name them: ${things(others)}.`,
        ...stray.map(
          ({ group, part, id }) => `${objectWords(group, id)} is named as ${part}, but no such change is pending.`,
        ),
        lists && "Changes to custom lists are deployed with threat_list_deployment_launch.",
      ],
    };
  },
);

const listDeployment = deploys(
  "custom list",
  (args) => `list ${String(memberAt(args, "body.id"))}`,
  "Restore the items with threat_list_item_update, and deploy the list again.",
  (args, { pending, items }) => {
    const id = memberAt(args, "body.id");
    const known = pendingObjectsIn(pending);
    const live = known?.filter((one) => one.id === id);
    const others = (known ?? []).filter((one) => one.id !== id);
    const which = `${live?.[0]?.thing ?? `list ${String(id)}`} of configuration ${String(args["configId"])}`;
    const has = itemsInWords(items);
    const isSame = live?.length === 0;
    return {
      says: act`DEPLOY ${which}: ${isSame ? "it has not changed since its last deployment" : "its changes go live on all networks in about 30 minutes"}`,
      live,
      none: "No change to this list is pending.",
      below: has === undefined ? [] : [headLine(`The list will have ${has}.`)],
      warnings: [
        isSame && `List ${String(id)} has not changed since its last deployment.`,
        others.length > 0 && `Not deployed by this call: ${things(others)}.`,
      ],
    };
  },
);

/** The id of a launched deployment: the last segment of its Location, or the member in its response. */
function launchedId({ body, location }: UpstreamAnswer): number | undefined {
  const [, last] = /\/(\d{1,15})\/?$/.exec(location ?? "") ?? [];
  const own = last === undefined ? memberAt(body, "id") : Number(last);
  return typeof own === "number" ? own : undefined;
}

/** How a deployment is polled until it ends, with the operation that reads it and the name of its id there. */
const awaits = <N extends string>(status: N, argument: string, pauseSeconds: number): JobPolling<N> => ({
  status,
  follow: (launch: UpstreamAnswer, { configId }: Arguments) => {
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
    // The approval is bound to the pending changes, because a deployment makes live the state in which it finds them.
    relatedReads: { pending: { by: "threat_changes_list", args: pickArguments("configId"), isBound: true } },
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
    means: missingMeaning("threat_deployments_list"),
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
    relatedReads: {
      pending: { by: "threat_list_changes_list", args: pickArguments("configId"), isBound: true },
      items: {
        by: "threat_list_items_list",
        args: ({ configId, body }: Arguments) => ({ configId, listId: memberAt(body, "id"), numItemsPerPage: 10 }),
        isBound: true,
      },
    },
    awaits: awaits("threat_list_deployment_get", "listDeploymentId", 60),
    rules: ["threat-list-deployment", "threat-deployment-times"],
    means: underWay,
    example: { configId: 1100, body: { id: 4541 } },
  }),
  threat_list_deployment_get: op("GET /etp-config/v1/configs/{configId}/lists/deployments/{listDeploymentId}", {
    does: "Reads the progress of a custom list's deployment.",
    path: { ...config, listDeploymentId: id },
    returns: { 200: json(ListDeployment) },
    means: missingMeaning("threat_list_deployments_list"),
    example: { configId: 1100, listDeploymentId: 7001 },
  }),
} as const;
