/** The profile of the identity in use: whoever these calls are made as. */
import { empty, json, op } from "../../language/define.js";
import { closedObject } from "../../language/open-object.js";
import { z } from "../../language/z.js";
import { secret } from "../../schema/marks.js";
import { keepsOwnTfa, keepsTfaAsItIs } from "./checks.js";
import { ownPasswordChange, ownTfaChange } from "./login-guards.js";
import { ownProfileReplacement } from "./profile-guards.js";
import { asked, BasicInfo, bareSecret, Notifications, NotificationsChange, User, withActions } from "./shapes.js";

const ownPassword = secret(z.string().min(1), { isFromFile: true });
export const tfaAction = z.enum(["enable", "disable", "reset"]);
export const detail = { authGrants: asked("Add roles by group"), notifications: asked("Add notifications") };

export const profileOperations = {
  user_profile_get: op("GET /identity-management/v2/user-profile", {
    does: "Reads the profile of the identity in use.",
    query: { ...detail, ...withActions },
    returns: { 200: json(User) },
    rules: ["user-profile-own"],
  }),
  user_profile_update: op("PUT /identity-management/v2/user-profile/basic-info", {
    does: "Replaces your own profile; what is left out is removed.",
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
    body: json(closedObject(bareSecret, { currentPassword: ownPassword, newPassword: ownPassword })),
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
