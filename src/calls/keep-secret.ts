/** Stores the secret of a response in a file, so that only its length and the file's path are shown. */
import { accountKey } from "../language/account.js";
import { returnedSchemas } from "../language/choice.js";
import type { SecretMembers } from "../language/conduct.js";
import type { AnyOperation } from "../language/define.js";
import { memberAt } from "../language/member.js";
import { returnsSecret, type SecretFile } from "../secrets/files.js";
import { maskSecrets, secretTextsIn } from "../secrets/masking.js";
import type { Reply } from "../wire/index.js";
import type { CallContext, ResolvedCall } from "./context.js";
import type { CallOrigin } from "./origin.js";
import { withoutTexts } from "./sanitize.js";

/**
 * Creates the file for the secret before the call is sent; undefined if the response has none.
 * @throws Failure `not_allowed` if the file cannot be created: the call must not be sent.
 */
export const createSecretFile = async (
  { secretFiles, account }: CallContext,
  { tool, declared, checked }: ResolvedCall,
  { tokenName }: Pick<CallOrigin, "tokenName">,
): Promise<SecretFile | undefined> =>
  returnsSecret(declared, checked.values)
    ? secretFiles({ tokenName, account: accountKey(account) }).create(tool)
    : undefined;

/** A secret field of a response. */
interface Secret {
  readonly member: string;
  readonly text: string;
}

/** The secrets of a response, in the order of its declaration. */
const secretsIn = ({ members }: SecretMembers, body: unknown): Secret[] =>
  members.flatMap((member) => {
    const text = memberAt(body, member);
    return typeof text === "string" && text !== "" ? [{ member, text }] : [];
  });

/** What happened to the secret, for readers of the result. */
async function noteOnSecret(secret: Secret | undefined, file: SecretFile | undefined): Promise<string | undefined> {
  if (secret === undefined) {
    await file?.discard();
    return file && "The response has no secret, so no file was written.";
  }
  const { member, text } = secret;
  if (file && (await file.write(text)))
    return `${member} is not shown: its ${text.length} characters are in ${JSON.stringify(file.path)} on the machine where Edgewise runs. Only the file's owner can read it, and no other call returns ${member}.`;
  return `${member} could not be stored and is not shown. The change was made; repeat it to get a new ${member}.`;
}

/**
 * A response without its secret, which is in a file.
 * @param file The file that was created for it; undefined if the API sends the secret elsewhere.
 */
export async function withSecretStored(
  declared: AnyOperation,
  secretTo: SecretMembers,
  file: SecretFile | undefined,
  reply: Reply,
): Promise<{ readonly reply: Reply; readonly onSecret?: string | undefined }> {
  const secrets = secretsIn(secretTo, reply.body);
  const onSecret = await noteOnSecret(secrets[0], file);
  const schemas = returnedSchemas(declared);
  // The response may repeat it in a sentence, URL or header.
  const texts = [...secretTextsIn(schemas, reply.body), ...secrets.map(({ text }) => text)];
  return { reply: withoutTexts({ ...reply, body: maskSecrets(schemas, reply.body) }, texts), onSecret };
}
