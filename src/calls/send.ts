/** Sends a prepared call, guarded or not, and completes it: reads pages, shows an order, explains a conflict, waits. */
import { type CheckedArguments, invalidInput } from "../api/arguments.js";
import { returnedSchemas } from "../api/choice.js";
import type { Awaits } from "../api/conduct.js";
import type { AnyOperation } from "../api/define.js";
import { Failure } from "../api/failure.js";
import { liveAddress } from "../api/live-address.js";
import { shownOnceIn } from "../api/secret.js";
import type { Reply } from "../client/index.js";
import { explainConflict } from "../guard/index.js";
import type { Context, Invoke, Prepared } from "./context.js";
import { keepingSecret } from "./keep-secret.js";
import { masking, withMasks } from "./mask.js";
import { withOrder } from "./order.js";
import { readPages } from "./pages.js";
import type { SecretFile } from "./secret-files.js";
import { readState } from "./state.js";
import { awaitResult, type WaitOptions } from "./wait.js";

/** Notes on the secrets that only this answer shows. */
function notesOnSecrets(declared: AnyOperation, { body }: Reply): string[] {
  if (declared.spec.secretTo) return [];
  return shownOnceIn(returnedSchemas(declared), body).map(
    (name) => `${name} is shown only in this response: store it now, because no other call returns it.`,
  );
}

/** The part of an answer that is shown, with the whole beside it; the answer itself where nothing chooses a part. */
function viewed(tool: string, { spec }: AnyOperation, { values }: CheckedArguments, reply: Reply): Reply {
  const part = reply.body === undefined ? undefined : spec.view?.show(reply.body, values);
  if (part === undefined) return reply;
  if ("problem" in part) throw invalidInput(tool, [part.problem]);
  return { ...reply, body: part.value, whole: reply.body, notes: [...reply.notes, ...(part.notes ?? [])] };
}

/** A launch with the address at which a client can follow what it has begun. */
function withAddress(
  { account: { profile } }: Context,
  { tool, declared, checked: { values } }: Pick<Prepared, "tool" | "declared" | "checked">,
  awaits: Awaits,
  launch: Reply,
): Reply {
  const names = awaits.follow(launch, values);
  if (names === undefined) return launch;
  const address = liveAddress(tool, declared, names, values, profile);
  const note = `The resource ${address} has its state, and a client that subscribes to it hears when it moves.`;
  return { ...launch, notes: [...launch.notes, note] };
}

/**
 * Sends a call.
 * @param invoke Makes the calls that go with it: polls after a launch, a read of the present state after a conflict.
 * @param file Where the secret of its answer goes, from `fileFor`.
 * @throws Failure; one for a stale stamp says what is there now.
 */
export async function send(
  context: Context,
  { tool, service, declared, checked, request }: Prepared,
  invoke: Invoke,
  options: WaitOptions,
  file: SecretFile | undefined,
): Promise<Reply> {
  const { client } = context;
  const { awaits, lock, order, paging, shownBy } = declared.spec;
  const sendWith = async (args: CheckedArguments): Promise<Reply> => {
    const resolved = args === checked ? request : await client.resolve(tool, declared, args);
    return client.call(tool, service, declared, resolved, options.deadline);
  };
  const sendOnce = () => (paging ? readPages(paging, checked, sendWith, options.progress) : sendWith(checked));
  const sendInOrder = () =>
    order ? withOrder(order, () => readState(context, shownBy, checked.values, invoke), sendOnce) : sendOnce();
  let reply: Reply;
  try {
    reply = withMasks(declared, await keepingSecret(declared, file, sendInOrder));
  } catch (error) {
    if (!(error instanceof Failure) || error.code !== "conflict" || lock === undefined) throw error;
    const present = await readState(context, lock.from, checked.values, invoke).catch(() => undefined);
    throw explainConflict(error, declared, lock, checked.values, present);
  }
  reply = viewed(tool, declared, checked, reply);
  const launched = { ...reply, notes: [...checked.notes, ...notesOnSecrets(declared, reply), ...reply.notes] };
  if (!awaits) return launched;
  if (!checked.wait) return withAddress(context, { tool, declared, checked }, awaits, launched);
  return awaitResult(masking(context, invoke), awaits, launched, checked.values, options);
}
