/** The listing of operations as tools, which is made by the build and never at start-up. */
import { type AnyWorkflow, effectOfWorkflow, isChange } from "../calls/workflow.js";
import type { Catalogue, ReadingListings, ToolEntry, ToolListing } from "../engine/catalogue.js";
import { defaultedArguments } from "../language/defaults.js";
import type { AnyOperation, Effect } from "../language/define.js";
import { effectOf, guardOf } from "../language/effect.js";
import { onceFor } from "../language/once-for.js";
import { isLive } from "../language/reading.js";
import { type Apis, type Service, servicesIn } from "../language/service.js";
import { promptsOf } from "../resources/prompts.js";
import { argumentsSchema } from "../schema/arguments.js";
import { type JsonSchema, jsonSchemaOf } from "../schema/json-schema.js";
import { listedSchema } from "../schema/listed-schema.js";

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

/**
 * The service that a workflow works with, whose id is its prefix, and today's if there are two; undefined if it works with
 * several.
 */
const serviceOfWorkflow = (name: string, services: readonly Service[]): Service | undefined =>
  services.findLast(({ id }) => name.startsWith(`${id}_`));

/** The name by which a service and what works with it are chosen: that of the documents' service which it replaces. */
const groupOf = ({ name, replaces }: Service): string => replaces?.services[0] ?? name;

/**
 * A workflow or a composed change as a listed tool. A workflow only reads; at most it makes the edge request a page, like
 * a visitor. One without steps makes no calls, so it is not open-world.
 */
function workflowEntry(name: string, workflow: AnyWorkflow, effect: Effect, services: readonly Service[]): ToolEntry {
  const { title, does, input, steps, servesAllTools, isFrontLine = true } = workflow;
  const of = serviceOfWorkflow(name, services);
  return {
    service: workflowGroup,
    ...(of === undefined ? {} : { of: groupOf(of) }),
    ...(isFrontLine ? { isFrontLine } : {}),
    ...(servesAllTools ? { servesAllTools } : {}),
    ...(isChange(workflow) && workflow.holdsCalls ? { holdsCalls: true } : {}),
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

const operationEntry = (name: string, operation: AnyOperation, service: Service): ToolEntry => ({
  service: service.name,
  ...(groupOf(service) === service.name ? {} : { of: groupOf(service) }),
  ...(service.frontLine?.includes(name) ? { isFrontLine: true } : {}),
  ...(operation.spec.isBehindCallTools ? { isBehindCallTools: true } : {}),
  effect: effectOf(operation),
  ...(Object.keys(defaultedArguments(operation)).length > 0 ? { defaulted: defaultedArguments(operation) } : {}),
  tool: listing(name, operation, service),
});

/**
 * What is known of a tool of the documents that is not offered with today's APIs; nothing if it is offered.
 * @param name A tool of the service, or a workflow that works with it.
 */
function retirementOf(name: string, service: Service, services: readonly Service[]): Pick<ToolEntry, "retired"> {
  const { state, since, successor } = service.operations[name]?.spec.standing ?? service.standing;
  const replacing = services.find(({ replaces }) => replaces?.services.includes(service.name));
  if (state !== "retired" && replacing === undefined) return {};
  const instead = replacing?.replaces?.gone[name];
  return {
    retired: {
      ...(since === undefined ? {} : { since }),
      ...(successor === undefined ? {} : { successor }),
      ...(instead === undefined ? {} : { instead }),
    },
  };
}

/**
 * The catalogue, made from the declarations; for the build and the tests.
 * @param apis With today's, a tool of today's APIs takes the place of one with its name, and what is gone is marked.
 */
export function catalogueOf(
  services: readonly Service[],
  workflows: readonly (readonly [string, AnyWorkflow])[] = [],
  apis: Apis = "documents",
): Catalogue {
  const offered = servicesIn(services, apis);
  const operations = new Map(offered.flatMap((service) => Object.entries<AnyOperation>(service.operations)));
  const retirement = (name: string, service: Service | undefined) =>
    apis === "today" && service && service.document !== "today" ? retirementOf(name, service, offered) : {};
  const entries = [
    ...workflows.map(
      ([name, workflow]): ToolEntry => ({
        ...workflowEntry(
          name,
          workflow,
          effectOfWorkflow(workflow, (tool) => operations.get(tool)),
          offered,
        ),
        ...(apis === "today" ? { isOfToday: true } : {}),
        ...(apis === "today" && workflow.notToday !== undefined
          ? { retired: { instead: workflow.notToday } }
          : retirement(name, serviceOfWorkflow(name, offered))),
      }),
    ),
    ...offered.flatMap((service) =>
      Object.entries<AnyOperation>(service.operations).map(
        ([name, operation]): ToolEntry => ({
          ...operationEntry(name, operation, service),
          ...retirement(name, service),
        }),
      ),
    ),
  ];
  return new Map(entries.map((entry) => [entry.tool.name, entry]));
}

/** The resources and prompts, made from the declarations; for the build and the tests. */
export async function readingsOf(
  all: readonly Service[],
  workflows: readonly (readonly [string, AnyWorkflow])[] = [],
  apis: Apis = "documents",
): Promise<ReadingListings> {
  const offered = servicesIn(all, apis);
  const replaced = new Set(offered.flatMap(({ replaces }) => replaces?.services ?? []));
  const services = offered.filter(({ name }) => apis === "documents" || !replaced.has(name));
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
        introduction ? { service: serviceOfWorkflow(name, services)?.name ?? workflowGroup, ...introduction } : [],
      ),
    ],
  };
}

/** The text of the generated file, in the order of the declarations, so that it is the same in every run. */
export const catalogueText = (catalogue: Catalogue): string => JSON.stringify([...catalogue.values()]);
