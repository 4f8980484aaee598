/** The written part of the guide to API clients. */
import type { Guide } from "../../language/guide.js";
import type { apiClients as service } from "./index.js";

export const apiClients = {
  purpose:
    "Use it to decide which programs may call the API, and to rotate their credentials. An API client acts for a user: it can have at most the user's APIs and groups. Create a credential, switch every program to it, deactivate the old one, and delete it when nothing has stopped working. The secret of a new credential goes to a file; the access token is the client's, stays the same in a rotation, and is masked. The API client `self` makes the calls here: it cannot be locked or deleted from here, nor can the credential that signs. To work on another account, find its key with `apiclient_switch_keys_list`: a profile, or the setting account-switch-key, makes every call act on it.",
  objects: {
    apiclient: "A program's identity at the API, with its APIs, its groups, and the addresses it may call from.",
    credential: "A token with a secret, of one API client; it is valid until `expiresOn`.",
    "switch key": "The key with which a client makes its calls for another account.",
    user: "A user for whom API clients can be created, with the APIs, groups and CP codes that they may have.",
  },
  lives: [
    {
      of: "an API client",
      moves: [
        { to: "unlocked", by: "apiclient_create" },
        { from: "unlocked", to: "locked", by: "apiclient_lock" },
        { from: "locked", to: "unlocked", by: "apiclient_unlock" },
        { from: "unlocked", by: "apiclient_delete", when: "none of its credentials is active" },
      ],
    },
    {
      of: "a credential",
      shown: { by: "apiclient_credential_get", at: "status" },
      moves: [
        { to: "ACTIVE", by: "apiclient_credential_create" },
        { from: "ACTIVE", to: "INACTIVE", by: "apiclient_credential_deactivate" },
        { from: "ACTIVE", to: "INACTIVE", by: "apiclient_credential_update" },
        { from: "INACTIVE", to: "ACTIVE", by: "apiclient_credential_update" },
        { from: "ACTIVE", to: "INACTIVE", by: "apiclient_all_credentials_deactivate", when: "every credential" },
        { from: "INACTIVE", by: "apiclient_credential_delete" },
      ],
    },
  ],
  limits: [
    "apiclient-secret-once",
    "apiclient-two-years",
    "apiclient-delete-inactive",
    "apiclient-one-user",
    "apiclient_create",
  ],
} satisfies Guide<typeof service>;
