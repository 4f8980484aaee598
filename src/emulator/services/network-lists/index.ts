/** Network lists of today: each change makes a version, and an activation brings the newest to a network after a while. */
import { elementForms } from "../../../tools/network-lists/checks.js";
import { networkLists as declared } from "../../../tools/network-lists/index.js";
import type { Call } from "../../behaviour.js";
import { type Authorship, authorshipAt, touch } from "../../primitives/authored.js";
import { endOf, isOver, type Job } from "../../primitives/job.js";
import { seedsOf } from "../../primitives/seeds.js";
import { Store } from "../../primitives/store.js";
import { accepted, badRequest, conflict, created, type ErrorFormat, forbidden, noContent, ok } from "../../reply.js";
import { emulateService } from "../../service.js";
import { instant } from "../../values.js";
import type { World } from "../../world.js";
import { groups, mainContractId, portalUser, userInUse } from "../account.js";
import seeds from "./seeds.json" with { type: "json" };

type Operations = (typeof declared)["operations"];
type Environment = Call<Operations["netlist_activate"]>["path"]["environment"];

/** A version of a list, with what was written in addition. */
interface Content {
  readonly syncPoint: number;
  readonly name: string;
  readonly description?: string | undefined;
  readonly list: readonly string[];
}
interface NetworkList extends Authorship {
  readonly uniqueId: string;
  readonly type: keyof typeof elementForms;
  readonly contractId: string;
  readonly groupId: number;
  /** Managed by the vendor: everyone may read it, and no one else may change it. */
  readonly isShared: boolean;
  /** Whether the account's firewall denies its elements; no configuration of a firewall refers to any other list. */
  readonly isDenied?: boolean;
  content: Content;
  /** The versions that were activated. */
  readonly versions: Store<Content>;
}
interface Activation extends Job {
  readonly activationId: number;
  readonly listId: string;
  readonly environment: Environment;
  readonly syncPoint: number;
  /** How many there have been on the network, this one included. */
  readonly dispatchCount: number;
  readonly createdBy: string;
  readonly comments?: string | undefined;
}
interface Seeds {
  readonly lists: readonly (Omit<NetworkList, "contractId" | "groupId" | "versions"> & {
    readonly versions: readonly Content[];
  })[];
  readonly activations: readonly Omit<Activation, "createdBy">[];
}

/** The default owner of a list. */
const owner = { contractId: mainContractId, groupId: groups[0]?.id ?? 0 };

const versionStore = (listId: string, all: readonly Content[] = []) =>
  new Store<Content>("syncPoint", (at) => `Sync point ${at} of ${listId} was never activated`, all);
const stateOf = (world: World) =>
  world.state("network lists", () => {
    const { lists, activations } = seedsOf<Seeds>(seeds, world.startedAtMs);
    const stored = lists.map((one) => ({ ...one, ...owner, versions: versionStore(one.uniqueId, one.versions) }));
    const begun = activations.map((one) => ({ ...one, createdBy: portalUser }));
    return {
      lists: new Store<NetworkList>("uniqueId", (id) => `There is no network list ${id}`, stored),
      activations: new Store<Activation>("activationId", (id) => `There is no activation ${id}`, begun),
    };
  });

const find = (world: World, id: string): NetworkList => stateOf(world).lists.find(id);
function findWritable(world: World, id: string): NetworkList {
  const found = find(world, id);
  if (found.isShared) throw forbidden(`Network list ${id} is read-only`);
  return found;
}

function checkElements(type: NetworkList["type"], list: readonly string[]): void {
  const wrong = list.find((element) => !elementForms[type].safeParse(element).success);
  if (wrong !== undefined) throw badRequest(`${wrong} is no element of a list of type ${type}`, { field: "list" });
}
/** Elements are a set: the order in which they were added is not kept. */
const asSet = (list: readonly string[]): readonly string[] => [...new Set(list)].toSorted();

/** Makes another version of a list, unless it stays the same. */
function change(world: World, networkList: NetworkList, content: Content): NetworkList {
  if (JSON.stringify(content) === JSON.stringify(networkList.content)) return networkList;
  networkList.content = { ...content, syncPoint: networkList.content.syncPoint + 1 };
  touch(world, networkList);
  return networkList;
}
const setElements = (world: World, one: NetworkList, list: readonly string[]): NetworkList =>
  change(world, one, { ...one.content, list: asSet(list) });

/** The activations of a list on a network, oldest first. */
const activationsOn = (world: World, listId: string, environment: Environment): readonly Activation[] =>
  stateOf(world).activations.all.filter((one) => one.listId === listId && one.environment === environment);

