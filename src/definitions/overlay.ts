/**
 * Operations of today's APIs as overlays on the vendor's definitions: route, arguments, bodies and answers are compiled, and
 * an overlay adds what a definition does not say.
 */
import {
  type AnySpec,
  type BodyMedia,
  empty,
  type Header,
  type Judgement,
  type Media,
  type Operation,
  type Params,
  type Returns,
  type Route,
} from "../language/define.js";
import { mediumOf } from "../language/media.js";
import { isRecord } from "../language/member.js";
import { lazily, onceFor } from "../language/once-for.js";
import { closedObject, openObject } from "../language/open-object.js";
import { readOnly } from "../language/read-only.js";
import { z } from "../language/z.js";
import {
  type CompiledOperation,
  type Definition,
  type Parameter,
  type Shape,
  shapeTypes,
  successesOf,
} from "./definition.js";
import { plainRoute } from "./route.js";

/** A definition with the types of its routes and the names of its members, which are generated beside it. */
export interface TypedDefinition<R, N extends string> extends Definition {
  /** For the compiler only. */
  readonly types?: { readonly routes: R; readonly names: N };
}

/**
 * How an overlay names a member: as the definition has it, with a description, with a schema in place of the definition's,
 * such as one with a stricter bound, a mark, or the form of a time, or with what it makes of the definition's list. A header
 * that it names with a literal is no argument: it is always sent, with that value.
 */
type Naming = true | string | z.ZodType | ((list: z.ZodArray) => z.ZodType);
type Namings<N extends string = string> = Readonly<Partial<Record<N, Naming>>>;

/** The members that an overlay names, wherever the definition has them. */
interface OverlayNames<N extends string = string, A extends object = Namings<N>> {
  /** Those of arguments and bodies. A body lists what it requires, and then these in their order. */
  readonly arguments?: Namings<N>;
  /** Those of answers. */
  readonly answers?: A & Readonly<Record<Exclude<keyof A, N>, never>>;
}

/** The members that all operations of a service name. */
interface SharedNames<N extends string, O extends N, Z extends N, A extends object = Namings<N>>
  extends OverlayNames<N, A> {
  /** The members of answers that are missing at times, although the definition requires them. */
  readonly optional?: readonly O[];
  /** The members of answers that are null at times, although the definition does not say so. */
  readonly nullable?: readonly Z[];
}

/** Members of answers are all declared, those of bodies if the overlay names them or the definition requires them. */
type Use = "parameter" | "body" | "answer";

// What a write accepts as it was read, and does not send.
const unsent = readOnly(z.unknown().optional());

/** A text of a request; patterns are not checked, because a definition's may be wrong where its bounds are right. */
function textOf({ minLength = 0, maxLength }: Shape, least: number): z.ZodString {
  const bounded = minLength > 0 || least > 0 ? z.string().min(Math.max(minLength, least)) : z.string();
  return maxLength === undefined ? bounded : bounded.max(maxLength);
}

function numberOf(schema: z.ZodNumber, { minimum, maximum }: Shape): z.ZodNumber {
  const bounded = minimum === undefined ? schema : schema.min(minimum);
  return maximum === undefined ? bounded : bounded.max(maximum);
}

function listOf(item: z.ZodType, { minItems = 0, maxItems }: Shape): z.ZodType {
  const bounded = minItems > 0 ? z.array(item).min(minItems) : z.array(item);
  return maxItems === undefined ? bounded : bounded.max(maxItems);
}

/** The schemas of what is in a definition, by an overlay's names. */
class Schemas {
  constructor(private readonly names: Required<SharedNames<string, string, string>>) {}

  /** How the overlay names a member; undefined if it does not. */
  private namingOf(name: string, use: Use): Naming | undefined {
    const namings = use === "answer" ? this.names.answers : this.names.arguments;
    return Object.hasOwn(namings, name) ? namings[name] : undefined;
  }

  /** The schema of a member or argument by its name. */
  private schemaOfMember(name: string, shape: Shape, use: Use): z.ZodType {
    const naming = this.namingOf(name, use);
    if (naming instanceof z.ZodType) return naming;
    const schema = this.schemaOf(shape, use);
    if (typeof naming === "function" && schema instanceof z.ZodArray) return naming(schema);
    return typeof naming === "string" ? schema.describe(naming) : schema;
  }

