/** Every operation, called through MCP with its own example against a fresh world, and with everything that can be wrong. */
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { argumentsSchema } from "../../src/api/arguments.js";
import { bare } from "../../src/api/bare.js";
import type { AnyOperation, Media } from "../../src/api/define.js";
import { resolvedExample } from "../../src/api/example.js";
import { mediaList } from "../../src/api/media.js";
import { formsOf } from "../../src/api/shape.js";
import { z } from "../../src/api/z.js";
import { allServices } from "../../src/tools/index.js";
import { secretDirectory } from "../secret-values.js";
import { bareEnvironment, connect, type Session, startProcess } from "./session.js";
import { json, startUpstream, type Upstream } from "./upstream.js";

const operations = (await allServices()).flatMap(
  (service) => Object.entries(service.operations) as [string, AnyOperation][],
);

describe("an example", () => {
  // One emulator and one server for all: the emulator is reset before each example, which costs less than a process.
  let emulator: Awaited<ReturnType<typeof startProcess>>;
  let session: Session;
  beforeAll(async () => {
    emulator = await startProcess(["emulator", "--port", "0"], bareEnvironment(), /POST (\S+)\/_emulator\/reset/);
    session = await connect("v2 2026 stdio", {
      flags: ["--upstream", emulator.match, "--secret-dir", secretDirectory()],
    });
  });
  afterAll(async () => {
    await session.close();
    emulator.child.kill("SIGTERM");
  });
  beforeEach(async () => {
    const { ok } = await fetch(`${emulator.match}/_emulator/reset`, { method: "POST" });
    expect(ok).toBe(true);
  });

  it.each(operations)("of %s answers with a declared status and a body that fits", async (name, { spec }) => {
    const args = resolvedExample(spec.example, Date.now());
    let result = await session.call(name, args);
    if (spec.guard) {
      expect(result.structuredContent).toMatchObject({ approval: "required" });
      result = await session.call(name, { ...args, confirm: result.structuredContent["confirm"] });
    }
    const { status, data, notes } = result.structuredContent as { status: number; data?: unknown; notes?: string[] };
    expect(result.isError, result.content[0]?.text).toBeFalsy();
    const declared = mediaList((spec.returns as Record<number, Media | readonly Media[]>)[status]);
    expect(declared.length).toBeGreaterThan(0);
    const schemas = declared.map((media) => media.schema);
    const shapes = [...schemas, ...(spec.view ? [spec.view.schema] : [])];
    // A secret went to a file; its mask, which no schema takes, has its length.
    const whole = JSON.stringify(data)?.replaceAll(/\[secret, (\d+) characters\]/g, (_, length) => "x".repeat(length));
    expect(shapes.some((schema) => schema.safeParse(whole && JSON.parse(whole)).success)).toBe(true);
    expect((notes ?? []).filter((note) => note.includes("declared shape"))).toEqual([]);
  });
});

type Wrong = readonly [what: string, args: Record<string, unknown>, field: string];

/** Whether a body refuses members that it does not name; an open and a free-form one send them as given. */
const takesNoOther = (body: z.ZodType): boolean =>
  !formsOf(body).some(
    (form) =>
      form instanceof z.ZodRecord ||
      (form instanceof z.ZodObject && form.def.catchall && !(form.def.catchall instanceof z.ZodNever)),
  );
// One character more than any text may have.
const tooLong = "x".repeat(256 * 1024 + 1);
const items = Array(10_001).fill("x");

