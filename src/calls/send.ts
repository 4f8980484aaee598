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
import type { Context, Prepared } from "./context.js";
import { keepingSecret } from "./keep-secret.js";
import { masking, withMasks } from "./mask.js";
import { refusalOf } from "./offer.js";
import { withOrder } from "./order.js";
import { readPages } from "./pages.js";
import type { Progress } from "./progress.js";
import type { Run } from "./run.js";
import type { SecretFile } from "./secret-files.js";
import { readState } from "./state.js";
import { awaitResult, callsAfter } from "./wait.js";

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
  return { ...launch, notes: [...launch.notes, note], offers: callsAfter(awaits, names) };
}

/** Why the outcome of a launch cannot be read here: the operation that shows it is left out. */
const unfollowed = ({ caller }: Run, tool: string, reads: readonly (string | undefined)[]): Failure | undefined =>
  reads.flatMap((one) => (one === undefined ? [] : (refusalOf(caller.offer, one, tool) ?? [])))[0];

/** What a launch comes to: its result, where the call waits for it; or itself, with where it can be followed. */
async function followed(run: Run, prepared: Prepared, awaits: Awaits, launch: Reply, progress: Progress) {
  const { context, invoke, deadline } = run;
  const { tool, checked } = prepared;
  if (!checked.wait)
    return unfollowed(run, tool, [awaits.status]) ? launch : withAddress(context, prepared, awaits, launch);
  const refusal = unfollowed(run, tool, [awaits.status, awaits.result]);
  if (!refusal)
    return awaitResult(masking(context, invoke("wait")), awaits, launch, checked.values, { deadline, progress });
  return { ...launch, notes: [...launch.notes, `It was launched and is not waited for: ${refusal.message}`] };
}

/**
 * Sends a call.
 * @param progress Hears of pages and polls.
 * @param file Where the secret of its answer goes, from `fileFor`.
 * @throws Failure; one for a stale stamp says what is there now.
 */
export async function send(
  run: Run,
  prepared: Prepared,
  progress: Progress,
  file: SecretFile | undefined,
): Promise<Reply> {
  const { context, invoke, deadline, trail } = run;
  const { tool, service, declared, checked, request } = prepared;
  const { client } = context;
  const { awaits, lock, order, paging, shownBy } = declared.spec;
  const sendWith = async (args: CheckedArguments): Promise<Reply> => {
    const resolved = args === checked ? request : await client.resolve(tool, declared, args);
    return client.call(tool, service, declared, resolved, deadline, trail.request);
  };
  const sendOnce = () => (paging ? readPages(paging, checked, sendWith, progress) : sendWith(checked));
  const present = (by: string | undefined) => readState(context, by, checked.values, invoke("state"));
  const sendInOrder = () => (order ? withOrder(order, () => present(shownBy), sendOnce) : sendOnce());
  let reply: Reply;
  try {
    reply = withMasks(declared, await keepingSecret(declared, file, sendInOrder));
  } catch (error) {
    if (!(error instanceof Failure) || error.code !== "conflict" || lock === undefined) throw error;
    throw explainConflict(error, declared, lock, checked.values, await present(lock.from).catch(() => undefined));
  }
  reply = viewed(tool, declared, checked, reply);
  const launched = { ...reply, notes: [...checked.notes, ...notesOnSecrets(declared, reply), ...reply.notes] };
  return awaits ? followed(run, prepared, awaits, launched, progress) : launched;
}
