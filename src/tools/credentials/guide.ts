/** The text of the guide to API credentials. */
import type { Guide } from "../../language/guide.js";
import type { credentials as service } from "./index.js";

export const credentials = {
  purpose:
    "Use it to rotate the credentials with which programs sign their calls. Create a new one, switch every program to it, set the old one `INACTIVE`, and delete it when nothing has stopped working. The secret of a new credential goes to a file and is never shown. The credential that signs the calls here cannot be deactivated from here.",
  objects: { credential: "A token with a secret, of one API client; it is valid until `expiresOn`." },
  lives: [
    {
      of: "a credential",
      shown: { by: "credential_get", at: "status" },
      moves: [
        { to: "ACTIVE", by: "credential_create" },
        { from: "ACTIVE", to: "INACTIVE", by: "credential_update" },
        { from: "INACTIVE", to: "ACTIVE", by: "credential_update" },
        { from: "ACTIVE", to: "INACTIVE", by: "credential_deactivate", when: "every credential of the client" },
        { from: "INACTIVE", by: "credential_delete" },
      ],
    },
  ],
  limits: ["credential-secret-once", "credential-two-years", "credential-delete-inactive"],
} satisfies Guide<typeof service>;
