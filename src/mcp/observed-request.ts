/** A request of the protocol as telemetry sees it. */
import type { ServerContext } from "@modelcontextprotocol/server";
import type { Outcome } from "../calls/index.js";
import { effectOfCallTool } from "../engine/call-tools.js";
import type { Catalogue } from "../engine/catalogue.js";
import type { Surface } from "../engine/surface.js";
import type { CalledTool, ReceivedRequest } from "../telemetry/index.js";
import type { CallOutcome } from "../telemetry/observation.js";

interface CallParams {
  readonly name: string;
  readonly arguments?: Readonly<Record<string, unknown>> | undefined;
}

/** The tool of a call, also of one by a call tool. Names that the catalogue lacks are never repeated. */
function calledTool(catalogue: Catalogue, { name, arguments: args = {} }: CallParams): CalledTool {
  const { tool } = args;
  const toolName = effectOfCallTool(name) !== undefined && typeof tool === "string" ? tool : name;
  const entry = catalogue.get(toolName);
  if (!entry) return { name: undefined, label: "other", service: "other", effect: "unknown" };
  const { service, effect, imported } = entry;
  return {
    name: toolName,
    effect,
    ...(imported ? { label: "imported", service: "imported" } : { label: toolName, service }),
  };
}

/** The prompt that is asked for; undefined for a name that a client made up. */
const promptOf = ({ prompts }: Surface["readings"], { name }: { readonly name: string }): string | undefined =>
  prompts.find((one) => one.name === name)?.name;

export function observedRequestOf(
  surface: Pick<Surface, "catalogue" | "readings">,
  { method, params }: { readonly method: string; readonly params?: unknown },
  { mcpReq, http, sessionId: session }: ServerContext,
): ReceivedRequest {
  const { envelope, _meta } = mcpReq as { readonly envelope?: object; readonly _meta?: object };
  const members = { ..._meta, ...envelope } as Readonly<Record<string, unknown>>;
  return {
    method,
    id: mcpReq.id,
    tool: method === "tools/call" ? calledTool(surface.catalogue, params as CallParams) : undefined,
    prompt: method === "prompts/get" ? promptOf(surface.readings, params as CallParams) : undefined,
    session,
    isHttp: http !== undefined,
    meta: (name) => members[name],
    header: (name) => http?.req?.headers.get(name),
  };
}

/** How a call has ended, in one word. */
export function callOutcomeOf(outcome: Outcome): CallOutcome {
  if (outcome.kind === "failure") return outcome.failure.code;
  if (outcome.kind === "workflow") return outcome.hasFailed === true ? "partial" : "ok";
  return outcome.kind === "answer" ? "ok" : outcome.kind;
}
