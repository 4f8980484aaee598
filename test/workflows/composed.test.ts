/** Composed changes: read, preview, approve and send as the operation's own tool does, and never without a plan. */
import { describe, expect, it } from "vitest";
import type { CallOrigin, Calls } from "../../src/calls/index.js";
import { anyOperation, type ComposedChange, composedChange } from "../../src/calls/workflow.js";
import { Failure } from "../../src/language/failure.js";
import { z } from "../../src/language/z.js";
import { noPolicy, type Policy } from "../../src/policy/index.js";
import { caller, start } from "../lab/made-up.js";

interface Thing {
  id: number;
  name: string;
  version: number;
}

const described = {
  title: "Renames",
  does: "Renames a thing.",
  steps: ["Read the thing.", "Write it."],
  example: { id: 1, ending: "x" },
} as const;

/** Appends to the name that is there, so that what it sends depends on what it reads. */
const append = composedChange({
  ...described,
  input: z.strictObject({ id: z.int(), ending: z.string() }),
  makes: "thing_replace",
  async compose({ id, ending }, { invoke }) {
    const { name } = (await invoke("thing_get", { id })).body as Thing;
    if (ending === "") return { unchanged: "No ending is chosen.", choices: { ending: ["x", "y"] } };
    if (name.endsWith(ending)) return { unchanged: `The name ends in ${ending} already.` };
    const body = { name: name + ending };
    return { args: { id, body }, notes: [`The name was ${name}.`], warnings: ["Readers may be confused."] };
  },
});
/** Names its operation when it is composed; this one is not guarded by itself. */
const open = composedChange({
  ...described,
  input: z.strictObject({ id: z.int() }),
  makes: anyOperation,
  async compose({ id }, { invoke }) {
    const { version } = (await invoke("thing_get", { id })).body as Thing;
    return { tool: "thing_update", args: { id, body: { name: "m", version } } };
  },
});
const meddling = composedChange({
  ...described,
  input: z.strictObject({}),
  makes: "thing_replace",
  async compose(_, { invoke }) {
    await invoke("thing_update", { id: 1, body: { name: "m", version: 1 } });
    return { args: { id: 1, body: { name: "m" } } };
  },
});
const changes: Readonly<Record<string, ComposedChange>> = {
  name_append: append,
  name_reset: open,
  name_meddle: meddling,
};
const workflows = Object.fromEntries(Object.entries(changes).map(([name, one]) => [name, async () => one]));

/** Calls over one stored thing, which writes change. */
function world(options: Parameters<typeof start>[1] = {}) {
  const thing: Thing = { id: 1, name: "n", version: 1 };
  const written: unknown[] = [];
  const started = start(
    ({ method, body }) => {
      if (method !== "GET") {
        const text = body === undefined ? "{}" : Buffer.from(body).toString();
        written.push(JSON.parse(text));
        Object.assign(thing, JSON.parse(text), { version: thing.version + 1 });
      }
      return { body: thing };
    },
    { workflows, ...options },
  );
  return { ...started, thing, written };
}
const args = { id: 1, ending: "x" };

async function planned(calls: Calls, tool: string, given: object, by: CallOrigin = caller) {
  const outcome = await calls.call(tool, { ...given }, by);
  if (outcome.kind !== "preview" && outcome.kind !== "question") throw new Error(JSON.stringify(outcome));
  return outcome;
}

