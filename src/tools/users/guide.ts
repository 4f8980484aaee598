/** The written part of the guide to users. */
import type { Guide } from "../../language/guide.js";
import type { users as service } from "./index.js";

export const users = {
  purpose:
    "Use it to decide who may do what in the account. A user has grants: roles in groups. Groups are a tree, properties belong to groups, and a role is a set of permissions. Nobody can shut out the identity in use or the last administrator from here. Passwords never appear in an answer; they go to a file, or are mailed.",
  objects: {
    user: "An identity of a person, by its `uiIdentityId`.",
    group: "A place in the tree to which properties and grants belong.",
    role: "A set of permissions; standard ones are the vendor's, custom ones the account's.",
    grant: "The roles that a user has, by group; they are written as a whole.",
    "blocked property": "Properties that a user does not reach although a grant would allow it.",
    property: "A property with the group that owns it.",
    profile: "The identity in use itself.",
  },
  lives: [
    {
      of: "a user",
      moves: [
        { to: "unlocked", by: "user_create" },
        { from: "unlocked", to: "locked", by: "user_lock" },
        { from: "locked", to: "unlocked", by: "user_unlock" },
        { from: "unlocked", by: "user_delete" },
        { from: "locked", by: "user_delete" },
      ],
    },
    {
      of: "a custom role",
      moves: [
        { to: "custom", by: "user_role_create" },
        { from: "custom", to: "custom", by: "user_role_update" },
        { from: "custom", by: "user_role_delete", when: "no user holds it" },
      ],
    },
  ],
  limits: [
    "user-group-delete",
    "user-group-move",
    "user-role-standard",
    "user-role-in-use",
    "user-tfa-by-default",
    "user-delete-api-clients",
    "user-states",
  ],
} satisfies Guide<typeof service>;
