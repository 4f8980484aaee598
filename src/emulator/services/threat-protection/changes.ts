/** What was changed since the last deployment, object by object, in the form of public samples. */
import type { RecentChange } from "../../../tools/threat-protection/shapes.js";
import {
  dateOf,
  type EmergencyListState,
  type Honeypot,
  lastDeployedList,
  lastDeployedObjects,
  type NamedObject,
  type ThreatConfiguration,
  type ThreatList,
  type ThreatObjectKind,
  type ThreatObjectStores,
  type ThreatObjectsByKind,
  type ThreatPolicy,
  type ThreatSite,
} from "./store.js";

const setChanges = (before: readonly string[], after: readonly string[]): RecentChange[] => [
  ...after
    .filter((name) => !before.includes(name))
    .map((name): RecentChange => ({ changeType: "Added", detail: { name } })),
  ...before
    .filter((name) => !after.includes(name))
    .map((name): RecentChange => ({ changeType: "Removed", detail: { name } })),
];

/** A set in an object, with what was added to it and removed; nothing where it is the same. */
function within(name: string, before: readonly string[], after: readonly string[]): RecentChange[] {
  const changes = setChanges(before, after);
  return changes.length === 0 ? [] : [{ changeType: "Modified", detail: { name }, changes }];
}
const text = (value: unknown): string => (typeof value === "object" ? JSON.stringify(value) : String(value ?? ""));
const member = (name: string, before: unknown, after: unknown): RecentChange[] =>
  text(before) === text(after)
    ? []
    : [{ changeType: "Modified", detail: { name, oldValue: text(before), newValue: text(after) } }];

const pointsOf = ({ exitPoints }: ThreatSite) => exitPoints.map(({ ipAddr }) => ipAddr);
const settings = ({ securitySettings, aupSettings }: ThreatPolicy) => [
  ...securitySettings.map((one) => `list ${one.listId}: ${one.confirmedResponseId}, ${one.suspectedResponseId}`),
  ...aupSettings.map((one) => `category ${one.categoryId}: ${one.responseId}`),
];
const notificationSettings = ({ securitySettings }: ThreatPolicy) =>
  securitySettings.map((one) => [one.listId, one.shouldNotifyConfirmed, one.shouldNotifySuspected]);
const addresses = ({ ipv4Addrs, ipv6Addrs, aliases }: Honeypot) => [...ipv4Addrs, ...ipv6Addrs, ...(aliases ?? [])];

/** What else than its name and description differs in two states of an object, by its kind. */
const differences: {
  readonly [K in ThreatObjectKind]: (before: ThreatObjectsByKind[K], after: ThreatObjectsByKind[K]) => RecentChange[];
} = {
  sites: (before, after) => [
    ...member("Policy", before.policyId, after.policyId),
    ...within("Exit Point", pointsOf(before), pointsOf(after)),
  ],
  policies: (before, after) => [
    ...member("Basic settings", before.basicSettings, after.basicSettings),
    ...within("Setting", settings(before), settings(after)),
    ...member("Notifications", notificationSettings(before), notificationSettings(after)),
  ],
  honeypots: (before, after) => [...within("Address", addresses(before), addresses(after))],
};
export const threatObjectKinds = Object.keys(differences) as readonly ThreatObjectKind[];

const itemTexts = ({ items }: ThreatList): readonly string[] =>
  [...items.values()].map(({ value, confidenceLevelId }) => `${value} ${confidenceLevelId}`);
function listChanges(before: ThreatList, after: ThreatList): RecentChange[] {
  const isSame = JSON.stringify(itemTexts(before)) === JSON.stringify(itemTexts(after));
  const counts = { name: "Items", oldValue: String(before.items.size), newValue: String(after.items.size) };
  return [
    ...member("Category", before.securityCategoryId, after.securityCategoryId),
    ...(isSame ? [] : [{ changeType: "Modified" as const, detail: counts }]),
  ];
}

const detailOf = ({ id, name, modifiedBy, modifiedAtMs }: NamedObject) => ({
  name,
  id,
  modifiedBy,
  modifiedDate: dateOf(modifiedAtMs),
});
type DescribedObject = NamedObject & { readonly description?: string | null | undefined };
function objectChanges<T extends DescribedObject>(
  before: readonly T[],
  after: readonly T[],
  inner: (before: T, after: T) => RecentChange[],
): RecentChange[] {
  return [
    ...after.flatMap((object): RecentChange[] => {
      const former = before.find(({ id }) => id === object.id);
      if (former === undefined) return [{ changeType: "Added", detail: detailOf(object) }];
      const changes = [
        ...member("Name", former.name, object.name),
        ...member("Description", former.description, object.description),
        ...inner(former, object),
      ];
      return changes.length === 0 ? [] : [{ changeType: "Modified", detail: detailOf(object), changes }];
    }),
    ...before
      .filter(({ id }) => !after.some((object) => object.id === id))
      .map((object): RecentChange => ({ changeType: "Removed", detail: { name: object.name, id: object.id } })),
  ];
}
const changesOf = <K extends ThreatObjectKind>(
  kind: K,
  before: ThreatObjectStores,
  own: ThreatObjectStores,
): RecentChange[] => objectChanges<ThreatObjectsByKind[K]>(before[kind].all, own[kind].all, differences[kind]);
const valuesOf = (items: EmergencyListState["items"]) => items.map(({ value }) => value);

/** What a configuration deployment would take live. */
export function configurationChanges(configuration: ThreatConfiguration) {
  const before = lastDeployedObjects(configuration);
  const emergency = configuration.emergency.all.flatMap(
    ({ listType: name, items, modifiedBy, modifiedAtMs }): RecentChange[] => {
      const changes = setChanges(valuesOf(before.emergency.get(name)?.items ?? []), valuesOf(items));
      return changes.length === 0
        ? []
        : [{ changeType: "Modified", detail: { name, modifiedBy, modifiedDate: dateOf(modifiedAtMs) }, changes }];
    },
  );
  return [
    ...threatObjectKinds.map((kind) => ({ deltaType: kind, changes: changesOf(kind, before, configuration) })),
    { deltaType: "emergency_lists", changes: emergency },
  ].filter(({ changes }) => changes.length > 0);
}

/** What list deployments would take live. */
export function listsChanges(configuration: ThreatConfiguration) {
  const known = new Set(configuration.listDeployments.all.map(({ listId }) => listId));
  const deployed = [...known].flatMap((id) => lastDeployedList(configuration, id) ?? []);
  const changes = objectChanges(deployed, configuration.lists.all, listChanges);
  return changes.length === 0 ? [] : [{ deltaType: "customlists", changes }];
}

const partOf: Readonly<Record<string, string>> = { Added: "created", Modified: "modified", Removed: "deleted" };
/** Whether an object is pending as a deployment names it. */
export const isPending = (
  configuration: ThreatConfiguration,
  kind: ThreatObjectKind,
  part: string,
  id: number,
): boolean =>
  configurationChanges(configuration).some(
    ({ deltaType, changes }) =>
      deltaType === kind && changes.some(({ changeType, detail }) => detail.id === id && partOf[changeType] === part),
  );
