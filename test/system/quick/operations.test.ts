/** Operations called over the wire of a built server, with their own examples and with everything that can be wrong. */
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import type { AnyOperation, Media } from "../../../src/language/define.js";
import { guardOf, isRead } from "../../../src/language/effect.js";
import { resolvedExample } from "../../../src/language/example.js";
import { mediaList } from "../../../src/language/media.js";
import { mechanismsOf, sampled } from "../../lab/mechanisms.js";
import { apis, servicesOfProject } from "../../lab/project.js";
import { secretDirectory } from "../../lab/secret-files.js";
import { bareEnvironment, connect, type Session, startProcess } from "../../lab/session.js";
import { wrong } from "../../lab/wrong-arguments.js";
import { json, startUpstream, type Upstream } from "../upstream.js";

const operations = (await servicesOfProject()).flatMap(
  (service) => Object.entries(service.operations) as [string, AnyOperation][],
);
// The sources are tested on all. The build bundles each service by itself, and each mechanism is to pass the protocol.
const few = sampled(operations, ([tool, operation]) => [...mechanismsOf(operation), `service ${tool.split("_")[0]}`]);

// What is wrong with arguments is found before an operation is looked at any further.
const ofArguments = /^(method|request|style) /;
const fewByArguments = sampled(few, ([, operation]) =>
  mechanismsOf(operation).filter((word) => ofArguments.test(word)),
);

/** The notes that an answer is not as it was declared: in its shape, or in having a body. */
const drift = (notes: readonly string[] = []): readonly string[] => notes.filter((note) => note.includes("declare"));

it.runIf(apis === "documents")("sees it where an answer is not as it was declared", async () => {
  const upstream = await startUpstream((response) => json(response, 200, { queueLength: "many" }));
  const session = await connect("v2 2026 stdio", { flags: ["--upstream", upstream.url, "--apis", apis] });
  const { structuredContent } = await session.call("purge_queue_get", { queueName: "default" });
  expect(structuredContent).toMatchObject({ status: 200, data: { queueLength: "many" } });
  expect(drift(structuredContent["notes"] as string[])).toHaveLength(1);
  await session.close();
  await upstream.close();
});

describe("an example", () => {
  // One emulator and one server for all: the emulator is reset after each change, which costs less than a process.
  let emulator: Awaited<ReturnType<typeof startProcess>>;
  let session: Session;
  beforeAll(async () => {
    emulator = await startProcess(["emulator", "--port", "0"], bareEnvironment(), /POST (\S+)\/_emulator\/reset/);
    session = await connect("v2 2026 stdio", {
      flags: ["--upstream", emulator.match, "--apis", apis, "--secret-dir", secretDirectory()],
    });
  });
  afterAll(async () => {
    await session.close();
    emulator.child.kill("SIGTERM");
  });
  let isChanged = true;
  beforeEach(async () => {
    if (!isChanged) return;
    const { ok } = await fetch(`${emulator.match}/_emulator/reset`, { method: "POST" });
    expect(ok).toBe(true);
  });

  it.each(few)("of %s answers with a declared status and a body that fits", async (name, operation) => {
    const { spec } = operation;
    isChanged = !isRead(operation);
    const args = resolvedExample(spec.example, Date.now());
    let result = await session.call(name, args);
    if (guardOf({ spec })) {
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
    expect(drift(notes)).toEqual([]);
  });
});

describe("bad input", () => {
  let upstream: Upstream;
  let session: Session;
  beforeAll(async () => {
    upstream = await startUpstream((response) => json(response, 200, {}));
    session = await connect("v2 2026 stdio", { flags: ["--upstream", upstream.url, "--apis", apis] });
  });
  afterAll(async () => {
    await session.close();
    await upstream.close();
  });

  it.each(fewByArguments)("to %s names the field and sends nothing", async (name, operation) => {
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
