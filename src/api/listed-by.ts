/** Which operation lists the ids in a path: the one that reads the same path up to the id. */
import { bare } from "./bare.js";
import type { AnyOperation } from "./define.js";
import { schemaOfParam } from "./media.js";
import { z } from "./z.js";

const pathOf = ({ route }: AnyOperation): string => (route.split(" ")[1] ?? "").split("?")[0] ?? "";
const withoutEnd = (path: string): string => path.replace(/\/$/, "");

/**
 * Each id in the path of an operation with the operations that list it; values of a closed set are no ids.
 * @param operations Those of its service, by name.
 */
export function idsInPath(
  operation: AnyOperation,
  operations: Readonly<Record<string, AnyOperation>>,
): readonly { readonly id: string; readonly listedBy: string | undefined }[] {
  const reads = Object.entries(operations).filter(([, { route }]) => route.startsWith("GET "));
  const path = pathOf(operation);
  return [...path.matchAll(/\/\{(\w+)\}/g)].flatMap(({ 1: id = "", index }) => {
    const param = operation.spec.path?.[id];
    if (param && bare(schemaOfParam(param)) instanceof z.ZodEnum) return [];
    const [listedBy] = reads.find(([, read]) => withoutEnd(pathOf(read)) === path.slice(0, index)) ?? [];
    return [{ id, listedBy }];
  });
}
