/** How users, groups, roles and grants are written in answers. */
import type { GrantNode, GroupNode } from "../../../tools/users/shapes.js";
import { withDates } from "../../primitives/authored.js";
import { instant } from "../../values.js";
import type { World } from "../../world.js";
import { apiClients, userInUseId } from "../account.js";
import { type AccountGroup, groupsOf, topGroupId } from "../groups.js";
import { passwordExpiry } from "./lookups.js";
import {
  accountId,
  grantableRoles,
  grantedRolesIn,
  rolesOf,
  type StoredRole,
  type StoredUser,
  usersOf,
  usersWithin,
} from "./store.js";

/** A group with those below it. */
export function groupBody(world: World, group: AccountGroup, withActions = false): GroupNode {
  const { id, name, parentId, others } = group;
  const { createdDate, createdBy, modifiedDate, modifiedBy } = withDates(group);
  const below = groupsOf(world).filter((one) => one.parentId === id);
  const isFree = id !== topGroupId && below.length === 0 && usersWithin(world, [id]).length === 0;
  return {
    ...others,
    groupId: id,
    groupName: name,
    ...(parentId !== undefined && { parentGroupId: parentId }),
    createdDate,
    createdBy,
    modifiedDate,
    modifiedBy,
    subGroups: below.map((one) => groupBody(world, one, withActions)),
    ...(withActions && { actions: { edit: true, delete: isFree } }),
  };
}

/** Grants with the names of their groups and roles. */
export function grantBodies(world: World, grants: readonly GrantNode[]): GrantNode[] {
  const groups = groupsOf(world);
  return grants.map(({ groupId, roleId, isBlocked = false, subGroups = [] }) => {
    const role = typeof roleId === "number" ? rolesOf(world).get(roleId) : undefined;
    const group = groups.find(({ id }) => id === groupId);
    return {
      ...(groupId !== undefined && { groupId }),
      ...(roleId !== undefined && { roleId }),
      ...(group && { groupName: group.name }),
      ...(role && { roleName: role.roleName, roleDescription: role.roleDescription }),
      isBlocked,
      ...(subGroups.length === 0 ? {} : { subGroups: grantBodies(world, subGroups) }),
    };
  });
}

export const personBody = ({ id, login, profile, lastLoginAtMs }: StoredUser) => ({
  uiIdentityId: id,
  uiUserName: login,
  firstName: profile.firstName,
  lastName: profile.lastName,
  email: profile.email,
  accountId,
  ...(lastLoginAtMs !== undefined && { lastLoginDate: instant(lastLoginAtMs) }),
});

/** What a query asks for in addition. */
type Detail<Name extends string> = { readonly [N in Name]?: boolean | undefined };
type UserDetail = Detail<"authGrants" | "notifications" | "actions">;

const isOwner = ({ id }: StoredUser): boolean => apiClients.some(({ ownerId }) => ownerId === id);
/** Whether a user may be deleted: never oneself, and no one with API clients. */
export const isDeletable = (user: StoredUser): boolean => user.id !== userInUseId && !isOwner(user);

const actionsOn = (user: StoredUser) => ({
  edit: true,
  delete: isDeletable(user),
  resetPassword: true,
  apiClient: isOwner(user),
  thirdPartyAccess: false,
  isCloneable: true,
});
const accessBody = (world: World, user: StoredUser, { authGrants, actions }: UserDetail) => ({
  isLocked: user.isLocked,
  tfaEnabled: user.secondFactor === "TFA",
  tfaConfigured: user.secondFactor === "TFA" && user.configured.includes("TFA"),
  ...(authGrants && { authGrants: grantBodies(world, user.grants) }),
  ...(actions && { actions: actionsOn(user) }),
});

/** A user in a list, which has two more actions than a single user has (public facts C, 1). */
export const userItem = (world: World, user: StoredUser, detail: UserDetail) => ({
  ...personBody(user),
  ...accessBody(world, user, detail),
  ...(detail.actions && { actions: { ...actionsOn(user), editProfile: true, canEditTFA: true } }),
});

export const userBody = (world: World, user: StoredUser, detail: UserDetail) => ({
  ...user.profile,
  ...personBody(user),
  passwordExpiryDate: instant(passwordExpiry(user)),
  ...accessBody(world, user, detail),
  ...(detail.notifications && { notifications: user.notifications }),
});

/** Who holds a role in any group. */
export const holdersOf = (world: World, { roleId }: StoredRole): readonly StoredUser[] =>
  usersOf(world).all.filter(({ grants }) => grantedRolesIn(grants).some((held) => held.roleId === roleId));

export function roleBody(
  world: World,
  role: StoredRole,
  { actions, grantedRoles, users }: Detail<"actions" | "grantedRoles" | "users">,
) {
  const holders = holdersOf(world, role);
  const isCustom = role.type === "custom";
  const { grantedIds, ...shown } = role;
  return {
    ...withDates(shown),
    ...(actions && { actions: { edit: isCustom, delete: isCustom && holders.length === 0 } }),
    ...(grantedRoles && {
      grantedRoles: grantableRoles.filter(({ grantedRoleId }) => grantedIds.includes(grantedRoleId)),
    }),
    ...(users && { users: holders.map(personBody) }),
  };
}
