/** Where the ids that a call takes come from: the list on their path, the launch that follows by them, or what is declared. */
import type { AnyOperation } from "./define.js";
import { idsInPath } from "./listed-by.js";

/** The tool whose answer has an id, or where users find it who know it without a tool. */
export type IdOrigin = string | { readonly given: string };

/**
 * The origins of a service's ids that neither a path nor a launch shows: by the name of the argument or of the member of
 * a body, or by its whole path where the name alone stands for several things.
 */
export type IdOrigins = Readonly<Record<string, IdOrigin>>;

const nameIn = (path: string): string => path.slice(path.lastIndexOf(".") + 1);

/** The launch whose answer an operation follows up. */
const launchOf = ({ spec, service }: AnyOperation): string | undefined =>
  Object.entries(service?.operations ?? {}).find(
    ([
      ,
      {
        spec: { awaits },
      },
    ]) =>
      [awaits?.status, awaits?.result].some((name) => name !== undefined && service?.operations[name]?.spec === spec),
  )?.[0];

/**
 * Where the value of an argument comes from; undefined where it is no id.
 * @param path The name of the argument, or the path of a member of the body: `body.policyId`.
 */
export function idOrigin(operation: AnyOperation, path: string): IdOrigin | undefined {
  const { operations = {}, ids = {} } = operation.service ?? {};
  const inPath = idsInPath(operation, operations).find(({ id }) => id === path);
  if (inPath?.listedBy !== undefined) return inPath.listedBy;
  const declared = [path, nameIn(path)].find((key) => Object.hasOwn(ids, key));
  return (inPath && launchOf(operation)) ?? (declared === undefined ? undefined : ids[declared]);
}

/** What to do about ids that were not found, by where they come from; undefined for a path without ids. */
export function adviceOnIds(operation: AnyOperation): string | undefined {
  const ids = idsInPath(operation, operation.service?.operations ?? {});
  const named = ids.map(({ id }) => {
    const origin = idOrigin(operation, id);
    if (origin === undefined) return id;
    return typeof origin === "string" ? `${id}, which ${origin} shows` : `${id}, ${origin.given}`;
  });
  return named.length === 0 ? undefined : `Check ${named.join("; ")}.`;
}
