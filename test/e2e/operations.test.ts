/** Every operation, called through MCP with its own example against a fresh world, and with everything that can be wrong. */
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { mediaList } from "../../src/api/arguments.js";
import type { AnyOperation, Media } from "../../src/api/define.js";
import { resolvedExample } from "../../src/api/example.js";
import { allServices } from "../../src/tools/index.js";
import { connect, type Session } from "./session.js";
import { json, startUpstream, type Upstream } from "./upstream.js";

const operations = (await allServices()).flatMap(
  (service) => Object.entries(service.operations) as [string, AnyOperation][],
);

describe.each(operations)("%s", (name, { spec }) => {
  it("answers its example with a declared status and a body that fits", async () => {
    const session = await connect("v2 2026 stdio");
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
    expect(declared.some((media) => media.schema.safeParse(data).success)).toBe(true);
    expect((notes ?? []).filter((note) => note.includes("declared shape"))).toEqual([]);
    await session.close();
  });
});

/** Operations whose body the documents leave open, so that no name in it is unknown. */
const open = new Set(["usage_measures_find"]);

/** The arguments of an example with one thing wrong, and the field that the answer has to name. */
function* wrong(name: string, { spec }: AnyOperation): Generator<[string, Record<string, unknown>, string]> {
  const good = resolvedExample(spec.example, Date.now());
  const body = good["body"] as Record<string, unknown> | undefined;
  yield ["an unknown name", { ...good, nonsense: 1 }, "nonsense"];
  if (body && !open.has(name))
    yield [
      "an unknown name in the body",
      { ...good, body: { ...body, [name === "dns_zone_write" ? "tokn" : "nonsense"]: 1 } },
      "body.",
    ];
  for (const key of Object.keys(spec.path ?? {})) {
    const { [key]: _, ...rest } = good;
    yield ["a missing path value", rest, key];
    yield ["a path value of another type", { ...good, [key]: { a: 1 } }, key];
    for (const bad of ["..", "%2e%2e", "a/b", "x\u0000", "x".repeat(1_000_000)])
      yield [`${key} = ${bad.slice(0, 6)}`, { ...good, [key]: bad }, key];
  }
  if (spec.body) yield ["a body that is a list", { ...good, body: [] }, "body"];
  if (spec.body) yield ["10,001 items", { ...good, body: { ...body, objects: Array(10_001).fill("x") } }, "objects"];
  yield [
    "a value nested 100 deep",
    { ...good, nonsense: JSON.parse(`${"[".repeat(100)}${"]".repeat(100)}`) },
    "nonsense",
  ];
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
    for (const [what, args, field] of wrong(name, operation)) {
      const { isError, structuredContent, content } = await session.call(name, args);
      expect([what, isError, structuredContent["error"]]).toEqual([what, true, "invalid_input"]);
      const fields = (structuredContent["fields"] as { field: string }[]).map((one) => one.field).join(" ");
      expect(fields, what).toContain(field);
      expect(content[0]?.text.length, what).toBeLessThan(6_000);
    }
    expect(upstream.received).toEqual([]);
  });
});
