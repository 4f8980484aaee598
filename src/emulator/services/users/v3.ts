/** The emulated user administration of today: the users of the documents' service, in the forms of today. */
import type { z } from "../../../language/z.js";
import type { Role } from "../../../tools/users/shapes.js";
import { usersV3 as declared } from "../../../tools/users/v3.js";
import { created, noContent, ok, orRefuse } from "../../reply.js";
import { emulateService } from "../../service.js";
import type { World } from "../../world.js";
import { userBody, userItem } from "./bodies.js";
import { groupBehaviours, groupIdOf, propertyOf } from "./groups.js";
import { addUser, identityBehaviours, replaceProfile, resetFactor, wholeUser } from "./identities.js";
import { lookupBehaviours, resetPassword } from "./lookups.js";
import { roleBehaviours } from "./roles.js";
import {
  errorFormat,
  groupLineOf,
  isBlockedFrom,
  ownUser,
  type StoredUser,
  userOf,
  userRefusals,
  usersIn,
  usersOf,
} from "./store.js";

const factorOf = ({ secondFactor, configured }: StoredUser) => ({
  additionalAuthentication: secondFactor,
  additionalAuthenticationConfigured: configured.includes(secondFactor),
});
const settingsOf = ({ notifications: { enableEmailNotifications = false, options } }: StoredUser) => {
  const { newUserNotification = false, passwordExpiry = false, proactive = [], upgrade = [], ...rest } = options ?? {};
  const named = { newUserNotification, passwordExpiry, proactive, upgrade };
  return { enableEmailNotifications, options: { apiClientCredentialExpiryNotification: false, ...rest, ...named } };
};

/** A user as a whole, without what is empty: an address and a time zone that were not given are shown all the same. */
function shownUser(world: World, user: StoredUser, detail: Parameters<typeof userBody>[2]) {
  const { notifications, ...body } = { notifications: undefined, ...userBody(world, user, detail) };
  const settings = notifications && { notifications: settingsOf(user) };
  const given = Object.fromEntries(Object.entries(body).filter(([, value]) => value !== "")) as typeof body;
  return { address: "TBD", timeZone: "GMT", ...given, ...factorOf(user), ...settings };
}

function changeProfile(
  world: World,
  user: StoredUser,
  {
    additionalAuthentication: factor,
    ...profile
  }: Parameters<typeof replaceProfile>[1] & { additionalAuthentication?: StoredUser["secondFactor"] | undefined },
) {
  replaceProfile(user, profile);
  if (factor !== undefined) user.secondFactor = factor;
  return ok(shownUser(world, user, {}));
}

const changeNotifications = (user: StoredUser, notifications: StoredUser["notifications"]) => {
  user.notifications = notifications;
  return ok(settingsOf(user));
};

/** Those who can work on a property by their roles, and whether they are blocked from it. */
function usersOn(world: World, propertyId: number) {
  const groupId = groupIdOf(propertyOf(world, propertyId));
  const line = groupLineOf(world, groupId);
  return usersIn(world, groupId).map((user) => ({
    uiIdentityId: user.id,
    uiUserName: user.login,
    firstName: user.profile.firstName,
    lastName: user.profile.lastName,
    isBlocked: isBlockedFrom(propertyId, line, user),
  }));
}

/** The holders of a role are listed without their usernames. */
const roleShown = ({ users, ...role }: z.output<typeof Role>) => ({
  ...role,
  ...(users && { users: users.map(({ uiUserName: _, ...person }) => person) }),
});

const done = noContent();

export const usersV3 = emulateService(declared, errorFormat, {
  ...groupBehaviours,
  ...roleBehaviours,
  ...identityBehaviours,
  ...lookupBehaviours,

  user_roles_list: (call, world) => ok(roleBehaviours.user_roles_list(call, world).body.map(roleShown)),
  user_role_get: (call, world) => ok(roleShown(roleBehaviours.user_role_get(call, world).body)),
  user_role_update: (call, world) => ok(roleShown(roleBehaviours.user_role_update(call, world).body)),

  users_list: ({ query }, world) => {
    // The list shows no grants of a user who has none.
    const shownGrants = ({ grants }: StoredUser) => query.authGrants === true && grants.length > 0;
    const detail = (user: StoredUser) => ({ ...query, authGrants: shownGrants(user) });
    return ok(
      usersIn(world, query.groupId).map((user) => ({ ...userItem(world, user, detail(user)), ...factorOf(user) })),
    );
  },
  user_grants_replace: (call, world) => {
    if (call.body.length === 0) throw userRefusals.validation("A user needs a role in at least one group");
    return identityBehaviours.user_grants_replace(call, world);
  },
  user_get: ({ path, query }, world) => ok(shownUser(world, userOf(world, path.uiIdentityId), query)),
  user_create: ({ query: { sendEmail = true }, body }, world) => {
    const { authGrants, notifications = {}, cloneFrom, additionalAuthentication: secondFactor, ...profile } = body;
    const original = usersOf(world).all.find(({ login }) => login === cloneFrom);
    const grants =
      cloneFrom === undefined ? authGrants : orRefuse(original, () => userRefusals.noUser(cloneFrom)).grants;
    const { user, newPassword } = addUser(world, { grants, notifications, secondFactor, profile });
    return created({ ...shownUser(world, user, wholeUser), ...(sendEmail ? {} : { newPassword }) });
  },
  user_update: ({ path, body }, world) => changeProfile(world, userOf(world, path.uiIdentityId), body),
  user_notifications_update: ({ path, body }, world) => changeNotifications(userOf(world, path.uiIdentityId), body),
  user_password_reset: ({ path, query: { sendEmail = true } }, world) => {
    const newPassword = resetPassword(world, userOf(world, path.uiIdentityId));
    return sendEmail ? done : ok({ newPassword });
  },
  user_second_factor_set: ({ path, body }, world) => {
    userOf(world, path.uiIdentityId).secondFactor = body.value;
    return done;
  },
  user_second_factor_reset: ({ path }, world) => {
    resetFactor(userOf(world, path.uiIdentityId));
    return done;
  },

  user_property_users_list: ({ path, query: { userType = "all" } }, world) => {
    const isBlockedOnly = userType === "blocked" || userType === "lostAccess";
    return ok(
      usersOn(world, path.propertyId).filter(({ isBlocked }) => userType === "all" || isBlocked === isBlockedOnly),
    );
  },
  user_property_block_set: ({ path: { propertyId }, body }, world) => {
    const groupId = groupIdOf(propertyOf(world, propertyId));
    for (const user of body.map(({ uiIdentityId }) => userOf(world, uiIdentityId)))
      user.blocked[groupId] = [...new Set([...(user.blocked[groupId] ?? []), propertyId])];
    return ok(usersOn(world, propertyId).filter(({ isBlocked }) => isBlocked));
  },
  // The definition has no type for a hostname.
  user_property_resources_list: (call, world) =>
    ok(
      groupBehaviours
        .user_property_resources_list(call, world)
        .body.filter(({ resourceType }) => resourceType !== "cname"),
    ),

  user_profile_get: ({ query }, world) => ok(shownUser(world, ownUser(world), query)),
  user_profile_update: ({ body }, world) => changeProfile(world, ownUser(world), body),
  user_profile_notifications_update: ({ body }, world) => changeNotifications(ownUser(world), body),
  user_profile_second_factor_set: ({ body }, world) => {
    ownUser(world).secondFactor = body.value;
    return done;
  },
  user_profile_second_factor_reset: (_, world) => {
    resetFactor(ownUser(world));
    return done;
  },
});
