/** The emulated groups, and the properties that belong to them. */
import type { groupOperations, propertyOperations } from "../../../tools/users/groups.js";
import { users as declared } from "../../../tools/users/index.js";
import { undeclaredMembers } from "../../others.js";
import { touch } from "../../primitives/authored.js";
import { created, noContent, ok } from "../../reply.js";
import type { BehavioursOf } from "../../service.js";
import type { World } from "../../world.js";
import { portalUser } from "../account.js";
import { addGroup, groupsOf, isWithin, removeGroup } from "../groups.js";
import { currentCpCodes, numberOf, propertiesIn } from "../properties/served.js";
import type { Property } from "../properties/world.js";
import { groupBody, personBody } from "./bodies.js";
import {
  grantedRolesIn,
  groupLineOf,
  groupOf,
  isBlockedFrom,
  rolesOf,
  type StoredUser,
  userRefusals,
  usersIn,
  usersWithin,
} from "./store.js";

/** Those who gain and those who lose access to a group that is moved: roles in it and below it go with it. */
function affectedBy(world: World, sourceId: number, destinationId: number) {
  const [, ...above] = groupLineOf(world, sourceId);
  const groupUsers = usersWithin(world, [sourceId]);
  const [had, has] = [above, groupLineOf(world, destinationId)].map((line) => usersWithin(world, line)) as [
    StoredUser[],
    StoredUser[],
  ];
  return {
    lostAccess: had.filter((user) => !has.includes(user) && !groupUsers.includes(user)),
    gainAccess: has.filter((user) => !had.includes(user) && !groupUsers.includes(user)),
  };
}

/** Refuses a move from one group to another below a different top group. */
function checkTree(world: World, sourceId: number, destinationId: number): void {
  const [one, other] = [sourceId, destinationId].map((id) => groupLineOf(world, id).at(-1));
  if (one !== other) throw userRefusals.forbidden("Groups move within one top-level group only.");
}

export const propertyIdOf = ({ assetId }: Property): number => numberOf(assetId);
export const groupIdOf = ({ groupId }: Property): number => numberOf(groupId);

export function propertyOf(world: World, id: number, groupId?: number): Property {
  const found = propertiesIn(world).find((one) => propertyIdOf(one) === id);
  if (!found || (groupId !== undefined && groupIdOf(found) !== groupId))
    throw userRefusals.property(
      `There is no property ${id}${groupId === undefined ? "" : ` in group ${groupId}`}`,
      404,
    );
  return found;
}

