/** Corrections of errors in definitions, based on what the vendor's own clients send and leave out. */
import type { CompiledMedia, CompiledOperation, Definition, Shape } from "./definition.js";

/** A correction of some operations, with what it is based on. */
interface Correction {
  /** A route, or the path that routes begin with. */
  readonly route: string;
  readonly why: string;
  /** The type of all bodies and responses that have none of the vendor's form, `application/vnd.…`. */
  readonly media?: string;
  /** The paths of members of the body that may be left out. */
  readonly optional?: readonly string[];
}

const productLists = {
  optional: ["options.proactive", "options.upgrade"],
  why: "The definition requires both lists; the vendor's client for Go left out empty ones.",
};

/** The corrections, each of which a test finds needed by the box. */
export const corrections: readonly Correction[] = [
  {
    route: "/config-gtm/v1/domains",
    media: "application/vnd.config-gtm.v1.8+json",
    why: "The definition has application/json, and types such as application/domain-vnd-config-gtm.v1.5+json, for which no client asks. Of the vendor's clients, the one for Go sends and accepts this type in version 1.6 for everything of a domain, and the one for PowerShell, which is newer, in version 1.8.",
  },
  { route: "PUT /identity-management/v3/user-admin/ui-identities/{uiIdentityId}/notifications", ...productLists },
  { route: "PUT /identity-management/v3/user-profile/notifications", ...productLists },
];

const isAtRoute = (route: string, of: string): boolean =>
  route === of || `${route.slice(route.indexOf(" ") + 1)}/`.startsWith(`${of}/`);

/** A shape that does not require the member at a path. */
function withOptional(shape: Shape, [name = "", ...rest]: readonly string[]): Shape {
  const { properties = {}, required = [] } = shape;
  const inner = properties[name];
  if (inner === undefined) return shape;
  return rest.length === 0
    ? { ...shape, required: required.filter((one) => one !== name) }
    : { ...shape, properties: { ...properties, [name]: withOptional(inner, rest) } };
}

/** An operation with its definition. */
interface OperationFacts {
  readonly compiled: CompiledOperation;
  readonly definition: Definition;
}

function applyCorrection(
  { compiled, definition }: OperationFacts,
  { media, optional = [] }: Correction,
): OperationFacts {
  const { body, returns } = compiled;
  const typed = <M extends CompiledMedia | null>(one: M): M =>
    media === undefined || one === null || one.type.startsWith("application/vnd.") ? one : { ...one, type: media };
  const shapes = definition.shapes.map((shape, at) =>
    at === body?.shape ? optional.reduce((one, path) => withOptional(one, path.split(".")), shape) : shape,
  );
  return {
    compiled: {
      ...compiled,
      ...(body ? { body: typed(body) } : {}),
      returns: Object.fromEntries(Object.entries(returns).map(([status, one]) => [status, typed(one)])),
    },
    definition: { ...definition, shapes },
  };
}

/** The facts of an operation, with the errors of its definition corrected. */
export const correctFacts = (facts: OperationFacts): OperationFacts =>
  corrections.filter(({ route: of }) => isAtRoute(facts.compiled.route, of)).reduce(applyCorrection, facts);
