/** Laws over all operations: each id that a call takes comes from a tool that shows it, or users are known to have it. */
import { describe, expect, it } from "vitest";
import type { AnyOperation } from "../../src/language/define.js";
import { isRecord } from "../../src/language/member.js";
import { idOrigin } from "../../src/wire/known-ids.js";
import { lawsOver } from "../lab/laws.js";
import { apis, catalogueOfProject, servicesOfProject, wholeServicesOfProject } from "../lab/project.js";

const services = await servicesOfProject();
const operations = new Map<string, AnyOperation>(services.flatMap(({ operations: own }) => Object.entries(own)));
const catalogue = await catalogueOfProject();

type Schema = Readonly<Record<string, unknown>>;
const schemaAt = (schema: Schema, key: string): Schema => (isRecord(schema[key]) ? schema[key] : {});
const itemOf = (schema: Schema): Schema => (schema["type"] === "array" ? itemOf(schemaAt(schema, "items")) : schema);

/** The paths of all members that a listed schema shows, with their schemas. */
const membersOf = (schema: Schema, before = ""): [string, Schema][] =>
  Object.entries(schemaAt(schema, "properties")).flatMap(([name, member]) => {
    const item = itemOf(member as Schema);
    return [[before + name, item], ...membersOf(item, `${before}${name}.`)] as [string, Schema][];
  });

const idName = /(?:[a-z](?:Id|ID|Code)s?|^ids?)$/;

/** The ids that an operation takes: what its path names, and what has the name of an id. */
function idsOf(tool: string, { route }: AnyOperation): string[] {
  const isInPath = (path: string) => route.split("?")[0]?.includes(`{${path}}`) ?? false;
  return membersOf(catalogue.get(tool)?.tool.inputSchema ?? {}).flatMap(([path, { enum: values, type }]) => {
    const isId = isInPath(path) || idName.test(path.slice(path.lastIndexOf(".") + 1));
    return isId && values === undefined && type !== "boolean" ? [path] : [];
  });
}

const ids = [...operations].flatMap(([tool, operation]) =>
  idsOf(tool, operation).map((id) => ({ tool, operation, id })),
);

it("each id that an operation takes has an origin", () => {
  expect(ids.length).toBeGreaterThan(apis === "documents" ? 400 : -1);
  expect(
    ids.filter(({ operation, id }) => idOrigin(operation, id) === undefined).map(({ tool, id }) => [tool, id]),
  ).toEqual([]);
});

it("each id comes from a tool that reads, or from the launch it follows", () => {
  const origins = ids.flatMap(({ tool, operation, id }) => {
    const origin = idOrigin(operation, id);
    return typeof origin === "string" ? [{ tool, id, origin }] : [];
  });
  const isLaunchOf = (tool: string, origin: string) => {
    const { status, result } = operations.get(origin)?.spec.awaits ?? {};
    return [status, result].includes(tool);
  };
  const wrong = origins.filter(
    ({ tool, origin }) => catalogue.get(origin)?.effect !== "read" && !isLaunchOf(tool, origin),
  );
  expect(wrong).toEqual([]);
});

it("each id can be found without being known already", () => {
  const circular = (tool: string, id: string, seen: readonly string[]): boolean => {
    const operation = operations.get(tool);
    const origin = operation && idOrigin(operation, id);
    if (typeof origin !== "string") return false;
    if (seen.includes(origin)) return true;
    const from = operations.get(origin);
    return Object.keys(from?.spec.path ?? {}).some((needed) => circular(origin, needed, [...seen, origin]));
  };
  const needed = ids.filter(({ operation, id }) => operation.spec.path?.[id] !== undefined);
  expect(needed.filter(({ tool, id }) => circular(tool, id, [tool])).map(({ tool, id }) => [tool, id])).toEqual([]);
});

describe("the ids that every service declares", async () =>
  lawsOver(await wholeServicesOfProject(), (law, { operations: own, ids: declared = {} }) => {
    law("are taken by its operations, and come from nowhere else", () => {
      const taken = Object.entries(own).flatMap(([tool, operation]) =>
        idsOf(tool, operation).map((id) => ({ id: `.${id}`, origin: idOrigin(operation, id) })),
      );
      const isUsed = (key: string, origin: unknown) =>
        taken.some((one) => one.origin === origin && [`.${key}`, `.${key}s`].some((end) => one.id.endsWith(end)));
      expect(Object.entries(declared).filter(([key, origin]) => !isUsed(key, origin))).toEqual([]);
    });
  }));
