/** A prompt for rotating a credential: the new one is in use before the old one ends. */
import { type Prompt, personDecides, personSaysGo } from "../../language/reading.js";
import { z } from "../../language/z.js";

export const rotateCredentials: Prompt = {
  name: "credentials_rotate",
  title: "Rotate credentials",
  description:
    "Replaces a credential of an API client without an interruption: create, switch the programs, deactivate, and delete when the old one is no longer used.",
  arguments: [
    { name: "openIdentityId", description: "Id on the API client's identity page" },
    {
      name: "credentialId",
      description: "The credential to replace",
      form: { pattern: "[1-9]\\d{0,14}", takes: "the number of a credential" },
    },
  ],
  task: ({ openIdentityId = "", credentialId = "" }) =>
    `Replace credential ${credentialId} of API client ${openIdentityId} by a new one.`,
  steps: ({ openIdentityId = "", credentialId = "" }) => [
    `Call credentials_list with openIdentityId ${openIdentityId}. Report the purpose of credential ${credentialId}, and which others are ACTIVE.`,
    `Call credential_create with openIdentityId ${openIdentityId}. Its secret goes to a file on the server and is never shown. ${personDecides}`,
    `Ask the user to give the new credential to every program that uses the old one, and to check that each of them works. ${personSaysGo}`,
    `Call credential_update with credentialId ${credentialId}, body.status INACTIVE and body.expiresOn unchanged. Programs that were forgotten stop now; ACTIVE restores them. ${personDecides}`,
    `Ask the user whether anything still needs the old credential, after a day at least. ${personSaysGo}`,
    `Call credential_delete with credentialId ${credentialId}. This cannot be undone. ${personDecides}`,
    "Call credentials_list. Report until when the new credential is ACTIVE, and that the old one is deleted.",
  ],
};

const Ids = z
  .array(z.looseObject({ clientId: z.string() }))
  .transform((all) => ["self", ...all.map(({ clientId }) => clientId)]);

/** The same with today's API, which deactivates one credential and finds the API client by its name. */
export const rotateCredentialsToday: Prompt = {
  ...rotateCredentials,
  arguments: [
    { name: "clientId", description: "Id of the API client, or self", values: { tool: "apiclients_list", of: Ids } },
    ...rotateCredentials.arguments.slice(1),
  ],
  task: ({ clientId = "", credentialId = "" }) =>
    `Replace credential ${credentialId} of API client ${clientId} by a new one.`,
  steps: ({ clientId = "", credentialId = "" }) => [
    `Call apiclient_credentials_list with clientId ${clientId}. Report the purpose of credential ${credentialId}, and which others are ACTIVE.`,
    `Call apiclient_credential_create with clientId ${clientId}. Its secret goes to a file on the server and is never shown. ${personDecides}`,
    `Ask the user to give the new credential to every program that uses the old one, and to check that each of them works; the access token stays the same. ${personSaysGo}`,
    `Call apiclient_credential_deactivate with credentialId ${credentialId}. Programs that were forgotten stop now; its undo restores them. ${personDecides}`,
    `Ask the user whether anything still needs the old credential, after a day at least. ${personSaysGo}`,
    `Call apiclient_credential_delete with credentialId ${credentialId}. This cannot be undone. ${personDecides}`,
    "Call apiclient_credentials_list. Report until when the new credential is ACTIVE, and that the old one is deleted.",
  ],
};
