/** `edgewise policy check` as a person types it; test/system/policy has batches, what is left out, and callers. */
import { expect, it } from "vitest";
import { file } from "../../lab/files.js";
import { typed } from "../typed.js";

const run = (...args: readonly string[]) => typed(args);
const written = (text: string): string => file(text, { name: "policy.yaml" });
const purge = JSON.stringify({
  queueName: "default",
  body: { objects: ["https://www.example.com/a"], action: "invalidate", domain: "staging" },
});

it("policy check: a guarded call and a read without a policy", async () => {
  const { stdout, status } = await run("policy", "check", "purge_submit", purge);
  expect(stdout).toMatch(/^purge_submit: approve, by default: guarded\nTier: guarded, /);
  expect(status).toBe(0);
  expect((await run("policy", "check", "diagnosis_run", '{"url":"http://a.example/"}')).stdout).toContain(
    "allow, by default: read",
  );
});

it("policy check: the rule that decides, and 1 where it denies", async () => {
  const policy = written(
    "version: 1\nrules:\n  - {id: no-purge, effect: deny, tools: ['purge_*'], tiers: [guarded]}\n",
  );
  const denied = await run("policy", "check", "purge_submit", purge, "--policy", policy, "--json");
  expect(JSON.parse(denied.stdout)).toMatchObject({ effect: "deny", rule: "no-purge", tier: "guarded" });
  expect(denied.status).toBe(1);
  expect((await run("policy", "check", "purge_queue_get", '{"queueName":"default"}', "--policy", policy)).status).toBe(
    0,
  );
});

it.each([
  [["policy", "check", "purge_submitt"], /did you mean "purge_submit"/],
  [["policy", "check", "purge_submit", "{}"], /queueName: takes one of/],
  [["policy", "check", "purge_submit", purge, "--policy", "/none.yaml"], /cannot be read/],
])("78 for %j", async (words, expected) => {
  const { stderr, stdout, status } = await run(...words);
  expect(stderr).toMatch(expected);
  expect([stdout, status]).toEqual(["", 78]);
});
