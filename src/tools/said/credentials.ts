/** What people say for API credentials. */
import type { Said } from "../../api/said.js";
import type { credentials as service } from "../credentials.js";

export const credentials = {
  service: "API credential; API key; client secret; client token; edgerc; key rotation",
  operations: {
    credentials_list:
      "which API keys does a client have; when do our API credentials expire; all tokens of an API client; key inventory of an API client; expiring keys; unused tokens; avoid a script's outage by an expiring key",
    credential_create:
      "new API key; make a client secret; first step to rotate the API credentials; get a fresh edgerc token; another set of API keys; replacement for an expiring key; second key beside the old one; token for a script or pipeline; let a script or pipeline call the API",
    credential_get:
      "show one API key; is this credential active and when does it expire; details of a client token; is one API key still good; expiry and status of one key; one token's details",
    credential_update:
      "extend the expiry date of an API key; disable one credential; change an API key's description; set a key INACTIVE or ACTIVE; later expiry; switch a key off or on; note on a key; retire an old key gently; keep a key from expiring next week; stop one script's access for now",
    credential_delete:
      "delete an old API key; remove an inactive credential for good; clean up after key rotation; bin a dead API key; wipe out a key that is switched off; last step of key rotation",
    credential_deactivate:
      "revoke all API keys of a client at once; kill every credential, the secret leaked; emergency shutdown of an API client; all keys of a client were compromised; laptop stolen; shut an API client out; limit the damage after a leak",
  },
} satisfies Said<typeof service>;
