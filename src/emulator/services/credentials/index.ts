/** The credentials service: the state table of document C, and a secret that is shown once. */
import { credentials as declared } from "../../../tools/credentials/index.js";
import { undeclaredMembers } from "../../others.js";
import { type ErrorFormat, ok } from "../../reply.js";
import { emulateService } from "../../service.js";
import { addCredential, credentialsOf, removeCredential } from "./store.js";

/** The credentials service's own error format, with its own error numbers (public facts C, 2). */
export const errorFormat: ErrorFormat = ({ status, title, detail, extras: { code = status } }) => ({
  body: { type: `/identity-management/error-types/${code}`, status, title, detail, errors: [] },
});

export const credentials = emulateService(declared, errorFormat, {
  credentials_list: ({ path }, world) => ok([...credentialsOf(world, path.openIdentityId).all]),
  credential_create: ({ path }, world) => ok(addCredential(world, path.openIdentityId)),
  credential_get: ({ path }, world) => ok(credentialsOf(world, path.openIdentityId).find(path.credentialId)),
  credential_update: ({ path, body }, world) => {
    const stored = credentialsOf(world, path.openIdentityId).find(path.credentialId);
    const { status, description = stored.description } = body;
    const expiresOn = new Date(body.expiresOn).toISOString();
    const others = undeclaredMembers(declared.operations.credential_update, body);
    const change = { ...others, status, description, expiresOn };
    Object.assign(stored, change);
    return ok(change);
  },
  credential_delete: ({ path }, world) => {
    removeCredential(world, path.openIdentityId, path.credentialId);
    return ok(undefined);
  },

  credential_deactivate: ({ path }, world) => {
    for (const stored of credentialsOf(world, path.openIdentityId).all) stored.status = "INACTIVE";
    return ok(undefined);
  },
});
