/** A schema as JSON Schema, for arguments or responses. */
import { markOf, unitMsOf } from "../language/marks.js";
import { isOpenObject } from "../language/open-object.js";
import { z } from "../language/z.js";

/** The part of JSON Schema that declarations use. */
export interface Schema {
  readonly type?: string | readonly string[];
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  readonly additionalProperties?: Schema | boolean;
  readonly propertyNames?: Schema;
  readonly items?: Schema;
  readonly prefixItems?: readonly Schema[];
  readonly anyOf?: readonly Schema[];
  readonly oneOf?: readonly Schema[];
  readonly enum?: readonly unknown[];
  readonly const?: unknown;
  readonly default?: unknown;
  readonly description?: string;
  readonly format?: string;
  readonly pattern?: string;
  /** Constraints that keywords cannot express, in words. */
  readonly $comment?: string;
  readonly examples?: readonly unknown[];
  readonly minimum?: number;
  readonly maximum?: number;
  readonly exclusiveMinimum?: number;
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly minItems?: number;
  readonly maxItems?: number;
  readonly readOnly?: boolean;
  readonly $ref?: string;
  readonly $defs?: Readonly<Record<string, Schema>>;
}

/** Constraints beyond keywords, in the words of their checks: patterns and functions. */
function wordsOfChecks(schema: z.core.$ZodType): string | undefined {
  const { checks = [] } = schema._zod.def;
  const texts = checks.flatMap((schemaCheck) => {
    const { check, error } = schemaCheck._zod.def;
    if (check !== "string_format" && check !== "custom") return [];
    // No value is available, so a check whose words depend on one has generic words.
    const words = (error as z.core.$ZodErrorMap | undefined)?.({ code: "custom", input: undefined, path: [] });
    return (typeof words === "object" ? words?.message : words) ?? [];
  });
  return texts.length === 0 ? undefined : [...new Set(texts)].join(", ");
}

/**
 * Converts the schema of a numeric instant to that of the text as which it can be written, or of a response's number.
 */
function listAsInstant(jsonSchema: Record<string, unknown>, unitMs: number, io: "input" | "output"): void {
  const { description } = jsonSchema;
  for (const key of Object.keys(jsonSchema)) delete jsonSchema[key];
  const isMs = unitMs === 1;
  Object.assign(
    jsonSchema,
    io === "input"
      ? { type: "string", description: description ?? `ISO time (or epoch ${isMs ? "ms" : "s"})` }
      : { type: "integer", description: description ?? `${isMs ? "Milliseconds" : "Seconds"} since 1970` },
  );
}

/**
 * JSON Schema of the input or output of a schema. A numeric instant is listed as the text that it can be; patterns and
 * functions become comments, in words. An open object does not mention further members, which JSON Schema then accepts.
 */
export const jsonSchemaOf = (schema: z.ZodType, io: "input" | "output"): Record<string, unknown> =>
  z.toJSONSchema(schema, {
    io,
    unrepresentable: "any",
    override: ({ zodSchema, jsonSchema }) => {
      if (isOpenObject(zodSchema)) delete jsonSchema.additionalProperties;
      const words = wordsOfChecks(zodSchema);
      if (words !== undefined) jsonSchema.$comment = words;
      const unitMs = unitMsOf(markOf(zodSchema, "instant"));
      if (unitMs !== undefined) listAsInstant(jsonSchema, unitMs, io);
    },
  }) as Record<string, unknown>;

export type JsonSchema = { [key: string]: unknown };
