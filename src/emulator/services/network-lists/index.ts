/** Network lists of today: each change makes a version, and an activation brings the newest to a network after a while. */
import { networkLists as declared } from "../../../tools/network-lists/index.js";
import { fits } from "../../../tools/network-lists/shapes.js";
import { authored, touch } from "../../primitives/authored.js";
import {
  accepted,
  badRequest,
  conflict,
  created,
  type ErrorFormat,
  forbidden,
  noContent,
  ok,
  orNotFound,
} from "../../reply.js";
import { emulated } from "../../service.js";
import { instant } from "../../values.js";
import type { World } from "../../world.js";
import { groups, mainContractId, userInUse } from "../account.js";
import {
  type Activation,
  activationsOn,
  type Content,
  type Environment,
  isPending,
  lastsMs,
  type Stored,
  stateOf,
  statusOn,
  type Type,
} from "./store.js";

const root = "/network-list/v2/network-lists";

/** The error format of the definition: a problem, with the messages of single fields. */
const errorFormat: ErrorFormat = ({ status, title, detail, more: { field } }) => ({
  body: {
    type: `/network-list/error-types/${title.toUpperCase().replaceAll(" ", "-")}`,
    ...{ title, status, detail, ...(field === undefined ? {} : { fieldErrors: { [field]: detail } }) },
  },
  type: "application/problem+json",
});

const find = (world: World, id: string): Stored =>
  orNotFound(stateOf(world).lists.get(id), `There is no network list ${id}`);

function findWritable(world: World, id: string): Stored {
  const found = find(world, id);
  if (found.isShared) throw forbidden(`Network list ${id} is read-only`);
  return found;
}

function checkElements(type: Type, list: readonly string[]): void {
  const wrong = list.find((element) => !fits[type].safeParse(element).success);
  if (wrong !== undefined) throw badRequest(`${wrong} is no element of a list of type ${type}`, { field: "list" });
}

interface Shown {
  readonly extended?: boolean | undefined;
  readonly includeElements?: boolean | undefined;
}

/** A list as a response shows it: its newest version, or another. */
function view(world: World, one: Stored, { extended = false, includeElements = true }: Shown, at = one.syncPoint) {
  const { list, ...content } = at === one.syncPoint ? one.content : (one.versions.get(at) ?? one.content);
  const href = `${root}/${one.id}`;
  return {
    ...{ ...content, uniqueId: one.id, type: one.type, syncPoint: at, elementCount: list.length },
    ...(includeElements && { list: [...list] }),
    ...(!one.isShared && { contractId: one.contractId, groupId: one.groupId }),
    ...{ readOnly: one.isShared, shared: one.isShared },
    networkListType: extended ? "extendedNetworkListResponse" : "networkListResponse",
    ...(extended && {
      ...{ createdBy: one.createdBy, createDate: instant(one.createdAtMs) },
      ...{ updatedBy: one.modifiedBy, updateDate: instant(one.modifiedAtMs) },
      stagingActivationStatus: statusOn(world, one, "STAGING"),
      productionActivationStatus: statusOn(world, one, "PRODUCTION"),
    }),
    links: {
      retrieve: { href },
      update: { href, method: "PUT" },
      appendItems: { href: `${href}/append`, method: "POST" },
    },
  };
}

/** Elements are a set: the order in which they were added is not kept. */
const asSet = (list: readonly string[]): readonly string[] => [...new Set(list)].toSorted();

/** Makes another version of a list, unless it stays the same. */
function write(world: World, one: Stored, content: Content): Stored {
  if (JSON.stringify(content) === JSON.stringify(one.content)) return one;
  one.content = content;
  one.syncPoint += 1;
  touch(world, one);
  return one;
}
const withElements = (one: Stored, list: readonly string[]): Content => ({ ...one.content, list: asSet(list) });

function statusView(world: World, one: Stored, environment: Environment, last?: Activation) {
  return {
    activationStatus: statusOn(world, one, environment),
    syncPoint: last?.syncPoint ?? one.syncPoint,
    uniqueId: one.id,
    ...(last && {
      ...{ activationId: last.id, dispatchCount: last.count, fast: !last.isInitial },
      ...(last.comments !== undefined && { activationComments: last.comments }),
    }),
  };
}

/** How far an activation is that is under way; of the first on a network less is known. */
function progress(world: World, one: Activation) {
  if (one.isInitial || !isPending(world, one)) return {};
  const leftMs = one.atMs + one.lastsMs - world.now();
  const status = leftMs * 2 > one.lastsMs ? "RECEIVED" : "DEPLOYED";
  return { status, estimate: `PT${Math.ceil(leftMs / 1_000)}S` };
}

function activate(world: World, one: Stored, environment: Environment, comments: string | undefined): Activation {
  const earlier = activationsOn(world, one.id, environment);
  const isInitial = earlier.length === 0;
  const activation: Activation = {
    ...{ id: world.next("network list activation", 7_101), listId: one.id, environment, comments, isInitial },
    ...{ syncPoint: one.syncPoint, atMs: world.now(), lastsMs: isInitial ? lastsMs.initial : lastsMs.later },
    ...{ count: earlier.length + 1, by: userInUse },
  };
  one.versions.set(one.syncPoint, one.content);
  stateOf(world).activations.set(activation.id, activation);
  return activation;
}

