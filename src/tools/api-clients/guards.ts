/** Checks and previews of changes to API clients: what a client may do before and after, and whether the calls go on. */
import type { Check } from "../../language/check.js";
import { type Arguments, type Guard, pickArguments } from "../../language/conduct.js";
import { fieldProblem, quoteValue } from "../../language/failure.js";
import { act, guardsOf, membership, removal, reversal } from "../../language/guards.js";
import { listAt, memberAt } from "../../language/member.js";
import { listInWords, plainOrQuoted } from "../../language/words.js";
import { activeCredentialsIn } from "../credentials/guards.js";
import { abilitiesInWords, abilitiesOf } from "./access.js";

/** The client of a call and the one that makes the calls, for the names and the warning in a preview. */
export const clientReads = {
  client: { by: "apiclient_get", args: pickArguments("clientId") },
  own: { by: "apiclient_get", args: () => ({ clientId: "self" }) },
} as const;

const ofUser = ({ body }: Arguments) => {
  const username = memberAt(body, "authorizedUsers.0");
  return username === undefined ? {} : { username };
};
/** The APIs and groups of the client's user, whose names a preview shows. */
export const nameReads = {
  apis: { by: "apiclient_user_apis_list", args: ofUser },
  groups: { by: "apiclient_user_groups_list", args: ofUser },
} as const;

/** The state of a client that a preview needs; the API leaves out what is not asked for. */
export const wholeClient = {
  by: "apiclient_get",
  args: ({ clientId }: Arguments) => ({
    clientId,
    apiAccess: true,
    groupAccess: true,
    credentials: true,
    ipAcl: true,
    actions: true,
  }),
} as const;

function nameOf(id: unknown, client: unknown): string {
  const name = memberAt(client, "clientName");
  return name === undefined
    ? `API client ${quoteValue(id)}`
    : `API client ${quoteValue(name)} (${plainOrQuoted(memberAt(client, "clientId"))})`;
}
export const clientOf = ({ clientId }: Arguments, { client }: Arguments): string => nameOf(clientId, client);

const isCallingClient = (clientId: unknown, self: unknown): boolean =>
  clientId === "self" || (clientId !== undefined && clientId === memberAt(self, "clientId"));

/** Refuses what would end the calls for good, because it could not be undone from here. */
export const keepsOwnClient: Check = async ({ args: { clientId }, read }) =>
  isCallingClient(clientId, clientId === "self" ? undefined : await read("apiclient_get", { clientId: "self" }))
    ? fieldProblem(
        "clientId",
        clientId,
        "another API client: this one makes the calls here, and could not make the one that undoes this",
      )
    : [];

/** A guard with the warning that a change is of the client that makes the calls. */
export const withWarning = <G extends Partial<Guard>>(guard: G): G & Pick<Guard, "warns"> => ({
  ...guard,
  warns: (args, present, related) => [
    isCallingClient(args["clientId"], related["own"]) &&
      "This is the API client that makes the calls here: what it loses, Edgewise loses, too.",
    ...(guard.warns?.(args, present, related) ?? []),
  ],
});

/** Refuses more or fewer users than a client of its type can have, as the API would. */
export const hasOneUser: Check = async ({ args: { body }, present }) => {
  const users = listAt(body, "authorizedUsers");
  const type = memberAt(await present(), "clientType") ?? memberAt(body, "clientType");
  return users.length === 1 || type === "SERVICE_ACCOUNT"
    ? []
    : fieldProblem(
        "body.authorizedUsers",
        users,
        `exactly one username, because the client is of the type ${plainOrQuoted(type)}`,
      );
};

/** Refuses to delete a client that the API keeps, such as one with active credentials. */
export const mayDeleteClient: Check = async ({ args, present }) =>
  memberAt(await present(), "actions.delete") === false
    ? fieldProblem(
        "clientId",
        args["clientId"],
        "a client that may be deleted; the API reports that this one may not: deactivate its credentials with apiclient_all_credentials_deactivate first",
      )
    : [];

export const clientCreation: Guard = {
  kind: "access",
  thing: "API client",
  target: ({ body }) => String(memberAt(body, "clientName") ?? "API client"),
  says: ({ body }, _, related) => {
    const name = memberAt(body, "clientName");
    const credential =
      memberAt(body, "createCredential") === true ? "a credential, whose secret is written to a file" : "no credential";
    return act`CREATE API client ${name === undefined ? "without a name" : quoteValue(name)} with ${credential}: it gets ${abilitiesInWords(abilitiesOf(body, related))}`;
  },
  undo: removal("apiclient_delete", "clientId"),
};

const ofClient = guardsOf("API client", ({ clientId }, present) => nameOf(clientId, present));

export const clientChange = withWarning(
  guardsOf("API client", ({ clientId }, present) => `THE ACCESS of ${nameOf(clientId, present)}`)("REPLACE", {
    kind: "access",
    replaces: "body",
    undo: "rewrite",
    results: ({ body }, present, related) => {
      const [before, after] = [abilitiesOf(present, related), abilitiesOf(body, related)];
      if (present === undefined) return `it will have ${abilitiesInWords(after)}`;
      const { lost, gained } = membership(before, after, ([key]) => key);
      return `it loses ${abilitiesInWords(lost)} and gains ${abilitiesInWords(gained)}`;
    },
  }),
);

/** Its active credentials in a sentence. */
function activeOf(present: unknown): string {
  const active = activeCredentialsIn(memberAt(present, "credentials"));
  const count = memberAt(present, "activeCredentialCount");
  if (active.length > 0) return `its active credentials ${listInWords(active)}`;
  return count === undefined || count === 0 ? "its credentials" : `its ${String(count)} active credentials`;
}

export const clientDeletion = ofClient("DELETE", {
  kind: "delete",
  results: (_, present) => `${activeOf(present)} are lost, and every program that signs with them stops`,
  undo: {
    never:
      "A deleted API client cannot be restored, and one created again with apiclient_create has another id and other credentials.",
  },
});

export const clientLock = ofClient("LOCK", {
  kind: "access",
  results: (_, present) => `every program that signs with ${activeOf(present)} stops until apiclient_unlock unlocks it`,
  warns: (_, present) => [
    memberAt(present, "isLocked") === true && "This client is already locked, so nothing changes.",
  ],
  undo: reversal("apiclient_unlock", "clientId"),
});

export const clientUnlock = ofClient("UNLOCK", {
  kind: "access",
  results: (_, present) => `anyone with the secret of ${activeOf(present)} can act as this client again`,
  warns: (_, present) => [memberAt(present, "isLocked") === false && "This client is not locked, so nothing changes."],
  undo: reversal("apiclient_lock", "clientId"),
});