/** The activations in production of the lists that the account's firewall denies, oldest first. */
const denials = (world: World): readonly Activation[] =>
  stateOf(world)
    .activations.all.filter(
      ({ listId, environment }) => environment === "PRODUCTION" && find(world, listId).isDenied === true,
    )
    .toSorted((a, b) => endOf(a) - endOf(b));
/** When what the firewall denies changed. */
export const denialInstants = (world: World): readonly number[] => denials(world).map(endOf);
/** The addresses, blocks and countries that the firewall denies at an instant. */
export function deniedElements(world: World, atMs: number): readonly string[] {
  const live = new Map(
    denials(world)
      .filter((one) => endOf(one) <= atMs)
      .map(({ listId, syncPoint }) => [listId, syncPoint]),
  );
  return [...live].flatMap(([listId, syncPoint]) => find(world, listId).versions.find(syncPoint).list);
}

type Status = "INACTIVE" | "PENDING_ACTIVATION" | "ACTIVE" | "MODIFIED";
/** Where the latest activation of a list on a network stands. */
function statusOn(world: World, { uniqueId, content }: NetworkList, environment: Environment): Status {
  const last = activationsOn(world, uniqueId, environment).at(-1);
  if (last === undefined) return "INACTIVE";
  if (!isOver(world, last)) return "PENDING_ACTIVATION";
  return last.syncPoint === content.syncPoint ? "ACTIVE" : "MODIFIED";
}

const root = "/network-list/v2/network-lists";

/** A list as a response shows it: its newest version, or another. */
function view(
  world: World,
  networkList: NetworkList,
  { extended = false, includeElements = true }: Call<Operations["netlist_get"]>["query"] = {},
  { syncPoint, list, ...content }: Content = networkList.content,
) {
  const { uniqueId, type, contractId, groupId, isShared } = networkList;
  const href = `${root}/${uniqueId}`;
  return {
    ...content,
    uniqueId,
    type,
    syncPoint,
    elementCount: list.length,
    ...(includeElements && { list: [...list] }),
    ...(!isShared && { contractId, groupId }),
    readOnly: isShared,
    shared: isShared,
    networkListType: extended ? ("extendedNetworkListResponse" as const) : ("networkListResponse" as const),
    ...(extended && {
      createdBy: networkList.createdBy,
      createDate: instant(networkList.createdAtMs),
      updatedBy: networkList.modifiedBy,
      updateDate: instant(networkList.modifiedAtMs),
      stagingActivationStatus: statusOn(world, networkList, "STAGING"),
      productionActivationStatus: statusOn(world, networkList, "PRODUCTION"),
    }),
    links: {
      retrieve: { href },
      update: { href, method: "PUT" },
      appendItems: { href: `${href}/append`, method: "POST" },
    },
  };
}

function statusView(world: World, networkList: NetworkList, environment: Environment, last?: Activation) {
  return {
    activationStatus: statusOn(world, networkList, environment),
    syncPoint: last?.syncPoint ?? networkList.content.syncPoint,
    uniqueId: networkList.uniqueId,
    ...(last && {
      activationId: last.activationId,
      dispatchCount: last.dispatchCount,
      fast: last.dispatchCount > 1,
      ...(last.comments !== undefined && { activationComments: last.comments }),
    }),
  };
}

/** How far an activation is that is under way; of the first on a network less is known. */
function progress(world: World, activation: Activation) {
  if (activation.dispatchCount === 1 || isOver(world, activation)) return {};
  const leftMs = endOf(activation) - world.now();
  const status = leftMs * 2 > activation.lastsMs ? ("RECEIVED" as const) : ("DEPLOYED" as const);
  return { status, estimate: `PT${Math.ceil(leftMs / 1_000)}S` };
}

/** The error format of the definition: a problem, with the messages of single fields. */
const errorFormat: ErrorFormat = ({ status, title, detail, extras: { field } }) => {
  const type = `/network-list/error-types/${title.toUpperCase().replaceAll(" ", "-")}`;
  const body = { type, title, status, detail, ...(field !== undefined && { fieldErrors: { [field]: detail } }) };
  return { body, type: "application/problem+json" };
};

