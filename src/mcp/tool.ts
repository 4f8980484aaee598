/** The listing of operations as tools, which is made by the build and never at start-up. */
import { argumentsSchema } from "../arguments/index.js";
import { type AnyWorkflow, effectOfWorkflow, isChange } from "../calls/workflow.js";
import type { Catalogue, JsonSchema, Readings, ToolEntry, ToolListing } from "../engine/catalogue.js";
import { defaultedArguments } from "../language/defaults.js";
import type { AnyOperation, Effect } from "../language/define.js";
import { effectOf, guardOf } from "../language/effect.js";
import { onceFor } from "../language/once-for.js";
import { isLive } from "../language/reading.js";
import type { Service } from "../language/service.js";
import { promptsOf } from "../prompts/index.js";
import { jsonSchemaOf } from "../schema/json-schema.js";
import { listedSchema } from "./listed-schema.js";

/** The whole JSON Schema of an operation's arguments. */
export const wholeSchema = onceFor(
  (operation: AnyOperation): JsonSchema => jsonSchemaOf(argumentsSchema(operation), "input"),
);

const words = (text: string): string => text.replaceAll("_", " ");

/** The title of a tool: that of the service, and the words of the rest of its name. */
const titleOf = (name: string, service: Service): string =>
  `${service.title}: ${words(name.slice(name.indexOf("_", service.id.length) + 1))}`;

/** Method and path are only on the operation's page: in the list they would be an eighth of all tokens. */
function descriptionOf({ spec, service }: AnyOperation): string {
  const stage = service?.standing.stage;
  const parts = [
    spec.does,
    spec.needs,
    spec.lock ? `Pass the version stamp from ${spec.lock.from} in ${spec.lock.field}.` : undefined,
    stage === "deprecated" ? "Deprecated." : stage === "beta" ? "Beta." : undefined,
  ];
  return parts.filter(Boolean).join(" ");
}

function listing(name: string, operation: AnyOperation, service: Service): ToolListing {
  const effect = effectOf(operation);
  const method = operation.route.split(" ")[0] ?? "";
  return {
    name,
    title: titleOf(name, service),
    description: descriptionOf(operation),
    inputSchema: listedSchema(wholeSchema(operation)),
    annotations: {
      readOnlyHint: effect === "read",
      destructiveHint: guardOf(operation) !== undefined,
      idempotentHint: effect === "read" || (method === "PUT" && effect !== "create") || method === "DELETE",
      openWorldHint: true,
    },
  };
}

const workflowGroup = "workflows";

/** The service that a workflow works with, whose id is its prefix; the group of workflows if it works with several. */
const serviceOfWorkflow = (name: string, services: readonly Service[]): string =>
  services.find(({ id }) => name.startsWith(`${id}_`))?.name ?? workflowGroup;

/**
 * A workflow or a composed change as a listed tool. A workflow only reads; at most it makes the edge request a page, like
 * a visitor. One without steps makes no calls, so it is not open-world.
 */
function workflowEntry(name: string, declared: AnyWorkflow, effect: Effect, services: readonly Service[]): ToolEntry {
  const { title, does, input, steps, servesAllTools, isFrontLine = true } = declared;
  const of = serviceOfWorkflow(name, services);
  return {
    service: workflowGroup,
    ...(of === workflowGroup ? {} : { of }),
    ...(isFrontLine ? { isFrontLine } : {}),
    ...(servesAllTools ? { servesAllTools } : {}),
    ...(isChange(declared) && declared.holdsCalls ? { holdsCalls: true } : {}),
    effect,
    tool: {
      name,
      title,
      description: does,
      inputSchema: listedSchema(jsonSchemaOf(input, "input")),
      annotations: {
        readOnlyHint: effect === "read",
        destructiveHint: effect === "destructive",
        idempotentHint: effect === "read",
        openWorldHint: steps !== undefined,
      },
    },
  };
}

/** The catalogue, made from the declarations; for the build and the tests. */
export function catalogueOf(
  services: readonly Service[],
  workflows: readonly (readonly [string, AnyWorkflow])[] = [],
): Catalogue {
  const operations = new Map(services.flatMap((service) => Object.entries(service.operations)));
  return new Map([
    ...workflows.map(([name, declared]): [string, ToolEntry] => [
      name,
      workflowEntry(
        name,
        declared,
        effectOfWorkflow(declared, (tool) => operations.get(tool)),
        services,
      ),
    ]),
    ...services.flatMap((service) =>
      Object.entries(service.operations).map(([name, operation]): [string, ToolEntry] => [
        name,
        {
          service: service.name,
          ...(service.frontLine?.includes(name) ? { isFrontLine: true } : {}),
          effect: effectOf(operation),
          ...(Object.keys(defaultedArguments(operation)).length > 0
            ? { defaulted: defaultedArguments(operation) }
            : {}),
          tool: listing(name, operation, service),
        },
      ]),
    ),
  ]);
}

/** The resources and prompts, made from the declarations; for the build and the tests. */
export async function readingsOf(
  services: readonly Service[],
  workflows: readonly (readonly [string, AnyWorkflow])[] = [],
): Promise<Readings> {
  return {
    resources: services.flatMap(({ name: service, resources = [] }) =>
      resources.map(({ content, ...listing }) => ({
        ...listing,
        service,
        ...(isLive(content) ? { tool: content.tool } : {}),
      })),
    ),
    prompts: await promptsOf(services),
    introductions: [
      ...services.flatMap(({ name: service, introduction }) => (introduction ? { service, ...introduction } : [])),
      ...workflows.flatMap(([name, { introduction }]) =>
        introduction ? { service: serviceOfWorkflow(name, services), ...introduction } : [],
      ),
    ],
  };
}

/** The text of the generated file, in the order of the declarations, so that it is the same in every run. */
export const catalogueText = (catalogue: Catalogue): string => JSON.stringify([...catalogue.values()]);
