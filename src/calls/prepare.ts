/** Everything that is done before a call is sent: look-up, the arguments, the service's own checks, the request. */
import { accountKey } from "../api/account.js";
import { keysAt } from "../api/argument-problems.js";
import { argumentsSchema, type CheckedArguments, checkArguments, invalidInput } from "../api/arguments.js";
import type { Check } from "../api/check.js";
import type { Arguments } from "../api/conduct.js";
import type { AnyOperation } from "../api/define.js";
import { isRead } from "../api/effect.js";
import { Failure, type FieldProblem } from "../api/failure.js";
import { withSecrets } from "../api/secret-files.js";
import type { Purpose } from "../audit/index.js";
import type { Composed } from "../guard/index.js";
import type { Reader } from "./caller.js";
import type { Context, InvokeFor, Prepared } from "./context.js";
import { isMadeAnyway, refusalOf } from "./offer.js";
import { withResolved } from "./resolve.js";
import { readDestinations, readPresent, withPresent } from "./state.js";

/**
 * Refuses a change where the server is read-only, or reads alone for this caller.
 * @throws Failure `not_allowed`
 */
export function refuseChange({ isReadOnly }: Context, tool: string, caller?: Pick<Reader, "isReadOnly">): void {
  if (isReadOnly)
    throw new Failure("not_allowed", `${tool} is not a read, and this server is read-only.`, {
      why: "It was started with --read-only.",
      next: "Start it without --read-only to make changes.",
    });
  if (caller?.isReadOnly)
    throw new Failure("not_allowed", `${tool} is not a read, and this client only reads.`, {
      why: "Over HTTP a change takes a token of the server's --token-file, a server started with --allow-writes, no X-Edgewise-Read-Only header, and an address that does not end in /readonly.",
      next: "Do not try again: ask the user to give this client the right to make changes, or make the change elsewhere.",
    });
}

/**
 * Runs the checks that the service declares for an operation.
 * @throws Failure `invalid_input`, or the failure of a read that a check makes.
 */
export async function runChecks(
  context: Context,
  tool: string,
  declared: AnyOperation,
  { values }: CheckedArguments,
  invokeFor: InvokeFor,
  checks: readonly Check[] | undefined,
): Promise<void> {
  const invoke = invokeFor("check");
  const call = {
    args: values,
    namesAt: (path: readonly string[]) => keysAt(argumentsSchema(declared), path),
    present: async () => (await readPresent(context, declared, values, invoke))?.body,
    read: async (name: string, args: Arguments) => (await invoke(name, args)).body,
    signer: await context.signer?.(),
  };
  for (const check of checks ?? []) {
    const problems = await check(call);
    if (problems.length > 0) throw invalidInput(tool, problems);
  }
}

type Asking = Pick<Reader, "isReadOnly" | "askSecret" | "tokenName" | "offer">;

/**
 * The request of a call, with the secrets that its arguments name the files of, or that are typed at the terminal.
 * @throws Failure `invalid_input` naming the argument, and never what the file holds.
 */
async function resolved(
  { client, secretFiles, account }: Context,
  tool: string,
  declared: AnyOperation,
  checked: CheckedArguments,
  caller: Asking,
): Promise<Pick<Prepared, "request" | "secrets">> {
  const found = await withSecrets(declared, checked.body, async (argument, member) => {
    const name = checked.values[argument];
    if (name === undefined && caller.askSecret) return caller.askSecret(argument, member);
    const holder = { tokenName: caller.tokenName, account: accountKey(account) };
    return secretFiles(holder).read(name === undefined ? undefined : String(name));
  });
  if ("problems" in found) throw invalidInput(tool, found.problems satisfies readonly FieldProblem[]);
  const { body, secrets } = found;
  return { request: await client.resolve(tool, declared, { ...checked, body }), secrets };
}

/**
 * Checks the arguments of a call, and finds those that follow from what is there.
 * @param invoke Makes the calls that the service's checks ask for.
 * @param composed The composed change that it is called for, in whose name a check refuses it.
 * @throws Failure `invalid_input`, or the failure of a read that a check makes.
 */
export async function checkCall(
  context: Context,
  tool: string,
  declared: AnyOperation,
  args: Arguments,
  invoke: InvokeFor,
  composed?: Composed,
): Promise<CheckedArguments> {
  const written = checkArguments(tool, declared, args, Date.now(), context.profile?.defaults);
  const { checks, safeguards, resolves, secretFrom } = declared.spec;
  // What could not be sent as it is written must not be sent by a read on the way either.
  if (checks ?? safeguards ?? resolves ?? secretFrom) await context.client.resolve(tool, declared, written);
  const name = composed?.tool ?? tool;
  const given = await withResolved(name, declared, written, invoke("check"));
  for (const all of [checks, safeguards]) await runChecks(context, name, declared, given, invoke, all);
  return withPresent(context, name, declared, given, invoke("state"));
}

/** On whose way a call is made. */
interface Way {
  /** The composed change that it is called for, in whose name a check refuses it. */
  readonly composed?: Composed | undefined;
  /** What it is made for, where nobody called its tool. */
  readonly purpose?: Purpose;
  /** The tool that calls it. */
  readonly through?: string | undefined;
}

/**
 * Prepares a call of an operation.
 * @param invoke Makes the calls that the service's checks ask for.
 * @throws Failure `not_allowed` or `invalid_input`, or the failure of a read that a check makes.
 */
export async function prepare(
  context: Context,
  tool: string,
  args: Arguments,
  invoke: InvokeFor,
  caller: Asking,
  { composed, purpose, through = composed?.tool }: Way = {},
): Promise<Prepared> {
  const found = await context.operationOf(tool);
  if (!found) throw new Error("The catalogue names an operation that is not declared.");
  const { declared } = found;
  const refusal = refusalOf(caller.offer, tool, through);
  if (refusal && !isMadeAnyway(purpose, isRead(declared))) throw refusal;
  if (!isRead(declared)) refuseChange(context, tool, caller);
  const checked = await checkCall(context, tool, declared, args, invoke, composed);
  const reaches = await readDestinations(context, declared, checked.values, invoke("check"));
  const { request, secrets } = await resolved(context, tool, declared, checked, caller);
  const notes = [...(composed?.notes ?? []), ...checked.notes];
  return { tool, ...found, checked: { ...checked, notes }, request, secrets, reaches, composed };
}
