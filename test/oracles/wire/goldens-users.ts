/** Golden exchanges of user administration and credentials: values in the query, lists as bodies, secrets, enumerated paths. */
import type { GoldenText } from "./goldens.js";

const admin = "/identity-management/v2/user-admin";

export const userGoldens: readonly GoldenText[] = [
  {
    name: "a change whose answer is empty",
    tool: "user_group_move",
    args: { body: { sourceGroupId: 33_333, destinationGroupId: 44_444 } },
    request: `POST ${admin}/groups/move`,
    body: '{"sourceGroupId":33333,"destinationGroupId":44444}',
    answer: { status: 204 },
  },
  {
    name: "a list as the body, and a list as the answer",
    tool: "user_blocked_properties_replace",
    args: { uiIdentityId: "A-B-100003", groupId: 11_111, body: [10_333_526] },
    request: `PUT ${admin}/ui-identities/A-B-100003/groups/11111/blocked-properties`,
    body: "[10333526]",
    answer: { status: 200, body: "[10333526]" },
  },
  {
    name: "a password from a file in the body",
    tool: "user_password_set",
    args: { uiIdentityId: "A-B-100004", newPasswordFile: "new-password-1", sendEmail: true },
    request: `POST ${admin}/ui-identities/A-B-100004/restricted/set-password?sendEmail=true`,
    body: '{"newPassword":"new-password-1"}',
    answer: { status: 204 },
  },
  {
    name: "a POST without a body, and a new password in the answer",
    tool: "user_password_reset",
    args: { uiIdentityId: "A-B-100003" },
    request: `POST ${admin}/ui-identities/A-B-100003/reset-password`,
    answer: { status: 200, body: '{"newPassword":"«text»"}' },
  },
  {
    name: "a change whose only value stands in the query",
    tool: "user_tfa_set",
    args: { uiIdentityId: "A-B-100003", action: "reset" },
    request: `PUT ${admin}/ui-identities/A-B-100003/tfa?action=reset`,
    answer: { status: 204 },
  },
  {
    name: "flags that ask for more of a user",
    tool: "user_get",
    args: { uiIdentityId: "A-B-100004", authGrants: true },
    request: `GET ${admin}/ui-identities/A-B-100004?authGrants=true`,
    answer: {
      status: 200,
      body: '{"firstName":"Tunde","lastName":"Okafor","email":"tokafor@shop.example","phone":"«text»","country":"Germany","contactType":"«text»","preferredLanguage":"English","sessionTimeOut":3600,"timeZone":"«text»","uiIdentityId":"A-B-100004","uiUserName":"tokafor","accountId":"«text»","lastLoginDate":"«text»","passwordExpiryDate":"«text»","isLocked":false,"tfaEnabled":false,"tfaConfigured":false,"authGrants":[{"groupId":33333,"roleId":5001,"groupName":"Campaigns","roleName":"Campaign editor","roleDescription":"«text»","isBlocked":false}]}',
    },
  },
  {
    name: "a look-up of the users' own, by its name in the path",
    tool: "user_lookup_values_list",
    args: { audience: "user-profile", lookup: "timeout-policies" },
    request: "GET /identity-management/v2/user-profile/common/timeout-policies",
    answer: {
      status: 200,
      body: '[{"name":"after15Minutes","value":900},{"name":"after30Minutes","value":1800},{"name":"after45Minutes","value":2700},{"name":"after1Hour","value":3600},{"name":"after2Hours","value":7200},{"name":"after4Hours","value":14400},{"name":"after18Hours","value":64800}]',
    },
  },
  {
    name: "a credential whose secret this answer alone holds",
    tool: "credential_create",
    args: { openIdentityId: "oi-7421" },
    request: "POST /identity-management/v1/open-identities/oi-7421/credentials",
    answer: {
      status: 200,
      body: '{"credentialId":"«int»","clientToken":"«text»","clientSecret":"«text»","createdOn":"«text»","expiresOn":"«text»","status":"ACTIVE","description":""}',
    },
  },
  {
    name: "a credential's status, expiry and description",
    tool: "credential_update",
    args: {
      openIdentityId: "oi-7421",
      credentialId: 4101,
      body: { status: "INACTIVE", expiresOn: "2099-11-01T00:00:00.000Z", description: "old" },
    },
    request: "PUT /identity-management/v1/open-identities/oi-7421/credentials/4101",
    body: '{"status":"INACTIVE","expiresOn":"2099-11-01T00:00:00.000Z","description":"old"}',
    answer: { status: 200, body: '{"status":"INACTIVE","expiresOn":"2099-11-01T00:00:00.000Z","description":"old"}' },
    isEmulated: false,
  },
];
