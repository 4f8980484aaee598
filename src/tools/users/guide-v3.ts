/** The written part of the guide to users with today's API. */
import type { Guide } from "../../language/guide.js";
import { guided } from "./guided.js";
import type { usersV3 as service } from "./v3.js";

export const usersV3 = {
  purpose: `${guided.purpose} A second factor is a two-factor code (TFA) or the vendor's MFA.`,
  objects: {
    ...guided.objects,
    "second factor":
      "What a user needs to sign in, in addition to the password: TFA, MFA or NONE. A reset discards it.",
  },
  lives: guided.lives,
  limits: [
    "user-group-delete",
    "user-group-move",
    "user-role-standard",
    "user-role-in-use",
    "user-second-factor-lock",
    "user-mail-by-default",
    "user-delete-api-clients",
    "user-states",
  ],
} satisfies Guide<typeof service>;
