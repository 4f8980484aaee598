/** Checks and previews of changes to credentials, which the generations of the API share: who stops, who may act. */
import type { Check } from "../../language/check.js";
import type { Arguments, Guard } from "../../language/conduct.js";
import { fieldProblem, quoteValue } from "../../language/failure.js";
import { act, guardsOf } from "../../language/guards.js";
import { memberAt } from "../../language/member.js";
import { calling, type NamedCall, naming } from "../../language/sentence.js";
import { plainOrQuoted, withoutFalse } from "../../language/words.js";
import { z } from "../../language/z.js";

/** The members of a credential that the guards use. */
const KnownCredential = z.looseObject({
  credentialId: z.int(),
  clientToken: z.string(),
  status: z.string(),
  description: z.string().nullish(),
  expiresOn: z.string(),
});

/** The active credentials of a list. */
const activeAmong = (present: unknown) =>
  (z.array(KnownCredential).safeParse(present).data ?? []).filter(({ status }) => status === "ACTIVE");

/** The active credentials of a list, by id and description. */
export const activeCredentialsIn = (present: unknown): string[] =>
  activeAmong(present).map(
    ({ credentialId, description }) => `${credentialId}${description ? ` ${quoteValue(description)}` : ""}`,
  );

const stops = "every program that signs with it stops";

/** Whether the update ends a credential: by its status, or by an expiry in the past. */
const isEnding = (body: unknown): boolean =>
  memberAt(body, "status") === "INACTIVE" || Date.parse(String(memberAt(body, "expiresOn"))) <= Date.now();

/** How a generation of the API names its tools and arguments. */
interface Naming {
  /** The argument with the id of the API client. */
  readonly client: string;
  /** The name of an API client in a sentence. */
  readonly clientOf: (args: Arguments, related: Arguments) => string;
  readonly update: string;
  readonly create: string;
}

/** The checks of changes to credentials. */
export const credentialChecks = ({ client, update }: Naming) => ({
  /** Refuses to delete an active credential, like the API. */
  isInactive: (async ({ args, present }) =>
    memberAt(await present(), "status") === "ACTIVE"
      ? fieldProblem(
          "credentialId",
          args["credentialId"],
          `a credential that is INACTIVE; this one is ACTIVE: set its status with ${update} first`,
        )
      : []) satisfies Check,

  /** Refuses to end the credential that signs the calls, because that could not be undone from here. */
  keepsSigner: (async ({ args, present, signer }) => {
    if (signer === undefined || (args["body"] !== undefined && !isEnding(args["body"]))) return [];
    const presentState = await present();
    const known =
      z.array(KnownCredential).safeParse(Array.isArray(presentState) ? presentState : [presentState]).data ?? [];
    const signedWith = await signer();
    const signerCredential = known.find(({ clientToken }) => clientToken === signedWith);
    if (signerCredential === undefined) return [];
    const named = activeCredentialsIn(known).join(", ");
    const takes = Array.isArray(presentState)
      ? `an API client without the credential in use, which is ${signerCredential.credentialId}; active are ${named}, and ${update} sets the others INACTIVE one by one`
      : "another credential: this is the one in use, and ending it could not be undone from here";
    const field = args["credentialId"] === undefined ? client : "credentialId";
    return fieldProblem(field, args[field], takes);
  }) satisfies Check,
});

/** The guards of changes to credentials, without an undo where the generations differ. */
export function credentialGuards({ client, clientOf, update, create }: Naming) {
  /** A credential by its id, with its description and status if they could be read. */
  const nameOf = ({ credentialId, ...args }: Arguments, present: unknown, related: Arguments): string => {
    const [description, status] = ["description", "status"].map((name) => memberAt(present, name));
    const known = withoutFalse(
      typeof description === "string" && description !== "" && quoteValue(description),
      typeof status === "string" && (/^[A-Z]+$/.test(status) ? status : quoteValue(status)),
    );
    const about = known.length > 0 ? ` (${known.join(", ")})` : "";
    return `credential ${String(credentialId)}${about} of ${clientOf(args, related)}`;
  };
  const ofCredential = guardsOf("credential", nameOf);
  const kind = "credential";
  return {
    creation: {
      kind,
      thing: "credential",
      says: (args, _, related) =>
        act`CREATE a credential for ${clientOf(args, related)}: anyone with its secret can act as this client for two years`,
    } satisfies Omit<Guard, "undo">,
    updating: {
      kind,
      thing: "credential",
      replaces: "body",
      write: "merge",
      undo: "rewrite",
      says: (args, present, related) => {
        const [before, after] = [memberAt(present, "status"), memberAt(args, "body.status")];
        const which = nameOf(args, present, related);
        if (after === "INACTIVE" && before !== "INACTIVE") return act`DEACTIVATE ${which}: ${stops}`;
        if (after === "ACTIVE" && before !== "ACTIVE")
          return act`ACTIVATE ${which}: anyone with its secret can sign with it`;
        const [expired, expires] = [memberAt(present, "expiresOn"), memberAt(args, "body.expiresOn")];
        const isSame = Date.parse(String(expired)) === Date.parse(String(expires));
        const end = `it expires on ${plainOrQuoted(expires)}${expired === undefined ? "" : ` instead of ${plainOrQuoted(expired)}`}`;
        return act`CHANGE ${which}: ${!isSame && end}; its status stays ${String(after)}`;
      },
      warns: ({ body }, present) => {
        const [before = Number.NaN, after = Number.NaN] = [present, body].map((credential) =>
          Date.parse(String(memberAt(credential, "expiresOn"))),
        );
        return [
          after < before && "It would expire earlier than now, and every program that signs with it would then stop.",
        ];
      },
    } satisfies Guard,
    deletion: ofCredential("DELETE", {
      kind,
      undo: { never: `A deleted credential cannot be restored, but ${create} makes a new one.` },
      results: () => "its tokens and its secret are permanently lost",
    }),
    deactivation: ofCredential("DEACTIVATE", {
      kind,
      results: () => stops,
      undo: {
        tool: update,
        args: ({ given: { [client]: id, credentialId }, before }) => {
          const [credential] = activeAmong([before]);
          if (credential === undefined) return undefined;
          const { status, expiresOn, description } = credential;
          return { [client]: id, credentialId, body: { status, expiresOn, ...(description && { description }) } };
        },
      },
    }),
    deactivationOfAll: {
      kind,
      thing: "credentials",
      undo: {
        by: ({ given, before }) => {
          const active = activeAmong(before);
          if (active.length === 0) return "No credential was active before, so there is nothing to reactivate.";
          const calls = active.flatMap(({ credentialId, expiresOn }, at): (string | NamedCall)[] => {
            const args = { [client]: given[client], credentialId, body: { status: "ACTIVE", expiresOn } };
            const call = { tool: update, arguments: args };
            return at === 0 ? [calling(call)] : [", and ", { call, words: `with ${JSON.stringify(args)}` }];
          });
          return naming`Reactivate the ones that were active: ${calls}.`;
        },
      },
      says: (args, present, related) => {
        const active = activeCredentialsIn(present);
        const all = `ALL credentials of ${clientOf(args, related)}, of which`;
        // All of them, because each represents programs that stop.
        if (active.length === 0) return act`DEACTIVATE ${all} none is active now`;
        const are = active.length === 1 ? "is" : "are";
        const stop = "every program that signs with one of them stops";
        return act`DEACTIVATE ${all} ${active.join(", ")} ${are} active: ${stop}`;
      },
    } satisfies Guard,
  };
}
