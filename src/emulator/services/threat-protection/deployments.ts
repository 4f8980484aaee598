/** What the emulated threat protection deploys: the named objects, or one list, live when the deployment is done. */
import type { deploymentOperations } from "../../../tools/threat-protection/deployments.js";
import { badRequest, conflict, ok } from "../../reply.js";
import type { BehavioursOf } from "../../service.js";
import type { World } from "../../world.js";
import { userInUse } from "../account.js";
import { byId } from "../stored.js";
import { deploymentBody, listDeploymentBody } from "./bodies.js";
import { configurationChanges, isPending } from "./changes.js";
import {
  type Configuration,
  configurationOf,
  type Kind,
  type Kinds,
  keptIn,
  lastDeployed,
  lastDeployedList,
  lastsMs,
  type Objects,
  type Written,
} from "./store.js";

type Own = BehavioursOf<typeof deploymentOperations>;
type Body = Parameters<Own["threat_deployment_launch"]>[0]["body"];

const parts = ["created", "modified", "deleted"] as const;

/** The deployed objects of a kind with the named ones as they are now; one that is gone is gone there, too. */
function withNamed<K extends Kind>(kind: K, before: Objects, now: Objects, ids: readonly number[]) {
  const next = new Map<number, Kinds[K]>(before[kind]);
  for (const id of ids) {
    const one = now[kind].get(id);
    if (one === undefined) next.delete(id);
    else next.set(id, one);
  }
  return next;
}

/** What is deployed by naming objects; emergency lists go with every deployment, since none can name them. */
function deployed(own: Configuration, body: Body): Written {
  if (configurationChanges(own).length === 0) throw badRequest("There is nothing to deploy");
  const before = lastDeployed(own);
  const idsOf = (kind: Kind): readonly number[] =>
    parts.flatMap((part) =>
      (body[part][kind] ?? []).map(({ id }) => {
        if (!isPending(own, kind, part, id))
          throw badRequest(`${part}.${kind}: nothing of the kind is pending for ${id}`);
        return id;
      }),
    );
  for (const part of parts)
    if ((body[part].customlists ?? []).length > 0) throw badRequest("Custom lists are deployed by a list deployment");
  return {
    sites: withNamed("sites", before, own, idsOf("sites")),
    policies: withNamed("policies", before, own, idsOf("policies")),
    honeypots: withNamed("honeypots", before, own, idsOf("honeypots")),
    emergency: new Map(own.emergency),
  };
}

const launched = (world: World, lasts: number) => ({
  by: userInUse,
  startedAtMs: world.now(),
  liveAtMs: world.now() + lasts,
});

export const deploymentBehaviours: Own = {
  threat_changes_list: ({ path }, world) =>
    ok({ changes: configurationChanges(configurationOf(world, path.configId)) }),
  threat_deployments_list: ({ path, query: { deploymentStatuses } }, world) => {
    const all = configurationOf(world, path.configId).deployments.map((one) => deploymentBody(world, one));
    const isAsked = ({ status }: (typeof all)[number]) => deploymentStatuses?.some((one) => one === status) ?? true;
    return ok(all.filter(isAsked).reverse());
  },
  threat_deployment_launch: ({ path: { configId }, body }, world) => {
    const own = configurationOf(world, configId);
    if (own.deployments.some(({ liveAtMs }) => liveAtMs > world.now()))
      throw conflict("A deployment is running. Code-090419");
    const written = deployed(own, body);
    const id = world.next("threat deployment", 5_002);
    own.deployments.push({ id, comment: body.comment, ...launched(world, lastsMs.configuration), written });
    return ok(undefined, { location: `/etp-config/v1/configs/${configId}/deployments/${id}` });
  },
  threat_deployment_get: ({ path: { configId, configDeploymentId } }, world) => {
    const { deployments } = configurationOf(world, configId);
    return ok(deploymentBody(world, keptIn(byId(deployments), "deployment", configDeploymentId)));
  },
  threat_list_deployments_list: ({ path }, world) =>
    ok(
      configurationOf(world, path.configId)
        .listDeployments.map((one) => listDeploymentBody(world, one))
        .reverse(),
    ),
  threat_list_deployment_launch: ({ path: { configId }, body: { id: listId } }, world) => {
    const own = configurationOf(world, configId);
    if (own.listDeployments.some((one) => one.listId === listId && one.liveAtMs > world.now()))
      throw conflict(`A deployment of the list ${listId} is running. Code-090419`);
    const list = own.lists.get(listId);
    // The deletion of a list is deployed as well, by the id that it had.
    if (list === undefined && lastDeployedList(own, listId) === undefined) keptIn(own.lists, "list", listId);
    const id = world.next("threat list deployment", 7_003);
    own.listDeployments.push({ id, listId, ...launched(world, lastsMs.list), list });
    return ok(undefined, { location: `/etp-config/v1/configs/${configId}/lists/deployments/${id}` });
  },
  threat_list_deployment_get: ({ path: { configId, listDeploymentId } }, world) => {
    const { listDeployments } = configurationOf(world, configId);
    return ok(listDeploymentBody(world, keptIn(byId(listDeployments), "list deployment", listDeploymentId)));
  },
};
