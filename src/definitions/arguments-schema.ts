/** The arguments of an imported operation as JSON Schema. */
import { memberAt, omitted, withEach } from "../language/member.js";
import type { CompiledOperation, Definition, Parameter, Shape } from "./definition.js";

/** A schema of an object of arguments. */
export interface ArgumentsSchema {
  readonly type: "object";
  readonly properties: Readonly<Record<string, Shape>>;
  readonly required?: readonly string[];
  readonly additionalProperties: false;
  readonly [key: string]: unknown;
}

/** The parameters of an operation, by the names of their arguments. */
export const parametersOf = ({ path, query, headers }: CompiledOperation): Readonly<Record<string, Parameter>> => ({
  ...path,
  ...query,
  ...headers,
});

/** A shape, or a part of one, of what is sent: it needs no member that is read-only, because the API sets those. */
function sendablePart(part: unknown): unknown {
  if (typeof part !== "object" || part === null) return part;
  return withEach(part, (member, key) => {
    if (key !== "required" || !Array.isArray(member)) return sendablePart(member);
    const needed = member.filter((name: string) => memberAt(part, ["properties", name, "readOnly"]) !== true);
    return needed.length === 0 ? omitted : needed;
  });
}

/** The shape of a body; undefined if the operation has none. */
export const bodyShape = ({ body }: CompiledOperation, { shapes }: Pick<Definition, "shapes">): Shape | undefined =>
  body && (body.shape === undefined ? {} : (sendablePart(shapes[body.shape] ?? {}) as Shape));

/** The whole schema of an operation's arguments; `confirm` is one of those of a guarded operation. */
export function argumentsSchemaOf(
  operation: CompiledOperation,
  definition: Pick<Definition, "shapes">,
  isGuarded: boolean,
): ArgumentsSchema {
  const parameters = Object.entries(parametersOf(operation));
  const body = bodyShape(operation, definition);
  const required = [
    ...parameters.flatMap(([name, { isRequired }]) => (isRequired ? [name] : [])),
    ...(operation.body?.isRequired ? ["body"] : []),
  ];
  return {
    type: "object",
    properties: {
      ...Object.fromEntries(parameters.map(([name, { shape }]) => [name, shape])),
      ...(body ? { body } : {}),
      ...(isGuarded ? { confirm: { type: "string" } } : {}),
    },
    ...(required.length > 0 ? { required } : {}),
    additionalProperties: false,
  };
}
