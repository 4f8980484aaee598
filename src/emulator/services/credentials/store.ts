/** The credentials of the account's API clients, which both generations of the API show. */
import { dayMs } from "../../../time/durations.js";
import { demoCredentials } from "../../credentials.js";
import { seedsOf } from "../../primitives/seeds.js";
import { Store } from "../../primitives/store.js";
import { orRefuse, RequestRefusal } from "../../reply.js";
import { noiseText, type World } from "../../world.js";
import { apiClients } from "../account.js";
import seeds from "./seeds.json" with { type: "json" };

export type StoredCredential = {
  readonly credentialId: number;
  readonly clientToken: string;
  status: "ACTIVE" | "INACTIVE";
  description: string;
  readonly createdOn: string;
  expiresOn: string;
};

interface Seed extends Pick<StoredCredential, "credentialId" | "status" | "description"> {
  readonly clientId: string;
  readonly endAtMs: number;
}

const token = (world: World, id: number): string => {
  const letters = (word: string) => noiseText(world, "abcdefghijklmnopqrstuvwxyz234567", 16, word, id);
  return `akab-${letters("token")}-${letters("client")}`;
};
const iso = (ms: number): string => new Date(ms).toISOString();

/** Two years after its creation a credential has to be replaced. */
export function latestExpiry({ createdOn }: Pick<StoredCredential, "createdOn">): string {
  const date = new Date(createdOn);
  date.setUTCFullYear(date.getUTCFullYear() + 2);
  return date.toISOString();
}

/** The credentials of a new client. */
export const noCredentials = (): Store<StoredCredential> =>
  new Store<StoredCredential>(
    "credentialId",
    (id) => new RequestRefusal(404, "ERROR_NO_CREDENTIAL", `There is no credential ${id}`, { code: 25 }),
  );

/** The credentials by the ids of their clients; the first one signs the requests. */
export const credentialsByClient = (world: World): Map<string, Store<StoredCredential>> =>
  world.state("credentials", () => {
    const clients = new Map(apiClients.map(({ openIdentityId }) => [openIdentityId as string, noCredentials()]));
    for (const { clientId, endAtMs, ...credential } of seedsOf<readonly Seed[]>(seeds, world.startedAtMs)) {
      const { credentialId: id } = credential;
      const clientToken = id === 4001 ? demoCredentials.clientToken : token(world, id);
      const times = { createdOn: iso(endAtMs - 2 * 365 * dayMs), expiresOn: iso(endAtMs) };
      clients.get(clientId)?.add({ ...credential, clientToken, ...times });
    }
    return clients;
  });

export const credentialsOf = (world: World, clientId: string): Store<StoredCredential> =>
  orRefuse(
    credentialsByClient(world).get(clientId),
    () => new RequestRefusal(404, "invalid open identity", `There is no open identity ${clientId}`, { code: 2 }),
  );

/** Makes a credential for a client; its secret is returned here only. */
export function addCredential(world: World, clientId: string): StoredCredential & { readonly clientSecret: string } {
  const credentials = credentialsOf(world, clientId);
  const credentialId = world.next("credential", 4_200);
  const createdOn = iso(world.now());
  const stored = credentials.add({
    credentialId,
    clientToken: token(world, credentialId),
    status: "ACTIVE",
    description: "",
    createdOn,
    expiresOn: latestExpiry({ createdOn }),
  });
  const bytes = Uint8Array.from({ length: 32 }, (_, index) =>
    Math.floor(world.noise("secret", credentialId, index) * 256),
  );
  return { ...stored, clientSecret: Buffer.from(bytes).toString("base64") };
}

/** Deletes a credential that is inactive; refuses for an active one. */
export function removeCredential(world: World, clientId: string, credentialId: number): void {
  const credentials = credentialsOf(world, clientId);
  if (credentials.find(credentialId).status !== "INACTIVE")
    throw new RequestRefusal(409, "ERROR_CREDENTIAL_ACTIVE", "Only an inactive credential can be deleted", {
      code: 30,
    });
  credentials.delete(credentialId);
}
