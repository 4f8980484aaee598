/** The credentials service: the state table of document C, and a secret that is shown once. */
import { dayMs } from "../../../language/durations.js";
import { credentials as declared } from "../../../tools/credentials/index.js";
import { demoCredentials } from "../../credentials.js";
import { othersIn } from "../../others.js";
import { type ErrorFormat, ok, orRefuse, Refusal } from "../../reply.js";
import { emulated } from "../../service.js";
import { noiseText, type World } from "../../world.js";
import { apiClients } from "../account.js";

interface Stored {
  readonly credentialId: number;
  readonly clientToken: string;
  status: "ACTIVE" | "INACTIVE";
  description: string;
  readonly createdOn: string;
  expiresOn: string;
}

const yearMs = 365 * dayMs;

const token = (world: World, id: number): string => {
  const letters = (word: string) => noiseText(world, "abcdefghijklmnopqrstuvwxyz234567", 16, word, id);
  return `akab-${letters("token")}-${letters("client")}`;
};

const state = (world: World): Map<string, Map<number, Stored>> =>
  world.state("credentials", () => {
    const one = (credentialId: number, status: Stored["status"], description: string): Stored => ({
      credentialId,
      clientToken: token(world, credentialId),
      status,
      description,
      createdOn: new Date(world.startedAtMs - yearMs).toISOString(),
      expiresOn: new Date(world.startedAtMs + yearMs).toISOString(),
    });
    const all = [
      [{ ...one(4001, "ACTIVE", "This server"), clientToken: demoCredentials.clientToken }],
      [
        one(4101, "ACTIVE", "Release pipeline"),
        one(4102, "INACTIVE", "Old dashboard"),
        one(4103, "ACTIVE", "Night reports"),
      ],
    ].map((own) => new Map(own.map((stored) => [stored.credentialId, stored])));
    return new Map(apiClients.map(({ openIdentityId }, at) => [openIdentityId, all[at] ?? new Map()]));
  });

/** The credentials service's own error format, with its own error numbers (public facts C, 2). */
const errorFormat: ErrorFormat = ({ status, title, detail, more: { code = status } }) => ({
  body: { type: `/identity-management/error-types/${code}`, status, title, detail, errors: [] },
});

const credentialsOf = (world: World, id: string): Map<number, Stored> =>
  orRefuse(
    state(world).get(id),
    () => new Refusal(404, "invalid open identity", `There is no open identity ${id}`, { code: 2 }),
  );

const findCredential = (
  world: World,
  path: { readonly openIdentityId: string; readonly credentialId: number },
): Stored =>
  orRefuse(
    credentialsOf(world, path.openIdentityId).get(path.credentialId),
    () => new Refusal(404, "ERROR_NO_CREDENTIAL", `There is no credential ${path.credentialId}`, { code: 25 }),
  );

export const credentials = emulated(declared, errorFormat, {
  credentials_list: ({ path }, world) =>
    ok([...credentialsOf(world, path.openIdentityId).values()].map((stored) => ({ ...stored }))),

  credential_create: ({ path }, world) => {
    const own = credentialsOf(world, path.openIdentityId);
    const credentialId = world.next("credential", 4_200);
    const created = new Date(world.now());
    const expires = new Date(created);
    expires.setUTCFullYear(created.getUTCFullYear() + 2);
    const stored: Stored = {
      credentialId,
      clientToken: token(world, credentialId),
      status: "ACTIVE",
      description: "",
      createdOn: created.toISOString(),
      expiresOn: expires.toISOString(),
    };
    own.set(credentialId, stored);
    const bytes = Uint8Array.from({ length: 32 }, (_, index) =>
      Math.floor(world.noise("secret", credentialId, index) * 256),
    );
    return ok({ ...stored, clientSecret: Buffer.from(bytes).toString("base64") });
  },

  credential_get: ({ path }, world) => ok({ ...findCredential(world, path) }),

  credential_update: ({ path, body }, world) => {
    const stored = findCredential(world, path);
    stored.status = body.status;
    stored.expiresOn = new Date(body.expiresOn).toISOString();
    stored.description = body.description ?? stored.description;
    const { status, description, expiresOn } = stored;
    const others = othersIn(declared.operations.credential_update, body);
    Object.assign(stored, others);
    return ok({ ...others, status, description, expiresOn });
  },

  credential_delete: ({ path }, world) => {
    const stored = findCredential(world, path);
    if (stored.status !== "INACTIVE")
      throw new Refusal(409, "ERROR_CREDENTIAL_ACTIVE", "Only an inactive credential can be deleted", { code: 30 });
    credentialsOf(world, path.openIdentityId).delete(path.credentialId);
    return ok(undefined);
  },

  credential_deactivate: ({ path }, world) => {
    for (const stored of credentialsOf(world, path.openIdentityId).values()) stored.status = "INACTIVE";
    return ok(undefined);
  },
});
