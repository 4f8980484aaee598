/** The operations that are declared for today, and what the box says of their routes. */
import { boxedDefinitions } from "../../scripts/box.js";
import { operationRows } from "../../src/commands/operations.js";
import type { CompiledMedia, CompiledOperation, Definition } from "../../src/definitions/definition.js";
import type { AnyOperation } from "../../src/language/define.js";
import { servicesOfProject } from "../lab/project.js";
import type { Request } from "./requests.js";

/**
 * The services of today's APIs. The folder has no definition of Reporting v2, whose shapes come from the vendor's own
 * elsewhere, of Cloudlets v2, which edge logic carries over, nor of the documents' APIs, some of which have an operation
 * more today.
 */
export const services = (await servicesOfProject()).filter(
  ({ name, document }) => document === "today" && name !== "edge-logic-today" && name !== "reporting-v2",
);

/** A route, whatever its keys are called, and with or without a slash at its end. */
export const plain = (route: string): string => route.replaceAll(/\{[^}]+\}/g, "{}").replace(/\/$/, "");

/** What the compiler made of the definition of a route, whatever its keys are called. */
export const facts: ReadonlyMap<string, readonly [Definition, CompiledOperation]> = new Map(
  boxedDefinitions().flatMap((definition) =>
    Object.values(definition.operations).map((one) => [plain(one.route), [definition, one]] as const),
  ),
);

/** An operation of the box in the form of the definitions. */
export function asWritten({ shapes }: Definition, { path, query, headers, body, returns }: CompiledOperation): Request {
  const parameters = Object.entries({ path, query, header: headers }).flatMap(([place, all = {}]) =>
    Object.entries(all).map(([name, { wire = name, isRequired: required, style, shape: schema }]) => {
      return { name: wire, in: place, required, explode: style === undefined, schema };
    }),
  );
  const contentOf = (media: CompiledMedia | null) =>
    Object.fromEntries(
      (media ? [media, ...(media.others ?? [])] : []).map(({ type, shape = -1 }) => [type, shapes[shape] ?? {}]),
    );
  return {
    parameters,
    body: body && { required: body.isRequired, content: contentOf(body) },
    returns: Object.fromEntries(Object.entries(returns).map(([status, media]) => [status, contentOf(media)])),
  };
}

/** Each declared operation: its title in a test, its route, the operation, its tool, and the arguments that select the route. */
export const declared = operationRows(services).map(({ tool, service, method, path, fixed }) => {
  const operation = services.find(({ name }) => name === service)?.operations[tool] as AnyOperation;
  return [`${tool}: ${method} ${path}`, plain(`${method} ${path}`), operation, tool, fixed] as const;
});
