/** What people say for API credentials. */
import type { Said } from "../../api/said.js";
import type { credentials as service } from "../credentials.js";

export const credentials = {
  service: "API credential; API key; client secret; client token; edgerc; key rotation",
  operations: {
    credentials_list:
      "which API keys does a client have; when do our API credentials expire; all tokens of an API client; key inventory of an API client; expiring keys; unused tokens; avoid a script's outage by an expiring key; API keys, tokens, secrets of a client; list credentials; when do keys expire; which keys are active, inactive, unused; client tokens; key audit; which keys are floating around; any key nobody uses; API credentials that are about to expire; which of the client's keys to rotate; API logins of a client; access tokens and when they lapse; which keys are on or off; are any keys about to run out; how many credentials has this identity",
    credential_create:
      "new API key; make a client secret; first step to rotate the API credentials; get a fresh edgerc token; another set of API keys; replacement for an expiring key; second key beside the old one; token for a script or pipeline; let a script or pipeline call the API; new, another, fresh, second API key, credential, token, secret; rotate the key: make a new one; generate; issue; get a client secret; keys for CI; the script needs its own key; get me a spare key; swap keys: first the new one; hand me another set of keys; replacement key before the old one ends; generate an access token; issue a second key for rotation; new secret for the pipeline; replace a lost secret with a new one; another client token for CI",
    credential_get:
      "show one API key; is this credential active and when does it expire; details of a client token; is one API key still good; expiry and status of one key; one token's details; one credential by id; when does this key expire; status, description of a token; is the key still valid; is this key still alive; when does one token run out; one key's status, note and expiry; is this token still on; since when does a key exist; look at a single client token",
    credential_update:
      "extend the expiry date of an API key; disable one credential; change an API key's description; set a key INACTIVE or ACTIVE; later expiry; switch a key off or on; note on a key; retire an old key gently; keep a key from expiring next week; stop one script's access for now; extend, prolong, shorten a key's expiry; let a token expire at a date; switch one key inactive, active; disable, enable one credential; describe a key; flip a key's status; set expiration; give the key another year; put one key to sleep; wake a key up; delay a key's expiry; park one key; wake a parked key; give a key a longer life; put a note on a token; switch one key off or on; mark one credential inactive; bring an expired key's date forward; turn a single token back on",
    credential_delete:
      "delete an old API key; remove an inactive credential for good; clean up after key rotation; bin a dead API key; wipe out a key that is switched off; last step of key rotation; delete, remove, bin an old, inactive, dead key, token, credential; clean up keys; erase one secret; the old key is asleep, now erase it; remove a disabled token for good; clean out old inactive keys; erase a dead API key",
    credential_deactivate:
      "revoke all API keys of a client at once; kill every credential, the secret leaked; emergency shutdown of an API client; all keys of a client were compromised; laptop stolen; shut an API client out; limit the damage after a leak; keys leaked, exposed on GitHub, stolen, compromised: shut them all off; disable, revoke every credential of a client; kill switch; turn off all tokens; security breach; panic; someone pasted our secret online, shut everything; all keys of the client must die now; all credentials of a client off at once; emergency off for all tokens of a client; secrets were exposed on GitHub; freeze every key at once without deleting; lock out a compromised integration",
  },
} satisfies Said<typeof service>;
