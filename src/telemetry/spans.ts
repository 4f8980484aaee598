/** Spans of requests and of what they ask of the upstream, by OpenTelemetry's conventions for MCP and for HTTP. */
import type { Attributes, Context, Span, SpanKind, SpanStatusCode } from "@opentelemetry/api";
import type { SendAttempt, SendAttemptEnd } from "../language/wire.js";
import { registeredOpenTelemetry } from "./traced.js";

const spanKey = Symbol.for("OpenTelemetry Context Key SPAN");
const kinds = { server: 1, client: 2 } as const satisfies Record<string, SpanKind>;
const error: SpanStatusCode = 2;

/** A context without values, where no manager of contexts is registered. */
class PlainContext implements Context {
  constructor(private readonly values: ReadonlyMap<symbol, unknown> = new Map()) {}
  getValue = (key: symbol): unknown => this.values.get(key);
  setValue = (key: symbol, value: unknown): Context => new PlainContext(new Map(this.values).set(key, value));
  deleteValue = (key: symbol): Context => new PlainContext(new Map([...this.values].filter(([one]) => one !== key)));
}

const spanIn = (context: Context): Span | undefined => context.getValue(spanKey) as Span | undefined;

/** The members that carry a trace: in `_meta` of a message (SEP-414), and in headers. */
const carriers = ["traceparent", "tracestate", "baggage"] as const;
const longest = 8_192;

type Carrier = Readonly<Record<string, string>>;

/** What carries a trace; undefined without a parent. */
function carrierOf(member: (name: string) => unknown): Carrier | undefined {
  const found = carriers.flatMap((name) => {
    const value = member(name);
    return typeof value === "string" && value.length <= longest ? [[name, value] as const] : [];
  });
  const carrier: Carrier = Object.fromEntries(found);
  return carrier["traceparent"] === undefined ? undefined : carrier;
}

const getter = {
  keys: (carrier: Carrier) => Object.keys(carrier),
  get: (carrier: Carrier, key: string) => carrier[key],
};

/** A request as its span shows it. */
interface TracedRequest {
  readonly name: string;
  readonly attributes: Attributes;
  /** A member of its `_meta`, and a header of its HTTP request. */
  meta(name: string): unknown;
  header(name: string): string | null | undefined;
}

export interface RequestSpan {
  /** The id of its trace; undefined if it is not recorded. */
  readonly trace: string | undefined;
  /** Runs work within it, for the spans that the operator's own instrumentation makes. */
  within<T>(work: () => T): T;
  /** Begins the span of a request to the upstream. @returns what ends it. */
  sending(sending: SendAttempt): (end: SendAttemptEnd) => void;
  /** @param failure What `error.type` says; undefined for success. */
  end(attributes: Attributes, failure: string | undefined): void;
}

export interface Spans {
  begin(request: TracedRequest): RequestSpan;
}

function finishSpan(span: Span, attributes: Attributes, failure: string | undefined): void {
  span.setAttributes(failure === undefined ? attributes : { ...attributes, "error.type": failure });
  if (failure !== undefined) span.setStatus({ code: error });
  span.end();
}

/** The attributes of a request to the upstream: its URL has the arguments of the call, so that only its template is shown. */
function attributesOf({ route, url, attempt }: SendAttempt): Attributes {
  const [method = "", template = ""] = route.split(" ");
  return {
    "http.request.method": method,
    "url.template": template.split("?")[0] ?? "",
    "server.address": url.hostname,
    "server.port": Number(url.port) || (url.protocol === "https:" ? 443 : 80),
    ...(attempt === 1 ? {} : { "http.request.resend_count": attempt - 1 }),
  };
}

/** Opens the tracer of this program; undefined if no SDK is registered. */
export function openSpans(version: string): Spans | undefined {
  const { trace, context: contexts, propagation } = registeredOpenTelemetry() ?? {};
  if (trace === undefined) return undefined;
  const tracer = trace.getTracer("edgewise", version);
  const root = new PlainContext();

  /** The context of a request: that of its message, else that of this place in the program, else that of its headers. */
  const parentOf = ({ meta, header }: TracedRequest): { readonly parent: Context; readonly linked?: Span } => {
    const ambient = contexts?.active() ?? root;
    const around = spanIn(ambient);
    const extracted = (from: Context, carrier: Carrier | undefined): Context =>
      carrier === undefined ? from : (propagation?.extract(from, carrier, getter) ?? from);
    const sent = carrierOf(meta);
    if (sent) return { parent: extracted(root, sent), ...(around ? { linked: around } : {}) };
    return { parent: around ? ambient : extracted(ambient, carrierOf(header)) };
  };

  return {
    begin(request) {
      const { name, attributes } = request;
      const { parent, linked } = parentOf(request);
      const links = linked ? [{ context: linked.spanContext() }] : [];
      const span = tracer.startSpan(name, { kind: kinds.server, attributes, links }, parent);
      const within = parent.setValue(spanKey, span);
      const { traceId } = span.spanContext();
      return {
        trace: span.isRecording() && /^[0-9a-f]{32}$/.test(traceId) ? traceId : undefined,
        within: (work) => (contexts ? contexts.with(within, work) : work()),
        sending(sending) {
          const childAttributes = attributesOf(sending);
          const title = `${childAttributes["http.request.method"]} ${childAttributes["url.template"]}`;
          const child = tracer.startSpan(title, { kind: kinds.client, attributes: childAttributes }, within);
          return (end) => {
            const status = typeof end === "number" ? { "http.response.status_code": end } : {};
            finishSpan(child, status, end === Number(end) && end < 400 ? undefined : String(end));
          };
        },
        end: (more, failure) => finishSpan(span, more, failure),
      };
    },
  };
}
