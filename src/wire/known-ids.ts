/** The origins of ids: the list on a path, the launch that is followed up, or a declaration. */
import type { AnyOperation, IdOrigin } from "../language/define.js";
import { schemaOfParam } from "../language/media.js";
import { unwrapSchema } from "../language/shape.js";
import { z } from "../language/z.js";

const routePath = ({ route }: AnyOperation): string => (route.split(" ")[1] ?? "").split("?")[0] ?? "";
const withoutEnd = (path: string): string => path.replace(/\/$/, "");

/**
 * Each id in the path of an operation with the operations that list it; values of a closed set are not ids.
 * @param operations Those of its service, by name.
 */
export function idsInPath(
  operation: AnyOperation,
  operations: Readonly<Record<string, AnyOperation>>,
): readonly { readonly id: string; readonly listedBy: string | undefined }[] {
  const reads = Object.entries(operations).filter(([, { route }]) => route.startsWith("GET "));
  const path = routePath(operation);
  return [...path.matchAll(/\/\{(\w+)\}/g)].flatMap(({ 1: id = "", index }) => {
    const param = operation.spec.path?.[id];
    if (param && unwrapSchema(schemaOfParam(param)) instanceof z.ZodEnum) return [];
    const [listedBy] = reads.find(([, read]) => withoutEnd(routePath(read)) === path.slice(0, index)) ?? [];
    return [{ id, listedBy }];
  });
}

/** The keys under which an id can be declared: its path, its name, or with the name of its parent. */
function keysOf(path: string): string[] {
  const name = path.slice(path.lastIndexOf(".") + 1);
  return [path, name, name.replace(/s$/, "")];
}

type Operations = Readonly<Record<string, AnyOperation>>;

/** The launch that an operation follows up by an id that the launch did not take itself. */
function launchOf(id: string, { spec }: AnyOperation, operations: Operations): string | undefined {
  const isFollowedBy = (name: string | undefined) => name !== undefined && operations[name]?.spec === spec;
  const launches = Object.entries(operations).filter(
    ([, { spec: launch }]) =>
      launch.path?.[id] === undefined && (isFollowedBy(launch.awaits?.status) || isFollowedBy(launch.awaits?.result)),
  );
  return launches[0]?.[0];
}

/** The list that the service's paths have for an id of this name, if they agree. */
function listOf(name: string, operations: Operations): string | undefined {
  const ids = Object.values(operations).flatMap((operation) => idsInPath(operation, operations));
  const [list, ...others] = new Set(ids.flatMap(({ id, listedBy }) => (id === name && listedBy ? [listedBy] : [])));
  return others.length === 0 ? list : undefined;
}

/**
 * The origin of an argument's value; undefined if it is not an id.
 * @param path The name of the argument, or the path of a field in the body: `body.policyId`.
 */
export function idOrigin(operation: AnyOperation, path: string): IdOrigin | undefined {
  const { operations = {}, ids = {} } = operation.service ?? {};
  const inPath = idsInPath(operation, operations).find(({ id }) => id === path);
  const onPath = inPath && (inPath.listedBy ?? launchOf(path, operation, operations));
  if (onPath !== undefined) return onPath;
  const keys = keysOf(path);
  const declared = keys.find((key) => Object.hasOwn(ids, key));
  if (declared !== undefined) return ids[declared];
  return keys.map((key) => listOf(key, operations)).find((list) => list !== undefined);
}

/** What to do about ids that were not found, by their origins; undefined for a path without ids. */
export function adviceOnIds(operation: AnyOperation): string | undefined {
  const ids = idsInPath(operation, operation.service?.operations ?? {});
  const origins = ids.map(({ id }) => {
    const origin = idOrigin(operation, id);
    if (origin === undefined) return id;
    return typeof origin === "string" ? `${id}, which ${origin} shows` : `${id}, ${origin.given}`;
  });
  return origins.length === 0 ? undefined : `Check ${origins.join("; ")}.`;
}
