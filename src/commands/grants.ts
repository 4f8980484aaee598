/** Which services the credentials' grants open, found out by one cheap read of each: no operation of the API lists them all. */
import { argumentsSchema } from "../api/arguments.js";
import type { AnyOperation } from "../api/define.js";
import { isRead } from "../api/effect.js";
import { resolvedExample } from "../api/example.js";
import { Failure } from "../api/failure.js";
import type { Service } from "../api/service.js";
import type { Calls } from "../calls/index.js";
import { gatewayRefusal } from "../client/gateway.js";
import { allServices } from "../tools/index.js";

/**
 * What a read has shown: the service was reached, the read was refused for want of a grant, the service is no longer
 * offered, or none of these can be told.
 */
export type Access = "open" | "refused" | "gone" | "unknown";

interface Probe {
  /** The title of its service. */
  readonly title: string;
  readonly tool: string;
  readonly args: Readonly<Record<string, unknown>>;
}

const parametersIn = ({ route }: AnyOperation): number => route.split("{").length;

/** The GET that asks least of a service: one without arguments, or else its shortest, with the arguments of its example. */
function probeOf({ title, operations }: Service, nowMs: number): Probe | undefined {
  const reads = Object.entries(operations).filter(
    ([, one]) => one.route.startsWith("GET ") && isRead(one) && !one.spec.secretTo,
  );
  const bare = reads.find(([, one]) => argumentsSchema(one).safeParse({}).success);
  if (bare) return { title, tool: bare[0], args: {} };
  const [shortest] = reads.sort(([, a], [, b]) => parametersIn(a) - parametersIn(b));
  return shortest && { title, tool: shortest[0], args: resolvedExample(shortest[1].spec.example, nowMs) };
}

/**
 * The read that shows whether a credential is accepted, of an API that the vendor runs and has not replaced.
 * @throws Error when no service has one.
 */
export async function firstProbe(nowMs: number): Promise<Probe> {
  for (const service of await allServices()) {
    const { state, successor } = service.standing;
    const probe = state === "alive" && successor === undefined ? probeOf(service, nowMs) : undefined;
    if (probe) return probe;
  }
  throw new Error("No service is alive.");
}

/**
 * What a refusal shows. Not to be found may be the object of the example, a route that the gateway hides, or a service
 * that the vendor has retired.
 */
function accessAfter({ code, detail }: Failure): Access {
  if (code === "forbidden") return "refused";
  if (detail.status === 410) return "gone";
  const isOfService = code === "rejected" && !gatewayRefusal(detail.status, detail.upstream);
  return isOfService ? "open" : "unknown";
}

/**
 * Reads once from each service.
 * @param nowMs The time to which the examples' times are relative, in milliseconds since 1970.
 * @returns The titles of the services by what their read has shown.
 */
export async function accessByService(
  calls: Calls,
  nowMs: number,
): Promise<Readonly<Record<Access, readonly string[]>>> {
  const found: Record<Access, string[]> = { open: [], refused: [], gone: [], unknown: [] };
  const services = await allServices();
  const accesses = await Promise.all(
    services.map(async (service): Promise<Access> => {
      const probe = probeOf(service, nowMs);
      if (!probe) return "unknown";
      try {
        await calls.invoke(probe.tool, probe.args);
        return "open";
      } catch (error) {
        if (!(error instanceof Failure)) throw error;
        return accessAfter(error);
      }
    }),
  );
  for (const [index, { title }] of services.entries()) found[accesses[index] ?? "unknown"].push(title);
  return found;
}
