/** What the vendor's definitions say that a request of today's APIs takes, as `extract.ts` reads them. */
import { readFileSync } from "node:fs";

/** A JSON Schema, as far as it is read here. */
export interface Schema {
  readonly $ref?: string;
  readonly type?: string | readonly string[];
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  readonly items?: Schema;
  readonly additionalProperties?: boolean | Schema;
  readonly oneOf?: readonly Schema[];
  readonly anyOf?: readonly Schema[];
  readonly allOf?: readonly Schema[];
  readonly readOnly?: boolean;
  readonly enum?: readonly unknown[];
}

export interface Parameter {
  readonly name: string;
  readonly in: string;
  readonly required?: boolean | undefined;
  readonly explode?: boolean | undefined;
  readonly schema: Schema;
}

type Content = Readonly<Record<string, Schema>>;
export interface Request {
  readonly parameters: readonly Parameter[];
  readonly body?: { readonly required?: boolean | undefined; readonly content: Content } | undefined;
  /** What each status that is no refusal returns. */
  readonly returns: Readonly<Record<string, Content>>;
}

const { $defs, ...known } = JSON.parse(readFileSync("test/oracles/requests.json", "utf8")) as {
  readonly folders: readonly string[];
  readonly $defs: readonly Schema[];
  readonly requests: Readonly<Record<string, Request>>;
};
export const { folders, requests } = known;

/** A schema, where it is a reference the one that it names. */
export const resolved = (schema: Schema): Schema =>
  schema.$ref === undefined ? schema : ($defs[Number(schema.$ref.replace("#/$defs/", ""))] as Schema);
