/** Every sample of user administration and of credentials, served by a replaying upstream, comes through unchanged. */
import { describe } from "vitest";
import { replaySamples, samplesIn, under } from "./replay.js";

const users = samplesIn("../shared/samples/C/iam");
const credentials = samplesIn("../shared/samples/C/credentials");

const admin = "/identity-management/v2/user-admin";
const someone = { uiIdentityId: "A-B-123456" };
const inGroup = { ...someone, groupId: 12_345 };
const inUse = { "/identity-management/v2/user-profile": () => '{"uiIdentityId":"1-ABCDE"}' };
const role = (roleName: string) => `{"roleId":16,"roleName":"${roleName}","type":"custom"}`;
const held = '[{"uiIdentityId":"A-B-123456","authGrants":[{"groupId":12345,"roleId":16}]}]';
const grants = {
  ...inUse,
  [`${admin}/ui-identities/A-B-123456?authGrants=true`]: () => `${held.slice(1, -1)}`,
  [`${admin}/ui-identities?authGrants=true`]: () => held,
  [`${admin}/roles`]: () => `[${role("Publisher")}]`,
};
/** A tree in which the groups of a move stand below one group. */
const treeOf = (...ids: readonly number[]) => ({
  [`${admin}/groups`]: () =>
    JSON.stringify([
      {
        groupId: 1,
        groupName: "All",
        subGroups: ids.map((groupId) => ({ groupId, groupName: `Group ${groupId}`, parentGroupId: 1, subGroups: [] })),
      },
    ]),
});
const lookup = (name: string) => ({ audience: "user-admin", lookup: name });
const newRole = {
  roleName: "Edit Role",
  roleDescription: "This role will let the users to Edit/Create Reports",
  grantedRoles: [{ grantedRoleId: 1234 }],
};
const newUser = {
  firstName: "John",
  lastName: "Doe",
  email: "john-doe@example.com",
  country: "USA",
  authGrants: [{ groupId: 12_345, roleId: 16 }],
};

