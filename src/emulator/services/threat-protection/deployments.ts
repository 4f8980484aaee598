/** What the emulated threat protection deploys: the named objects, or one list, live when the deployment is done. */
import type { deploymentOperations } from "../../../tools/threat-protection/deployments.js";
import { isOver, type Job, progressOf } from "../../primitives/job.js";
import { badRequest, conflict, ok } from "../../reply.js";
import type { BehavioursOf } from "../../service.js";
import type { World } from "../../world.js";
import { userInUse } from "../account.js";
import { configurationChanges, isPending, threatObjectKinds } from "./changes.js";
import {
  type ConfigurationDeployment,
  configurationOf,
  copyObjects,
  type DeployableObjects,
  dateOf,
  type ListDeployment,
  lastDeployedList,
  lastDeployedObjects,
  lastsMs,
  locationOf,
  type ThreatConfiguration,
  type ThreatObjectKind,
  type ThreatObjectStores,
} from "./store.js";

type Own = BehavioursOf<typeof deploymentOperations>;
type Body = Parameters<Own["threat_deployment_launch"]>[0]["body"];

const parts = ["created", "modified", "deleted"] as const;

/** Deploys an object as it is now; one that is gone is gone there, too. */
function deploy<K extends ThreatObjectKind>(
  kind: K,
  id: number,
  currentStores: ThreatObjectStores,
  next: ThreatObjectStores,
): void {
  const object = currentStores[kind].get(id);
  if (object === undefined) next[kind].delete(id);
  else next[kind].add(object);
}

/** What is deployed by naming objects; emergency lists go with every deployment, since none can name them. */
function objectsToDeploy(configuration: ThreatConfiguration, body: Body): DeployableObjects {
  if (configurationChanges(configuration).length === 0) throw badRequest("There is nothing to deploy");
  const next = { ...copyObjects(lastDeployedObjects(configuration)), emergency: configuration.emergency.copy() };
  for (const part of parts) {
    if ((body[part].customlists ?? []).length > 0) throw badRequest("Custom lists are deployed by a list deployment");
    for (const kind of threatObjectKinds)
      for (const { id } of body[part][kind] ?? []) {
        if (!isPending(configuration, kind, part, id))
          throw badRequest(`${part}.${kind}: nothing of the kind is pending for ${id}`);
        deploy(kind, id, configuration, next);
      }
  }
  return next;
}

const launch = (world: World, lasts: number) => ({ by: userInUse, atMs: world.now(), lastsMs: lasts });

/** How far a deployment is, by the clock. */
function progress(world: World, job: Job) {
  const done = progressOf(world, job);
  return {
    status: done >= 1 ? "COMPLETED" : done > 0 ? "RUNNING" : "PENDING",
    progressPct: Math.floor(done * 100),
    startTime: dateOf(job.atMs),
    ...(done >= 1 ? { endTime: dateOf(job.atMs + job.lastsMs) } : {}),
  };
}
const body = (world: World, one: ConfigurationDeployment) => {
  return { id: one.id, comment: one.comment, deployedBy: one.by, ...progress(world, one) };
};
const listBody = (world: World, one: ListDeployment) => {
  return { id: one.id, listId: one.listId, deployedBy: one.by, ...progress(world, one) };
};

export const deploymentBehaviours: Own = {
  threat_changes_list: ({ path }, world) =>
    ok({ changes: configurationChanges(configurationOf(world, path.configId)) }),
  threat_deployments_list: ({ path, query: { deploymentStatuses } }, world) => {
    const all = configurationOf(world, path.configId).deployments.all.map((one) => body(world, one));
    const isAsked = ({ status }: (typeof all)[number]) => deploymentStatuses?.some((one) => one === status) ?? true;
    return ok(all.filter(isAsked).reverse());
  },
  threat_deployment_launch: ({ path, body: request }, world) => {
    const configuration = configurationOf(world, path.configId);
    if (configuration.deployments.all.some((one) => !isOver(world, one)))
      throw conflict("A deployment is running. Code-090419");
    const objects = objectsToDeploy(configuration, request);
    const id = world.next("threat deployment", 5_002);
    configuration.deployments.add({ id, comment: request.comment, ...launch(world, lastsMs.configuration), objects });
    return ok(undefined, { location: locationOf("deployments")({ id }, path) });
  },
  threat_deployment_get: ({ path }, world) =>
    ok(body(world, configurationOf(world, path.configId).deployments.find(path.configDeploymentId))),
  threat_list_deployments_list: ({ path }, world) => {
    const all = configurationOf(world, path.configId).listDeployments.all;
    return ok(all.map((one) => listBody(world, one)).reverse());
  },
  threat_list_deployment_launch: ({ path, body: { id: listId } }, world) => {
    const configuration = configurationOf(world, path.configId);
    if (configuration.listDeployments.all.some((one) => one.listId === listId && !isOver(world, one)))
      throw conflict(`A deployment of the list ${listId} is running. Code-090419`);
    // The deletion of a list is deployed as well, by the id that it had.
    const list =
      lastDeployedList(configuration, listId) === undefined
        ? configuration.lists.find(listId)
        : configuration.lists.get(listId);
    const id = world.next("threat list deployment", 7_003);
    configuration.listDeployments.add({ id, listId, ...launch(world, lastsMs.list), list });
    return ok(undefined, { location: locationOf("lists/deployments")({ id }, path) });
  },
  threat_list_deployment_get: ({ path }, world) =>
    ok(listBody(world, configurationOf(world, path.configId).listDeployments.find(path.listDeploymentId))),
};
