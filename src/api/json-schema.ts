/** A schema as JSON Schema: what a caller may write, or what an answer holds. */
import { instants, unitMsOf } from "./instant.js";
import { isOpenObject } from "./open-object.js";
import { z } from "./z.js";

/**
 * JSON Schema of what goes into a schema or comes out of it. An instant that is a number is listed as the text that it may
 * be. An open object has no word about further members, which JSON Schema reads as taking them.
 */
export const jsonSchemaOf = (schema: z.ZodType, io: "input" | "output"): Record<string, unknown> =>
  z.toJSONSchema(schema, {
    io,
    unrepresentable: "any",
    override: ({ zodSchema, jsonSchema }) => {
      if (isOpenObject(zodSchema)) delete jsonSchema.additionalProperties;
      const unitMs = unitMsOf(instants.get(zodSchema)?.as);
      if (unitMs === undefined) return;
      const { description } = jsonSchema;
      for (const key of Object.keys(jsonSchema)) delete jsonSchema[key];
      if (io === "input")
        Object.assign(jsonSchema, {
          type: "string",
          description: description ?? `ISO time (or epoch ${unitMs === 1 ? "ms" : "s"})`,
        });
      else {
        const unit = unitMs === 1 ? "Milliseconds" : "Seconds";
        Object.assign(jsonSchema, { type: "integer", description: description ?? `${unit} since 1970` });
      }
    },
  }) as Record<string, unknown>;
