/** The emulated roles: standard ones, which cannot be changed, and custom ones made of granted roles. */
import type { roleOperations } from "../../../tools/users/roles.js";
import { authored, touch } from "../../primitives/authored.js";
import { created, noContent, ok } from "../../reply.js";
import type { BehavioursOf } from "../../service.js";
import type { World } from "../../world.js";
import { holdersOf, roleBody } from "./bodies.js";
import { allRoles, grantableRoles, heldIn, lineOf, type Role, refused, roleOf, rolesById, usersIn } from "./store.js";

const whole = { actions: true, grantedRoles: true } as const;

/** The ids of granted roles that there are. */
function grantedIdsOf(given: readonly { readonly grantedRoleId: number }[]): number[] {
  const ids = given.map(({ grantedRoleId }) => grantedRoleId);
  const strange = ids.find((id) => !grantableRoles.some(({ grantedRoleId }) => grantedRoleId === id));
  if (strange !== undefined) throw refused.validation(`There is no granted role ${strange}`);
  return ids;
}

function customRole(world: World, id: number): Role {
  const role = roleOf(world, id);
  if (role.type === "standard") throw refused.forbidden(`The role ${role.name} is standard`);
  return role;
}

export const roleBehaviours: BehavioursOf<typeof roleOperations> = {
  user_roles_list: ({ query }, world) => {
    const { groupId } = query;
    const held =
      groupId === undefined
        ? undefined
        : new Set(
            usersIn(world, groupId).flatMap(({ grants }) =>
              heldIn(grants)
                .filter((one) => one.groupId !== undefined && lineOf(world, groupId).includes(one.groupId))
                .map(({ roleId }) => roleId),
            ),
          );
    const roles = allRoles(world).filter(({ id }) => held === undefined || held.has(id));
    return ok(roles.map((role) => roleBody(world, role, query)));
  },
  user_role_create: ({ body }, world) => {
    const role: Role = {
      id: world.next("role", 5_101),
      name: body.roleName,
      description: body.roleDescription,
      type: "custom",
      grantedIds: grantedIdsOf(body.grantedRoles),
      ...authored(world.now()),
    };
    rolesById(world).set(role.id, role);
    return created(roleBody(world, role, whole));
  },
  user_role_get: ({ path, query }, world) => ok(roleBody(world, roleOf(world, path.roleId), query)),
  user_role_update: ({ path, body }, world) => {
    const role = customRole(world, path.roleId);
    const grantedIds = body.grantedRoles === undefined ? role.grantedIds : grantedIdsOf(body.grantedRoles);
    role.name = body.roleName ?? role.name;
    role.description = body.roleDescription ?? role.description;
    role.grantedIds = grantedIds;
    touch(world, role);
    return ok(roleBody(world, role, { ...whole, users: true }));
  },
  user_role_delete: ({ path }, world) => {
    const role = customRole(world, path.roleId);
    const holders = holdersOf(world, role).length;
    if (holders > 0) throw refused.forbidden(`${holders} users hold the role ${role.name}`);
    rolesById(world).delete(role.id);
    return noContent();
  },
  user_grantable_roles_list: () => ok(grantableRoles.map((one) => ({ ...one }))),
};
