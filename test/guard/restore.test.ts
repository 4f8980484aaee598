/** The undo of every guarded operation of the catalogue, on the emulator: what was there before is there again. */
import { expect, it } from "vitest";
import type { Calls, Outcome } from "../../src/calls/index.js";
import { createWorld } from "../../src/emulator/world.js";
import { manualUndoOf } from "../../src/guard/undo.js";
import type { Arguments, Undo } from "../../src/language/conduct.js";
import type { AnyOperation } from "../../src/language/define.js";
import { guardOf, readerOf } from "../../src/language/effect.js";
import { sentenceText } from "../../src/language/sentence.js";
import { batchTool, restoreTool } from "../../src/language/server-tools.js";
import { resolvedExample } from "../../src/pages/example.js";
import { secretFiles } from "../../src/secrets/files.js";
import { callsIn } from "../lab/calls.js";
import { holdsForEach } from "../lab/laws.js";
import { caller } from "../lab/made-up.js";
import { mechanismsOf, sampled } from "../lab/mechanisms.js";
import { answerOf, failureOf, planOf } from "../lab/outcome.js";
import { servicesOfProject } from "../lab/project.js";
import { secretDirectory } from "../lab/secret-files.js";

const secrets = secretDirectory();
const services = await servicesOfProject();
const operations = services.flatMap(({ operations: own }) => Object.entries<AnyOperation>(own));
const guarded = operations.filter(([, operation]) => guardOf(operation) !== undefined);
const undoOf = (operation: AnyOperation) => guardOf(operation)?.undo;
const isRewrite = (undo: Undo | undefined): boolean =>
  undo === "rewrite" || (typeof undo === "object" && "rewrite" in undo);
const isByTool = (operation: AnyOperation): boolean => {
  const undo = undoOf(operation);
  return isRewrite(undo) || (typeof undo === "object" && "tool" in undo);
};

const begin = () => callsIn(createWorld(), { secretFiles: secretFiles(secrets), callTimeoutMs: 60_000 }).calls;

/** Makes a change, and returns the plan that it was made under. */
async function confirmed(calls: Calls, tool: string, args: Arguments): Promise<string> {
  const { id } = planOf(await calls.call(tool, args, caller));
  answerOf(await calls.call(tool, { ...args, confirm: id }, caller));
  return id;
}

/** Makes several calls under one plan. */
async function confirmedBatch(calls: Calls, tool: string, all: readonly Arguments[]): Promise<string> {
  const args = { tool, arguments: all };
  const { id } = planOf(await calls.call(batchTool, args, caller));
  await calls.call(batchTool, { ...args, confirm: id }, caller);
  return id;
}

/** What the operation named by `shownBy` answers for a call; undefined where it shows nothing. */
async function shownFor(calls: Calls, operation: AnyOperation, args: Arguments): Promise<unknown> {
  const reader = readerOf(operation)?.by ?? "";
  const declared = operations.find(([name]) => name === reader)?.[1].spec;
  const known = new Set(Object.keys({ ...declared?.path, ...declared?.query }));
  const shared = Object.fromEntries(Object.entries(args).filter(([name]) => known.has(name)));
  return calls.invoke(reader, { ...shared, ...readerOf(operation)?.args(args) }).then(
    ({ body }) => body,
    () => undefined,
  );
}

/** What there is again after an undo: under its id, or under the one that it was given where it was created anew. */
async function shownAgain(calls: Calls, operation: AnyOperation, args: Arguments, restored: Outcome): Promise<unknown> {
  const reply = answerOf(restored);
  const same = await shownFor(calls, operation, args);
  if (same !== undefined) return same;
  const { body, location = "" } = reply;
  const own = Object.keys(operation.spec.path ?? {}).at(-1) ?? "";
  const made = (Array.isArray(body) ? body[0] : body) as Arguments | undefined;
  const given = made?.[own] ?? made?.["uniqueId"] ?? made?.["id"] ?? /(\w+)\/?(?:\?|$)/.exec(location)?.[1];
  return shownFor(calls, operation, { ...args, [own]: typeof args[own] === "number" ? Number(given) : given });
}

