/** The sources of changes: each reads one of the account's APIs and returns its changes. */
import { NextCall } from "../language/next-call.js";
import { z } from "../language/z.js";
import { contractGroups } from "./account-cpcodes.js";
import { AnyTime, inBatches, maxObjects, type Steps } from "./steps.js";

/** A change as an API reports it. */
export interface ReportedChange {
  /** ISO text or epoch milliseconds, as in the API. */
  readonly when: string | number | null | undefined;
  readonly who?: string | null | undefined;
  readonly what: string;
  /** The call that shows more. */
  readonly readMore: NextCall;
}

/** The period of the reading, and ids for APIs that cannot list their objects. */
interface SourceArguments {
  readonly openIdentityId?: string | undefined;
  readonly zones?: readonly string[] | undefined;
}

type ChangeSource = (
  steps: Steps,
  wanted: SourceArguments,
) => Promise<{ changes: readonly ReportedChange[]; notCovered?: string }>;

const text = z.string();
const who = z.string().nullish();
/** The creation and last change of an object that records both times. */
const lifeOf = (
  name: string,
  creation: Pick<ReportedChange, "when" | "who">,
  lastChange: Pick<ReportedChange, "when" | "who">,
  readMore: NextCall,
): ReportedChange[] => [
  { ...creation, what: `${name} created`, readMore },
  ...(lastChange.when === creation.when ? [] : [{ ...lastChange, what: `${name} last changed`, readMore }]),
];

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

const properties: ChangeSource = async (steps) => {
  const places = (await contractGroups(steps)) ?? [];
  const lists = await inBatches(places.slice(0, maxObjects), (place) =>
    steps.call(`properties of ${place.groupId}`, "properties_list", { ...place }, Properties),
  );
  const all = new Map(lists.flatMap((list) => list?.properties.items ?? []).map((one) => [one.propertyId, one]));
  const read = [...all.values()].slice(0, maxObjects);
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
  const isPart = places.length > maxObjects || all.size > read.length;
  return {
    changes: changes.flat(),
    ...(isPart ? { notCovered: `Properties: only ${read.length} of ${all.size} or more were read.` } : {}),
  };
};

const Policies = z.array(
  z.looseObject({
    policyId: z.int(),
    name: text,
    createdBy: who,
    createDate: AnyTime,
    lastModifiedBy: who,
    lastModifiedDate: AnyTime,
    activations: z
      .array(
        z.looseObject({
          network: text,
          policyInfo: z.looseObject({
            version: z.int(),
            status: text.nullish(),
            activatedBy: who,
            activationDate: AnyTime,
          }),
        }),
      )
      .nullish(),
  }),
);

const policies: ChangeSource = async (steps) => {
  const policyList = await steps.call("edge logic policies", "edgelogic_policies_list", {}, Policies);
  const changes = (policyList ?? []).flatMap((policy) => {
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
      { when: policy.createDate, who: policy.createdBy },
      { when: policy.lastModifiedDate, who: policy.lastModifiedBy },
      new NextCall("edgelogic_policy_get", { policyId: policy.policyId }),
    );
    return [...activations, ...life];
  });
  // A policy that serves several properties has an activation for each of them.
  return { changes: [...new Map(changes.map((one) => [`${one.when} ${one.what}`, one])).values()] };
};

