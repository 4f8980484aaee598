/** The read of a path that no tool covers: an imported operation whose definition has only this path, without keys. */
import type { Arguments } from "../language/conduct.js";
import type { AnyOperation, Route } from "../language/define.js";
import { lazily } from "../language/once-for.js";
import type { CompiledOperation, Definition, Parameter, Shape } from "./definition.js";
import { type ImportedEffect, importedEffectOf } from "./effect.js";
import { type ImportedTool, toolOf } from "./library.js";

/** The name by which policies, quotas and the audit know these reads. */
export const pathReadName = "api_get";

/** The values of each argument in a query. */
export type PathQuery = Readonly<Record<string, readonly string[]>>;

const parametersOf = (
  query: PathQuery,
  text: (values: readonly string[]) => Shape,
): Readonly<Record<string, Parameter>> =>
  Object.fromEntries(
    Object.entries(query).map(([name, values]) => {
      const shape = text(values);
      return [name, { shape: values.length > 1 ? { type: "array", items: shape } : shape }];
    }),
  );

/** The segments of a path; the final slash of a path is none. */
export const segmentsOf = (path: string): readonly string[] => path.slice(1).replace(/\/$/, "").split("/");

/** What a GET does, as far as its path and its query show it. */
export const effectOfPath = (path: string, query: PathQuery): ImportedEffect =>
  importedEffectOf(
    { route: `GET /${path.slice(1)}`, query: parametersOf(query, (values) => ({ type: "string", enum: values })) },
    "",
  );

/**
 * Declares the read of a path, whose effect is a read. The segments of the path are its arguments, so that the policy and the
 * audit tell one path from another.
 * @param service The service or API to which the path belongs, for policies and limits.
 * @param missing What a 404 may mean.
 */
export function pathRead(service: string, path: string, query: PathQuery, missing: string) {
  let prefix = "segment";
  while (Object.keys(query).some((name) => name.startsWith(prefix))) prefix += "_";
  const segments = segmentsOf(path).map((text, at) => [`${prefix}${at + 1}`, text] as const);
  const end = path.endsWith("/") ? "/" : "";
  const route: Route = `GET /${segments.map(([key]) => `{${key}}`).join("/")}${end}`;
  const compiled: CompiledOperation = {
    route,
    path: Object.fromEntries(segments.map(([key]) => [key, { shape: { type: "string" }, isRequired: true }])),
    query: parametersOf(query, () => ({ type: "string" })),
    returns: {},
  };
  const definition: Definition = {
    ...{ form: 1, id: service, title: "paths that no tool covers", base: "" },
    ...{ version: "", dated: "", digest: "", shapes: [], operations: { [pathReadName]: compiled } },
  };
  const summary = { ...definition, operations: { [pathReadName]: route } };
  const declaredTool = toolOf(pathReadName, { summary, definition: () => definition });
  const tool: ImportedTool = {
    ...declaredTool,
    operation: lazily(async (): Promise<AnyOperation> => {
      const declared = await declaredTool.operation();
      return { ...declared, isOfPath: true, spec: { ...declared.spec, means: { 404: missing } } };
    }),
  };
  const queryArguments = Object.entries(query).map(
    ([name, values]) => [name, values.length > 1 ? values : values[0]] as const,
  );
  return { tool, arguments: Object.fromEntries([...segments, ...queryArguments]) as Arguments };
}
