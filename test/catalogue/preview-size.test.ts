/** A preview costs an assistant few tokens: it says the difference once, and counts what stays. */
import { encode } from "gpt-tokenizer/encoding/o200k_base";
import { expect, it, onTestFinished, vi } from "vitest";
import { resultOf } from "../../src/answers/outcome.js";
import { createWorld } from "../../src/emulator/world.js";
import type { AnyOperation } from "../../src/language/define.js";
import { guardOf } from "../../src/language/effect.js";
import { resolvedExample } from "../../src/language/example.js";
import { type Args, callsIn } from "../lab/calls.js";
import { servicesOfProject } from "../lab/project.js";

const presentation = { upstream: "the emulator", secrets: [], maxTokens: 8_000 };
const most = { median: 220, ninetyFive: 600 };

it("the previews of all guarded examples take few tokens", async () => {
  const at = Date.UTC(2026, 4, 20, 12, 30);
  vi.useFakeTimers({ toFake: ["Date"], now: at });
  onTestFinished(() => void vi.useRealTimers());
  const calls = callsIn(createWorld({ frozenAt: at }), { callTimeoutMs: 60_000 });
  const sizes: (readonly [tokens: number, tool: string])[] = [];
  for (const { operations } of await servicesOfProject())
    for (const [tool, operation] of Object.entries<AnyOperation>(operations)) {
      if (guardOf(operation) === undefined) continue;
      const { confirm: _, ...args } = resolvedExample(operation.spec.example as never, at) as Args;
      const outcome = await calls.call(tool, args);
      // Those with secrets of files fail here.
      if (outcome.kind !== "preview") continue;
      sizes.push([encode(resultOf(outcome, presentation).content[0].text).length, tool]);
    }
  sizes.sort(([one], [other]) => other - one);
  const sizeAt = (share: number) => sizes[Math.floor(sizes.length * share)]?.[0] ?? 0;
  const found = { median: sizeAt(0.5), ninetyFive: sizeAt(0.05) };
  const largest = sizes.slice(0, 12).map(([tokens, tool]) => `${tool} ${tokens}`);
  expect(sizes.length).toBeGreaterThan(50);
  expect(found.median, `the median of ${largest.join(", ")} and others`).toBeLessThanOrEqual(most.median);
  expect(found.ninetyFive, `the 95th percentile: ${largest.join(", ")}`).toBeLessThanOrEqual(most.ninetyFive);
});
