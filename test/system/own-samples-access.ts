/** Small samples of the project's own for users, credentials and threat protection: shapes of the public facts, and made-up values. */
import type { OwnSample } from "./own-samples.js";

const users = "/identity-management/v2/user-admin";
const user = { uiIdentityId: "A-B-7" };
const person = { uiIdentityId: "A-B-7", firstName: "Zoë", lastName: "O’Neil", uiUserName: "zoe", "kept-too": null };
const profile = {
  firstName: "Zoë",
  lastName: "O’Neil",
  country: "Ireland",
  phone: "",
  contactType: "Other",
  preferredLanguage: "English",
  sessionTimeOut: 0,
};
const inUse = { "/identity-management/v2/user-profile": () => '{"uiIdentityId":"A-B-1"}' };
const administrators = {
  ...inUse,
  [`${users}/roles`]: () => '[{"roleId":1,"roleName":"Admin"}]',
  [`${users}/ui-identities?authGrants=true`]: () =>
    '[{"uiIdentityId":"A-B-1","firstName":"A","lastName":"B","authGrants":[{"groupId":1,"roleId":1}]}]',
};
const group = { groupId: 9, groupName: "Äpfel & Birnen", parentGroupId: 1, subGroups: [], extra: { kept: [0, ""] } };
const role = { roleId: 16, roleName: "Purger", type: "custom", numUsers: 0, actions: { edit: true, delete: false } };

const identities: readonly OwnSample[] = [
  { tool: "user_group_rename", args: { groupId: 9 }, request: { groupName: "Äpfel" }, answer: group, status: 200 },
  {
    tool: "user_group_delete",
    args: { groupId: 9 },
    status: 204,
    also: {
      [`${users}/groups/9`]: () => JSON.stringify(group),
      [`${users}/groups`]: () => JSON.stringify([{ groupId: 1, groupName: "All", subGroups: [group] }]),
      [`${users}/ui-identities?groupId=9&authGrants=true`]: () => "[]",
    },
  },
  {
    tool: "user_affected_users_list",
    args: { sourceGroupId: 9, destinationGroupId: 8, userType: "gainAccess" },
    answer: [person],
    status: 200,
  },
  { tool: "user_roles_list", args: { actions: true }, answer: [role], status: 200 },
  { tool: "user_role_delete", args: { roleId: 16 }, status: 204 },
  {
    tool: "user_grantable_roles_list",
    answer: [{ grantedRoleId: 3, grantedRoleName: "", grantedRoleDescription: "x", kept: false }],
    status: 200,
  },
  { tool: "user_profile_get", answer: { ...person, lastLoginDate: "2026-05-20T12:00:00Z" }, status: 200 },
  { tool: "user_profile_update", request: profile, answer: { ...profile, ...person }, status: 200 },
  { tool: "user_profile_tfa_set", args: { action: "enable" }, status: 204 },
  {
    tool: "user_profile_notifications_update",
    request: { enableEmailNotifications: false, options: { proactive: [] } },
    answer: { enableEmailNotifications: false, options: { proactive: [], upgrade: ["Ünï"] } },
    status: 200,
  },
  { tool: "user_delete", args: user, status: 204, also: administrators },
  { tool: "user_password_set", args: user, request: { newPassword: "Ünï & <1>" }, status: 204 },
  { tool: "user_lock", args: user, status: 204, also: administrators },
  {
    tool: "user_unlock",
    args: user,
    answer: { type: "/useradmin-api/error-types/1100", title: "User not found", httpStatus: 404, errors: [] },
    status: 404,
    type: "application/problem+json",
  },
  { tool: "credential_delete", args: { openIdentityId: "o 1", credentialId: 7 }, status: 204 },
  { tool: "credential_deactivate", args: { openIdentityId: "o 1" }, status: 200 },
];

const config = { configId: 7 };
const own = "/etp-config/v1/configs/7";
const stamped = { ...config, ifMatch: '"1"' };
const entries = { items: [{ type: "LIST_TYPE_IP", value: "2001:db8::/64", kept: null }] };
const deployment = { id: 70, listId: 7, status: "RUNNING", progressPct: 0, deployedBy: "zoe", extra: { kept: "" } };
const threats: readonly OwnSample[] = [
  { tool: "threat_aup_categories_list", answer: [{ id: 1, name: "Gambling", description: "", kept: [] }], status: 200 },
  { tool: "threat_configs_list", answer: [7, 8], status: 200 },
  { tool: "threat_sites_list", args: config, answer: [{ id: 1, name: "Büro", policyId: 2, kept: null }], status: 200 },
  {
    tool: "threat_site_create",
    args: config,
    request: { name: "Büro", policyId: 2, exitPoints: [{ addrType: "ADDR_TYPE_IPV6", ipAddr: "2001:db8::/64" }] },
    answer: { id: 1, name: "Büro", policyId: 2, kept: "" },
    status: 201,
  },
  { tool: "threat_policies_list", args: config, answer: [{ id: 2, name: "P", sites: [1], kept: 0 }], status: 200 },
  { tool: "threat_list_get", args: { ...config, listId: 3 }, answer: { id: 3, name: "L", kept: null }, status: 200 },
  {
    tool: "threat_list_update",
    args: { ...stamped, listId: 3 },
    request: { name: "L", description: "", securityCategoryId: 2 },
    status: 204,
  },
  { tool: "threat_list_delete", args: { ...stamped, listId: 3 }, status: 204 },
  { tool: "threat_site_delete", args: { ...stamped, siteId: 1 }, status: 204 },
  { tool: "threat_policy_delete", args: { ...stamped, policyId: 2 }, status: 204 },
  { tool: "threat_honeypot_delete", args: { ...config, honeypotId: 4 }, status: 204 },
  { tool: "threat_honeypots_list", args: config, answer: [{ id: 4, name: "H", ipv4Addrs: [], kept: 1 }], status: 200 },
  { tool: "threat_honeypot_get", args: { ...config, honeypotId: 4 }, answer: { id: 4, name: "H" }, status: 200 },
  { tool: "threat_emergency_lists_list", args: config, answer: [{ listType: "blacklist", ...entries }], status: 200 },
  {
    tool: "threat_emergency_list_get",
    args: { ...config, listType: "whitelist" },
    answer: { listType: "whitelist", ...entries, kept: "" },
    status: 200,
  },
  {
    tool: "threat_emergency_list_replace",
    args: { ...config, listType: "blacklist" },
    request: { items: [{ type: "LIST_TYPE_DOMAIN", value: "bad.example" }] },
    answer: { listType: "blacklist", items: [{ type: "LIST_TYPE_DOMAIN", value: "bad.example" }] },
    status: 200,
    also: { [`${own}/emergency-lists/blacklist`]: () => '{"listType":"blacklist","items":[]}' },
  },
  {
    tool: "threat_list_changes_list",
    args: config,
    answer: { changes: [{ deltaType: "custom list", changes: [], kept: null }], total: 0 },
    status: 200,
  },
  { tool: "threat_list_deployments_list", args: config, answer: [deployment], status: 200 },
  {
    tool: "threat_list_deployment_get",
    args: { ...config, listDeploymentId: 70 },
    answer: deployment,
    status: 200,
  },
  {
    tool: "threat_deployment_launch",
    args: config,
    request: { comment: "«now»", created: { sites: [{ id: 1 }] }, modified: {}, deleted: {} },
    answer: { ...deployment, comment: "«now»" },
    status: 201,
    also: { [`${own}/recentChanges`]: () => "[]", [`${own}/deployments`]: () => "[]" },
  },
];

export const ownSamplesOfAccess: readonly OwnSample[] = [...identities, ...threats];
