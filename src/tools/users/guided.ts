/** What the guides to users of the documents and of today share. */
import type { Guide } from "../../language/guide.js";
import type { users as service } from "./index.js";

export const guided = {
  purpose:
    "Use it to decide who may do what in the account. A user has grants: roles in groups. Groups form a tree, properties belong to groups, and a role is a set of permissions. The identity in use and the last administrator cannot be locked out from here. Passwords never appear in a result; they are written to a file or mailed.",
  objects: {
    user: "A person's identity, with its `uiIdentityId`.",
    group: "A place in the tree to which properties and grants belong.",
    role: "A set of permissions; standard ones are the vendor's, custom ones the account's.",
    grant: "The roles that a user has, by group; they are written as a whole.",
    "blocked property": "A property that a user cannot work on although a grant would allow it.",
    property: "A property with the group that owns it.",
    profile: "The user data of the identity in use.",
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
} satisfies Omit<Guide<typeof service>, "limits">;
