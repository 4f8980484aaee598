/** The compiled form of an imported definition: facts about routes, arguments and media, none of its sentences. */
import type { Route } from "../language/define.js";

/** A reduced JSON Schema: types, closed sets, members, bounds and defaults. */
export interface Shape {
  readonly type?: string | readonly string[];
  readonly enum?: readonly unknown[];
  readonly format?: string;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly exclusiveMinimum?: number;
  readonly exclusiveMaximum?: number;
  readonly minLength?: number;
  readonly maxLength?: number;
  /** One that takes little time for a short text, as `isQuickPattern` says. */
  readonly pattern?: string;
  readonly minItems?: number;
  readonly maxItems?: number;
  readonly uniqueItems?: true;
  readonly minProperties?: number;
  readonly maxProperties?: number;
  /** A flag, a number or a word. */
  readonly default?: unknown;
  readonly properties?: Readonly<Record<string, Shape>>;
  readonly required?: readonly string[];
  readonly additionalProperties?: false | Shape;
  readonly items?: Shape;
  readonly oneOf?: readonly Shape[];
  readonly readOnly?: true;
}

/** The types that a value of a shape can have; none if it can have any. */
export const shapeTypes = ({ type = [] }: Shape): readonly string[] => (typeof type === "string" ? [type] : type);

/** An argument in the path, the query or a header. */
export interface Parameter {
  /** The name on the wire, if the argument is named differently. */
  readonly wire?: string;
  readonly shape: Shape;
  readonly isRequired?: true;
  /** How a list is written in the query; its items are repeated by default. */
  readonly style?: "comma";
}

/** A medium and the index of its shape among those of the definition; absent for a body of any form. */
export interface CompiledMedia {
  readonly type: string;
  readonly shape?: number;
  /** The other media that can be had or sent in its place. */
  readonly others?: readonly CompiledMedia[];
}

/** One operation. Its name is its key. */
export interface CompiledOperation {
  readonly route: Route;
  readonly path?: Readonly<Record<string, Parameter>>;
  readonly query?: Readonly<Record<string, Parameter>>;
  readonly headers?: Readonly<Record<string, Parameter>>;
  readonly body?: CompiledMedia & { readonly isRequired?: true };
  /** By the statuses of success and of redirection; without a medium there is no body. */
  readonly returns: Readonly<Record<string, CompiledMedia | null>>;
  /** The operation that shows the state at the same path. */
  readonly shownBy?: string;
  /** Whether the definition itself declares that a call of it changes something although its method only reads. */
  readonly isGuarded?: true;
  /** The definition's own sentence, if it was asked for. */
  readonly says?: string;
  /** Why it cannot be called, as a clause that follows "because". */
  readonly refused?: string;
}

/** What an operation answers with on success, by status: as a usual answer, if its definition has only redirections. */
export function successesOf({
  returns,
}: Pick<CompiledOperation, "returns">): readonly (readonly [string, CompiledMedia | null])[] {
  const found = Object.entries(returns).filter(([status]) => status.startsWith("2"));
  return found.length > 0 ? found : [["200", null]];
}

/** The definition of one API. */
export interface Definition {
  /** Increased when older programs cannot read the form. */
  readonly form: 1;
  /** The prefix of its operations' names. */
  readonly id: string;
  readonly title: string;
  /** The path that all of its operations begin with. */
  readonly base: string;
  /** The version that the definition gives itself. */
  readonly version: string;
  /** SHA-256 of its files, in hexadecimal. */
  readonly digest: string;
  /** The date of its newest file, as YYYY-MM-DD. */
  readonly dated: string;
  readonly shapes: readonly Shape[];
  readonly operations: Readonly<Record<string, CompiledOperation>>;
}

/** Something that was not imported, or not as it was written, and why. */
export interface ImportFinding {
  /** The file, and the operation or place in it. */
  readonly at: string;
  readonly why: string;
}
