/** What the laws of a test project are about: the documents' APIs or, in the project "today", those that are declared for today. */
import { inject } from "vitest";
import type { AnyOperation } from "../../src/language/define.js";
import { lazily } from "../../src/language/once-for.js";
import type { Apis, Service } from "../../src/language/service.js";
import { catalogueOf } from "../../src/mcp/tool.js";
import { allServices } from "../../src/tools/index.js";
import { allWorkflows } from "../../src/workflows/index.js";

declare module "vitest" {
  interface ProvidedContext {
    readonly apis: Apis;
  }
}

/** The setting under which the files of the project run. */
export const apis: Apis = inject("apis");

/** The services whose declarations the laws of this project hold; what both settings share is held in the documents' one. */
export const servicesOfProject = lazily(async () => {
  if (apis === "documents") return allServices(apis);
  return (await allServices()).flatMap((service) => {
    const own = Object.entries(service.operations).filter(
      ([, { spec }]) => (spec.document ?? service.document) === "today",
    );
    return own.length === 0 ? [] : [{ ...service, operations: Object.fromEntries(own) }];
  });
});

/** The operations of services by their tools. */
export const operationsIn = (
  services: readonly Pick<Service, "operations">[],
): readonly (readonly [tool: string, operation: AnyOperation])[] =>
  services.flatMap(({ operations }) => Object.entries<AnyOperation>(operations));

/** Of these, the ones with all of their operations: what only today has of a documents' service is a part of it. */
export const wholeServicesOfProject = lazily(async () =>
  (await servicesOfProject()).filter(({ document }) => (document === "today") === (apis === "today")),
);

/** Everything that is offered with the setting of this project. */
export const catalogueOfProject = lazily(async () => catalogueOf(await allServices(), await allWorkflows(apis), apis));
