/** A prompt that guides the rotation of a credential: the new one works before the old one ends. */
import { type Prompt, personDecides, personSaysGo } from "../../language/reading.js";

export const rotateCredentials: Prompt = {
  name: "credentials_rotate",
  title: "Rotate credentials",
  description:
    "Replaces a credential of an API client by a new one without an interruption: create, move the programs, deactivate, and delete when nothing misses the old one.",
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
    `Call credentials_list with openIdentityId ${openIdentityId}. Say what credential ${credentialId} is for, and which others are ACTIVE.`,
    `Call credential_create with openIdentityId ${openIdentityId}. Its secret goes to a file on the server and is never shown. ${personDecides}`,
    `Ask the person to give the new credential to every program that uses the old one, and to see each of them work. ${personSaysGo}`,
    `Call credential_update with credentialId ${credentialId}, body.status INACTIVE and body.expiresOn as it is. Programs that were forgotten stop now, and ACTIVE brings them back. ${personDecides}`,
    `Ask the person whether anything misses the old credential, after a day at least. ${personSaysGo}`,
    `Call credential_delete with credentialId ${credentialId}. There is no way back. ${personDecides}`,
    "Call credentials_list. Report that the new credential is ACTIVE and until when, and that the old one is gone.",
  ],
};
