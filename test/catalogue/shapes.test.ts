/** What the emulator answers, the declarations describe: no member is without a place in its declared shape. */
import { expect, it } from "vitest";
import { checkArguments } from "../../src/arguments/index.js";
import { z } from "../../src/language/z.js";
import { bare } from "../../src/schema/shape.js";
import { holdsForEach } from "../lab/laws.js";
import { recorded, recordedAt } from "./recorded.js";

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

// Today's declarations name the members that matter, and their answers are held to the vendor's schemas in test/oracles.
it("every member of an example's answer is declared", async () =>
  holdsForEach(await recorded(), ({ tool, args, replies, operation }) => {
    const reply = replies.findLast((one) => one.tool === tool)?.reply;
    // Of media that an argument chooses, the chosen ones alone describe the answer.
    const { answers } = checkArguments(tool, operation, args, recordedAt);
    const declared = answers.byStatus[reply?.status ?? 0] ?? [];
    // A JSON Schema is described by its own language.
    const media = declared.filter(({ type, codec }) => codec !== "empty" && type !== "application/schema+json");
    expect([...new Set(media.flatMap(({ schema }) => undeclared(reply?.body, schema)))]).toEqual([]);
  }));
