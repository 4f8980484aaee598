/** API client credentials (document C): the tokens with which a program signs its calls. */
import type { Check } from "../../language/check.js";
import type { Arguments, Guard } from "../../language/conduct.js";
import { empty, json, op } from "../../language/define.js";
import { problem, shown } from "../../language/failure.js";
import { memberAt } from "../../language/member.js";
import { service } from "../../language/service.js";
import { plain, withoutFalse } from "../../language/words.js";
import { z } from "../../language/z.js";
import { secret } from "../../schema/marks.js";
import { asRead } from "../../schema/read-only.js";
import { members, Timestamp } from "../fields.js";

const openIdentityId = z.string().min(1).describe("Id on the API client's identity page");
const all = "/identity-management/v1/open-identities/{openIdentityId}/credentials";
const one = { openIdentityId, credentialId: z.int().positive() };
const Credential = z.looseObject({
  credentialId: z.int(),
  clientToken: z.string(),
  status: z.string().describe("ACTIVE or INACTIVE"),
  description: z.string().nullable().optional(),
  ...members(z.string(), "createdOn", "expiresOn"),
});

const created = json(Credential.extend({ clientSecret: secret(z.string(), { isShownOnce: true }) }));

type State = Readonly<Record<string, unknown>> | undefined;

/** The display name of a credential: its id, with its description and status if they could be read. */
function nameOf({ credentialId, openIdentityId: client }: Arguments, present: unknown): string {
  const { description, status } = (present as State) ?? {};
  const known = withoutFalse(
    typeof description === "string" && description !== "" && shown(description),
    typeof status === "string" && (/^[A-Z]+$/.test(status) ? status : shown(status)),
  );
  return `credential ${String(credentialId)}${known.length > 0 ? ` (${known.join(", ")})` : ""} of API client ${shown(client)}`;
}

/** The active credentials of a list, by id and description. */
function activeIn(present: unknown): string[] {
  const { data = [] } = z.array(Credential).safeParse(present);
  return data
    .filter(({ status }) => status === "ACTIVE")
    .map(({ credentialId, description }) => `${credentialId}${description ? ` ${shown(description)}` : ""}`);
}

const stops = "every program that signs with it stops";

/** Refuses to delete an active credential, like document C. */
const isInactive: Check = async ({ args, present }) =>
  memberAt(await present(), "status") === "ACTIVE"
    ? problem(
        "credentialId",
        args["credentialId"],
        "a credential that is INACTIVE; this one is ACTIVE: set its status with credential_update first",
      )
    : [];

/** Whether the update ends a credential: by its status, or by an expiry in the past. */
const isEnding = (body: unknown): boolean =>
  memberAt(body, "status") === "INACTIVE" || Date.parse(String(memberAt(body, "expiresOn"))) <= Date.now();

/** Refuses to end the credential that signs the calls, because that could not be undone from here. */
const keepsSigner: Check = async ({ args, present, signer }) => {
  if (signer === undefined || (args["body"] !== undefined && !isEnding(args["body"]))) return [];
  const found = await present();
  const known = z.array(Credential).safeParse(Array.isArray(found) ? found : [found]).data ?? [];
  const own = known.find(({ clientToken }) => clientToken === signer);
  if (own === undefined) return [];
  const named = activeIn(known).join(", ");
  const takes = Array.isArray(found)
    ? `an API client without the credential in use, which is ${own.credentialId}; active are ${named}, and credential_update sets the others INACTIVE one by one`
    : "another credential: this is the one in use, and ending it could not be undone from here";
  const field = args["credentialId"] === undefined ? "openIdentityId" : "credentialId";
  return problem(field, args[field], takes);
};