const isFound = ({ content: { name, list } }: Stored, text: string): boolean =>
  [name, ...list].some((one) => one.toLowerCase().includes(text.toLowerCase()));

export const networkLists = emulated(declared, errorFormat, {
  netlists_list: ({ query: { search = "", listType, includeElements = false, extended } }, world) => {
    const found = [...stateOf(world).lists.values()].filter(
      (one) => (listType === undefined || one.type === listType) && isFound(one, search),
    );
    return ok({
      links: { create: { href: root, method: "POST" } },
      networkLists: found.map((one) => view(world, one, { extended, includeElements })),
    });
  },
  netlist_get: ({ path, query }, world) => ok(view(world, find(world, path.networkListId), query)),
  netlist_create: ({ body: { type, contractId, groupId, ...rest } }, world) => {
    checkElements(type, rest.list);
    const letters = rest.name.toUpperCase().replaceAll(/[^A-Z0-9]/g, "");
    const one: Stored = {
      ...{ id: `${world.next("network list", 25_701)}_${letters}`, type, isShared: false },
      ...{ contractId: contractId ?? mainContractId, groupId: groupId ?? groups[0]?.id ?? 0 },
      ...{ content: { name: rest.name, description: rest.description, list: asSet(rest.list) }, syncPoint: 0 },
      ...{ versions: new Map(), ...authored(world.now()) },
    };
    stateOf(world).lists.set(one.id, one);
    return created(view(world, one, {}));
  },
  netlist_replace: ({ path, query, body: { name, description, type, list, syncPoint, ...rest } }, world) => {
    const one = findWritable(world, path.networkListId);
    if (syncPoint !== one.syncPoint)
      throw conflict(`The list has sync point ${one.syncPoint}, but got ${syncPoint}`, { field: "syncPoint" });
    if (type !== one.type) throw badRequest("The type of a list cannot be changed", { field: "type" });
    checkElements(type, list);
    return ok(view(world, write(world, one, { name, description, list: asSet(list), ...rest }), query));
  },
  netlist_delete: ({ path }, world) => {
    const one = findWritable(world, path.networkListId);
    if (one.versions.size > 0) throw conflict(`Network list ${one.id} is active`);
    stateOf(world).lists.delete(one.id);
    return ok({ status: 200 });
  },
  netlist_element_create: ({ path, body }, world) => {
    const one = findWritable(world, path.networkListId);
    checkElements(one.type, body.list);
    return accepted(view(world, write(world, one, withElements(one, [...one.content.list, ...body.list])), {}));
  },
  netlist_detail_update: ({ path, body }, world) => {
    const one = findWritable(world, path.networkListId);
    write(world, one, { ...one.content, ...body });
    return noContent();
  },
  netlist_element_set: ({ path, query: { element } }, world) => {
    const one = findWritable(world, path.networkListId);
    checkElements(one.type, [element]);
    return ok(view(world, write(world, one, withElements(one, [...one.content.list, element])), {}));
  },
  netlist_element_delete: ({ path, query: { element } }, world) => {
    const one = findWritable(world, path.networkListId);
    const left = one.content.list.filter((other) => other !== element);
    return ok(view(world, write(world, one, withElements(one, left)), {}));
  },
  netlist_activate: ({ path: { networkListId, environment }, body }, world) => {
    const one = find(world, networkListId);
    return ok(statusView(world, one, environment, activate(world, one, environment, body?.comments)));
  },
  netlist_activation_status: ({ path: { networkListId, environment } }, world) => {
    const one = find(world, networkListId);
    return ok(statusView(world, one, environment, activationsOn(world, one.id, environment).at(-1)));
  },
  netlist_activation_get: ({ path }, world) => {
    const last = orNotFound(
      stateOf(world).activations.get(path.activationId),
      `There is no activation ${path.activationId}`,
    );
    const { id, environment, by, atMs, isInitial } = last;
    return ok({
      ...{ activationId: id, createDate: instant(atMs), createdBy: by, environment, initial: isInitial },
      ...progress(world, last),
      networkList: statusView(world, find(world, last.listId), environment, last),
    });
  },
  netlist_version_get: ({ path: { networkListId, syncPoint }, query }, world) => {
    const one = find(world, networkListId);
    orNotFound(one.versions.get(syncPoint), `Sync point ${syncPoint} of ${one.id} was never activated`);
    return ok(view(world, one, query, syncPoint));
  },
  netlist_subscription_create: ({ body: { recipients, uniqueIds } }, world) => {
    for (const id of uniqueIds) find(world, id);
    const { subscribers } = stateOf(world);
    for (const who of recipients) subscribers.set(who, new Set([...(subscribers.get(who) ?? []), ...uniqueIds]));
    return noContent();
  },
  netlist_subscription_delete: ({ body: { recipients, uniqueIds } }, world) => {
    for (const who of recipients) for (const id of uniqueIds) stateOf(world).subscribers.get(who)?.delete(id);
    return noContent();
  },
});
