/**
 * Whether the operator has registered an SDK of OpenTelemetry. Its API is one global object for all versions 1.x, and is
 * used as it is: the library of the API ignores one that an older minor version of it has registered.
 */
import type { ContextManager, TextMapPropagator, TracerProvider } from "@opentelemetry/api";

interface OpenTelemetryGlobal {
  readonly trace?: TracerProvider;
  readonly context?: ContextManager;
  readonly propagation?: TextMapPropagator;
}

export const registeredOpenTelemetry = (): OpenTelemetryGlobal | undefined =>
  (globalThis as { readonly [key: symbol]: OpenTelemetryGlobal | undefined })[Symbol.for("opentelemetry.js.api.1")];

/** Whether an SDK for traces is registered. */
export const isTraced = (): boolean => registeredOpenTelemetry()?.trace !== undefined;
