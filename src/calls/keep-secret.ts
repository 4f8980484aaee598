/** Keeps the secret of an answer in a file, so that nothing of it but its length and its place is ever shown. */
import { accountKey } from "../language/account.js";
import { returnedSchemas } from "../language/choice.js";
import type { SecretTo } from "../language/conduct.js";
import type { AnyOperation } from "../language/define.js";
import { Failure } from "../language/failure.js";
import { memberAt } from "../language/member.js";
import { givesSecret, type SecretFile } from "../secrets/files.js";
import { masked, secretTextsIn } from "../secrets/masking.js";
import type { Reply } from "../wire/index.js";
import type { Caller } from "./caller.js";
import type { Context, Prepared } from "./context.js";
import { withoutTexts } from "./echo.js";

/**
 * Makes the file that a call needs before it is sent; undefined for a call whose answer holds no secret.
 * @throws Failure `not_allowed` when no file can be made: the call must not be sent.
 */
export const fileFor = async (
  { secretFiles, account }: Context,
  { tool, declared, checked }: Prepared,
  { tokenName }: Pick<Caller, "tokenName">,
): Promise<SecretFile | undefined> =>
  givesSecret(declared, checked.values)
    ? secretFiles({ tokenName, account: accountKey(account) }).create(tool)
    : undefined;

/** A member of an answer that is a secret. */
interface Secret {
  readonly member: string;
  readonly text: string;
}

/** The secrets of an answer, in the order in which its operation declares them. */
const secretsIn = ({ members }: SecretTo, body: unknown): Secret[] =>
  members.flatMap((member) => {
    const text = memberAt(body, member);
    return typeof text === "string" && text !== "" ? [{ member, text }] : [];
  });

/** What became of the secret, for whoever reads the answer. */
async function noteOn(found: Secret | undefined, file: SecretFile | undefined): Promise<string | undefined> {
  if (found === undefined) {
    await file?.discard();
    return file && "The answer holds no secret, so no file was written.";
  }
  const { member, text } = found;
  if (file && (await file.write(text)))
    return `${member} is not shown: its ${text.length} characters are in ${JSON.stringify(file.path)} on the machine where Edgewise runs. The file's owner alone can read it, and no other call returns ${member}.`;
  return `${member} could not be kept and is not shown. The change was made; make another one for a ${member} that is kept.`;
}

/** The error of a call whose answer would hold a secret, without what may be one in the upstream's words. */
export function withoutSecret({ spec }: AnyOperation, error: unknown): unknown {
  if (spec.secretTo === undefined || !(error instanceof Failure) || error.detail.upstream === undefined) return error;
  return new Failure(error.code, error.message, { ...error.detail, upstream: masked([], error.detail.upstream) });
}

/**
 * An answer without its secret, which is in a file.
 * @param file The file that was made for it; undefined where the API sends the secret elsewhere.
 */
export async function withoutKept(
  declared: AnyOperation,
  secretTo: SecretTo,
  file: SecretFile | undefined,
  reply: Reply,
): Promise<{ readonly reply: Reply; readonly onSecret?: string | undefined }> {
  const secrets = secretsIn(secretTo, reply.body);
  const onSecret = await noteOn(secrets[0], file);
  const schemas = returnedSchemas(declared);
  // An answer may say it once more, in a sentence, an address or a header.
  const texts = [...secretTextsIn(schemas, reply.body), ...secrets.map(({ text }) => text)];
  return { reply: withoutTexts({ ...reply, body: masked(schemas, reply.body) }, texts), onSecret };
}