export const networkLists = emulateService(declared, errorFormat, {
  netlists_list: ({ query: { search = "", listType, includeElements = false, ...query } }, world) => {
    const matches = stateOf(world).lists.all.filter(
      ({ type, content: { name, list } }) =>
        (listType === undefined || type === listType) &&
        [name, ...list].some((text) => text.toLowerCase().includes(search.toLowerCase())),
    );
    return ok({
      links: { create: { href: root, method: "POST" } },
      networkLists: matches.map((one) => view(world, one, { ...query, includeElements })),
    });
  },
  netlist_get: ({ path, query }, world) => ok(view(world, find(world, path.networkListId), query)),
  netlist_create: ({ body }, world) => {
    const { name, description, type, list, contractId = owner.contractId, groupId = owner.groupId } = body;
    checkElements(type, list);
    const letters = name.toUpperCase().replaceAll(/[^A-Z0-9]/g, "");
    const uniqueId = `${world.next("network list", 25_701)}_${letters}`;
    const one = stateOf(world).lists.add({
      uniqueId,
      type,
      contractId,
      groupId,
      isShared: false,
      content: { syncPoint: 0, name, description, list: asSet(list) },
      versions: versionStore(uniqueId),
      ...authorshipAt(world.now()),
    });
    return created(view(world, one));
  },
  netlist_replace: ({ path, query, body: { name, description, type, list, syncPoint, ...rest } }, world) => {
    const one = findWritable(world, path.networkListId);
    const current = one.content.syncPoint;
    if (syncPoint !== current)
      throw conflict(`The list has sync point ${current}, but got ${syncPoint}`, { field: "syncPoint" });
    if (type !== one.type) throw badRequest("The type of a list cannot be changed", { field: "type" });
    checkElements(type, list);
    const content = { syncPoint, name, description, list: asSet(list), ...rest };
    return ok(view(world, change(world, one, content), query));
  },
  netlist_delete: ({ path }, world) => {
    const { uniqueId, versions } = findWritable(world, path.networkListId);
    if (versions.all.length > 0) throw conflict(`Network list ${uniqueId} is active`);
    stateOf(world).lists.delete(uniqueId);
    return ok({ status: 200 });
  },
  netlist_element_create: ({ path, body }, world) => {
    const one = findWritable(world, path.networkListId);
    checkElements(one.type, body.list);
    return accepted(view(world, setElements(world, one, [...one.content.list, ...body.list])));
  },
  netlist_detail_update: ({ path, body }, world) => {
    const one = findWritable(world, path.networkListId);
    change(world, one, { ...one.content, ...body });
    return noContent();
  },
  netlist_element_set: ({ path, query: { element } }, world) => {
    const one = findWritable(world, path.networkListId);
    checkElements(one.type, [element]);
    return ok(view(world, setElements(world, one, [...one.content.list, element])));
  },
  netlist_element_delete: ({ path, query: { element } }, world) => {
    const one = findWritable(world, path.networkListId);
    const left = one.content.list.filter((other) => other !== element);
    return ok(view(world, setElements(world, one, left)));
  },
  netlist_activate: ({ path: { networkListId, environment }, body }, world) => {
    const one = find(world, networkListId);
    const dispatchCount = activationsOn(world, networkListId, environment).length + 1;
    const activation = stateOf(world).activations.add({
      activationId: world.next("network list activation", 7_101),
      listId: one.uniqueId,
      environment,
      syncPoint: one.content.syncPoint,
      dispatchCount,
      createdBy: userInUse,
      comments: body?.comments,
      atMs: world.now(),
      // The real service takes 25 minutes for the first and 5 to 10 for others; a demo cannot wait that long.
      lastsMs: dispatchCount === 1 ? 60_000 : 15_000,
    });
    one.versions.add(one.content);
    return ok(statusView(world, one, environment, activation));
  },
  netlist_activation_status: ({ path: { networkListId, environment } }, world) => {
    const one = find(world, networkListId);
    return ok(statusView(world, one, environment, activationsOn(world, networkListId, environment).at(-1)));
  },
  netlist_activation_get: ({ path }, world) => {
    const one = stateOf(world).activations.find(path.activationId);
    const { activationId, atMs, createdBy, environment, dispatchCount } = one;
    return ok({
      activationId,
      createDate: instant(atMs),
      createdBy,
      environment,
      initial: dispatchCount === 1,
      ...progress(world, one),
      networkList: statusView(world, find(world, one.listId), environment, one),
    });
  },
  netlist_version_get: ({ path: { networkListId, syncPoint }, query }, world) => {
    const one = find(world, networkListId);
    return ok(view(world, one, query, one.versions.find(syncPoint)));
  },
  netlist_subscription_create: ({ body: { uniqueIds } }, world) => {
    for (const id of uniqueIds) find(world, id);
    return noContent();
  },
  netlist_subscription_delete: () => noContent(),
});
