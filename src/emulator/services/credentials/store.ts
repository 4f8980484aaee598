/** The credentials of the account's API clients, which both generations of the API show. */
import { dayMs } from "../../../language/durations.js";
import { demoCredentials } from "../../credentials.js";
import { seedsOf } from "../../primitives/seeds.js";
import { orRefuse, Refusal } from "../../reply.js";
import { noiseText, type World } from "../../world.js";
import { apiClients } from "../account.js";
import seeds from "./seeds.json" with { type: "json" };

export type Stored = {
  readonly credentialId: number;
  readonly clientToken: string;
  status: "ACTIVE" | "INACTIVE";
  description: string;
  readonly createdOn: string;
  expiresOn: string;
};

interface Seed extends Pick<Stored, "credentialId" | "status" | "description"> {
  readonly clientId: string;
  readonly endAtMs: number;
}

const token = (world: World, id: number): string => {
  const letters = (word: string) => noiseText(world, "abcdefghijklmnopqrstuvwxyz234567", 16, word, id);
  return `akab-${letters("token")}-${letters("client")}`;
};
const iso = (ms: number): string => new Date(ms).toISOString();

/** The credentials by the ids of their clients; the first one signs the requests. */
const stateOf = (world: World): Map<string, Map<number, Stored>> =>
  world.state("credentials", () => {
    const clients = new Map(apiClients.map(({ openIdentityId }) => [openIdentityId as string, new Map()]));
    for (const { clientId, endAtMs, ...one } of seedsOf<readonly Seed[]>(seeds, world.startedAtMs)) {
      const { credentialId: id } = one;
      const clientToken = id === 4001 ? demoCredentials.clientToken : token(world, id);
      const times = { createdOn: iso(endAtMs - 2 * 365 * dayMs), expiresOn: iso(endAtMs) };
      clients.get(clientId)?.set(id, { ...one, clientToken, ...times });
    }
    return clients;
  });

export const credentialsOf = (world: World, id: string): Map<number, Stored> =>
  orRefuse(
    stateOf(world).get(id),
    () => new Refusal(404, "invalid open identity", `There is no open identity ${id}`, { code: 2 }),
  );

export const findCredential = (world: World, clientId: string, credentialId: number): Stored =>
  orRefuse(
    credentialsOf(world, clientId).get(credentialId),
    () => new Refusal(404, "ERROR_NO_CREDENTIAL", `There is no credential ${credentialId}`, { code: 25 }),
  );

/** Begins and ends the credentials of a client that is created or deleted. */
export const addHolder = (world: World, clientId: string): void => void stateOf(world).set(clientId, new Map());
export const removeHolder = (world: World, clientId: string): void => void stateOf(world).delete(clientId);

/** Makes a credential for a client; its secret is returned here only. */
export function addCredential(world: World, clientId: string): Stored & { readonly clientSecret: string } {
  const own = credentialsOf(world, clientId);
  const credentialId = world.next("credential", 4_200);
  const expires = new Date(world.now());
  expires.setUTCFullYear(expires.getUTCFullYear() + 2);
  const stored: Stored = {
    credentialId,
    clientToken: token(world, credentialId),
    status: "ACTIVE",
    description: "",
    createdOn: iso(world.now()),
    expiresOn: expires.toISOString(),
  };
  own.set(credentialId, stored);
  const bytes = Uint8Array.from({ length: 32 }, (_, index) =>
    Math.floor(world.noise("secret", credentialId, index) * 256),
  );
  return { ...stored, clientSecret: Buffer.from(bytes).toString("base64") };
}

/** Deletes a credential that is inactive; refuses for an active one. */
export function removeCredential(world: World, clientId: string, credentialId: number): void {
  if (findCredential(world, clientId, credentialId).status !== "INACTIVE")
    throw new Refusal(409, "ERROR_CREDENTIAL_ACTIVE", "Only an inactive credential can be deleted", { code: 30 });
  credentialsOf(world, clientId).delete(credentialId);
}
