/** Golden exchanges of user administration and credentials: values in the query, lists as bodies, secrets, enumerated paths. */
import type { Golden } from "./goldens.js";

const json = "application/json";
const admin = "/identity-management/v2/user-admin";

export const userGoldens: readonly Golden[] = [
  {
    name: "a change whose answer is empty",
    tool: "user_group_move",
    args: { body: { sourceGroupId: 33_333, destinationGroupId: 44_444 } },
    request: {
      method: "POST",
      target: `${admin}/groups/move`,
      contentType: json,
      body: '{"sourceGroupId":33333,"destinationGroupId":44444}',
    },
    answer: { status: 204 },
    isEmulated: true,
  },
  {
    name: "a list as the body, and a list as the answer",
    tool: "user_blocked_properties_replace",
    args: { uiIdentityId: "A-B-100003", groupId: 11_111, body: [10_333_526] },
    request: {
      method: "PUT",
      target: `${admin}/ui-identities/A-B-100003/groups/11111/blocked-properties`,
      accept: json,
      contentType: json,
      body: "[10333526]",
    },
    answer: { status: 200, contentType: json, body: "[10333526]" },
    data: [10_333_526],
    isEmulated: true,
  },
  {
    name: "a password from a file in the body",
    tool: "user_password_set",
    args: { uiIdentityId: "A-B-100004", newPasswordFile: "new-password-1", sendEmail: true },
    request: {
      method: "POST",
      target: `${admin}/ui-identities/A-B-100004/restricted/set-password?sendEmail=true`,
      contentType: json,
      body: '{"newPassword":"new-password-1"}',
    },
    answer: { status: 204 },
    isEmulated: true,
  },
  {
    name: "a POST without a body, and a new password in the answer",
    tool: "user_password_reset",
    args: { uiIdentityId: "A-B-100003" },
    request: { method: "POST", target: `${admin}/ui-identities/A-B-100003/reset-password`, accept: json },
    answer: { status: 200, contentType: json, body: '{"newPassword":"«text»"}' },
    data: { newPassword: "text" },
    isEmulated: true,
  },
  {
    name: "a change whose only value stands in the query",
    tool: "user_tfa_set",
    args: { uiIdentityId: "A-B-100003", action: "reset" },
    request: { method: "PUT", target: `${admin}/ui-identities/A-B-100003/tfa?action=reset` },
    answer: { status: 204 },
    isEmulated: true,
  },
  {
    name: "flags that ask for more of a user",
    tool: "user_get",
    args: { uiIdentityId: "A-B-100004", authGrants: true },
    request: { method: "GET", target: `${admin}/ui-identities/A-B-100004?authGrants=true`, accept: json },
    answer: {
      status: 200,
      contentType: json,
      body: '{"firstName":"Tunde","lastName":"Okafor","email":"tokafor@shop.example","phone":"«text»","country":"Germany","contactType":"«text»","preferredLanguage":"English","sessionTimeOut":3600,"timeZone":"«text»","uiIdentityId":"A-B-100004","uiUserName":"tokafor","accountId":"«text»","lastLoginDate":"«text»","passwordExpiryDate":"«text»","isLocked":false,"tfaEnabled":false,"tfaConfigured":false,"authGrants":[{"groupId":33333,"roleId":5001,"groupName":"Campaigns","roleName":"Campaign editor","roleDescription":"«text»","isBlocked":false}]}',
    },
    data: { uiIdentityId: "A-B-100004", authGrants: [{ groupId: 33_333, roleId: 5_001 }] },
    isEmulated: true,
  },
  {
    name: "a look-up of the users' own, by its name in the path",
    tool: "user_lookup_values_list",
    args: { audience: "user-profile", lookup: "timeout-policies" },
    request: { method: "GET", target: "/identity-management/v2/user-profile/common/timeout-policies", accept: json },
    answer: {
      status: 200,
      contentType: json,
      body: '[{"name":"after15Minutes","value":900},{"name":"after30Minutes","value":1800},{"name":"after45Minutes","value":2700},{"name":"after1Hour","value":3600},{"name":"after2Hours","value":7200},{"name":"after4Hours","value":14400},{"name":"after18Hours","value":64800}]',
    },
    isEmulated: true,
  },
  {
    name: "a credential whose secret this answer alone holds",
    tool: "credential_create",
    args: { openIdentityId: "oi-7421" },
    request: { method: "POST", target: "/identity-management/v1/open-identities/oi-7421/credentials", accept: json },
    answer: {
      status: 200,
      contentType: json,
      body: '{"credentialId":"«int»","clientToken":"«text»","clientSecret":"«text»","createdOn":"«text»","expiresOn":"«text»","status":"ACTIVE","description":""}',
    },
    data: { status: "ACTIVE", clientSecret: "text" },
    isEmulated: true,
  },
  {
    name: "a credential's status, expiry and description",
    tool: "credential_update",
    args: {
      openIdentityId: "oi-7421",
      credentialId: 4101,
      body: { status: "INACTIVE", expiresOn: "2099-11-01T00:00:00.000Z", description: "old" },
    },
    request: {
      method: "PUT",
      target: "/identity-management/v1/open-identities/oi-7421/credentials/4101",
      accept: json,
      contentType: json,
      body: '{"status":"INACTIVE","expiresOn":"2099-11-01T00:00:00.000Z","description":"old"}',
    },
    answer: {
      status: 200,
      contentType: json,
      body: '{"status":"INACTIVE","expiresOn":"2099-11-01T00:00:00.000Z","description":"old"}',
    },
    data: { status: "INACTIVE", description: "old" },
  },
];
