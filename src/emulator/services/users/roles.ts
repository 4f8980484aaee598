/** The emulated roles: standard ones, which cannot be changed, and custom ones made of granted roles. */
import type { roleOperations } from "../../../tools/users/roles.js";
import { authorshipNow, touch } from "../../primitives/authored.js";
import { created, noContent, ok } from "../../reply.js";
import type { BehavioursOf } from "../../service.js";
import type { World } from "../../world.js";
import { holdersOf, roleBody } from "./bodies.js";
import {
  grantableRoles,
  grantedRolesIn,
  groupLineOf,
  rolesOf,
  type StoredRole,
  userRefusals,
  usersIn,
} from "./store.js";

const whole = { actions: true, grantedRoles: true } as const;

/** The ids of granted roles that there are. */
function grantedIdsOf(given: readonly { readonly grantedRoleId: number }[]): number[] {
  const ids = given.map(({ grantedRoleId }) => grantedRoleId);
  const strange = ids.find((id) => !grantableRoles.some(({ grantedRoleId }) => grantedRoleId === id));
  if (strange !== undefined) throw userRefusals.validation(`There is no granted role ${strange}`);
  return ids;
}

function customRole(world: World, id: number): StoredRole {
  const role = rolesOf(world).find(id);
  if (role.type === "standard") throw userRefusals.forbidden(`The role ${role.roleName} is standard`);
  return role;
}

/** The ids of the roles that give access to a group: held in it or in one above it. */
function rolesIn(world: World, groupId: number): readonly number[] {
  const line = groupLineOf(world, groupId);
  return usersIn(world, groupId)
    .flatMap(({ grants }) => grantedRolesIn(grants))
    .filter((held) => held.groupId !== undefined && line.includes(held.groupId))
    .map(({ roleId }) => roleId);
}

export const roleBehaviours: BehavioursOf<typeof roleOperations> = {
  user_roles_list: ({ query }, world) => {
    const held = query.groupId === undefined ? undefined : rolesIn(world, query.groupId);
    const roles = rolesOf(world).all.filter(({ roleId }) => held === undefined || held.includes(roleId));
    return ok(roles.map((role) => roleBody(world, role, query)));
  },
  user_role_create: ({ body: { roleName, roleDescription, grantedRoles } }, world) => {
    const role = rolesOf(world).add({
      roleId: world.next("role", 5_101),
      roleName,
      roleDescription,
      type: "custom",
      grantedIds: grantedIdsOf(grantedRoles),
      ...authorshipNow(world),
    });
    return created(roleBody(world, role, whole));
  },
  user_role_get: ({ path, query }, world) => ok(roleBody(world, rolesOf(world).find(path.roleId), query)),
  user_role_update: ({ path, body }, world) => {
    const role = customRole(world, path.roleId);
    role.grantedIds = body.grantedRoles === undefined ? role.grantedIds : grantedIdsOf(body.grantedRoles);
    role.roleName = body.roleName ?? role.roleName;
    role.roleDescription = body.roleDescription ?? role.roleDescription;
    touch(world, role);
    return ok(roleBody(world, role, { ...whole, users: true }));
  },
  user_role_delete: ({ path }, world) => {
    const role = customRole(world, path.roleId);
    const holders = holdersOf(world, role).length;
    if (holders > 0) throw userRefusals.forbidden(`${holders} users hold the role ${role.roleName}`);
    rolesOf(world).delete(role.roleId);
    return noContent();
  },
  user_grantable_roles_list: () => ok(grantableRoles.map((one) => ({ ...one }))),
};
