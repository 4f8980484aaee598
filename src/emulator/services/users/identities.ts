/** The emulated users: their profiles, passwords, locks and grants, and the profile of the identity in use. */
import type { z } from "../../../language/z.js";
import type { accessOperations } from "../../../tools/users/access.js";
import type { identityOperations, profileOperations } from "../../../tools/users/identities.js";
import type { GrantNode, Notifications } from "../../../tools/users/shapes.js";
import { created, noContent, ok, orRefuse } from "../../reply.js";
import type { BehavioursOf } from "../../service.js";
import type { World } from "../../world.js";
import { groupsOf } from "../groups.js";
import { propertiesIn } from "../properties/served.js";
import { grantBodies, isDeletable, userBody, userItem } from "./bodies.js";
import { propertyIdOf } from "./groups.js";
import { checkProfile, resetPassword, setPassword } from "./lookups.js";
import {
  groupOf,
  ownUser,
  type ProfileBody,
  rolesOf,
  type SecondFactor,
  type StoredUser,
  userOf,
  userRefusals,
  usersIn,
  usersOf,
} from "./store.js";

/** Refuses grants of roles or in groups that there are not. */
function checkGrants(world: World, grants: readonly GrantNode[]): void {
  for (const { groupId, roleId, subGroups = [] } of grants) {
    if (groupId !== undefined && !groupsOf(world).some(({ id }) => id === groupId)) throw userRefusals.noGroup(groupId);
    if (typeof roleId === "number" && !rolesOf(world).has(roleId)) throw userRefusals.noRole(roleId);
    checkGrants(world, subGroups);
  }
}

/** Replaces a profile: what is left out is removed, except for the address that the user signs in with. */
export function replaceProfile(user: StoredUser, profile: ProfileBody): void {
  checkProfile(profile);
  user.profile = { ...profile, email: profile.email ?? user.profile.email };
}

function changeProfile(
  world: World,
  user: StoredUser,
  { tfaEnabled, ...profile }: ProfileBody & { readonly tfaEnabled?: boolean | undefined },
) {
  replaceProfile(user, profile);
  if (tfaEnabled !== undefined && tfaEnabled !== (user.secondFactor === "TFA"))
    user.secondFactor = factorOf(tfaEnabled);
  return ok(userBody(world, user, {}));
}

const replaceNotifications = <N extends z.output<typeof Notifications>>(user: StoredUser, notifications: N) => {
  user.notifications = notifications;
  return ok(notifications);
};

const done = noContent();
const maxWrongAttempts = 5;
const factorOf = (isTfaEnabled: boolean): SecondFactor => (isTfaEnabled ? "TFA" : "NONE");

/** It also unlocks an account that too many attempts have locked (public facts C, 1). */
export function resetFactor(user: StoredUser): void {
  user.configured = [];
  if (user.wrongAttempts >= maxWrongAttempts) user.isLocked = false;
}

function changeTfa(user: StoredUser, action: "enable" | "disable" | "reset"): void {
  user.secondFactor = factorOf(action !== "disable");
  if (action === "reset") resetFactor(user);
}

/** A new user, who signs in with the given name or else with the address, and a password. */
export function addUser(
  world: World,
  input: Pick<StoredUser, "grants" | "notifications" | "secondFactor"> & {
    readonly login?: string | undefined;
    readonly profile: ProfileBody & { readonly email: string };
  },
): { readonly user: StoredUser; readonly newPassword: string } {
  const { login = input.profile.email } = input;
  checkProfile(input.profile);
  checkGrants(world, input.grants);
  if (usersOf(world).rival("login", login)) throw userRefusals.validation(`There is a user ${login} already`);
  const id = `A-B-${world.next("user", 100_101)}`;
  const user: StoredUser = {
    ...input,
    id,
    login,
    configured: [],
    passwords: [],
    passwordSetAtMs: world.now(),
    isLocked: false,
    blocked: {},
    wrongAttempts: 0,
  };
  return { user: usersOf(world).add(user), newPassword: resetPassword(world, user) };
}

/** Everything that is shown of a user who has just been created. */
export const wholeUser = { authGrants: true, notifications: true, actions: true } as const;

export const identityBehaviours: BehavioursOf<
  typeof identityOperations & typeof accessOperations & typeof profileOperations
> = {
  users_list: ({ query }, world) => ok(usersIn(world, query.groupId).map((user) => userItem(world, user, query))),
  user_create: ({ query, body }, world) => {
    const { authGrants, notifications = {}, cloneFrom, uiUserName, tfaEnabled = true, ...profile } = body;
    const grants = cloneFrom === undefined ? authGrants : userOf(world, cloneFrom).grants;
    const secondFactor = factorOf(tfaEnabled);
    const { user, newPassword } = addUser(world, { grants, notifications, secondFactor, login: uiUserName, profile });
    return created({ ...userBody(world, user, wholeUser), ...(query.sendEmail ? {} : { newPassword }) });
  },
  user_get: ({ path, query }, world) => ok(userBody(world, userOf(world, path.uiIdentityId), query)),
  user_delete: ({ path }, world) => {
    const user = userOf(world, path.uiIdentityId);
    if (!isDeletable(user)) throw userRefusals.forbidden(`${user.login} has API clients or is the identity in use`);
    usersOf(world).delete(user.id);
    return done;
  },
  user_notifications_update: ({ path, body }, world) => replaceNotifications(userOf(world, path.uiIdentityId), body),
  user_update: ({ path, body }, world) => changeProfile(world, userOf(world, path.uiIdentityId), body),

  user_password_reset: ({ path, query }, world) => {
    const newPassword = resetPassword(world, userOf(world, path.uiIdentityId));
    return query.sendEmail ? done : ok({ newPassword });
  },
  user_password_set: ({ path, body }, world) => {
    setPassword(world, userOf(world, path.uiIdentityId), body.newPassword);
    return done;
  },
  user_tfa_set: ({ path, query }, world) => {
    const user = userOf(world, path.uiIdentityId);
    const action = orRefuse(query.action ?? query.actions, () =>
      userRefusals.validation("The query action is required"),
    );
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
    return ok([...(user.blocked[path.groupId] ?? [])]);
  },
  user_blocked_properties_replace: ({ path, body }, world) => {
    const user = userOf(world, path.uiIdentityId);
    groupOf(world, path.groupId);
    const strange = body.find((id) => !propertiesIn(world).some((one) => propertyIdOf(one) === id));
    if (strange !== undefined) throw userRefusals.validation(`There is no property ${strange}`);
    user.blocked[path.groupId] = [...body];
    return ok([...body]);
  },

  user_profile_get: ({ query }, world) => ok(userBody(world, ownUser(world), query)),
  user_profile_update: ({ body }, world) => changeProfile(world, ownUser(world), body),
  user_profile_password_update: ({ body }, world) => {
    const user = ownUser(world);
    if (body.currentPassword !== user.passwords.at(-1)) {
      user.wrongAttempts += 1;
      user.isLocked ||= user.wrongAttempts >= maxWrongAttempts;
      throw userRefusals.password("The current password is not correct.");
    }
    setPassword(world, user, body.newPassword);
    return done;
  },
  user_profile_tfa_set: ({ query }, world) => {
    if (query.action === "disable")
      throw userRefusals.forbidden("The account enables two-factor authentication by default.");
    changeTfa(ownUser(world), query.action);
    return done;
  },
  user_profile_notifications_update: ({ body }, world) => replaceNotifications(ownUser(world), body),
};
