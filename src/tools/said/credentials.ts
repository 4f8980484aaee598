/** What people say for API credentials. */
import type { Said } from "../../api/said.js";
import type { credentials as service } from "../credentials.js";

export const credentials = {
  service: "API credential; API key; client secret; client token; edgerc; key rotation",
  operations: {
    credentials_list:
      "which API keys does a client have; when do our API credentials expire; all tokens of an API client",
    credential_create:
      "new API key; make a client secret; first step to rotate the API credentials; get a fresh edgerc token",
    credential_get: "show one API key; is this credential active and when does it expire; details of a client token",
    credential_update:
      "extend the expiry date of an API key; disable one credential; change an API key's description; set a key INACTIVE or ACTIVE",
    credential_delete: "delete an old API key; remove an inactive credential for good; clean up after key rotation",
    credential_deactivate:
      "revoke all API keys of a client at once; kill every credential, the secret leaked; emergency shutdown of an API client",
  },
} satisfies Said<typeof service>;