describe("a composed change", () => {
  it.each(["name_append", "thing_replace"])("is denied by a policy that names %s", async (tool) => {
    const policy: Policy = { ...noPolicy, rules: [{ id: "no", effect: "deny", tools: [tool] }] };
    const { calls, written } = world({ policy });
    expect(await calls.call("name_append", args, caller)).toMatchObject({ failure: { code: "not_allowed" } });
    expect(written).toEqual([]);
  });

  it("is previewed with what its composer says, and says it when it is sent", async () => {
    const { calls, written } = world();
    const { preview, plan } = await planned(calls, "name_append", args);
    expect(preview).toMatchObject({
      changes: 1,
      lines: expect.arrayContaining(["Note: The name was n.", "Warning: Readers may be confused."]),
      warnings: ["Readers may be confused."],
    });
    expect([plan.tool, written]).toEqual(["name_append", []]);
    expect(await calls.call("name_append", { ...args, confirm: plan.id }, caller)).toMatchObject({
      kind: "answer",
      reply: { status: 200, notes: ["The name was n.", expect.stringContaining(plan.id)] },
    });
    expect(written).toEqual([{ name: "nx" }]);
  });

  it("a composed change is refused when what it read has changed", async () => {
    const { calls, thing, written } = world();
    const { plan } = await planned(calls, "name_append", args);
    thing.name = "other";
    const confirmed = { ...args, confirm: plan.id };
    expect(await calls.call("name_append", confirmed, caller)).toMatchObject({
      failure: { code: "approval_refused", detail: { next: expect.stringMatching(/^Call name_append again/) } },
    });
    thing.name = "n";
    expect((await calls.call("name_append", confirmed, caller)).kind).toBe("failure");
    expect(written).toEqual([]);
  });

  it.each([
    ["other arguments", "name_append", args, "name_append", { id: 1, ending: "y" }],
    ["the operation by itself", "name_append", args, "thing_replace", { id: 1, body: { name: "nx" } }],
    ["it by a plan of its operation", "thing_replace", { id: 1, body: { name: "nx" } }, "name_append", args],
  ])("does not approve %s", async (_, tool, shown, other, given) => {
    const { calls, written } = world();
    const { plan } = await planned(calls, tool, shown);
    expect(await calls.call(other, { ...given, confirm: plan.id }, caller)).toMatchObject({
      failure: { code: "approval_refused" },
    });
    expect(written).toEqual([]);
  });

  it("makes no plan where nothing would change, and offers choices", async () => {
    const { calls, thing, written } = world();
    thing.name = "nx";
    const unchanged = async (ending: string) => calls.call("name_append", { id: 1, ending }, caller);
    const done = "Nothing was changed.";
    expect(await unchanged("x")).toEqual({
      kind: "workflow",
      result: { done, why: "The name ends in x already." },
    });
    expect(await unchanged("")).toEqual({
      kind: "workflow",
      result: { done, why: "No ending is chosen.", choices: { ending: ["x", "y"] } },
    });
    expect(written).toEqual([]);
  });

  it("a composed change can name its operation, and always needs approval", async () => {
    const { calls, written } = world();
    const { plan } = await planned(calls, "name_reset", { id: 1 });
    expect(written).toEqual([]);
    expect((await calls.call("name_reset", { id: 1, confirm: plan.id }, caller)).kind).toBe("answer");
    expect(written).toEqual([{ name: "m", version: 1 }]);
  });

  it("is refused on a read-only server before anything is read", async () => {
    const { calls, sent } = world({ isReadOnly: true });
    expect(await calls.call("name_append", args, caller)).toMatchObject({ failure: { code: "not_allowed" } });
    expect(sent).toEqual([]);
  });

  it("cannot change anything while it is composed", async () => {
    const { calls, written, faults } = world();
    expect(await calls.call("name_meddle", {}, caller)).toMatchObject({ failure: { code: "internal" } });
    expect(String(faults[0]?.[0])).toContain("composed from reads");
    expect(written).toEqual([]);
  });

  it("fails with its composer's words", async () => {
    const failing = composedChange({
      ...described,
      input: z.strictObject({}),
      makes: "thing_replace",
      compose: async () => {
        throw new Failure("not_found", "There is no such thing.", { next: "Name another." });
      },
    });
    const { calls } = start(() => ({}), { workflows: { name_fail: async () => failing } });
    expect(await calls.call("name_fail", {}, caller)).toMatchObject({ failure: { code: "not_found" } });
    expect(await calls.call("name_fail", { stray: 1 }, caller)).toMatchObject({ failure: { code: "invalid_input" } });
  });
});
