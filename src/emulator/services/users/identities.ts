/** The emulated users: their profiles, passwords, locks and grants, and the profile of the identity in use. */
import type { z } from "../../../language/z.js";
import type { accessOperations } from "../../../tools/users/access.js";
import type { identityOperations, profileOperations } from "../../../tools/users/identities.js";
import type { BasicInfo, GrantNode, Notifications } from "../../../tools/users/shapes.js";
import { created, noContent, ok, orRefuse } from "../../reply.js";
import type { BehavioursOf } from "../../service.js";
import type { World } from "../../world.js";
import { ownUserId } from "../account.js";
import { groupsOf } from "../groups.js";
import { stateOf } from "../properties/world.js";
import { grantBodies, isDeletable, userBody, userItem } from "./bodies.js";
import { checkProfile, madeUpPassword, setPassword } from "./lookups.js";
import {
  allUsers,
  groupOf,
  ownUser,
  refused,
  rolesById,
  type User,
  unlocked,
  userOf,
  usersById,
  usersIn,
} from "./store.js";

/** Refuses grants of roles or in groups that there are not. */
function checkGrants(world: World, grants: readonly GrantNode[]): void {
  for (const { groupId, roleId, subGroups = [] } of grants) {
    if (groupId !== undefined && !groupsOf(world).some(({ id }) => id === groupId)) throw refused.noGroup(groupId);
    if (typeof roleId === "number" && !rolesById(world).has(roleId)) throw refused.noRole(roleId);
    checkGrants(world, subGroups);
  }
}

/** Replaces a profile: what is left out is removed, except for the address that the user signs in with. */
function replaceProfile(user: User, { tfaEnabled, ...profile }: z.output<typeof BasicInfo>): void {
  checkProfile(profile);
  user.profile = { ...profile, email: profile.email ?? user.profile.email };
  user.isTfaEnabled = tfaEnabled ?? user.isTfaEnabled;
}

const replaceNotifications = (user: User, notifications: z.output<typeof Notifications>) => {
  user.notifications = notifications;
  return ok(notifications);
};

const done = noContent();
const maxWrongAttempts = 5;

function changeTfa(user: User, action: "enable" | "disable" | "reset"): void {
  user.isTfaEnabled = action !== "disable";
  if (action === "enable") return;
  user.isTfaConfigured = false;
  // A reset also unlocks an account that too many attempts have locked (public facts C, 1).
  if (action === "reset" && user.wrongAttempts >= maxWrongAttempts) user.isLocked = false;
}

export const identityBehaviours: BehavioursOf<
  typeof identityOperations & typeof accessOperations & typeof profileOperations
> = {
  users_list: ({ query }, world) => {
    if (query.groupId !== undefined) groupOf(world, query.groupId);
    const found = query.groupId === undefined ? allUsers(world) : usersIn(world, query.groupId);
    return ok(found.map((user) => userItem(world, user, query)));
  },
  user_create: ({ query, body }, world) => {
    const { authGrants, notifications = {}, cloneFrom, uiUserName, tfaEnabled = true, ...profile } = body;
    checkProfile(profile);
    const grants = cloneFrom === undefined ? authGrants : userOf(world, cloneFrom).grants;
    checkGrants(world, grants);
    const login = uiUserName ?? profile.email;
    if (allUsers(world).some((user) => user.login === login))
      throw refused.validation(`There is a user ${login} already`);
    const user: User = {
      id: `A-B-${world.next("user", 100_101)}`,
      login,
      profile,
      grants,
      notifications,
      isTfaEnabled: tfaEnabled,
      isTfaConfigured: false,
      passwords: [],
      ...unlocked(world.now()),
    };
    const newPassword = madeUpPassword(world, user);
    setPassword(world, user, newPassword);
    usersById(world).set(user.id, user);
    const detail = { authGrants: true, notifications: true, actions: true };
    return created({ ...userBody(world, user, detail), ...(query.sendEmail ? {} : { newPassword }) });
  },
  user_get: ({ path, query }, world) => ok(userBody(world, userOf(world, path.uiIdentityId), query)),
  user_delete: ({ path }, world) => {
    const user = userOf(world, path.uiIdentityId);
    if (!isDeletable(user)) throw refused.forbidden(`${user.login} has API clients or is the identity in use`);
    usersById(world).delete(user.id);
    return done;
  },
  user_notifications_update: ({ path, body }, world) => replaceNotifications(userOf(world, path.uiIdentityId), body),
  user_update: ({ path, body }, world) => {
    const user = userOf(world, path.uiIdentityId);
    replaceProfile(user, body);
    return ok(userBody(world, user, {}));
  },

  user_password_reset: ({ path, query }, world) => {
    const user = userOf(world, path.uiIdentityId);
    const newPassword = madeUpPassword(world, user);
    setPassword(world, user, newPassword);
    return query.sendEmail ? done : ok({ newPassword });
  },
  user_password_set: ({ path, body }, world) => {
    setPassword(world, userOf(world, path.uiIdentityId), body.newPassword);
    return done;
  },
  user_tfa_set: ({ path, query }, world) => {
    const user = userOf(world, path.uiIdentityId);
    const action = orRefuse(query.action ?? query.actions, () => refused.validation("The query action is required"));
    changeTfa(user, action);
    return done;
  },
  user_lock: ({ path }, world) => {
    userOf(world, path.uiIdentityId).isLocked = true;
    return done;
  },
  user_unlock: ({ path }, world) => {
    userOf(world, path.uiIdentityId).isLocked = false;
    return done;
  },
  user_grants_replace: ({ path, body }, world) => {
    const user = userOf(world, path.uiIdentityId);
    checkGrants(world, body);
    user.grants = body;
    return ok(grantBodies(world, user.grants));
  },
  user_blocked_properties_list: ({ path }, world) => {
    const user = userOf(world, path.uiIdentityId);
    groupOf(world, path.groupId);
    return ok([...(user.blocked.get(path.groupId) ?? [])]);
  },
  user_blocked_properties_replace: ({ path, body }, world) => {
    const user = userOf(world, path.uiIdentityId);
    groupOf(world, path.groupId);
    const known = new Set([...stateOf(world).properties.values()].map(({ assetId }) => Number(assetId.slice(4))));
    const strange = body.find((id) => !known.has(id));
    if (strange !== undefined) throw refused.validation(`There is no property ${strange}`);
    user.blocked.set(path.groupId, [...body]);
    return ok([...body]);
  },

  user_profile_get: ({ query }, world) => ok(userBody(world, ownUser(world), query)),
  user_profile_update: ({ body }, world) => {
    const user = ownUser(world);
    replaceProfile(user, body);
    return ok(userBody(world, user, {}));
  },
  user_profile_password_update: ({ body }, world) => {
    const user = userOf(world, ownUserId);
    if (body.currentPassword !== user.passwords.at(-1)) {
      user.wrongAttempts += 1;
      user.isLocked ||= user.wrongAttempts >= maxWrongAttempts;
      throw refused.password("The current password is not correct.");
    }
    setPassword(world, user, body.newPassword);
    return done;
  },
  user_profile_tfa_set: ({ query }, world) => {
    if (query.action === "disable")
      throw refused.forbidden("The account enables two-factor authentication by default.");
    changeTfa(ownUser(world), query.action);
    return done;
  },
  user_profile_notifications_update: ({ body }, world) => replaceNotifications(ownUser(world), body),
};
