/** One tool call: check, guard, send, present. Nothing that is thrown in here reaches the protocol as it is. */
import {
  type CallToolResult,
  CLIENT_CAPABILITIES_META_KEY,
  type ClientCapabilities,
  type InputRequiredResult,
  inputRequired,
  inputResponse,
  type Server,
  type ServerContext,
} from "@modelcontextprotocol/server";
import type { RawText } from "../answers/raw.js";
import { failureResult, previewResult, successResult, workResult } from "../answers/result.js";
import { checkArguments, checkValues } from "../api/arguments.js";
import type { AnyOperation } from "../api/define.js";
import { Failure } from "../api/failure.js";
import type { Invoke } from "../client/index.js";
import { approve, explained, type GuardedCall, plan } from "../guard/index.js";
import { operation, type ServiceName } from "../tools/index.js";
import { isWorkflow, type WorkflowName, workflows } from "../workflows/index.js";
import { type Awaits, awaitResult } from "../workflows/wait.js";
import { type ApprovalState, approvalForm, approvalMessage, mintApproval } from "./approval.js";
import type { ToolEntry } from "./catalogue.js";
import type { Engine, Surface } from "./engine.js";
import { createInvoke, refuseChange } from "./invoke.js";
import { progressOf } from "./progress.js";
import { checkTemplate } from "./template.js";

/** Whether the client can put a form before its person. */
function canElicit(server: Server, ctx: ServerContext): boolean {
  const envelope = ctx.mcpReq.envelope as Readonly<Record<string, unknown>> | undefined;
  const capabilities =
    (envelope?.[CLIENT_CAPABILITIES_META_KEY] as ClientCapabilities | undefined) ?? server.getClientCapabilities();
  const elicitation = capabilities?.elicitation;
  return elicitation !== undefined && (elicitation.form !== undefined || elicitation.url === undefined);
}

/** Reads the state that a call would change, with the operation its declaration names and the arguments they share. */
async function readState(
  invoke: Invoke,
  surface: Surface,
  changing: AnyOperation,
  args: Record<string, unknown>,
  signal: AbortSignal,
): Promise<unknown> {
  const name = changing.spec.shownBy as string;
  const entry = surface.catalogue.get(name);
  const shows = entry && (await operation(entry.service as ServiceName, name));
  if (!shows) return undefined;
  const known = new Set([...Object.keys(shows.spec.path ?? {}), ...Object.keys(shows.spec.query ?? {})]);
  const shared = Object.fromEntries(Object.entries(args).filter(([key]) => known.has(key)));
  try {
    return (await invoke(name, shared, signal)).body;
  } catch (error) {
    // What does not exist yet has no state to show; any other failure means that a preview would be blind.
    if (error instanceof Failure && (error.code === "not_found" || error.code === "invalid_input")) return undefined;
    throw error;
  }
}

async function perform(
  surface: Surface,
  engine: Engine,
  entry: ToolEntry,
  args: Record<string, unknown>,
  server: Server,
  ctx: ServerContext,
): Promise<CallToolResult | InputRequiredResult> {
  const { client, plans, presentation, account } = engine;
  const { name } = entry.tool;
  refuseChange(surface, name, entry.effect);
  const declared = await operation(entry.service as ServiceName, name);
  if (!declared) throw new Error(`The catalogue names ${name}, which ${entry.service} does not declare.`);
  const checked = checkArguments(name, declared, args);
  const request = await client.resolve(name, declared, checked);
  const { signal } = ctx.mcpReq;
  const invoke = createInvoke(surface, engine);
  const { spec } = declared;
  if (spec.template) await checkTemplate(invoke, name, declared, args, signal);
  const present = () => readState(invoke, surface, declared, args, signal);
  const send = async () => {
    try {
      const reply = await client.call(name, entry.service, declared, request, signal);
      return { ...reply, notes: [...checked.notes, ...reply.notes] };
    } catch (error) {
      const isStale = error instanceof Failure && error.code === "conflict" && spec.lock !== undefined;
      throw isStale ? explained(error, declared, checked.body, await present().catch(() => undefined)) : error;
    }
  };
  if (!spec.guard) {
    const reply = await send();
    const options = { limitMs: engine.waitMs, progress: progressOf(ctx), signal };
    const final = checked.wait ? await awaitResult(invoke, spec.awaits as Awaits, reply, options) : reply;
    return successResult(final, presentation, spec as RawText);
  }

  const call: GuardedCall = {
    tool: name,
    operation: declared,
    args: checked,
    request,
    account,
    principal: ctx.http?.authInfo?.clientId ?? "local",
    readState: present,
  };
  // Answers that come without a state which this server signed are nobody's approval (security notes, F2).
  const state = ctx.mcpReq.requestState<ApprovalState>();
  const answer = state === undefined ? undefined : inputResponse(ctx.mcpReq.inputResponses, "approval");
  const planId = checked.confirm ?? (state !== undefined && answer?.kind === "elicit" ? state.plan : undefined);
  if (checked.confirm === undefined && state !== undefined && answer?.kind === "elicit") {
    const isApproved =
      answer.action === "accept" && (answer.content as Record<string, unknown> | undefined)?.["approve"] === true;
    if (!isApproved) {
      plans.refuse(state.plan);
      throw new Failure("declined", `${name} was not approved.`, {
        why: "The person was asked and did not agree. Nothing was sent.",
        next: "Do not ask again unless the person wants it.",
      });
    }
  }
  if (planId === undefined) {
    const { plan: made, preview } = await plan(plans, call);
    if (!canElicit(server, ctx)) return previewResult(preview, made.id, made.expiresAtMs, presentation);
    return inputRequired({
      inputRequests: {
        approval: inputRequired.elicit({ message: approvalMessage(preview), requestedSchema: approvalForm }),
      },
      requestState: await mintApproval({ plan: made.id }, ctx),
    });
  }
  await approve(plans, planId, call);
  try {
    const reply = await send();
    plans.settle(planId, `it answered ${reply.status}`);
    return successResult(reply, presentation);
  } catch (error) {
    plans.settle(planId, error instanceof Failure ? `it ended with ${error.code}` : "it failed");
    throw error;
  }
}

/** Does a workflow's work within the time that a caller waits. */
async function work(
  surface: Surface,
  engine: Engine,
  name: WorkflowName,
  args: Record<string, unknown>,
  ctx: ServerContext,
): Promise<CallToolResult> {
  const { input, run } = await workflows[name]();
  const given = checkValues(name, input, args);
  const signal = AbortSignal.any([ctx.mcpReq.signal, AbortSignal.timeout(engine.waitMs)]);
  const brought = await run(given, { invoke: createInvoke(surface, engine), progress: progressOf(ctx), signal });
  return workResult(brought, engine.presentation);
}

/** Answers `tools/call` for a tool of the catalogue; every failure becomes a result that says what to do next. */
export async function callTool(
  surface: Surface,
  entry: ToolEntry,
  args: Record<string, unknown>,
  server: Server,
  ctx: ServerContext,
): Promise<CallToolResult | InputRequiredResult> {
  const engine = await surface.engine();
  try {
    const { name } = entry.tool;
    if (isWorkflow(name)) return await work(surface, engine, name, args, ctx);
    return await perform(surface, engine, entry, args, server, ctx);
  } catch (error) {
    return failureResult(error, engine.presentation);
  }
}
