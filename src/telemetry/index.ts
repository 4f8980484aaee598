/**
 * Counts, logs and traces the requests of clients, all of them in one place. Callers report to one `RequestObservation`
 * and do not know which of metrics, log and spans are on. Nothing that a client can choose freely becomes a label, a
 * field of the log or the name of a span.
 */
import type { Log } from "./log.js";
import { Meters } from "./meters.js";
import { type CallOutcome, type RequestObservation, Times } from "./observation.js";
import { addProcessMeters } from "./process.js";
import { openSpans, type RequestSpan, type Spans } from "./spans.js";

export type { RequestObservation } from "./observation.js";

/** The tool of a call. */
export interface CalledTool {
  /** Its name; undefined for one that does not exist, because a client can call anything. */
  readonly name: string | undefined;
  /** The same for metrics, where imported operations would be too many. */
  readonly label: string;
  readonly service: string;
  readonly effect: string;
}

/** A request of a client. */
export interface ReceivedRequest {
  readonly method: string;
  readonly id: string | number;
  readonly tool?: CalledTool | undefined;
  /** The name of a prompt that exists. */
  readonly prompt?: string | undefined;
  readonly session?: string | undefined;
  readonly isHttp: boolean;
  /** A member of its `_meta`, and a header of its HTTP request. */
  meta(name: string): unknown;
  header(name: string): string | null | undefined;
}

export interface Telemetry {
  /** The metrics of the process, if they are served. */
  readonly meters: Meters | undefined;
  observe<T>(request: ReceivedRequest, handle: (observation: RequestObservation) => Promise<T>): Promise<T>;
}

const ownBounds = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10];
const upstreamBounds = [0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 25, 50];

/** Statuses of the upstream that say more than their class. */
const statusesApart = new Set([401, 403, 429]);
const statusOf = (end: number | string): string =>
  typeof end === "string" ? end : statusesApart.has(end) ? String(end) : `${Math.floor(end / 100)}xx`;

function metersOf(version: string) {
  const meters = new Meters();
  addProcessMeters(meters, version);
  return {
    meters,
    requests: meters.counter("edgewise_requests_total", "Requests of clients, by method.", ["method", "result"]),
    calls: meters.counter("edgewise_calls_total", "Tool calls, by how they ended.", ["tool", "effect", "outcome"]),
    own: meters.histogram(
      "edgewise_call_own_seconds",
      "Time of tool calls without the upstream, people and pauses.",
      ["service"],
      ownBounds,
    ),
    upstream: meters.histogram(
      "edgewise_call_upstream_seconds",
      "Time in which tool calls waited for the upstream.",
      ["service"],
      upstreamBounds,
    ),
    sent: meters.counter("edgewise_upstream_requests_total", "Requests to the upstream, by how they ended.", [
      "service",
      "status",
    ]),
  };
}

type RequestMeters = ReturnType<typeof metersOf>;

/** How a request ended: a JSON-RPC error, an error within its result, or success. */
interface Ending {
  readonly isFailed: boolean;
  /** The code of the JSON-RPC error. */
  readonly code?: number;
  /** How the call of a tool ended. */
  readonly outcome?: CallOutcome | undefined;
}

/** The code of an error that the client receives; that of an internal error for all others. */
const codeOf = (thrown: unknown): number => {
  const { code } = (thrown ?? {}) as { readonly code?: unknown };
  return typeof code === "number" ? code : -32_603;
};

/** One request under observation. */
class RequestObserver implements RequestObservation {
  readonly times = new Times();
  readonly beginWait = this.times.beginWait;
  audited: string | undefined;
  outcome: CallOutcome | undefined;

  constructor(
    private readonly counted: RequestMeters | undefined,
    private readonly span: RequestSpan | undefined,
  ) {}

  readonly sending: RequestObservation["sending"] = async (sending) => {
    const ends = this.times.beginRequest();
    const spanEnds = this.span?.sending(sending);
    return (end) => {
      ends();
      spanEnds?.(end);
      this.counted?.sent(sending.service, statusOf(end));
    };
  };

  recordedAs(call: string): void {
    this.audited ??= call;
  }

  ended(outcome: CallOutcome): void {
    this.outcome = outcome;
  }
}

const longestId = 64;
const shownId = (id: string | number): string => String(id).slice(0, longestId);
const revision = /^\d{4}-\d{2}-\d{2}$/;

