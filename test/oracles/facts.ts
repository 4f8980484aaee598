/** What the vendor's definitions say of the operations that are declared for today. */
import { boxedDefinitions } from "../../scripts/box.js";
import { operationRows } from "../../src/commands/operations.js";
import type { CompiledOperation, Definition } from "../../src/definitions/definition.js";
import type { AnyOperation } from "../../src/language/define.js";
import { servicesOfProject } from "../lab/project.js";

/** The eight APIs whose routes are all callable: the folder of each definition, and the path that its routes begin with. */
export const eight: readonly (readonly [folder: string, base: string])[] = [
  ["ccu/v3", "/ccu/v3"],
  ["papi/v1", "/papi/v1"],
  ["config-dns/v2", "/config-dns/v2"],
  ["identity-management/v3", "/identity-management/v3"],
  ["edge-diagnostics/v1", "/edge-diagnostics/v1"],
  ["events/v3", "/events/v3"],
  ["cloudlets/v3", "/cloudlets/v3"],
  ["network-lists/v2", "/network-list/v2"],
];

export const definitions = boxedDefinitions();
/**
 * The services of today's APIs. There is no definition of Cloudlets v2, which edge logic carries over, nor of the documents'
 * APIs, some of which have an operation more today.
 */
export const services = (await servicesOfProject()).filter(
  ({ name, document }) => document === "today" && name !== "edge-logic-today",
);

/** A route, whatever its keys are called, and with or without a slash at its end. */
export const plain = (route: string): string => route.replaceAll(/\{[^}]+\}/g, "{}").replace(/\/$/, "");

/** The definition of a route, whatever its keys are called. */
export const facts: ReadonlyMap<string, readonly [Definition, CompiledOperation]> = new Map(
  definitions.flatMap((definition) =>
    Object.values(definition.operations).map((one) => [plain(one.route), [definition, one]] as const),
  ),
);

/** Each declared operation: its title in a test, its route, the operation, its tool, and the arguments that select the route. */
export const declared = operationRows(services).map(({ tool, service, method, path, fixed }) => {
  const operation = services.find(({ name }) => name === service)?.operations[tool] as AnyOperation;
  return [`${tool}: ${method} ${path}`, plain(`${method} ${path}`), operation, tool, fixed] as const;
});
