/** The table of what is offered with today's APIs: what is declared, what is imported, and what it takes the place of. */
import { operationRows } from "../src/commands/operations.js";
import type { Definition } from "../src/definitions/definition.js";
import { plainRoute } from "../src/definitions/route.js";
import type { Service } from "../src/language/service.js";

const line = (cells: readonly (string | number)[]): string => `| ${cells.join(" | ")} |`;

/**
 * The table in Markdown.
 * @param services All services.
 * @param definitions Those in the box.
 */
export function todayTable(services: readonly Service[], definitions: readonly Definition[]): string {
  const replaced = new Set(services.flatMap(({ replaces }) => replaces?.services ?? []));
  const offered = services.filter(({ name, standing }) => !replaced.has(name) && standing.state !== "retired");
  const rows = operationRows(offered).filter(({ standing }) => standing.state !== "retired");
  const routesOf = ({ name }: Service) =>
    rows.filter(({ service }) => service === name).map(({ method, path }) => plainRoute(`${method} ${path}`));
  const linked = (some: readonly Service[]) =>
    some.map(({ name, title }) => `[${title}](reference/${name}.md)`).join(", ");
  const titles = (names: readonly string[]) =>
    services.filter(({ name }) => names.includes(name)).map(({ title }) => title);
  const known = definitions.map((definition) => {
    const routes = Object.values(definition.operations).map(({ route }) => plainRoute(route));
    const own = offered.filter((service) => routesOf(service).some((route) => routes.includes(route)));
    const declared = new Set(own.flatMap(routesOf));
    return { definition, own, imported: routes.filter((route) => !declared.has(route)).length };
  });
  const newer = known.filter(({ own }) => own.some(({ document }) => document === "today"));
  const apis = newer.map(({ definition, own, imported }) =>
    line([
      linked(own),
      `\`${definition.base}\``,
      own.flatMap(routesOf).length,
      imported,
      titles(own.flatMap(({ replaces }) => replaces?.services ?? [])).join(", "),
    ]),
  );
  const own = new Set(newer.flatMap((one) => one.own));
  const asBefore = offered.filter((service) => !own.has(service));
  const others = known.filter((one) => !newer.includes(one));
  return [
    line(["Jobs", "API", "Declared", "Imported", "In place of"]),
    line(Array.from({ length: 5 }, () => "---")),
    ...apis,
    line([
      `As the documents have them, some with operations of today: ${linked(asBefore)}`,
      "",
      asBefore.flatMap(routesOf).length,
      others.filter(({ own }) => own.length > 0).reduce((sum, { imported }) => sum + imported, 0),
      "",
    ]),
    line([
      `${others.filter(({ own }) => own.length === 0).length} other APIs, such as firewall, edge functions, load balancing by DNS`,
      "",
      0,
      others.filter(({ own }) => own.length === 0).reduce((sum, { imported }) => sum + imported, 0),
      "",
    ]),
  ].join("\n");
}
