/** API client credentials (document C): the tokens with which a program signs its calls. */
import { empty, json, op } from "../api/define.js";
import { Timestamp } from "../api/fields.js";
import { secret } from "../api/secret.js";
import { service } from "../api/service.js";
import { z } from "../api/z.js";

const openIdentityId = z.string().min(1).describe("Id on the API client's identity page");
const one = { openIdentityId, credentialId: z.int().positive() };
const Credential = z.looseObject({
  credentialId: z.int(),
  clientToken: z.string(),
  status: z.string().describe("ACTIVE or INACTIVE"),
  description: z.string().nullable().optional(),
  createdOn: z.string(),
  expiresOn: z.string(),
});

export const credentials = service("credential", {
  name: "credentials",
  document: "C",
  title: "API credentials",
  about: "Lists, creates, updates, deletes and deactivates the credentials of an API client.",
  standing: { state: "retired", since: "2025-09-30", successor: "Identity Management v3 (/identity-management/v3)" },
  rules: {
    "credential-secret-once": "The client secret is returned by the create operation only, once.",
    "credential-two-years": "A new credential is ACTIVE and expires two years after its creation.",
    "credential-delete-inactive": "Only an INACTIVE credential can be deleted.",
    "credential-deactivate-all": "Deactivating sets every credential of the identity to INACTIVE and deletes none.",
    "credential-status-moves": "An update can switch a credential between ACTIVE and INACTIVE, in both directions.",
  },
  operations: {
    credentials_list: op("GET /identity-management/v1/open-identities/{openIdentityId}/credentials", {
      does: "Lists an API client's credentials, without secrets.",
      path: { openIdentityId },
      returns: { 200: json(z.array(Credential)) },
      rules: ["credential-secret-once"],
      example: { openIdentityId: "oi-7421" },
    }),
    credential_create: op("POST /identity-management/v1/open-identities/{openIdentityId}/credentials", {
      does: "Creates a credential; the response contains its secret, which no other call returns.",
      path: { openIdentityId },
      returns: { 200: json(Credential.extend({ clientSecret: secret(z.string(), { isShownOnce: true }) })) },
      effect: "destructive",
      guard: "credential",
      shownBy: "credentials_list",
      rules: ["credential-secret-once", "credential-two-years"],
      note: "Only the identity's owner may create credentials.",
      example: { openIdentityId: "oi-7421" },
    }),
    credential_get: op("GET /identity-management/v1/open-identities/{openIdentityId}/credentials/{credentialId}", {
      does: "Reads one credential, without its secret.",
      path: one,
      returns: { 200: json(Credential) },
      example: { openIdentityId: "oi-7421", credentialId: 4101 },
    }),
    credential_update: op("PUT /identity-management/v1/open-identities/{openIdentityId}/credentials/{credentialId}", {
      does: "Sets a credential's status, description and expiry; INACTIVE stops every program that uses it.",
      path: one,
      body: json({
        status: z.enum(["ACTIVE", "INACTIVE"]),
        expiresOn: Timestamp.describe("ISO 8601"),
        description: z.string().optional(),
      }),
      returns: {
        200: json(
          z.looseObject({ status: z.string(), expiresOn: z.string(), description: z.string().nullable().optional() }),
        ),
      },
      effect: "destructive",
      guard: { kind: "credential", replaces: "body", write: "merge" },
      shownBy: "credential_get",
      rules: ["credential-status-moves"],
      example: {
        openIdentityId: "oi-7421",
        credentialId: 4101,
        body: { status: "INACTIVE", expiresOn: "2027-11-01T00:00:00.000Z" },
      },
    }),
    credential_delete: op(
      "DELETE /identity-management/v1/open-identities/{openIdentityId}/credentials/{credentialId}",
      {
        does: "Deletes an inactive credential.",
        needs: "Its status must be INACTIVE: use credential_update first.",
        path: one,
        returns: { 200: empty, 204: empty },
        guard: "credential",
        shownBy: "credential_get",
        rules: ["credential-delete-inactive"],
        errors: { 409: "Only an INACTIVE credential can be deleted: set its status with credential_update first." },
        example: { openIdentityId: "oi-7421", credentialId: 4102 },
      },
    ),
    credential_deactivate: op("POST /identity-management/v1/open-identities/{openIdentityId}/credentials/deactivate", {
      does: "Deactivates every credential of an API client; all programs that use it stop.",
      path: { openIdentityId },
      returns: { 200: empty, 204: empty },
      effect: "destructive",
      guard: "credential",
      shownBy: "credentials_list",
      rules: ["credential-deactivate-all"],
      example: { openIdentityId: "oi-7421" },
    }),
  },
});