describe("users", () => {
  replaySamples({
    ...users,
    foreign: {
      "ps-Block-IAMPropertyUsers.json": "answers a call that document C does not have",
      "v2-put-request-block-uiidentities.json": "is the body of a call that document C does not have",
      "ps-Move-IAMProperty.json": "holds no body; the status stands with the request of the same call",
      "ps-Set-IAMUSerMFA.json": "holds no body; the status is replayed",
      "ps-New-IAMAPICredential.json": "belongs to credentials, and is replayed there",
      "ps-Set-IAMAPICredential.json": "belongs to credentials, and is replayed there",
    },
    rows: under(
      "",
      ["user_groups_list", {}, "v2-get-response-groups.json", 200],
      ["user_group_get", { groupId: 12_345 }, "v2-get-response-group-details.json", 200],
      [
        "user_group_create",
        { groupId: 19_807 },
        "v2-post-response-group.json",
        201,
        { request: "v2-post-request-group.json" },
      ],
      [
        "user_group_move",
        {},
        undefined,
        204,
        { request: "v2-post-request-move-group.json", also: treeOf(12_345, 54_321) },
      ],
      ["user_properties_list", {}, "v2-get-response-properties.json", 200],
      ["user_property_get", { propertyId: 9_678_999, groupId: 12_345 }, "v2-get-response-property-details.json", 200],
      [
        "user_property_resources_list",
        { propertyId: 9_678_999, groupId: 12_345 },
        "v2-get-response-property-resources.json",
        200,
      ],
      ["user_property_users_list", { propertyId: 9_678_999 }, "v2-get-response-property-users.json", 200],
      ["user_property_users_list", { propertyId: 9_678_999 }, "v2-get-response-property-users-access.json", 200],
      [
        "user_property_move",
        { propertyId: 9_678_999 },
        undefined,
        204,
        { request: "v2-put-request-property-move.json", also: treeOf(11_111, 22_222) },
      ],
      ["user_role_get", { roleId: 123_456 }, "v2-get-response-role-details.json", 200],
      ["user_role_create", { body: newRole }, "v2-post-response-create-custom-role.json", 201],
      [
        "user_role_update",
        { roleId: 12_345_678 },
        "v2-post-response-create-custom-role.json",
        200,
        { request: "v2-put-request-update-custom-role.json" },
      ],
      ["users_list", {}, "v2-get-response-users.json", 200],
      ["user_get", someone, "v2-get-response-user.json", 200],
      ["user_create", { body: newUser }, "v2-post-response-create-user.json", 201],
      ["user_create", { body: newUser }, "ps-New-IAMUser.json#Body", 201],
      ["user_update", someone, "ps-Set-IAMUserProfile.json#Body", 200, { request: "v2-put-request-basic-info.json" }],
      [
        "user_notifications_update",
        someone,
        "v2-put-request-notifications.json",
        200,
        { request: "v2-put-request-notifications.json" },
      ],
      ["user_password_reset", someone, "v2-post-response-reset-password.json", 200],
      ["user_password_reset", someone, "ps-Reset-IAMUserPassword.json#Body", 200],
      [
        "user_profile_password_update",
        {},
        undefined,
        204,
        { request: "v2-post-request-change-password.json", also: inUse },
      ],
      ["user_tfa_set", { ...someone, action: "reset" }, undefined, 204],
      [
        "user_grants_replace",
        someone,
        "v2-put-request-auth-grants.json",
        200,
        { request: "v2-put-request-auth-grants.json", also: grants },
      ],
      ["user_blocked_properties_list", inGroup, "v2-get-response-blocked-properties.json", 200],
      [
        "user_blocked_properties_replace",
        inGroup,
        "v2-put-response-blocked-properties.json",
        200,
        { request: "v2-put-request-blocked-properties.json" },
      ],
      [
        "user_blocked_properties_replace",
        inGroup,
        "ps-Set-IAMUserBlockedProperties.json#Body",
        200,
        { request: "v2-put-request-blocked-properties.json" },
      ],
      ["user_lookup_values_list", lookup("contact-types"), "v2-get-response-contact-types.json", 200],
      ["user_lookup_values_list", lookup("countries"), "v2-get-response-countries.json", 200],
      ["user_lookup_values_list", lookup("password-policy"), "v2-get-response-password-policy.json", 200],
      ["user_lookup_values_list", lookup("timeout-policies"), "v2-get-response-timeout-policies.json", 200],
      ["user_lookup_values_list", lookup("timezones"), "v2-get-response-timezones.json", 200],
      ["user_states_list", { audience: "user-profile", country: "Canada" }, "v2-get-response-states.json", 200],
    ),
  });
});

const client = { openIdentityId: "oi-7421" };
const one = { ...client, credentialId: 99_999 };
const update = { status: "ACTIVE", expiresOn: "2099-11-01T23:06:59.000Z", description: "Update this credential" };

describe("credentials", () => {
  const ofClients = ["ps-New-IAMAPICredential.json", "ps-Set-IAMAPICredential.json"];
  replaySamples({
    title: credentials.title,
    missing: credentials.missing ?? users.missing,
    files: [...credentials.files, ...ofClients],
    textOf: (file) => (ofClients.includes(file) ? users : credentials).textOf(file),
    foreign: {
      "v1-put-credential.json":
        "is a whole credential, of which an update takes three members; the answer of the same call is replayed",
    },
    rows: under(
      "",
      ["credentials_list", client, "v1-get-credentials-200.json", 200],
      ["credential_get", one, "v1-get-credential-200.json", 200],
      ["credential_create", client, "v1-post-credentials-200.json", 200],
      ["credential_create", client, "ps-New-IAMAPICredential.json#Body", 200],
      ["credential_update", { ...one, body: update }, "v1-put-credential-200.json", 200],
      ["credential_update", { ...one, body: update }, "ps-Set-IAMAPICredential.json#Body", 200],
    ),
  });
});