export const groupBehaviours: BehavioursOf<typeof groupOperations & typeof propertyOperations> = {
  user_groups_list: ({ query }, world) =>
    ok(
      groupsOf(world)
        .filter(({ parentId }) => parentId === undefined)
        .map((group) => groupBody(world, group, query.actions)),
    ),
  user_group_get: ({ path, query }, world) => ok(groupBody(world, groupOf(world, path.groupId), query.actions)),
  user_group_create: ({ path, body }, world) => {
    const parent = groupOf(world, path.groupId);
    if (groupsOf(world).some(({ parentId, name }) => parentId === parent.id && name === body.groupName))
      throw userRefusals.validation(`There is a group ${body.groupName} under ${parent.name} already`);
    return created(groupBody(world, addGroup(world, body.groupName, parent)));
  },
  user_group_rename: ({ path, body }, world) => {
    const group = groupOf(world, path.groupId);
    group.name = body.groupName;
    group.others = undeclaredMembers(declared.operations.user_group_rename, body);
    touch(world, group);
    return ok(groupBody(world, group));
  },
  user_group_delete: ({ path }, world) => {
    const group = groupOf(world, path.groupId);
    const hasOthers =
      usersWithin(world, [group.id]).length > 0 ||
      groupsOf(world).some(({ parentId }) => parentId === group.id) ||
      propertiesIn(world).some((property) => groupIdOf(property) === group.id) ||
      currentCpCodes(world).some(({ groupId }) => groupId === group.id);
    if (group.parentId === undefined || hasOthers)
      throw userRefusals.forbidden("Only a sub-group without users, properties and sub-groups can be deleted.");
    removeGroup(world, group.id);
    return noContent();
  },
  user_group_move: ({ body }, world) => {
    const group = groupOf(world, body.sourceGroupId);
    checkTree(world, group.id, body.destinationGroupId);
    if (group.parentId === undefined || groupLineOf(world, body.destinationGroupId).includes(group.id))
      throw userRefusals.forbidden("A group cannot be moved below itself.");
    group.parentId = body.destinationGroupId;
    touch(world, group);
    return noContent();
  },
  user_affected_users_list: ({ path, query }, world) => {
    const { lostAccess, gainAccess } = affectedBy(world, path.sourceGroupId, path.destinationGroupId);
    const chosen = { lostAccess, gainAccess, both: [...lostAccess, ...gainAccess] }[query.userType ?? "both"];
    return ok(chosen.map(personBody));
  },

  user_properties_list: ({ query }, world) => {
    if (query.groupId !== undefined) groupOf(world, query.groupId);
    return ok(
      propertiesIn(world)
        .filter((property) => query.groupId === undefined || isWithin(world, groupIdOf(property), query.groupId))
        .map((property) => ({
          propertyId: propertyIdOf(property),
          propertyName: property.name,
          propertyTypeDescription: property.productId.replace("prd_", "").replaceAll("_", " "),
          groupId: groupIdOf(property),
          groupName: groupOf(world, groupIdOf(property)).name,
        })),
    );
  },
  user_property_get: ({ path, query }, world) => {
    const property = propertyOf(world, path.propertyId, query.groupId);
    const [first, ...later] = property.versions;
    const last = later.at(-1) ?? first;
    const dated = (ms: number | undefined) => new Date(ms ?? world.startedAtMs).toISOString();
    return ok({
      propertyId: path.propertyId,
      propertyName: property.name,
      groupId: groupIdOf(property),
      groupName: groupOf(world, groupIdOf(property)).name,
      arlConfigFile: `${property.name}.xml`,
      createdDate: dated(first?.updatedAtMs),
      createdBy: first?.updatedBy ?? portalUser,
      modifiedDate: dated(last?.updatedAtMs),
      modifiedBy: last?.updatedBy ?? portalUser,
    });
  },
  user_property_move: ({ path, body }, world) => {
    const property = propertyOf(world, path.propertyId);
    if (groupIdOf(property) !== body.sourceGroupId)
      throw userRefusals.property(`Property move is not allowed from the group ${body.sourceGroupId}`);
    checkTree(world, body.sourceGroupId, body.destinationGroupId);
    property.groupId = `grp_${body.destinationGroupId}`;
    return noContent();
  },
  user_property_users_list: ({ path, query }, world) => {
    const property = propertyOf(world, path.propertyId);
    const groupId = query.groupId ?? groupIdOf(property);
    const line = groupLineOf(world, groupId);
    return ok(
      usersIn(world, groupId).map((user) => {
        const held = grantedRolesIn(user.grants).find((one) => one.groupId !== undefined && line.includes(one.groupId));
        const role = held && rolesOf(world).find(held.roleId);
        return {
          ...personBody(user),
          isBlocked: isBlockedFrom(path.propertyId, line, user),
          groupId: held?.groupId ?? groupId,
          ...(role && { roleId: role.roleId, roleName: role.roleName, roleDescription: role.roleDescription }),
        };
      }),
    );
  },
  user_property_resources_list: ({ path, query }, world) => {
    const property = propertyOf(world, path.propertyId, query.groupId);
    const last = property.versions.at(-1);
    const modifiedDate = new Date(last?.updatedAtMs ?? world.startedAtMs).toISOString();
    const used = new Set(JSON.stringify(last?.rules ?? {}).match(/\d{5,}/g) ?? []);
    const cpCodes = currentCpCodes(world).filter(({ id }) => used.has(id));
    const names = last?.hostnames ?? [];
    const resource = (resourceId: number, resourceType: string, resourceName: string) => {
      return { resourceId, resourceType, resourceName, modifiedDate };
    };
    return ok([
      resource(path.propertyId + 100_000, "arlfile", `${property.name}.xml`),
      ...cpCodes.map(({ id, name }) => resource(Number(id), "cpcode", `${name}(${id})`)),
      ...names.map(({ cnameFrom, edgeHostnameId }) => resource(numberOf(edgeHostnameId), "cname", cnameFrom)),
    ]);
  },
};
