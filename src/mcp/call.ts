/** One tool call: check, guard, send, present. Nothing that is thrown in here reaches the protocol as it is. */
import type { CallToolResult, InputRequiredResult, Server, ServerContext } from "@modelcontextprotocol/server";
import type { RawText } from "../answers/raw.js";
import { failureResult, successResult, workResult } from "../answers/result.js";
import type { Answers } from "../answers/times.js";
import { argumentsSchema, checkValues } from "../api/arguments.js";
import type { AnyOperation } from "../api/define.js";
import { Failure } from "../api/failure.js";
import type { Invoke } from "../client/index.js";
import { explained, type GuardedCall } from "../guard/index.js";
import { operation, type ServiceName } from "../tools/index.js";
import { inTime } from "../workflows/in-time.js";
import { isWorkflow, type WorkflowName, workflows } from "../workflows/index.js";
import { type Awaits, awaitResult } from "../workflows/wait.js";
import type { ToolEntry } from "./catalogue.js";
import type { Engine, Surface } from "./engine.js";
import { performGuarded } from "./guarded.js";
import { createInvoke, prepare } from "./invoke.js";
import { progressOf } from "./progress.js";
import { checkTemplate } from "./template.js";

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
  // What these arguments do not suffice to name cannot be shown.
  if (!argumentsSchema(shows).safeParse(shared).success) return undefined;
  try {
    return (await invoke(name, shared, signal)).body;
  } catch (error) {
    // What does not exist yet has no state to show; any other failure means that a preview would be blind.
    if (error instanceof Failure && error.code === "not_found") return undefined;
    throw error;
  }
}

async function perform(
  surface: Surface,
  engine: Engine,
  name: string,
  args: Record<string, unknown>,
  server: Server,
  ctx: ServerContext,
): Promise<CallToolResult | InputRequiredResult> {
  const { client, presentation, account } = engine;
  const { service, declared, checked, request } = await prepare(surface, engine, name, args);
  const { signal } = ctx.mcpReq;
  const invoke = createInvoke(surface, engine);
  const { spec } = declared;
  const present = () => readState(invoke, surface, declared, args, signal);
  if (spec.template) await checkTemplate(invoke, name, declared, args, present, signal);
  const send = async () => {
    try {
      const reply = await client.call(name, service, declared, request, signal);
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
    return successResult(final, presentation, spec as RawText & Answers);
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
  return performGuarded(call, send, engine, server, ctx);
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
  const [invoke, progress] = [createInvoke(surface, engine), progressOf(ctx)];
  const brought = await inTime(engine.waitMs, ctx.mcpReq.signal, (signal) => run(given, { invoke, progress, signal }));
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
    return await perform(surface, engine, name, args, server, ctx);
  } catch (error) {
    return failureResult(error, engine.presentation);
  }
}
