/** The examples of operations, called over the wire of a built server. */
import { afterAll, beforeAll, expect, it } from "vitest";
import type { AnyOperation, Media } from "../../src/language/define.js";
import { guardOf, isRead } from "../../src/language/effect.js";
import { mediaList } from "../../src/language/media.js";
import { resolvedExample } from "../../src/pages/example.js";
import { holdsForEach } from "../lab/laws.js";
import { mechanismsOf, sampled } from "../lab/mechanisms.js";
import { servicesOfProject } from "../lab/project.js";
import { secretDirectory } from "../lab/secret-files.js";
import { connect, type Session, startEmulator } from "../lab/session.js";

// One emulator and one server for all: the emulator is reset after each change, which costs less than a process.
let emulator: Awaited<ReturnType<typeof startEmulator>>;
let session: Session;
beforeAll(async () => {
  emulator = await startEmulator();
  session = await connect("v2 2026 stdio", {
    flags: ["--upstream", emulator.match, "--secret-dir", secretDirectory()],
  });
});
afterAll(async () => {
  await session.close();
  emulator.child.kill("SIGTERM");
});

// The build bundles each service by itself, and each mechanism has to pass the protocol.
it("an example of each mechanism gets a declared status and fit body", async () => {
  const operations = (await servicesOfProject()).flatMap(
    (service) => Object.entries(service.operations) as [string, AnyOperation][],
  );
  const few = sampled(operations, ([tool, operation]) => [...mechanismsOf(operation), `service ${tool.split("_")[0]}`]);
  await holdsForEach(few, async (name, operation) => {
    const { spec } = operation;
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
    expect(notes?.filter((note) => note.includes("declare")) ?? []).toEqual([]);
    if (isRead(operation)) return;
    const { ok } = await fetch(`${emulator.match}/_emulator/reset`, { method: "POST" });
    expect(ok).toBe(true);
  });
});