  schemaOf(shape: Shape, use: Use): z.ZodType {
    const schema = this.ofValue(shape, use);
    return shapeTypes(shape).includes("null") ? schema.nullable() : schema;
  }

  /** A value that is not null. */
  ofValue(shape: Shape, use: Use): z.ZodType {
    const { enum: values, oneOf, items, properties } = shape;
    // Beside members of an object, alternatives say which of them are required together, which is no fact of a schema here.
    if (oneOf !== undefined && properties === undefined) {
      const forms = oneOf.map((one) => this.schemaOf(one, use));
      const [only] = forms;
      return only && forms.length === 1 ? only : z.union(forms);
    }
    if (values?.every((one) => typeof one === "string")) return z.enum(values as string[]);
    if (values?.every((one) => typeof one === "number")) return z.literal(values as number[]);
    // The bounds of answers are not checked.
    const bounds = use === "answer" ? {} : shape;
    switch (shapeTypes(shape).find((one) => one !== "null")) {
      case "string":
        return textOf(bounds, use === "parameter" ? 1 : 0);
      case "integer":
        return numberOf(z.int(), bounds);
      case "number":
        return numberOf(z.number(), bounds);
      case "boolean":
        return z.boolean();
      case "array":
        return listOf(this.ofItem(items ?? {}, use), bounds);
      case "object":
        return this.ofObject(shape, use);
      default:
        return z.unknown();
    }
  }

  /** An item of a list; in a request an empty text would name nothing. */
  private ofItem(shape: Shape, use: Use): z.ZodType {
    const schema = this.schemaOf(shape, use);
    return use !== "answer" && schema instanceof z.ZodString ? schema.min(1) : schema;
  }

  private ofObject(shape: Shape, use: Use): z.ZodType {
    const { properties, required = [], additionalProperties: others } = shape;
    if (properties === undefined)
      return isRecord(others) ? z.record(z.string(), this.schemaOf(others, use)) : z.looseObject({});
    const isDeclared = (name: string) =>
      use !== "body" || required.includes(name) || this.namingOf(name, use) !== undefined;
    const members = Object.entries(properties).flatMap(([name, member]) => {
      if (use === "body" && member.readOnly) return [[name, unsent] as const];
      if (!isDeclared(name)) return [];
      const schema = this.schemaOfMember(name, member, use);
      const isIn = (names: readonly string[]) => use === "answer" && names.includes(name);
      const full = isIn(this.names.nullable) ? schema.nullable() : schema;
      return [[name, required.includes(name) && !isIn(this.names.optional) ? full : full.optional()] as const];
    });
    if (use !== "body") return z.looseObject(Object.fromEntries(members));
    const order = Object.keys(this.names.arguments);
    return openObject(Object.fromEntries(members.toSorted(([a], [b]) => order.indexOf(a) - order.indexOf(b))));
  }

  /** The parameters of one place. */
  parameters(all: Readonly<Record<string, Parameter>> | undefined): Params | undefined {
    if (all === undefined) return undefined;
    return Object.fromEntries(
      Object.entries(all).map(([name, { shape, isRequired, style }]) => {
        const schema = this.schemaOfMember(name, shape, "parameter");
        const taken = isRequired ? schema : schema.optional();
        return [name, shapeTypes(shape).includes("array") ? { schema: taken, style: style ?? "repeat" } : taken];
      }),
    );
  }

  headers(all: Readonly<Record<string, Parameter>> | undefined): Readonly<Record<string, Header>> | undefined {
    if (all === undefined) return undefined;
    return Object.fromEntries(
      Object.entries(all).map(([name, { wire = name, shape, isRequired }]) => {
        const schema = this.schemaOfMember(name, shape, "parameter");
        if (schema instanceof z.ZodLiteral) return [wire, String(schema.value)];
        return [wire, { argument: name, schema: isRequired ? schema : schema.optional() }];
      }),
    );
  }
}

