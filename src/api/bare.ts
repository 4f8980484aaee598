/** A schema without what only says that its value may be missing. */
import { z } from "./z.js";

/** The schema inside optional, nullable and default. */
export const bare = (schema: z.ZodType): z.ZodType =>
  schema instanceof z.ZodOptional || schema instanceof z.ZodNullable || schema instanceof z.ZodDefault
    ? bare(schema.unwrap() as z.ZodType)
    : schema;
