/** The APIs that tell when a version went onto a network: properties, policies, load balancers, threat protection. */
import { NextCall } from "../api/next-call.js";
import { z } from "../api/z.js";
import { type Change, inBatches, lifeOf, maxThings, type Source, when, who } from "./change-source.js";
import { placesOf } from "./property-places.js";

const text = z.string();
const Properties = z.looseObject({
  properties: z.looseObject({ items: z.array(z.looseObject({ propertyId: text, propertyName: text })) }),
});
const Activations = z.looseObject({
  activations: z.looseObject({
    items: z.array(
      z.looseObject({
        activationId: text,
        propertyVersion: z.int(),
        network: text,
        activationType: text,
        status: text,
        submitDate: text,
      }),
    ),
  }),
});

export const properties: Source = async (steps) => {
  const places = (await placesOf(steps)) ?? [];
  const lists = await inBatches(places.slice(0, maxThings), (place) =>
    steps.call(`properties of ${place.groupId}`, "properties_list", { ...place }, Properties),
  );
  const all = new Map(lists.flatMap((list) => list?.properties.items ?? []).map((one) => [one.propertyId, one]));
  const read = [...all.values()].slice(0, maxThings);
  const changes = await inBatches(read, async ({ propertyId, propertyName }) => {
    const step = `activations of ${propertyName}`;
    const answer = await steps.call(step, "property_activations_list", { propertyId }, Activations);
    return (answer?.activations.items ?? []).map(
      ({ activationId, propertyVersion, network, activationType, status, submitDate }) => ({
        when: submitDate,
        what: `${activationType} version ${propertyVersion} of property ${propertyName} on ${network} (${status})`,
        readMore: new NextCall("property_activation_get", { propertyId, activationId }),
      }),
    );
  });
  const isPart = places.length > maxThings || all.size > read.length;
  return {
    changes: changes.flat(),
    ...(isPart ? { untold: `Properties: only ${read.length} of ${all.size} or more were read.` } : {}),
  };
};

const Policies = z.array(
  z.looseObject({
    policyId: z.int(),
    name: text,
    createdBy: who,
    createDate: when,
    lastModifiedBy: who,
    lastModifiedDate: when,
    activations: z
      .array(
        z.looseObject({
          network: text,
          policyInfo: z.looseObject({
            version: z.int(),
            status: text.nullish(),
            activatedBy: who,
            activationDate: when,
          }),
        }),
      )
      .nullish(),
  }),
);

export const policies: Source = async (steps) => {
  const found = await steps.call("edge logic policies", "edgelogic_policies_list", {}, Policies);
  const changes = (found ?? []).flatMap((policy) => {
    const readMore = new NextCall("edgelogic_policy_activations_list", { policyId: policy.policyId });
    const name = `policy ${policy.name}`;
    const activations = (policy.activations ?? []).map(({ network, policyInfo }) => ({
      when: policyInfo.activationDate,
      who: policyInfo.activatedBy,
      what: `ACTIVATE version ${policyInfo.version} of ${name} on ${network}${policyInfo.status ? ` (${policyInfo.status})` : ""}`,
      readMore,
    }));
    const life = lifeOf(
      name,
      [policy.createDate, policy.createdBy],
      [policy.lastModifiedDate, policy.lastModifiedBy],
      new NextCall("edgelogic_policy_get", { policyId: policy.policyId }),
    );
    return [...activations, ...life];
  });
  // A policy that serves several properties has an activation for each of them.
  return { changes: [...new Map(changes.map((one) => [`${one.when} ${one.what}`, one])).values()] };
};

const Current = z.record(
  text,
  z.record(text, z.looseObject({ version: z.int(), activatedBy: who, activatedDate: when })),
);
export const origins: Source = async (steps) => {
  const found = await steps.call("load balancers", "edgelogic_current_activations_list", {}, Current);
  const changes = Object.entries(found ?? {}).flatMap(([originId, networks]) =>
    Object.entries(networks).map(([network, { version, activatedBy, activatedDate }]) => ({
      when: activatedDate,
      who: activatedBy,
      what: `ACTIVATE version ${version} of load balancer ${originId} on ${network}`,
      readMore: new NextCall("edgelogic_origin_activations_list", { originId }),
    })),
  );
  return { changes };
};

const Ids = z.array(z.int());
const Deployments = z.array(
  z.looseObject({ id: z.int(), listId: z.int().optional(), deployedBy: who, status: text, startTime: when }),
);
export const threat: Source = async (steps) => {
  const configs = await steps.call("threat protection", "threat_configs_list", {}, Ids);
  const changes = await inBatches((configs ?? []).slice(0, maxThings), async (configId) => {
    const [own, lists] = await Promise.all([
      steps.call(`deployments of ${configId}`, "threat_deployments_list", { configId }, Deployments),
      steps.call(`list deployments of ${configId}`, "threat_list_deployments_list", { configId }, Deployments),
    ]);
    const told = (
      found: z.output<typeof Deployments> | undefined,
      kind: string,
      tool: string,
      argument: string,
    ): Change[] =>
      (found ?? []).map(({ id, listId, deployedBy, status, startTime }) => ({
        when: startTime,
        who: deployedBy,
        what: `DEPLOY ${kind} ${listId ?? configId} (${status})`,
        readMore: new NextCall(tool, { configId, [argument]: id }),
      }));
    return [
      ...told(own, "threat configuration", "threat_deployment_get", "configDeploymentId"),
      ...told(lists, "threat list", "threat_list_deployment_get", "listDeploymentId"),
    ];
  });
  return { changes: changes.flat() };
};
