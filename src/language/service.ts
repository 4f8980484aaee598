/** The declaration of a service: its operations, the documents' rules for it, and its resources. */
import type { Envelope } from "./conduct.js";
import type { AnyOperation, IdOrigins, Operation } from "./define.js";
import type { ApiStanding } from "./hint.js";
import type { RateLimit } from "./rate-limit.js";
import type { DeclaredResource, Introduction, Resource } from "./reading.js";
import type { VendorWord } from "./vendor-words.js";

/** The APIs that a server offers: all that the documents have, or those that the vendor runs today. */
export type Apis = "documents" | "today";

/** A service of the operations table, or one of today's APIs, which the documents lack. */
export interface Service<
  Id extends string = string,
  O extends Readonly<Record<string, AnyOperation>> = Readonly<Record<string, AnyOperation>>,
> {
  /** The prefix of its tools' names. */
  readonly id: Id;
  readonly name: string;
  readonly document: "A" | "B" | "C" | "today";
  /**
   * For a service of today's APIs: the services of the documents that it replaces, and for each of their tools that it
   * lacks, a sentence on what does its job today.
   */
  readonly replaces?: { readonly services: readonly string[]; readonly gone: Readonly<Record<string, string>> };
  readonly title: string;
  readonly about: string;
  readonly standing: ApiStanding;
  /** The documents' requirements beyond paths and fields; each is cited by a test. */
  readonly rules: Readonly<Record<string, string>>;
  readonly operations: O;
  /** The documents' words that replace the vendor's in its paths and bodies. */
  readonly vendorWords?: readonly VendorWord[];
  /** How its responses signal a failure in spite of a success status. */
  readonly envelope?: Envelope;
  /** Without it, its operations are counted together, and nothing is known about how many. */
  readonly rateLimit?: RateLimit;
  /** The origins of its ids, if they cannot be derived from paths. */
  readonly ids?: IdOrigins;
  /** Its resources, in addition to the pages of its tools. */
  readonly resources?: readonly Resource[];
  /** One line for an assistant that has just connected. */
  readonly introduction?: Introduction;
  /** The tools with which most work begins, which a short list shows. */
  readonly frontLine?: readonly string[];
}

const documentedIn = (operations: Service["operations"]): Service["operations"] =>
  Object.fromEntries(Object.entries(operations).filter(([, { spec }]) => spec.document !== "today"));

/** The services of a setting: with the documents' APIs without those of today, and without operations that only today has. */
export const servicesIn = (services: readonly Service[], apis: Apis): readonly Service[] =>
  apis === "today"
    ? services
    : services
        .filter(({ document }) => document !== "today")
        .map((service) => ({ ...service, operations: documentedIn(service.operations) }));

type Plural<Word extends string> = Word extends `${infer Stem}y` ? `${Stem}ies` : `${Word}s`;
/** A tool's name begins with its service's id, in the plural if `list` follows directly. */
type NamedOperations<Id extends string, O> = O &
  Record<Exclude<keyof O, `${Id}_${string}` | `${Plural<Id>}_list`>, never>;
/** Checks that operations name only operations of the same service, and cite only its rules. */
type ReferringOperations<O, U> = {
  readonly [K in keyof O]: O[K] extends Operation<
    infer _R,
    infer _P,
    infer _Q,
    infer _B,
    infer _A,
    infer _H,
    infer N,
    infer V
  >
    ? [N] extends [keyof O]
      ? [V] extends [U]
        ? unknown
        : { readonly "cites a rule that the service lacks": Exclude<V, U> }
      : { readonly "names an operation that the service lacks": Exclude<N, keyof O> }
    : never;
};

/** Declares a service. The compiler rejects operations without its prefix, and references to operations of others. */
export function service<
  const Id extends string,
  const Rules extends Readonly<Record<string, string>>,
  const O extends Readonly<Record<string, AnyOperation>>,
>(
  id: Id,
  rest: Omit<Service<Id, O>, "id" | "operations" | "rules" | "frontLine" | "resources"> & {
    readonly rules: Rules;
    readonly frontLine?: readonly (keyof NoInfer<O> & string)[];
    readonly resources?: readonly DeclaredResource[];
    readonly operations: NamedOperations<Id, O> & ReferringOperations<O, keyof Rules>;
  },
): Service<Id, O> {
  const { resources, ...others } = rest;
  const { title, standing, vendorWords = [], ids = {}, envelope, rateLimit } = others;
  const documented = documentedIn(rest.operations);
  const operations = Object.entries<AnyOperation>(rest.operations).map(([name, { route, spec }]) => [
    name,
    {
      route,
      spec,
      service: {
        ...{ title, standing: spec.standing ?? standing, vendorWords, ids, envelope, rateLimit },
        // An operation of both settings refers to no operation of only one of them.
        operations: spec.document === "today" ? rest.operations : documented,
      },
    },
  ]);
  const read = resources?.map((one) => ({ mimeType: "application/json", ...one }));
  return { id, ...others, ...(read && { resources: read }), operations: Object.fromEntries(operations) as O };
}