const updateGuard: Guard = {
  kind: "credential",
  thing: "credential",
  replaces: "body",
  write: "merge",
  undo: "rewrite",
  says: (args, present) => {
    const [before, after] = [memberAt(present, "status"), memberAt(args, "body.status")];
    const which = nameOf(args, present);
    if (after === "INACTIVE" && before !== "INACTIVE") return `DEACTIVATE ${which}: ${stops}`;
    if (after === "ACTIVE" && before !== "ACTIVE") return `ACTIVATE ${which}: anyone with its secret can sign with it`;
    const [expired, expires] = [memberAt(present, "expiresOn"), memberAt(args, "body.expiresOn")];
    const end =
      Date.parse(String(expired)) === Date.parse(String(expires))
        ? ""
        : `it expires on ${plain(expires)}${expired === undefined ? "" : ` instead of ${plain(expired)}`}; `;
    return `CHANGE ${which}: ${end}its status stays ${String(after)}`;
  },
  warns: (args, present) => {
    const [before, after] = ["expiresOn", "body.expiresOn"].map((path, at) =>
      Date.parse(String(memberAt(at === 0 ? present : args, path))),
    );
    const earlier = "It would expire earlier than now, and every program that signs with it would then stop.";
    return withoutFalse(before !== undefined && after !== undefined && after < before && earlier);
  },
};

const createGuard: Guard = {
  kind: "credential",
  thing: "credential",
  undo: { by: "Call credential_update to set the new credential INACTIVE, and then credential_delete." },
  says: ({ openIdentityId: client }) =>
    `CREATE a credential for API client ${shown(client)}: anyone with its secret can act as this client for two years`,
};

const deactivateGuard: Guard = {
  kind: "credential",
  thing: "credentials",
  undo: {
    by: ({ given: { openIdentityId }, before }) => {
      const active = (z.array(Credential).safeParse(before).data ?? []).filter(({ status }) => status === "ACTIVE");
      if (active.length === 0) return "No credential was active before, so there is nothing to reactivate.";
      const calls = active.map(({ credentialId, expiresOn }) =>
        JSON.stringify({ openIdentityId, credentialId, body: { status: "ACTIVE", expiresOn } }),
      );
      return `Reactivate the ones that were active: call credential_update with ${calls.join(", and with ")}.`;
    },
  },
  says: ({ openIdentityId: client }, present) => {
    const active = activeIn(present);
    // All of them, because each represents programs that stop.
    if (active.length === 0)
      return `DEACTIVATE ALL credentials of API client ${shown(client)}, of which none is active now`;
    const are = active.length === 1 ? "is" : "are";
    return `DEACTIVATE ALL credentials of API client ${shown(client)}, of which ${active.join(", ")} ${are} active: every program that signs with one of them stops`;
  },
};

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
      returns: { 200: created },
      secretTo: { members: ["clientSecret"] },
      effect: "destructive",
      guard: createGuard,
      shownBy: "credentials_list",
      rules: ["credential-secret-once", "credential-two-years"],
      note: "Only the identity's owner may create credentials.",
      example: { openIdentityId: "oi-7421" },
    }),
    credential_get: op(`GET ${all}/{credentialId}`, {
      does: "Reads one credential, without its secret.",
      path: one,
      returns: { 200: json(Credential) },
      example: { openIdentityId: "oi-7421", credentialId: 4101 },
    }),
    credential_update: op(`PUT ${all}/{credentialId}`, {
      does: "Sets a credential's status, description and expiry; INACTIVE stops every program that uses it.",
      path: one,
      body: json(
        asRead(
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
      guard: updateGuard,
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
      path: one,
      returns: { 200: empty, 204: empty },
      checks: [keepsSigner, isInactive],
      guard: {
        kind: "credential",
        thing: "credential",
        undo: { never: "A deleted credential cannot be restored, but credential_create makes a new one." },
        says: (args, present) => `DELETE ${nameOf(args, present)}: its tokens and its secret are permanently lost`,
      },
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
      guard: deactivateGuard,
      shownBy: "credentials_list",
      rules: ["credential-deactivate-all"],
      example: { openIdentityId: "oi-7421" },
    }),
  },
});
