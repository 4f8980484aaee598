/** What people say for users, groups and roles. */
import type { Said } from "../../api/said.js";
import type { users as service } from "../users/index.js";

export const users = {
  service: "user; people; logins; access; permissions; who can do what; portal accounts; identity",
  operations: {
    user_groups_list:
      "org chart of access groups; all groups and sub-groups that I administer; tree of folders for users; tree of user groups in the portal; groups that I may edit or delete; folder structure of the portal; nested groups; group ids for access; understand how access is organized",
    user_group_get:
      "show one group with its sub-groups; what is inside a group; one user group without the whole tree; children of one group; look at one folder",
    user_group_create:
      "new group or sub-group for a team, brand or department; add a folder in the group tree; folder for a new brand, agency or country; subgroup under a parent; child group for a new team",
    user_group_rename:
      "rename a group; a team has a new name; fix the name of a department's group; relabel a portal group; other label for a group; misspelt group",
    user_group_delete:
      "delete an empty group; get rid of an unused sub-group; remove a team's folder; zap an old agency's portal group; drop an empty folder; team dissolved",
    user_group_move:
      "move a group under another parent; reorganize the group tree; restructure departments; put a group underneath another one; change a group's parent; team now belongs to another department; nest one group in another",
    user_affected_users_list:
      "who would lose or gain access if we moved the group; impact of a group move before doing it; dry run of a reorganization; who gets burned by shifting a group; consequences of relocating a group; people impacted before a move; avoid that people lose access by a move",
    user_properties_list:
      "which group owns which property; properties with owner groups, by access; where do sites belong in the group tree; property ownership by group; which configs sit in which folder",
    user_property_get:
      "which group is this property in and where was it before; owner and move history of one property; user admin's record of one property; the group of a property; where does one config sit in the group tree; when was it moved",
    user_property_move:
      "move a site to another group; hand a property over to another team; transfer a property; other owner group for a config; hand over a site to an agency's group; let another team take over a site",
    user_property_users_list:
      "who can edit this site; people with access to a property; who is blocked from a property; who has their hands on a property, which users can get at it; people allowed on a config; audit of access to a site; who could have changed a site; users who can get at a property; find out who could have broken a site",
    user_property_resources_list:
      "CP codes, hostnames and files that belong to a property; what goes along when a property is moved; what belongs to a config: CP codes, hostnames, files",
    user_roles_list:
      "which roles are there to give; admin, editor, viewer; all roles users can hold; roles that exist in the account, with the users who hold them; available roles; ids of roles for a new user; custom and standard roles",
    user_role_create:
      "make a custom role; a role that may only purge; new set of permissions; role with limited rights for an agency; read-only or purge-only role; compose permissions; permission set that does not exist yet; let an agency purge but not deploy",
    user_role_get:
      "what may this role do; show permissions of one role; what can a role do, does it include a right; rights inside a role; does a role allow activation",
    user_role_update:
      "add a permission to a custom role; change what a role allows; edit a role for everybody who has it; widen or restrict a role; other permissions for everybody with a role; let everybody with a role also purge",
    user_role_delete:
      "delete a custom role; get rid of a role that nobody holds; clean up a leftover custom role; unused role, clean up",
    user_grantable_roles_list:
      "building blocks for custom roles; which permissions can a role be made of; granted roles and their ids; permissions that I may hand on before composing a role; permissions to compose a role of; granular rights with ids",
    user_profile_get:
      "who am I logged in as; my own profile; my roles and e-mail; whoami; what does the portal know about me; my own portal profile; my account; what rights do I have; which user do these credentials belong to",
    user_profile_update:
      "change my own phone number or time zone; update my profile; set my language and session timeout; my new phone, address, job title, language or time zone; my session timeout",
    user_profile_password_update: "change my own password; I want a new password for myself; new password for me",
    user_profile_tfa_set:
      "turn on two-factor for myself; my phone is lost, reset my own 2FA, MFA; authenticator for my login; second factor for my sign-in; new phone for my codes",
    user_profile_notifications_update:
      "stop sending me mails; change my own notification settings; which mails do I want; quit spamming me with product mails; which mails do I get; subscribe or unsubscribe me; get fewer mails",
    users_list:
      "who has access to our account; all users and their roles; list everybody with a login; when did people last sign in; who has no two-factor; who can log in to the portal; user audit; accounts that never logged in; admins among us; who is locked; people in a group; export of all logins; who can log in; people with a login; find accounts of people who left; check who lacks a second factor",
    user_create:
      "add a colleague; give a new employee a login; invite a user; onboard a person with a role; new hire, contractor or agency person; sign-in for a newcomer; invite by mail; let a newcomer work with the portal",
    user_get:
      "show one user's profile and roles; what access does this person have; look up a colleague; what can this person touch; open one user by id; one person's roles, contact data and last login; is an account locked; what rights does somebody have",
    user_delete:
      "remove a user; an employee left the company, delete the account; offboard a person for good; someone quit and should be gone from the portal entirely; former employee; remove an account entirely; contractor is done; make sure that a former employee has no way in",
    user_notifications_update:
      "which mails does another user get; change a colleague's notification settings; unsubscribe a user; product or maintenance mails for another user; subscribe a colleague",
    user_update:
      "change a user's phone, e-mail, name or job title; fix a colleague's contact details; edit a user; married, new surname; other phone, address or language of a person; correct a colleague's data",
    user_password_reset:
      "a user forgot the password; send a one-time temporary password; reset someone's password; colleague cannot remember the password; send new sign-in mail; temporary password; help somebody who cannot sign in",
    user_password_set:
      "set a user's password to a given one; choose the password of a colleague from a file; fixed password for an account; initial password chosen by us",
    user_tfa_set:
      "a colleague lost the phone, reset their 2FA, MFA; require or disable two-factor authentication for a user; second factor for a colleague; lost authenticator of an employee; enforce MFA on an account; help somebody who lost the phone; make an account safer",
    user_lock:
      "block a user's login; suspend a compromised account now; kick somebody out, lock out; freeze an account; block a user from signing in but keep the account; cut off an account at once; suspected break-in; on leave, no sign-in; disable a login without deleting; stop a stolen account at once; keep somebody out while on leave",
    user_unlock:
      "a user is locked out, let them back in; unblock a login after too many attempts; reactivate an account; thaw a frozen login; too many wrong passwords; allow sign-in again; re-enable an account",
    user_grants_replace:
      "give a user a role in a group; make somebody admin; change a person's permissions; take away rights; promote or demote a user; editor role for a user in a group; other role for a person; promote to admin, downgrade to viewer; access to another group; remove rights from somebody; let a colleague deploy; take deploy rights from somebody",
    user_blocked_properties_list:
      "which sites is a user blocked from; properties that a person may not see in a group; check what a freelancer cannot touch; sites hidden from a person; exceptions in somebody's access",
    user_blocked_properties_replace:
      "keep a user away from one site; block or unblock properties for a contractor; hide a site from a user; wall a person off from one site; bar a user from one property although the role covers the group; hide or unhide a site from a person; exception for one config; agency person may not touch a site; keep an intern away from the main site",
    user_lookup_values_list:
      "allowed countries, languages, time zones, phone types or timeouts of a user; password policy; valid values for a user's fields; choices of contact types, job, country, language, time zone and session timeout for my own profile or for users I administer; what a password must look like; drop-down values for user forms; password rules; timeouts, phone types, languages and countries to choose",
    user_states_list:
      "US states and Canadian provinces for a user's address; list of states of a country; region drop-down of a profile after choosing a country; states or provinces for an address form; regions of a country",
  },
} satisfies Said<typeof service>;