const Current = z.record(
  text,
  z.record(text, z.looseObject({ version: z.int(), activatedBy: who, activatedDate: AnyTime })),
);
const origins: ChangeSource = async (steps) => {
  const activationsByOrigin = await steps.call("load balancers", "edgelogic_current_activations_list", {}, Current);
  const changes = Object.entries(activationsByOrigin ?? {}).flatMap(([originId, networks]) =>
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
  z.looseObject({ id: z.int(), listId: z.int().optional(), deployedBy: who, status: text, startTime: AnyTime }),
);
const threat: ChangeSource = async (steps) => {
  const configs = await steps.call("threat protection", "threat_configs_list", {}, Ids);
  const changes = await inBatches((configs ?? []).slice(0, maxObjects), async (configId) => {
    const [objectDeployments, lists] = await Promise.all([
      steps.call(`deployments of ${configId}`, "threat_deployments_list", { configId }, Deployments),
      steps.call(`list deployments of ${configId}`, "threat_list_deployments_list", { configId }, Deployments),
    ]);
    const deploymentChanges = (
      deployments: z.output<typeof Deployments> | undefined,
      kind: string,
      tool: string,
      argument: string,
    ): ReportedChange[] =>
      (deployments ?? []).map(({ id, listId, deployedBy, status, startTime }) => ({
        when: startTime,
        who: deployedBy,
        what: `DEPLOY ${kind} ${listId ?? configId} (${status})`,
        readMore: new NextCall(tool, { configId, [argument]: id }),
      }));
    return [
      ...deploymentChanges(objectDeployments, "threat configuration", "threat_deployment_get", "configDeploymentId"),
      ...deploymentChanges(lists, "threat list", "threat_list_deployment_get", "listDeploymentId"),
    ];
  });
  return { changes: changes.flat() };
};

const Definitions = z.looseObject({
  data: z.array(
    z.looseObject({
      definitionId: text,
      fields: z.looseObject({ name: text.optional() }),
      editInfo: z.looseObject({ createdAt: AnyTime, createdBy: who, editAt: AnyTime, editBy: who }).optional(),
    }),
  ),
});
const alerts: ChangeSource = async (steps) => {
  const definitions = await steps.call("alert definitions", "alert_definitions_list", {}, Definitions);
  const changes = (definitions?.data ?? []).flatMap(({ definitionId, fields, editInfo }) =>
    lifeOf(
      `alert ${fields.name ?? definitionId}`,
      { when: editInfo?.createdAt, who: editInfo?.createdBy },
      { when: editInfo?.editAt, who: editInfo?.editBy },
      new NextCall("alert_definition_get", { definitionId }),
    ),
  );
  return { changes };
};

const Event = z.looseObject({
  id: z.union([text, z.int()]),
  name: text,
  createdDate: AnyTime,
  createdBy: who,
  modifiedDate: AnyTime,
  modifiedBy: who,
});
/** The list of today's API has neither times nor authors, so each event is read. */
const Events = z.union([z.array(Event), z.looseObject({ data: z.array(z.looseObject({ id: z.int() })) })]);
const events: ChangeSource = async (steps) => {
  const listed = (await steps.call("planned events", "events_list", {}, Events)) ?? [];
  const read = Array.isArray(listed)
    ? listed
    : await inBatches(listed.data.slice(0, maxObjects), ({ id }) =>
        steps.call(`event ${id}`, "event_get", { eventId: id }, Event),
      );
  const changes = read.flatMap((event) =>
    event === undefined
      ? []
      : lifeOf(
          `event ${event.name}`,
          { when: event.createdDate, who: event.createdBy },
          { when: event.modifiedDate, who: event.modifiedBy },
          new NextCall("event_get", { eventId: event.id }),
        ),
  );
  return { changes };
};

const Credentials = z.array(z.looseObject({ credentialId: z.int(), description: who, createdOn: AnyTime }));
/** The credentials of an API client, by the argument that names it and the tools of a generation. */
const credentialsBy =
  (argument: "openIdentityId" | "clientId", lists: string, reads: string): ChangeSource =>
  async (steps, { openIdentityId }) => {
    if (openIdentityId === undefined) return { changes: [], notCovered: "Credentials: give openIdentityId." };
    const of = { [argument]: openIdentityId };
    const found = await steps.call("credentials", lists, of, Credentials);
    const changes = (found ?? []).map(({ credentialId, description, createdOn }) => ({
      when: createdOn,
      what: `credential ${credentialId}${description ? ` (${description})` : ""} created`,
      readMore: new NextCall(reads, { ...of, credentialId }),
    }));
    return { changes };
  };
const credentials = credentialsBy("openIdentityId", "credentials_list", "credential_get");
const credentialsToday = credentialsBy("clientId", "apiclient_credentials_list", "apiclient_credential_get");

const Zone = z.looseObject({ zone: z.looseObject({ soa: z.looseObject({ serial: z.number() }) }) });
/** By convention a serial is the day of the change and two more digits (RFC 1912, 2.2); others contain no time. */
const dayOfSerial = (serial: number): string | undefined => {
  const [, year, month, day] = /^(20\d{2})(0[1-9]|1[0-2])(0[1-9]|[12]\d|3[01])\d{2}$/.exec(String(serial)) ?? [];
  return year && `${year}-${month}-${day}`;
};
const zones: ChangeSource = async (steps, { zones: names = [] }) => {
  const unread = names.length === 0 ? ["Zones: give zones."] : [];
  const changes = await inBatches(names.slice(0, maxObjects), async (zone): Promise<ReportedChange[]> => {
    const found = await steps.call(`zone ${zone}`, "dns_zone_get", { zone }, Zone);
    if (found === undefined) return [];
    const { serial } = found.zone.soa;
    const day = dayOfSerial(serial);
    if (day === undefined) unread.push(`Zone ${zone}: its serial ${serial} does not contain a date.`);
    const what = `zone ${zone} changed on that day, according to its serial ${serial}`;
    return [{ when: day, what, readMore: new NextCall("dns_zone_get", { zone }) }];
  });
  return { changes: changes.flat(), ...(unread.length > 0 ? { notCovered: unread.join(" ") } : {}) };
};

const ZoneToday = z.looseObject({ lastModifiedDate: AnyTime, lastModifiedBy: who });
const zonesToday: ChangeSource = async (steps, { zones: names = [] }) => {
  if (names.length === 0) return { changes: [], notCovered: "Zones: give zones." };
  const changes = await inBatches(names.slice(0, maxObjects), async (zone): Promise<ReportedChange[]> => {
    const found = await steps.call(`zone ${zone}`, "dns_zone_config_get", { zone }, ZoneToday);
    if (found === undefined) return [];
    const { lastModifiedDate, lastModifiedBy } = found;
    const readMore = new NextCall("dns_zone_versions_list", { zone });
    return [{ when: lastModifiedDate, who: lastModifiedBy, what: `zone ${zone} last changed`, readMore }];
  });
  return { changes: changes.flat() };
};

/** Where changes of a generation are read, and what none of its APIs lists by time. */
export interface ChangeSources {
  /** By the kind of object. */
  readonly sources: Readonly<Record<string, ChangeSource>>;
  readonly neverReported: string;
}

const commonSources = {
  property: properties,
  policy: policies,
  loadBalancer: origins,
  alert: alerts,
  event: events,
};
const commonlyUnreported =
  "Certificate changes have no times: cert_enrollment_status reports pending ones. Deletions are not covered.";

export const sourcesOfDocuments: ChangeSources = {
  sources: { ...commonSources, threat, credential: credentials, zone: zones },
  neverReported: `Purges are not listed: purge_status reports one by its id. ${commonlyUnreported}`,
};

/** Threat protection of the documents has no successor of the same form. */
export const sourcesOfToday: ChangeSources = {
  sources: { ...commonSources, credential: credentialsToday, zone: zonesToday },
  neverReported: `Purges are not listed. ${commonlyUnreported}`,
};
