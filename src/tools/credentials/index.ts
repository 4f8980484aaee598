/** API client credentials (document C): the tokens with which a program signs its calls. */
import type { Arguments } from "../../language/conduct.js";
import { empty, json, op } from "../../language/define.js";
import { quoteValue } from "../../language/failure.js";
import { secret } from "../../language/marks.js";
import { withReadOnlyMembers } from "../../language/read-only.js";
import { service } from "../../language/service.js";
import { z } from "../../language/z.js";
import { members, Timestamp } from "../fields.js";
import { credentialChecks, credentialGuards } from "./guards.js";

const openIdentityId = z.string().min(1).describe("Id on the API client's identity page");
const all = "/identity-management/v1/open-identities/{openIdentityId}/credentials";
const credentialPath = { openIdentityId, credentialId: z.int().positive() };
const Credential = z.looseObject({
  credentialId: z.int(),
  clientToken: z.string(),
  status: z.string().describe("ACTIVE or INACTIVE"),
  description: z.string().nullable().optional(),
  ...members(z.string(), "createdOn", "expiresOn"),
});

const naming = {
  client: "openIdentityId",
  clientOf: ({ openIdentityId: client }: Arguments) => `API client ${quoteValue(client)}`,
  update: "credential_update",
  create: "credential_create",
} as const;
const { isInactive, keepsSigner } = credentialChecks(naming);
const guards = credentialGuards(naming);

export const credentials = service("credential", {
  name: "credentials",
  document: "C",
  title: "API credentials",
  about: "Lists, creates, updates, deletes and deactivates the credentials of an API client.",
  standing: { state: "retired", since: "2025-09-30", successor: "Identity Management v3 (/identity-management/v3)" },
  frontLine: ["credentials_list"],
  ids: { openIdentityId: { given: "the id on the API client's identity page" } },
  rules: {
    "credential-secret-once": "The client secret is returned only once, by the create operation.",
    "credential-two-years": "A new credential is ACTIVE and expires two years after its creation.",
    "credential-delete-inactive": "Only an INACTIVE credential can be deleted.",
    "credential-deactivate-all": "Deactivating sets every credential of the identity to INACTIVE and deletes none.",
    "credential-status-moves": "An update can switch a credential between ACTIVE and INACTIVE, in both directions.",
  },
  operations: {
    credentials_list: op(`GET ${all}`, {
      does: "Lists an API client's credentials, without secrets.",
      path: { openIdentityId },
      returns: { 200: json(z.array(Credential)) },
      rules: ["credential-secret-once"],
      example: { openIdentityId: "oi-7421" },
    }),
    credential_create: op(`POST ${all}`, {
      does: "Creates a credential; its secret goes to a file, and no other call returns it.",
      path: { openIdentityId },
      returns: { 200: json(Credential.extend({ clientSecret: secret(z.string(), { isShownOnce: true }) })) },
      secretTo: { members: ["clientSecret"] },
      effect: "destructive",
      guard: {
        ...guards.creation,
        undo: { by: "Call credential_update to set the new credential INACTIVE, and then credential_delete." },
      },
      shownBy: "credentials_list",
      rules: ["credential-secret-once", "credential-two-years"],
      note: "Only the identity's owner may create credentials.",
      example: { openIdentityId: "oi-7421" },
    }),
    credential_get: op(`GET ${all}/{credentialId}`, {
      does: "Reads one credential, without its secret.",
      path: credentialPath,
      returns: { 200: json(Credential) },
      example: { openIdentityId: "oi-7421", credentialId: 4101 },
    }),
    credential_update: op(`PUT ${all}/{credentialId}`, {
      does: "Sets a credential's status, description and expiry; INACTIVE stops every program that uses it.",
      path: credentialPath,
      body: json(
        withReadOnlyMembers(
          {
            status: z.enum(["ACTIVE", "INACTIVE"]),
            expiresOn: Timestamp.describe("ISO 8601"),
            description: z.string().nullish(),
          },
          Credential,
        ),
      ),
      returns: {
        200: json(
          z.looseObject({ status: z.string(), expiresOn: z.string(), description: z.string().nullable().optional() }),
        ),
      },
      effect: "destructive",
      checks: [keepsSigner],
      guard: guards.updating,
      shownBy: "credential_get",
      rules: ["credential-status-moves"],
      example: {
        openIdentityId: "oi-7421",
        credentialId: 4101,
        body: { status: "INACTIVE", expiresOn: "2027-11-01T00:00:00.000Z" },
      },
    }),
    credential_delete: op(`DELETE ${all}/{credentialId}`, {
      does: "Deletes an inactive credential.",
      needs: "Its status must be INACTIVE: use credential_update first.",
      path: credentialPath,
      returns: { 200: empty, 204: empty },
      checks: [keepsSigner, isInactive],
      guard: guards.deletion,
      shownBy: "credential_get",
      rules: ["credential-delete-inactive"],
      means: { 409: "Only an INACTIVE credential can be deleted: set its status with credential_update first." },
      example: { openIdentityId: "oi-7421", credentialId: 4102 },
    }),
    credential_deactivate: op(`POST ${all}/deactivate`, {
      does: "Deactivates every credential of an API client; all programs that use it stop.",
      path: { openIdentityId },
      returns: { 200: empty, 204: empty },
      effect: "destructive",
      checks: [keepsSigner],
      guard: guards.deactivationOfAll,
      shownBy: "credentials_list",
      rules: ["credential-deactivate-all"],
      example: { openIdentityId: "oi-7421" },
    }),
  },
});