const operationsOf = onceFor(
  ({ operations }: Definition) =>
    new Map(Object.values(operations).map((one) => [plainRoute(one.route), one] as const)),
);

/** The names of the members of what an operation answers with, or of the items in its list. */
function namesAnswered({ shapes }: Definition, operation: CompiledOperation | undefined): readonly string[] {
  return Object.values(operation?.returns ?? {}).flatMap((media) => {
    const { properties, items } = shapes[media?.shape ?? -1] ?? {};
    return Object.keys(properties ?? items?.properties ?? {});
  });
}

/** The operation whose answer has what a body replaces or creates. */
function answeringOperation({ operations }: Definition, operation: CompiledOperation): CompiledOperation | undefined {
  if (operation.route.startsWith("PUT ")) return operations[operation.shownBy ?? ""];
  return operation.returns[201] === undefined ? undefined : operation;
}

/** A body; what replaces or creates a whole accepts what was read, and does not send what a write does not set. */
function bodyOf(
  definition: Definition,
  operation: CompiledOperation,
  schemas: Schemas,
  { accepts, whyClosed }: { readonly accepts: readonly Route[]; readonly whyClosed: string | undefined },
): Media | undefined {
  const { body } = operation;
  if (body === undefined) return undefined;
  const shape = body.shape === undefined ? {} : (definition.shapes[body.shape] ?? {});
  const schema = schemas.schemaOf(shape, "body");
  if (!(schema instanceof z.ZodObject)) return mediumOf(body.type, schema);
  const others = accepts.map((route) => operationsOf(definition).get(plainRoute(route)));
  const isSet = (name: string): boolean => Object.hasOwn(shape.properties ?? {}, name);
  // An answer without any member of the body, such as the link to what was created, is not what the body writes.
  const read = [answeringOperation(definition, operation), ...others]
    .map((one) => namesAnswered(definition, one))
    .filter((names) => names.some(isSet));
  const besides = read.flat().filter((name) => !isSet(name));
  const whole = schema.extend(Object.fromEntries(besides.map((name) => [name, unsent])));
  return mediumOf(body.type, whyClosed === undefined ? whole : closedObject(whyClosed, whole.shape));
}

const returnsOf = ({ shapes }: Definition, operation: CompiledOperation, schemas: Schemas): Returns =>
  Object.fromEntries(
    successesOf(operation).map(([status, media]) => [
      status,
      media === null
        ? empty
        : mediumOf(
            media.type,
            media.shape === undefined ? z.unknown() : schemas.ofValue(shapes[media.shape] ?? {}, "answer"),
          ),
    ]),
  );

/** Corrections of what a definition has wrong about an operation: the body, or single arguments and statuses. */
export interface Corrections {
  /** What it is based on. */
  readonly why: string;
  readonly path?: Params;
  readonly query?: Params;
  readonly body?: BodyMedia;
  readonly returns?: Returns;
}

/** What an overlay says of an operation's arguments and answers. */
interface OverlaySpec<M extends string, C, R extends Route> extends OverlayNames<M> {
  readonly corrects?: C;
  /** Reads whose responses its body accepts, in addition to the read at the path of the write. */
  readonly accepts?: readonly R[];
  /** Why the body takes only what is declared: the possible harm, as the end of a sentence that begins with "because". */
  readonly whyClosed?: string;
}

type Typed<T> = z.ZodType<T, T>;
type None = Record<never, never>;
type ParamsOf<T> = { readonly [K in keyof T]: Typed<T[K]> };
/** The type of a definition, with the corrected members in place of its own. */
type Corrected<T, C> = Omit<T, keyof C> & C;
type PathOf<T, C> = Corrected<
  T extends { readonly path: infer P } ? ParamsOf<P> : None,
  C extends { readonly path: infer P extends Params } ? P : None
>;
type QueryOf<T, C> = Corrected<
  T extends { readonly query: infer P } ? ParamsOf<P> : None,
  C extends { readonly query: infer P extends Params } ? P : None
>;
type BodyOf<T, C> = C extends { readonly body: BodyMedia<infer B> }
  ? B
  : T extends { readonly body: infer B }
    ? Media<Typed<B>>
    : never;
