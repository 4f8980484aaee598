/** What people say for users, groups and roles. */
import type { Said } from "../../api/said.js";
import type { users as service } from "../users/index.js";

export const users = {
  service: "user; people; logins; access; permissions; who can do what; portal accounts; identity",
  operations: {
    user_groups_list:
      "org chart of access groups; all groups and sub-groups that I administer; tree of folders for users",
    user_group_get: "show one group with its sub-groups; what is inside a group",
    user_group_create: "new group or sub-group for a team, brand or department; add a folder in the group tree",
    user_group_rename: "rename a group; a team has a new name; fix the name of a department's group",
    user_group_delete: "delete an empty group; get rid of an unused sub-group; remove a team's folder",
    user_group_move: "move a group under another parent; reorganize the group tree; restructure departments",
    user_affected_users_list:
      "who would lose or gain access if we moved the group; impact of a group move before doing it; dry run of a reorganization",
    user_properties_list:
      "which group owns which property; properties with owner groups, by access; where do sites belong in the group tree",
    user_property_get:
      "which group is this property in and where was it before; owner and move history of one property",
    user_property_move: "move a site to another group; hand a property over to another team; transfer a property",
    user_property_users_list:
      "who can edit this site; people with access to a property; who is blocked from a property",
    user_property_resources_list:
      "CP codes, hostnames and files that belong to a property; what goes along when a property is moved",
    user_roles_list: "which roles are there to give; admin, editor, viewer; all roles users can hold",
    user_role_create: "make a custom role; a role that may only purge; new set of permissions",
    user_role_get: "what may this role do; show permissions of one role",
    user_role_update:
      "add a permission to a custom role; change what a role allows; edit a role for everybody who has it",
    user_role_delete: "delete a custom role; get rid of a role that nobody holds",
    user_grantable_roles_list:
      "building blocks for custom roles; which permissions can a role be made of; granted roles and their ids",
    user_profile_get: "who am I logged in as; my own profile; my roles and e-mail; whoami",
    user_profile_update:
      "change my own phone number or time zone; update my profile; set my language and session timeout",
    user_profile_password_update: "change my own password; I want a new password for myself",
    user_profile_tfa_set:
      "turn on two-factor for myself; my phone is lost, reset my own 2FA, MFA; authenticator for my login",
    user_profile_notifications_update:
      "stop sending me mails; change my own notification settings; which mails do I want",
    users_list:
      "who has access to our account; all users and their roles; list everybody with a login; when did people last sign in; who has no two-factor",
    user_create: "add a colleague; give a new employee a login; invite a user; onboard a person with a role",
    user_get: "show one user's profile and roles; what access does this person have; look up a colleague",
    user_delete: "remove a user; an employee left the company, delete the account; offboard a person for good",
    user_notifications_update:
      "which mails does another user get; change a colleague's notification settings; unsubscribe a user",
    user_update: "change a user's phone, e-mail, name or job title; fix a colleague's contact details; edit a user",
    user_password_reset: "a user forgot the password; send a one-time temporary password; reset someone's password",
    user_password_set: "set a user's password to a given one; choose the password of a colleague from a file",
    user_tfa_set:
      "a colleague lost the phone, reset their 2FA, MFA; require or disable two-factor authentication for a user",
    user_lock:
      "block a user's login; suspend a compromised account now; kick somebody out, lock out; freeze an account",
    user_unlock:
      "a user is locked out, let them back in; unblock a login after too many attempts; reactivate an account",
    user_grants_replace:
      "give a user a role in a group; make somebody admin; change a person's permissions; take away rights; promote or demote a user",
    user_blocked_properties_list: "which sites is a user blocked from; properties that a person may not see in a group",
    user_blocked_properties_replace:
      "keep a user away from one site; block or unblock properties for a contractor; hide a site from a user",
    user_lookup_values_list:
      "allowed countries, languages, time zones, phone types or timeouts of a user; password policy; valid values for a user's fields",
    user_states_list: "US states and Canadian provinces for a user's address; list of states of a country",
  },
} satisfies Said<typeof service>;
