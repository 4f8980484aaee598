/** Secrets that no argument and no result holds: which members of a body come from files, and which of an answer go to one. */
import { bodySchema } from "../language/choice.js";
import type { AnyOperation } from "../language/define.js";
import { mediaList } from "../language/media.js";
import { onceFor } from "../language/once-for.js";
import { z } from "../language/z.js";
import { markOf } from "../schema/marks.js";

type Values = Readonly<Record<string, unknown>>;

/** A name without a directory, so that no caller chooses where on the machine is read. */
const fileName = /^[A-Za-z0-9][A-Za-z0-9._-]{0,127}$/;

const FileName = z
  .string()
  .regex(fileName, "the name of a file in the secret directory, and never a secret itself")
  .optional()
  .describe("File in the server's secret directory that holds it; its user makes it, mode 0600");

/** The members of a body whose values come from files, each by the argument that names its file. */
export const secretFrom = onceFor(({ spec }: Pick<AnyOperation, "spec">): Readonly<Record<string, string>> => {
  const body = bodySchema(mediaList(spec.body));
  const members = body instanceof z.ZodObject ? Object.entries(body.shape as Readonly<Record<string, z.ZodType>>) : [];
  return Object.fromEntries(
    members.flatMap(([name, one]) => (markOf(one, "secret")?.isFromFile ? [[`${name}File`, name]] : [])),
  );
});

/** The arguments that stand for a body: itself without what comes from files, and the names of those. */
export function bodyArguments(operation: AnyOperation): Readonly<Record<string, z.ZodType>> {
  const whole = bodySchema(mediaList(operation.spec.body));
  if (whole === undefined) return {};
  const from = secretFrom(operation);
  const files = Object.fromEntries(Object.keys(from).map((name) => [name, FileName]));
  if (Object.keys(files).length === 0) return { body: whole };
  const rest = (whole as z.ZodObject).omit(
    Object.fromEntries(Object.values(from).map((member) => [member, true])) as never,
  );
  return { ...(Object.keys(rest.shape).length === 0 ? {} : { body: rest }), ...files };
}

/** Whether the answer of a call will hold a secret, so that a file for it has to be there before the call is sent. */
export const givesSecret = ({ spec: { secretTo } }: AnyOperation, values: Values): boolean =>
  secretTo !== undefined && (secretTo.unless === undefined || values[secretTo.unless] !== true);

/** What is wrong with an argument, in the words of a field problem. */
export interface SecretProblem {
  readonly takes: string;
}

/**
 * The body with the secrets in it, and the secrets.
 * @param secretOf The secret that an argument stands for, or why there is none.
 * @returns the problems of the arguments that give none instead.
 */
export async function withSecrets(
  operation: AnyOperation,
  body: unknown,
  secretOf: (argument: string, member: string) => Promise<string | SecretProblem>,
): Promise<
  | { readonly body: unknown; readonly secrets: readonly string[] }
  | { readonly problems: readonly (SecretProblem & { readonly field: string })[] }
> {
  const from = Object.entries(secretFrom(operation));
  if (from.length === 0) return { body, secrets: [] };
  const schema = bodySchema(mediaList(operation.spec.body));
  const shape = schema instanceof z.ZodObject ? (schema.shape as Readonly<Record<string, z.ZodType>>) : {};
  const members: Record<string, string> = {};
  const problems: (SecretProblem & { readonly field: string })[] = [];
  for (const [field, member] of from) {
    const found = await secretOf(field, member);
    if (typeof found !== "string") problems.push({ field, ...found });
    else if (shape[member]?.safeParse(found).success === true) members[member] = found;
    // The schema's own message could repeat the value.
    else problems.push({ field, takes: `a file whose text can be ${member}, and the text of this one cannot` });
  }
  if (problems.length > 0) return { problems };
  return { body: { ...(body as Values | undefined), ...members }, secrets: Object.values(members) };
}