/** A type some members of which, at any depth, are missing or null at times, or have a schema of the overlay. */
type AnswerOf<T, O, Z, A> = [O | Z | keyof A] extends [never]
  ? T
  : T extends readonly (infer I)[]
    ? readonly AnswerOf<I, O, Z, A>[]
    : T extends object
      ? { readonly [K in keyof T as K extends O ? never : K]: MemberOf<T[K], K, O, Z, A> } & {
          readonly [K in keyof T as K extends O ? K : never]?: MemberOf<T[K], K, O, Z, A> | undefined;
        }
      : T;
type MemberOf<T, K, O, Z, A> =
  | (K extends keyof A
      ? A[K] extends z.ZodType
        ? z.output<A[K]> | Extract<T, undefined>
        : AnswerOf<T, O, Z, A>
      : AnswerOf<T, O, Z, A>)
  | (K extends Z ? null : never);
type ReturnsOf<T, C, O, Z, A> = Corrected<
  T extends { readonly returns: infer S } ? { readonly [K in keyof S]: Media<Typed<AnswerOf<S[K], O, Z, A>>> } : None,
  C extends { readonly returns: infer S extends Returns } ? S : None
>;

const withCorrections = <T>(defined: Readonly<Record<string, T>> | undefined, corrections: typeof defined) =>
  corrections === undefined ? defined : { ...defined, ...corrections };

/**
 * The operations of a definition, each of which an overlay declares by its route: it names members of its arguments and answers,
 * and `corrects` what the definition has wrong.
 * @param shared The members that all operations of the service name.
 */
export function overlay<
  R,
  M extends string,
  const O extends M = never,
  const Z extends M = never,
  A extends Namings = None,
>(definition: TypedDefinition<R, M>, shared: SharedNames<NoInfer<M>, O, Z, A>) {
  return <
    const K extends keyof R & Route,
    const N extends string = never,
    const U extends string = never,
    const C extends Corrections = Corrections,
  >(
    route: K,
    spec: Judgement<K, PathOf<R[K], C> & Params, QueryOf<R[K], C> & Params, BodyOf<R[K], C>, None, N, U> &
      OverlaySpec<M, C, keyof R & Route>,
  ): Operation<
    K,
    PathOf<R[K], C> & Params,
    QueryOf<R[K], C> & Params,
    BodyOf<R[K], C>,
    Extract<ReturnsOf<R[K], C, O, Z, A>, Returns>,
    None,
    N,
    U
  > => {
    const {
      arguments: requestNames,
      answers,
      corrects = {},
      accepts = [],
      whyClosed,
      example = {},
      ...judgement
    } = spec as unknown as Omit<AnySpec, "returns"> & OverlaySpec<string, Partial<Corrections>, Route>;
    const compiled = lazily((): CompiledOperation => {
      const found = operationsOf(definition).get(plainRoute(route));
      if (found === undefined) throw new Error(`The definition ${definition.id} has no ${route}.`);
      return found;
    });
    const { optional = [], nullable = [] } = shared;
    const schemas = new Schemas({
      arguments: { ...shared.arguments, ...requestNames } as Namings,
      answers: { ...shared.answers, ...answers } as Namings,
      optional,
      nullable,
    });
    const parts = {
      path: lazily(() => withCorrections(schemas.parameters(compiled().path), corrects.path)),
      query: lazily(() => withCorrections(schemas.parameters(compiled().query), corrects.query)),
      headers: lazily(() => schemas.headers(compiled().headers)),
      body: lazily(() => corrects.body ?? bodyOf(definition, compiled(), schemas, { accepts, whyClosed })),
      returns: lazily(() => withCorrections(returnsOf(definition, compiled(), schemas), corrects.returns)),
    };
    // Each part when it is first used, because a service has many operations and a call uses one.
    const lazy = Object.fromEntries(
      Object.entries(parts).map(([name, get]) => [name, { get, enumerable: true }] as const),
    );
    const whole: unknown = { route, spec: Object.defineProperties({ ...judgement, example }, lazy) };
    return whole as never;
  };
}
