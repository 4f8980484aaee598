/** Every operation, called with its own example against a fresh world, and with everything that can be wrong. */
import { beforeEach, describe, expect, it } from "vitest";
import { resultOf } from "../../src/answers/outcome.js";
import { createWorld } from "../../src/emulator/world.js";
import type { AnyOperation } from "../../src/language/define.js";
import { guardOf } from "../../src/language/effect.js";
import { resolvedExample } from "../../src/language/example.js";
import { mediaList } from "../../src/language/media.js";
import { secretFiles } from "../../src/secrets/files.js";
import { createClient } from "../../src/wire/index.js";
import { callsIn } from "../lab/calls.js";
import { servicesOfProject } from "../lab/project.js";
import { secretDirectory } from "../lab/secret-files.js";
import { wrong } from "../lab/wrong-arguments.js";

const operations = (await servicesOfProject()).flatMap(({ operations: own }) => Object.entries<AnyOperation>(own));
const world = createWorld();
const { approved, answer } = callsIn(world, {
  secretFiles: secretFiles(secretDirectory()),
  callTimeoutMs: 60_000,
});
beforeEach(() => world.reset());

describe("an example", () => {
  it.each(operations)("of %s answers with a declared status and a body that fits", async (tool, { spec }) => {
    const args = resolvedExample(spec.example, Date.now());
    const outcome = guardOf({ spec })
      ? await approved(tool, args)
      : { kind: "answer", reply: await answer(tool, args) };
    if (outcome.kind !== "answer" || !("reply" in outcome)) throw new Error(JSON.stringify(outcome).slice(0, 2_000));
    const { status, body, notes } = outcome.reply;
    const declared = mediaList(spec.returns[status]);
    expect(declared.length).toBeGreaterThan(0);
    const shapes = [...declared.map(({ schema }) => schema), ...(spec.view ? [spec.view.schema] : [])];
    // A secret went to a file; its mask, which no schema takes, has its length.
    const whole = JSON.stringify(body)?.replaceAll(/\[secret, (\d+) characters\]/g, (_, length) => "x".repeat(length));
    expect(shapes.some((schema) => schema.safeParse(whole && JSON.parse(whole)).success)).toBe(true);
    expect(notes.filter((note) => note.includes("declare"))).toEqual([]);
  });
});

describe("bad input", () => {
  const { call } = callsIn(world, {
    client: createClient({
      send: async ({ url }) => {
        throw new Error(`It was sent to ${url.pathname}.`);
      },
      target: { origin: "https://host.example", vendor: "akamai" },
      authorize: () => ({}),
      maxResponseBytes: 1_000_000,
    }),
  });

  it.each(operations)("to %s names the field and sends nothing", async (tool, operation) => {
    for (const [what, args, field] of wrong(operation)) {
      const outcome = await call(tool, args);
      expect([what, outcome]).toMatchObject([what, { kind: "failure", failure: { code: "invalid_input" } }]);
      if (outcome.kind !== "failure") continue;
      const fields = outcome.failure.detail.fields?.map((one) => one.field).join(" ");
      expect(fields, what).toContain(field);
      const { content } = resultOf(outcome, { upstream: "the upstream", secrets: [], maxTokens: 8_000 });
      expect(JSON.stringify(content).length, what).toBeLessThan(6_000);
    }
  });
});
