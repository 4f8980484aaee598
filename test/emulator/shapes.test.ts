/** What the emulator answers, the declarations describe: no member is without a place in its declared shape. */
import { expect, it } from "vitest";
import { checkArguments } from "../../src/arguments/index.js";
import { Refusal } from "../../src/emulator/reply.js";
import { emulatedServices } from "../../src/emulator/services/index.js";
import { createWorld } from "../../src/emulator/world.js";
import type { AnyOperation } from "../../src/language/define.js";
import { resolvedExample } from "../../src/language/example.js";
import { z } from "../../src/language/z.js";
import { servicesOfProject } from "../lab/project.js";
import { now } from "../lab/raw.js";
import { filled } from "../lab/secret-files.js";

type Run = (call: object, world: object) => { readonly status: number; readonly body: unknown };

const bare = (schema: z.ZodType): z.ZodType =>
  schema instanceof z.ZodOptional || schema instanceof z.ZodNullable || schema instanceof z.ZodDefault
    ? bare(schema.unwrap() as z.ZodType)
    : schema;

/** The paths of the members that a schema has no place for; an object without members of its own is free. */
function undeclared(value: unknown, schema: z.ZodType, at = ""): string[] {
  const kind = bare(schema);
  if (Array.isArray(value))
    return kind instanceof z.ZodArray
      ? value.flatMap((item) => undeclared(item, kind.element as z.ZodType, `${at}[]`))
      : [];
  if (typeof value !== "object" || value === null || !(kind instanceof z.ZodObject)) return [];
  const shape = kind.shape as Readonly<Record<string, z.ZodType>>;
  if (Object.keys(shape).length === 0) return [];
  return Object.entries(value).flatMap(([name, inner]) =>
    shape[name] ? undeclared(inner, shape[name], `${at}.${name}`) : [`${at}.${name}`],
  );
}

// Today's declarations name the members that matter, and their answers are held to the vendor's schemas in test/today.
const operations = (await servicesOfProject()).flatMap(({ name, operations: own }) =>
  Object.entries(own).map(([tool, operation]) => [tool, name, operation as AnyOperation] as const),
);

/** What a behaviour answers; a redirect is followed and therefore not an answer of its own. */
function answerOf(run: () => ReturnType<Run> | undefined): ReturnType<Run> {
  try {
    return run() ?? { status: 0, body: undefined };
  } catch (error) {
    if (error instanceof Refusal && error.status < 400) return { status: error.status, body: undefined };
    throw error;
  }
}

it.each(operations)("%s declares every member of its example's answer", async (tool, name, operation) => {
  const checked = checkArguments(tool, operation, resolvedExample(operation.spec.example, now), now);
  const { path, query, body: sent, answers } = await filled(operation, checked);
  const { behaviours } = await emulatedServices[name as keyof typeof emulatedServices]();
  const run = (behaviours as unknown as Readonly<Record<string, Run>>)[tool];
  const call = { path, query, headers: {}, body: sent };
  const { status, body } = answerOf(() => run?.(call, createWorld({ frozenAt: now })));
  // Of media that an argument chooses, the chosen ones alone describe the answer.
  const declared = answers.byStatus[status] ?? [];
  // A JSON Schema is described by its own language.
  const media = declared.filter(({ type, codec }) => codec !== "empty" && type !== "application/schema+json");
  expect([...new Set(media.flatMap(({ schema }) => undeclared(body, schema)))]).toEqual([]);
});