it("every guarded operation declares its undo, or why there is none", () =>
  // Each declaration has its own words and its own call.
  holdsForEach(guarded, (_, operation) => {
    const undo = undoOf(operation);
    expect(undo).toBeDefined();
    if (typeof undo === "object" && "tool" in undo) expect(operations.map(([name]) => name)).toContain(undo.tool);
    const byHand = manualUndoOf(operation, { given: operation.spec.example, before: undefined, related: {} });
    if (byHand) {
      expect(sentenceText(byHand.says)).toMatch(/^[A-Z].*\.$/);
      // A call is a part of its sentence, so that a shell can have a line for it.
      for (const part of [byHand.says].flat()) if (typeof part === "string") expect(part).not.toMatch(/ with \{/);
    }
    if (typeof undo === "object" && "never" in undo) expect(undo.never).toMatch(/^[A-Z].*\.$/);
    if (isRewrite(undo)) expect(guardOf(operation)?.replaces).toBeDefined();
  }));

/** Arguments that change or remove what the emulator has, where the example makes something new. */
const existing: Readonly<Record<string, (calls: Calls) => Promise<Arguments>>> = {
  signin_allowlist_activate: async (calls) => {
    await confirmed(calls, "signin_allowlist_deactivate", {});
    return {};
  },
  dns_zone_write: async (calls) => {
    const { body } = await calls.invoke("dns_zone_get", { zone: "example.com" });
    const { token, zone } = body as { token: string; zone: { soa: { serial: number }; txt: readonly unknown[] } };
    return {
      zone: "example.com",
      body: { token, zone: { ...zone, txt: [], soa: { ...zone.soa, serial: zone.soa.serial + 1 } } },
    };
  },
};

/** Values that are other ones after every change, or after something was created again. */
const isPassing = (key: string): boolean =>
  /id$|etag|serial|token|version|time|date|edit|created|modified|lastrun|syncpoint|href/i.test(key) &&
  key !== "delete-time";
const lasting = (value: unknown): unknown =>
  JSON.parse(
    JSON.stringify(value ?? null, (key, inner: unknown) => (key !== "" && isPassing(key) ? undefined : inner)),
  );

const argumentsOf = async (calls: Calls, tool: string, { spec }: AnyOperation): Promise<Arguments> =>
  (await existing[tool]?.(calls)) ?? resolvedExample(spec.example, Date.now());

const byTool = guarded.filter(([, operation]) => isByTool(operation));
/** One operation for every form of an undo. */
const forms = sampled(byTool, ([, operation]) =>
  mechanismsOf(operation).filter((word) => word.startsWith("guard undo")),
);

it("change_restore restores what was there, after an approval, once", () =>
  // Each operation builds its own undo.
  holdsForEach(byTool, async (tool, operation) => {
    const calls = begin();
    const args = await argumentsOf(calls, tool, operation);
    const before = await shownFor(calls, operation, args);
    expect(before).toBeDefined();
    const plan = await confirmed(calls, tool, args);
    const after = await shownFor(calls, operation, args);
    expect(lasting(after)).not.toEqual(lasting(before));
    const back = await calls.call(restoreTool, { plan }, caller);
    const confirm = planOf(back).id;
    expect(lasting(await shownFor(calls, operation, args))).toEqual(lasting(after));
    const restored = await calls.call(restoreTool, { plan, confirm }, caller);
    expect(lasting(await shownAgain(calls, operation, args, restored))).toEqual(lasting(before));
    expect((await calls.call(restoreTool, { plan, confirm }, caller)).kind).toBe("failure");
  }));

it("change_restore previews the undo of a batch", () =>
  holdsForEach(forms, async (tool, operation) => {
    const calls = begin();
    const args = await argumentsOf(calls, tool, operation);
    const plan = await confirmedBatch(calls, tool, [args, args]);
    const after = await shownFor(calls, operation, args);
    const back = await calls.call(restoreTool, { plan }, caller);
    expect(back).toMatchObject({
      kind: "preview",
      preview: { lines: expect.arrayContaining([`Note: Undoes the change made under ${plan}.`]) },
    });
    expect(await shownFor(calls, operation, args)).toEqual(after);
  }));

it("change_restore refuses the plan of another owner", () =>
  holdsForEach(forms, async (tool, operation) => {
    const calls = begin();
    const args = await argumentsOf(calls, tool, operation);
    const plan = await confirmed(calls, tool, args);
    const stranger = await calls.call(restoreTool, { plan }, { ...caller, owner: "stranger" });
    expect(failureOf(stranger)).toMatchObject({ code: "not_found" });
  }));

/** Activations whose example goes where no version of its policy is active, so that there is none to return to. */
const replacesNothing = new Set(["visitor_policy_activate", "saasaccess_policy_activate"]);

it("change_restore says why there is no undo, or which call to make", () =>
  // Each operation has its own reason.
  holdsForEach(
    guarded.filter(([, operation]) => !isByTool(operation)),
    async (tool, operation) => {
      const calls = begin();
      const plan = await confirmed(calls, tool, resolvedExample(operation.spec.example, Date.now()));
      const undo = undoOf(operation) as { readonly by?: string | object; readonly never?: string };
      const { why } = failureOf(await calls.call(restoreTool, { plan }, caller)).detail;
      // A sentence about this very change names the call with its arguments.
      if (typeof undo.by === "function")
        expect(why).toMatch(replacesNothing.has(tool) ? /a version cannot be deactivated/ : /call \w+ with \{.*\}\.$/);
      else expect(why).toBe(undo.by ?? undo.never);
    },
  ));

it.each([
  ["the one that was made, as a single call", ["s@2071", "s@9999"], { kind: "preview", preview: { kind: "create" } }],
  ["those that were made", ["s@9999", "s@2071", "s@1623"], { kind: "preview", preview: { target: "2 calls" } }],
  ["nothing where all were refused", ["s@9998", "s@9999"], { kind: "failure" }],
])("change_restore undoes of a batch %s", async (_, ids, expected) => {
  const calls = begin();
  const all = ids.map((definitionId) => ({ definitionId }));
  const plan = await confirmedBatch(calls, "alert_definition_delete", all);
  const back = await calls.call(restoreTool, { plan }, caller);
  expect(back).toMatchObject(expected);
  if (back.kind === "failure") expect(back.failure.detail.why).toMatch(/^All of its calls were refused/);
});

it("change_restore undoes nothing that was not sent", async () => {
  const calls = begin();
  const plan = planOf(await calls.call("alert_definition_delete", { definitionId: "s@2071" }, caller)).id;
  const unsent = failureOf(await calls.call(restoreTool, { plan }, caller));
  expect(unsent.detail.why).toContain("Nothing was sent");
  const missing = await calls.call(restoreTool, { plan: `plan_${"A".repeat(22)}` }, caller);
  expect(failureOf(missing)).toMatchObject({ code: "not_found" });
});

it("the result of a change names its undo", async () => {
  const calls = begin();
  const args = { definitionId: "s@2071" };
  const { id } = planOf(await calls.call("alert_definition_delete", args, caller));
  const { notes } = answerOf(await calls.call("alert_definition_delete", { ...args, confirm: id }, caller));
  expect(notes).toEqual([expect.stringContaining(`${restoreTool} with plan "${id}"`)]);
});