/** What a schema of one value refuses: another type, and what is beyond its bounds. */
function* refused(schema: z.ZodType): Generator<readonly [string, unknown]> {
  const kind = bare(schema);
  const isUnion = kind instanceof z.ZodUnion;
  const isObject = kind instanceof z.ZodObject || kind instanceof z.ZodRecord;
  if (kind instanceof z.ZodUnknown) return;
  yield isObject ? ["text", "text"] : ["an object", { a: 1 }];
  if (kind instanceof z.ZodString || kind instanceof z.ZodEnum) yield ["a number", 7];
  if (kind instanceof z.ZodEnum || kind instanceof z.ZodLiteral || kind instanceof z.ZodNumber || isUnion)
    yield ["an unknown word", "no such value"];
  if (kind instanceof z.ZodString) yield ["a text too long", tooLong];
  if (kind instanceof z.ZodArray) yield ["10,001 items", items];
  if (kind instanceof z.ZodNumber) {
    const { minValue, maxValue } = kind;
    if (kind.isInt) yield ["half a number", Math.max(0, minValue ?? 0) + 0.5];
    if (minValue !== null && Number.isSafeInteger(minValue - 1)) yield ["too small", minValue - 1];
    if (maxValue !== null && Number.isSafeInteger(maxValue + 1)) yield ["too large", maxValue + 1];
  }
}

/** The arguments of an example with one thing wrong, and the field that the answer has to name. */
function* wrong(operation: AnyOperation): Generator<Wrong> {
  const { spec } = operation;
  const good = resolvedExample(spec.example, Date.now());
  const { shape } = argumentsSchema(operation) as z.ZodObject<Record<string, z.ZodType>>;
  yield ["an unknown name", { ...good, nonsense: 1 }, "nonsense"];
  yield ["nested 100 deep", { ...good, nonsense: JSON.parse(`${"[".repeat(100)}${"]".repeat(100)}`) }, "nonsense"];
  for (const [key, schema] of Object.entries(shape)) {
    const { [key]: _, ...rest } = good;
    if (!schema.safeParse(undefined).success) yield [`${key} missing`, rest, key];
    for (const [what, bad] of refused(schema)) yield [`${key}: ${what}`, { ...good, [key]: bad }, key];
  }
  for (const key of Object.keys(spec.path ?? {}))
    for (const bad of ["..", "%2e%2e", "a/b", "x\u0000", "a?b", "a#b", ""])
      yield [`${key} = ${JSON.stringify(bad)}`, { ...good, [key]: bad }, key];
  const media = mediaList(spec.body)[0]?.schema;
  if (!media) return;
  // A body that is filled in whole can be left out of an example.
  const body = (good["body"] ?? {}) as Record<string, unknown>;
  if (!media.safeParse([]).success) yield ["a body that is a list", { ...good, body: [] }, "body"];
  if (takesNoOther(media)) yield ["an unknown name in the body", { ...good, body: { ...body, nonsense_: 1 } }, "body"];
  yield ["10,001 items in the body", { ...good, body: { ...body, nonsense: items } }, "nonsense"];
  const fields = bare(media) instanceof z.ZodObject ? (bare(media) as z.ZodObject).shape : {};
  // What comes from a file is no argument.
  const hidden = new Set(Object.values(spec.secretFrom ?? {}));
  for (const [key, schema] of Object.entries(fields as Record<string, z.ZodType>)) {
    if (hidden.has(key)) continue;
    const { [key]: _, ...rest } = body;
    if (!schema.safeParse(undefined).success) yield [`body.${key} missing`, { ...good, body: rest }, `body.${key}`];
    for (const [what, bad] of refused(schema))
      yield [`body.${key}: ${what}`, { ...good, body: { ...body, [key]: bad } }, `body.${key}`];
  }
}

describe("bad input", () => {
  let upstream: Upstream;
  let session: Session;
  beforeAll(async () => {
    upstream = await startUpstream((response) => json(response, 200, {}));
    session = await connect("v2 2026 stdio", { flags: ["--upstream", upstream.url] });
  });
  afterAll(async () => {
    await session.close();
    await upstream.close();
  });

  it.each(operations)("to %s names the field and sends nothing", async (name, operation) => {
    const before = upstream.received.length;
    for (const [what, args, field] of wrong(operation)) {
      const { isError, structuredContent, content } = await session.call(name, args);
      expect([what, isError, structuredContent["error"]]).toEqual([what, true, "invalid_input"]);
      const fields = (structuredContent["fields"] as { field: string }[]).map((one) => one.field).join(" ");
      expect(fields, what).toContain(field);
      expect(content[0]?.text.length, what).toBeLessThan(6_000);
    }
    expect(upstream.received.slice(before)).toEqual([]);
  });
});
