/** How users, groups, roles and grants are written in answers. */
import type { GrantNode, GroupNode } from "../../../tools/users/shapes.js";
import type { Authored } from "../../primitives/authored.js";
import { instant } from "../../values.js";
import type { World } from "../../world.js";
import { apiClients, ownUserId } from "../account.js";
import { type Group, groupsOf, topGroupId } from "../groups.js";
import { passwordExpiry } from "./lookups.js";
import { accountId, allUsers, grantableRoles, heldIn, type Role, rolesById, type User, usersWithin } from "./store.js";

const history = (one: Authored) => ({
  createdDate: new Date(one.createdAtMs).toISOString(),
  createdBy: one.createdBy,
  modifiedDate: new Date(one.modifiedAtMs).toISOString(),
  modifiedBy: one.modifiedBy,
});

/** A group with those below it. */
export function groupBody(world: World, group: Group, withActions = false): GroupNode {
  const below = groupsOf(world).filter(({ parentId }) => parentId === group.id);
  const isFree = group.id !== topGroupId && below.length === 0 && usersWithin(world, [group.id]).length === 0;
  return {
    ...group.others,
    groupId: group.id,
    groupName: group.name,
    ...(group.parentId === undefined ? {} : { parentGroupId: group.parentId }),
    ...history(group),
    subGroups: below.map((one) => groupBody(world, one, withActions)),
    ...(withActions ? { actions: { edit: true, delete: isFree } } : {}),
  };
}

/** Grants with the names of their groups and roles. */
export function grantBodies(world: World, grants: readonly GrantNode[]): GrantNode[] {
  const groups = groupsOf(world);
  return grants.map(({ groupId, roleId, isBlocked = false, subGroups = [] }) => {
    const role = typeof roleId === "number" ? rolesById(world).get(roleId) : undefined;
    const group = groups.find(({ id }) => id === groupId);
    return {
      ...(groupId === undefined ? {} : { groupId }),
      ...(roleId === undefined ? {} : { roleId }),
      ...(group ? { groupName: group.name } : {}),
      ...(role ? { roleName: role.name, roleDescription: role.description } : {}),
      isBlocked,
      ...(subGroups.length === 0 ? {} : { subGroups: grantBodies(world, subGroups) }),
    };
  });
}

export const personBody = ({ id, login, profile, lastLoginAtMs }: User) => ({
  uiIdentityId: id,
  uiUserName: login,
  firstName: profile.firstName,
  lastName: profile.lastName,
  email: profile.email,
  accountId,
  ...(lastLoginAtMs === undefined ? {} : { lastLoginDate: instant(lastLoginAtMs) }),
});

interface Detail {
  readonly authGrants?: boolean | undefined;
  readonly notifications?: boolean | undefined;
  readonly actions?: boolean | undefined;
}

const isOwner = ({ id }: User): boolean => apiClients.some(({ ownerId }) => ownerId === id);
/** Whether a user may be deleted: never oneself, and no one with API clients. */
export const isDeletable = (user: User): boolean => user.id !== ownUserId && !isOwner(user);

const actionsOn = (user: User) => ({
  edit: true,
  delete: isDeletable(user),
  resetPassword: true,
  apiClient: isOwner(user),
  thirdPartyAccess: false,
  isCloneable: true,
});
const accessBody = (world: World, user: User, { authGrants, actions }: Detail) => ({
  isLocked: user.isLocked,
  tfaEnabled: user.secondFactor === "TFA",
  tfaConfigured: user.secondFactor === "TFA" && user.configured.has("TFA"),
  ...(authGrants ? { authGrants: grantBodies(world, user.grants) } : {}),
  ...(actions ? { actions: actionsOn(user) } : {}),
});

/** A user in a list, which has two more actions than a single user has (public facts C, 1). */
export const userItem = (world: World, user: User, detail: Detail) => ({
  ...personBody(user),
  ...accessBody(world, user, detail),
  ...(detail.actions ? { actions: { ...actionsOn(user), editProfile: true, canEditTFA: true } } : {}),
});

export const userBody = (world: World, user: User, detail: Detail) => ({
  ...user.profile,
  ...personBody(user),
  passwordExpiryDate: instant(passwordExpiry(user)),
  ...accessBody(world, user, detail),
  ...(detail.notifications ? { notifications: user.notifications } : {}),
});

interface RoleDetail {
  readonly actions?: boolean | undefined;
  readonly grantedRoles?: boolean | undefined;
  readonly users?: boolean | undefined;
}
/** Who holds a role in any group. */
export const holdersOf = (world: World, role: Role): User[] =>
  allUsers(world).filter(({ grants }) => heldIn(grants).some(({ roleId }) => roleId === role.id));

export function roleBody(world: World, role: Role, { actions, grantedRoles, users }: RoleDetail) {
  const holders = holdersOf(world, role);
  const isCustom = role.type === "custom";
  return {
    roleId: role.id,
    roleName: role.name,
    roleDescription: role.description,
    type: role.type,
    ...history(role),
    ...(actions ? { actions: { edit: isCustom, delete: isCustom && holders.length === 0 } } : {}),
    ...(grantedRoles
      ? { grantedRoles: grantableRoles.filter(({ grantedRoleId }) => role.grantedIds.includes(grantedRoleId)) }
      : {}),
    ...(users ? { users: holders.map(personBody) } : {}),
  };
}
