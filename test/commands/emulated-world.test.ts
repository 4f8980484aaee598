/** What a command says of its own emulated world, and that it does not claim to know another's. */
import { expect, it } from "vitest";
import { inEmulatedWorld } from "../../src/commands/emulated-world.js";
import { readConfig } from "../../src/config.js";
import { createWorld } from "../../src/emulator/world.js";
import { createPlans } from "../../src/guard/index.js";
import { memoryPlanStorage } from "../../src/guard/plans/storage.js";
import type { AnyOperation } from "../../src/language/define.js";
import { type Args, callsIn } from "../lab/calls.js";
import { holdsForEach } from "../lab/laws.js";
import { caller } from "../lab/made-up.js";
import { answerOf, failureOf } from "../lab/outcome.js";
import { catalogueOfProject, servicesOfProject } from "../lab/project.js";

const catalogue = await catalogueOfProject();
const operations = (await servicesOfProject()).flatMap((one) => Object.entries<AnyOperation>(one.operations));
const purge = { queueName: "default", body: { objects: ["https://www.example.com/spring/hero.jpg"] } };
type Outcome = Parameters<typeof inEmulatedWorld>[0];
const told = (outcome: object, tool: string, ...flags: string[]) =>
  inEmulatedWorld(outcome as Outcome, tool, readConfig(flags.length === 0 ? ["--emulator"] : flags, {}), catalogue);
const ended = (tool: string, args: Args) => callsIn(createWorld({})).approved(tool, args);

it("after a change one line says that the world ends, and how to keep one", async () => {
  const { line, outcome } = await told(await ended("purge_submit", purge), "purge_submit");
  expect(line).toMatch(/ends with this command; to keep one, start `.*emulator` and give each command --upstream/);
  expect(outcome).toMatchObject({ kind: "answer", reply: { status: 201 } });
  const batch = await ended("call_batch", { tool: "purge_submit", arguments: [purge, purge] });
  expect((await told(batch, "call_batch")).line).toBe(line);
});

it("there is no line below a read, or a change of another world", async () => {
  const { calls, call } = callsIn(createWorld({}));
  const read = { tool: "purge_queue_get", arguments: [{ queueName: "default" }] };
  expect((await told(await calls.call("call_batch", read, caller), "call_batch")).line).toBeUndefined();
  expect((await told(await call("purge_queue_get", { queueName: "default" }), "purge_queue_get")).line).toBeUndefined();
  const preview = await call("purge_submit", purge);
  expect(await told(preview, "purge_submit")).toEqual({ outcome: preview });
  const done = await ended("purge_submit", purge);
  expect(await told(done, "purge_submit", "--upstream", "http://127.0.0.1:4010")).toEqual({ outcome: done });
});

it("a job's state and result say that another command's jobs are not here", async () => {
  const jobs = new Set(operations.flatMap(([, { spec }]) => [spec.awaits?.status, spec.awaits?.result]));
  await holdsForEach(
    operations.filter(([, { spec }]) => (spec.effect ?? "read") === "read" && !spec.guard),
    async (tool, { spec, route }) => {
      if (route.startsWith("DELETE")) return;
      const answer = { kind: "answer", declared: spec, reply: { status: 200, headers: {}, notes: ["n"] } };
      const { notes } = answerOf((await told(answer, tool)).outcome);
      expect(notes.length).toBe(jobs.has(tool) ? 2 : 1);
    },
  );
});

it("what was not found may be in the world of another command", async () => {
  const missing = await callsIn(createWorld({})).call("dns_zone_get", { zone: "missing.example" });
  const { detail } = failureOf((await told(missing, "dns_zone_get")).outcome);
  expect(detail.next).toMatch(
    /^There is no such zone.*has an emulated world of its own, which never saw what another one did/,
  );
  const wrong = await callsIn(createWorld({})).call("dns_zone_get", {});
  expect(await told(wrong, "dns_zone_get")).toEqual({ outcome: wrong });
});

it("an undo of a change that another process made is refused", async () => {
  const storage = memoryPlanStorage();
  const here = (pid: number) => ({
    plans: createPlans({ ttlMs: 600_000, storage: { ...storage, holder: () => ({ pid, space: "s" }) } }),
  });
  const zone = { zone: "example.com", name: "www", type: "A", values: ["203.0.113.99"] };
  const first = callsIn(createWorld({}), here(1));
  const { plan } = await first.previewed("dns_record_set", zone);
  await first.call("dns_record_set", { ...zone, confirm: plan.id });
  const undo = { plan: plan.id };
  const { code, detail } = failureOf(await callsIn(createWorld({}), here(2)).call("change_restore", undo));
  expect([code, detail.why]).toEqual(["not_found", expect.stringContaining("which never saw it")]);
  expect(await first.previewed("change_restore", undo)).toMatchObject({ kind: "overwrite" });
});

it("a change whose world ends offers no undo and no job to follow", async () => {
  const { calls, previewed } = callsIn(createWorld({}));
  const { plan } = await previewed("purge_submit", purge);
  const by = { ...caller, endsWithWorld: true };
  const outcome = await calls.call("purge_submit", { ...purge, confirm: plan.id }, by);
  expect(outcome).toMatchObject({ kind: "answer", names: [] });
  expect(Object.keys((outcome as { reply: { offers?: object } }).reply.offers ?? {})).toEqual([]);
});
