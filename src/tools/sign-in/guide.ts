/** The written part of the guide to the IP allow list for signing in. */
import type { Guide } from "../../language/guide.js";
import type { signIn as service } from "./index.js";

export const signIn = {
  purpose:
    "Use it to let users sign in to the vendor's portal only from known addresses. Add the blocks, look whether your own address is in one of them, and then turn the list on. It has nothing to do with the calls of API clients, which have lists of addresses themselves, nor with who visits your sites. Users who are signed in stay signed in.",
  objects: {
    allowlist: "The account's list of addresses, which is on or off as a whole.",
    "cidr block": "An address or a range of addresses on the list, which is enabled or not.",
  },
  lives: [
    {
      of: "the allow list",
      shown: { by: "signin_allowlist_status", at: "enabled" },
      moves: [
        { to: "false", when: "the account begins" },
        { from: "false", to: "true", by: "signin_allowlist_activate" },
        { from: "true", to: "false", by: "signin_allowlist_deactivate" },
      ],
    },
  ],
  limits: ["signin-not-empty", "signin-last-block", "signin-change-while-on"],
} satisfies Guide<typeof service>;
