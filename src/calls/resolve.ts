/** Resolves a call: runs the service's checks, completes its arguments, and adds its secrets. */
import { accountKey } from "../language/account.js";
import type { Check, Resolve } from "../language/check.js";
import type { Arguments } from "../language/conduct.js";
import type { FieldProblem } from "../language/failure.js";
import { argumentsSchema, invalidInput, type ValidatedArguments } from "../schema/arguments.js";
import { keysAt } from "../schema/problems.js";
import { withFileSecrets } from "../secrets/files.js";
import type { CallContext, InvokeByPurpose, ResolvedCall } from "./context.js";
import type { ReadOrigin } from "./origin.js";
import { readDestinations, readPresent } from "./state.js";
import type { CallCause, ValidatedCall } from "./validate.js";

/** The context for resolving a call. */
export interface ResolutionContext {
  readonly context: CallContext;
  readonly caller: Pick<ReadOrigin, "askSecret" | "tokenName">;
  /** Makes the calls that the service's checks and hooks request. */
  readonly read: InvokeByPurpose;
}

/**
 * Runs the checks that the service declares for an operation.
 * @param name The tool that refusals name.
 * @throws Failure `invalid_input`, or the failure of a check's read.
 */
export async function runChecks(
  context: CallContext,
  name: string,
  { declared, checked: { values } }: Pick<ValidatedCall, "declared" | "checked">,
  read: InvokeByPurpose,
  checks: readonly Check[],
): Promise<void> {
  const invoke = read("check");
  const call = {
    args: values,
    namesAt: (path: readonly string[]) => keysAt(argumentsSchema(declared), path),
    present: async () => (await readPresent(context, declared, values, invoke))?.body,
    read: async (tool: string, args: Arguments) => (await invoke(tool, args)).body,
    signer: context.signer,
  };
  for (const check of checks) {
    const problems = await check(call);
    if (problems.length > 0) throw invalidInput(name, problems);
  }
}

/**
 * The arguments as they are sent, with values replaced or completed by the declaration's `resolves`.
 * @throws Failure `invalid_input`, or the failure of a read.
 */
async function completeArguments(
  context: CallContext,
  name: string,
  { declared, checked }: ValidatedCall,
  read: InvokeByPurpose,
  resolves: Resolve,
): Promise<ValidatedArguments> {
  const { spec } = declared;
  const completion = await resolves({
    args: checked.values,
    medium: checked.medium,
    present: async () => (await readPresent(context, declared, checked.values, read("state")))?.body,
    read: async (tool, args) => (await read("check")(tool, args)).body,
  });
  if ("problems" in completion) throw invalidInput(name, completion.problems);
  const { values, notes, asked } = completion;
  const within = (declared: object = {}) =>
    Object.fromEntries(Object.entries(values).filter(([name]) => Object.hasOwn(declared, name)));
  const inHeaders = Object.entries(spec.headers ?? {}).flatMap(([name, header]) =>
    typeof header === "object" && Object.hasOwn(values, header.argument) ? [[name, values[header.argument]]] : [],
  );
  return {
    ...checked,
    path: { ...checked.path, ...within(spec.path) },
    query: { ...checked.query, ...within(spec.query) },
    headers: { ...checked.headers, ...Object.fromEntries(inHeaders) },
    body: Object.hasOwn(values, "body") ? values["body"] : checked.body,
    values: { ...checked.values, ...values },
    notes: [...checked.notes, ...notes],
    ...(asked === undefined ? {} : { asked }),
  };
}

/**
 * Runs the service's checks, and completes the arguments.
 * @throws Failure `invalid_input`, or the failure of a read.
 */
export async function resolveArguments(
  context: CallContext,
  name: string,
  call: ValidatedCall,
  read: InvokeByPurpose,
): Promise<ValidatedArguments> {
  const { checks = [], resolves } = call.declared.spec;
  if (checks.length > 0) await runChecks(context, name, call, read, checks);
  return resolves ? completeArguments(context, name, call, read, resolves) : call.checked;
}

/**
 * Resolves a call: after this its request is complete.
 * @throws Failure `invalid_input`, which names the argument and never the content of a secret file, or the failure of a
 * read.
 */
export async function resolveCall(
  { context, caller, read }: ResolutionContext,
  call: ValidatedCall,
  { composed }: CallCause,
): Promise<ResolvedCall> {
  const { tool, declared } = call;
  const { client, secretFiles, account } = context;
  const checked = await resolveArguments(context, composed?.tool ?? tool, call, read);
  const { sendsTo } = declared.spec;
  const reaches = sendsTo ? await readDestinations(context, sendsTo, checked.values, read("check")) : [];
  const completion = await withFileSecrets(declared, checked.body, async (argument, member) => {
    const file = checked.values[argument];
    if (file === undefined && caller.askSecret) return caller.askSecret(argument, member);
    const holder = { tokenName: caller.tokenName, account: accountKey(account) };
    return secretFiles(holder).read(file === undefined ? undefined : String(file));
  });
  if ("problems" in completion) throw invalidInput(tool, completion.problems satisfies readonly FieldProblem[]);
  const { body, secrets } = completion;
  const isAsWritten = checked === call.checked && body === checked.body;
  const request = isAsWritten ? call.request : await client.resolve(tool, declared, { ...checked, body });
  const notes = [...(composed?.notes ?? []), ...checked.notes];
  return { ...call, checked: { ...checked, notes }, request, secrets, reaches, composed };
}
