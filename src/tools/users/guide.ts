/** The written part of the guide to users. */
import type { Guide } from "../../language/guide.js";
import { guided } from "./guided.js";
import type { users as service } from "./index.js";

export const users = {
  ...guided,
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