/** The span of a request, by the conventions for MCP; the URI of a resource is left out, because it names objects. */
function spanOf(spans: Spans, request: ReceivedRequest): RequestSpan {
  const { method, id, tool, prompt, session, isHttp, meta, header } = request;
  const target = tool?.name ?? prompt;
  const version = meta("io.modelcontextprotocol/protocolVersion") ?? header("mcp-protocol-version");
  return spans.begin({
    name: target === undefined ? method : `${method} ${target}`,
    attributes: {
      "mcp.method.name": method,
      "jsonrpc.request.id": shownId(id),
      "network.transport": isHttp ? "tcp" : "pipe",
      ...(isHttp ? { "network.protocol.name": "http" } : {}),
      ...(session === undefined ? {} : { "mcp.session.id": session }),
      ...(typeof version === "string" && revision.test(version) ? { "mcp.protocol.version": version } : {}),
      ...(tool === undefined ? {} : { "gen_ai.operation.name": "execute_tool" }),
      ...(tool?.name === undefined ? {} : { "gen_ai.tool.name": tool.name }),
      ...(prompt === undefined ? {} : { "gen_ai.prompt.name": prompt }),
    },
    meta,
    header,
  });
}

function endSpan(span: RequestSpan, { code, isFailed, outcome }: Ending): void {
  const attributes = {
    ...(code === undefined ? {} : { "rpc.response.status_code": String(code) }),
    ...(outcome === undefined ? {} : { "edgewise.outcome": outcome }),
  };
  span.end(attributes, code === undefined ? (isFailed ? "tool_error" : undefined) : String(code));
}

function count(
  { requests, calls, own, upstream }: RequestMeters,
  { method, tool }: ReceivedRequest,
  times: Times,
  end: Ending,
): void {
  requests(method, end.isFailed ? "error" : "ok");
  if (tool === undefined) return;
  calls(tool.label, tool.effect, end.outcome ?? "internal");
  own(times.ownMs / 1000, tool.service);
  if (times.requests > 0) upstream(times.upstreamMs / 1000, tool.service);
}

/** Faults of this program, and changes of which no one knows whether they were made. */
const grave: ReadonlySet<CallOutcome | undefined> = new Set(["internal", "outcome_unknown"]);

function write(
  log: Log,
  { method, id, tool }: ReceivedRequest,
  observed: RequestObserver,
  trace: string | undefined,
  end: Ending,
): void {
  const { times, audited } = observed;
  const what = tool === undefined ? method : (tool.name ?? "an unknown tool");
  const how = end.outcome ?? (end.isFailed ? "error" : "ok");
  const level = !end.isFailed ? "info" : grave.has(end.outcome) || end.code === -32_603 ? "error" : "warn";
  log(`${what}: ${how}`, level, {
    event: "request",
    method,
    request: shownId(id),
    tool: tool?.name,
    effect: tool?.effect,
    outcome: how,
    ms: Math.round(times.totalMs),
    upstream_ms: Math.round(times.upstreamMs),
    upstream_requests: times.requests,
    call: audited,
    trace_id: trace,
  });
}

/**
 * Creates the telemetry of a process.
 * @param options Whether to keep metrics, and where to log each request, if anywhere.
 */
export function createTelemetry(
  version: string,
  options: { readonly hasMeters: boolean; readonly log?: Log | undefined },
): Telemetry {
  const counted = options.hasMeters ? metersOf(version) : undefined;
  const spans = openSpans(version);
  let inProgress = 0;
  counted?.meters.gauge("edgewise_requests_in_progress", "Requests that are being handled.", () => inProgress);

  return {
    meters: counted?.meters,
    async observe(request, handle) {
      const span = spans && spanOf(spans, request);
      const observed = new RequestObserver(counted, span);
      const done = (ending: Ending): void => {
        inProgress -= 1;
        const end = { ...ending, outcome: observed.outcome ?? ending.outcome };
        if (counted) count(counted, request, observed.times, end);
        if (options.log) write(options.log, request, observed, span?.trace, end);
        if (span) endSpan(span, end);
      };
      inProgress += 1;
      try {
        const result = await (span ? span.within(() => handle(observed)) : handle(observed));
        done({ isFailed: (result as { readonly isError?: unknown } | undefined)?.isError === true });
        return result;
      } catch (thrown) {
        const isUnknown = request.tool !== undefined && request.tool.name === undefined;
        const outcome = request.tool && (isUnknown ? "unknown_tool" : "internal");
        done({ isFailed: true, code: codeOf(thrown), outcome });
        throw thrown;
      }
    },
  };
}
