/** Users: listing, creating and deleting them, their profiles and one's own, and notifications. */
import { empty, json, op } from "../../language/define.js";
import { secret } from "../../language/marks.js";
import { memberAt } from "../../language/member.js";
import { closedObject } from "../../language/open-object.js";
import { z } from "../../language/z.js";
import { readForCreation, userCreation } from "./access-guards.js";
import { keepsAnAdministrator, keepsIdentityInUse, keepsOwnTfa, keepsTfaAsItIs, mayDeleteUser } from "./checks.js";
import {
  ownPasswordChange,
  ownProfileReplacement,
  ownTfaChange,
  profileReplacement,
  userDeletion,
} from "./login-guards.js";
import {
  actions,
  BasicInfo,
  bareSecretReason,
  groupId,
  NewUser,
  Notifications,
  NotificationsChange,
  newPasswords,
  optionalFlag,
  redactionNote,
  User,
  UserItem,
  uiIdentityId,
} from "./shapes.js";

const ownPassword = secret(z.string().min(1), { isFromFile: true });
export const tfaAction = z.enum(["enable", "disable", "reset"]);
const authGrants = optionalFlag("Add roles by group");
const notifications = optionalFlag("Add notifications");

export const profileOperations = {
  user_profile_get: op("GET /identity-management/v2/user-profile", {
    does: "Reads the profile of the identity in use.",
    query: { authGrants, notifications, actions },
    returns: { 200: json(User) },
    rules: ["user-profile-own"],
  }),
  user_profile_update: op("PUT /identity-management/v2/user-profile/basic-info", {
    does: "Replaces your own profile; omitted fields are removed.",
    body: json(BasicInfo),
    returns: { 200: json(User) },
    effect: "update",
    checks: [keepsTfaAsItIs],
    shownBy: "user_profile_get",
    guard: ownProfileReplacement,
    rules: ["user-basic-replaced"],
    example: {
      body: {
        firstName: "Maria",
        lastName: "Held",
        email: "mheld@shop.example",
        country: "Germany",
        phone: "+49 69 1234567",
        contactType: "Technical Decision Maker",
        preferredLanguage: "English",
        sessionTimeOut: 3_600,
      },
    },
  }),
  user_profile_password_update: op("POST /identity-management/v2/user-profile/change-password", {
    does: "Changes your own password. Passwords come from files.",
    body: json(closedObject(bareSecretReason, { currentPassword: ownPassword, newPassword: ownPassword })),
    returns: { 204: empty },
    effect: "destructive",
    guard: ownPasswordChange,
    shownBy: "user_profile_get",
    rules: ["user-password-policy"],
    example: { currentPasswordFile: "current-password-1", newPasswordFile: "new-password-1" },
  }),
  user_profile_tfa_set: op("PUT /identity-management/v2/user-profile/tfa", {
    does: "Enables or resets your own two-factor authentication.",
    query: { action: tfaAction },
    returns: { 204: empty },
    effect: "destructive",
    checks: [keepsOwnTfa],
    guard: ownTfaChange,
    shownBy: "user_profile_get",
    rules: ["user-tfa-by-default"],
    example: { action: "reset" },
  }),
  user_profile_notifications_update: op("PUT /identity-management/v2/user-profile/notifications", {
    does: "Replaces your own notification settings.",
    body: json(NotificationsChange),
    returns: { 200: json(Notifications) },
    effect: "update",
    shownBy: { by: "user_profile_get", args: () => ({ notifications: true }) },
    example: { body: { enableEmailNotifications: true, options: { upgrade: ["Images"], passwordExpiry: true } } },
  }),
};

const created = json(User.extend(newPasswords));
export const sendEmail = optionalFlag("Mail it to the user; otherwise it goes to a file");

export const identityOperations = {
  users_list: op("GET /identity-management/v2/user-admin/ui-identities", {
    does: "Lists users, with their roles on request.",
    query: { groupId: groupId.optional(), authGrants, actions },
    returns: { 200: json(z.array(UserItem)) },
    note: redactionNote,
  }),
  user_create: op("POST /identity-management/v2/user-admin/ui-identities", {
    does: "Creates a user with roles; the password is written to a file or mailed.",
    needs: "Ids from user_groups_list and user_roles_list.",
    query: { sendEmail },
    body: json(NewUser),
    secretTo: { members: ["newPassword", "password"], unless: "sendEmail" },
    returns: { 200: created, 201: created },
    effect: "create",
    // A new user can sign in, with any address and any role.
    guard: userCreation((args) => memberAt(args, "body.tfaEnabled") === false),
    shownBy: { by: "users_list", args: () => ({ authGrants: true }) },
    relatedReads: readForCreation,
    rules: ["user-password-mailed"],
    example: {
      body: {
        firstName: "Ines",
        lastName: "Vogt",
        email: "ines.vogt@shop.example",
        country: "Germany",
        phone: "+49 69 1234568",
        authGrants: [{ groupId: 33_333, roleId: 3 }],
      },
    },
  }),
  user_get: op("GET /identity-management/v2/user-admin/ui-identities/{uiIdentityId}", {
    does: "Reads a user.",
    path: { uiIdentityId },
    query: { authGrants, notifications, actions },
    returns: { 200: json(User) },
    means: { 404: "users_list shows the ids." },
    note: redactionNote,
    example: { uiIdentityId: "A-B-100003", authGrants: true },
  }),
  user_delete: op("DELETE /identity-management/v2/user-admin/ui-identities/{uiIdentityId}", {
    does: "Deletes a user who has no API clients.",
    path: { uiIdentityId },
    returns: { 200: empty, 204: empty },
    checks: [keepsIdentityInUse, mayDeleteUser, keepsAnAdministrator],
    guard: userDeletion,
    shownBy: { by: "user_get", args: () => ({ authGrants: true, actions: true }) },
    rules: ["user-delete-api-clients"],
    example: { uiIdentityId: "A-B-100005" },
  }),
  user_notifications_update: op("PUT /identity-management/v2/user-admin/ui-identities/{uiIdentityId}/notifications", {
    does: "Replaces a user's notification settings.",
    path: { uiIdentityId },
    body: json(NotificationsChange),
    returns: { 200: json(Notifications) },
    effect: "update",
    shownBy: { by: "user_get", args: () => ({ notifications: true }) },
    example: {
      uiIdentityId: "A-B-100003",
      body: { enableEmailNotifications: false, options: { newUserNotification: false } },
    },
  }),
  user_update: op("PUT /identity-management/v2/user-admin/ui-identities/{uiIdentityId}/basic-info", {
    does: "Replaces a user's profile; omitted fields are removed.",
    path: { uiIdentityId },
    body: json(BasicInfo),
    returns: { 200: json(User) },
    effect: "update",
    checks: [keepsTfaAsItIs],
    shownBy: "user_get",
    // One-time passwords are mailed to the addresses in the profile.
    guard: profileReplacement,
    rules: ["user-basic-replaced"],
    example: {
      uiIdentityId: "A-B-100003",
      body: {
        firstName: "Rosa",
        lastName: "Chen",
        email: "rchen@shop.example",
        country: "Germany",
        phone: "+49 69 1234569",
        contactType: "Technical Decision Maker",
        preferredLanguage: "English",
        sessionTimeOut: 3_600,
        jobTitle: "Publisher",
      },
    },
  }),
};
