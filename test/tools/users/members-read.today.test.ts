/**
 * A law on what today's operations read by name: their checks, guards and undos run on today's arguments and answers, and
 * each name that the vendor's definition lacks there is noted. What a schema reads is typed, and is not noted.
 */
import { expect, it } from "vitest";
import type { Shape } from "../../../src/definitions/definition.js";
import { createWorld } from "../../../src/emulator/world.js";
import type { Check } from "../../../src/language/check.js";
import type { Arguments, Undo } from "../../../src/language/conduct.js";
import type { AnyOperation } from "../../../src/language/define.js";
import { readerOf } from "../../../src/language/effect.js";
import { resolvedExample } from "../../../src/pages/example.js";
import { secretFiles } from "../../../src/secrets/files.js";
import { keepsTfaAsItIs } from "../../../src/tools/users/checks.js";
import { callsIn } from "../../lab/calls.js";
import { holdsForEach } from "../../lab/laws.js";
import { secretDirectory } from "../../lab/secret-files.js";
import { declared, facts } from "../../oracles/facts.js";

const world = createWorld();
const { calls } = callsIn(world, { secretFiles: secretFiles(secretDirectory()), callTimeoutMs: 60_000 });

const byTool = new Map(declared.map(([, route, operation, tool]) => [tool, { operation, known: facts.get(route) }]));

const isBySchema = (): boolean => /[\\/]zod[\\/]/.test(new Error().stack ?? "");
const ofLanguage = new Set(["toJSON", "then", "constructor"]);

/** A value that notes each member that is looked for in it and is not in its shape. */
function noting(value: unknown, shape: Shape | undefined, at: string, noted: Set<string>): unknown {
  if (typeof value !== "object" || value === null) return value;
  const below = new Map<PropertyKey, unknown>();
  const isKnown = (key: string) => shape?.properties === undefined || key in shape.properties || ofLanguage.has(key);
  const look = (key: PropertyKey): void => {
    if (Array.isArray(value) || typeof key !== "string" || isKnown(key) || isBySchema()) return;
    noted.add(`${at}.${key}`);
  };
  const inner = (key: PropertyKey, member: unknown): unknown => {
    if (typeof key !== "string" || typeof member !== "object") return member;
    const own = Array.isArray(value) ? shape?.items : shape?.properties?.[key];
    if (!below.has(key)) below.set(key, noting(member, own, Array.isArray(value) ? at : `${at}.${key}`, noted));
    return below.get(key);
  };
  return new Proxy(value, {
    get(target, key) {
      look(key);
      return inner(key, Reflect.get(target, key));
    },
    has(target, key) {
      look(key);
      return Reflect.has(target, key);
    },
    getOwnPropertyDescriptor(target, key) {
      look(key);
      return Reflect.getOwnPropertyDescriptor(target, key);
    },
  });
}

/** Reads as a check or a guard does, with notes on what is looked for in the answer. */
const readingInto = (noted: Set<string>) => async (tool: string, args: Arguments) => {
  const { operation, known: [definition, compiled] = [] } = byTool.get(tool) ?? {};
  const names = Object.keys({ ...operation?.spec.path, ...operation?.spec.query });
  const taken = Object.fromEntries(names.map((name) => [name, args[name]]).filter(([, value]) => value !== undefined));
  const reply = await calls.invoke(tool, taken).catch(() => undefined);
  const shape = definition?.shapes[compiled?.returns[String(reply?.status)]?.shape ?? -1];
  return noting(reply?.body, shape, tool, noted);
};

const undosOf = (undo: Undo | undefined): readonly ((past: object) => unknown)[] =>
  typeof undo === "object" ? Object.values(undo).filter((one) => typeof one === "function") : [];

/** What the checks and the guard of an operation look for by name, where its definition has no such member. */
async function unknownNames(tool: string, operation: AnyOperation, checks: readonly Check[]): Promise<string[]> {
  const { guard, resolves, relatedReads = {}, example } = operation.spec;
  const noted = new Set<string>();
  const read = readingInto(noted);
  const [definition, compiled] = byTool.get(tool)?.known ?? [];
  const plain = resolvedExample(example, Date.now());
  const body = noting(plain["body"], definition?.shapes[compiled?.body?.shape ?? -1], "body", noted);
  const args = plain["body"] === undefined ? plain : { ...plain, body };
  const reader = readerOf(operation);
  const present = reader && (await read(reader.by, { ...plain, ...reader.args(args) }));
  const related: Record<string, unknown> = {};
  for (const [name, one] of Object.entries(relatedReads)) {
    const asked = one.args(args, present);
    related[name] = Array.isArray(asked)
      ? await Promise.all(asked.map((each) => read(one.by, each)))
      : await read(one.by, { ...plain, ...asked });
  }
  const call = { args, namesAt: () => [], present: async () => present, read, signer: undefined };
  for (const check of checks) await check(call);
  await resolves?.({ ...call, medium: undefined });
  const functions = [guard?.says, guard?.target, guard?.warns, guard?.compares, ...(guard?.critical ?? [])];
  for (const one of functions) if (typeof one === "function") one(args, present, related);
  const answered = { status: 200, body: present, headers: {} };
  for (const undo of undosOf(guard?.undo)) undo({ ...answered, given: args, before: present, now: present, related });
  return [...noted];
}

/** What is looked for in vain on purpose, by tool. */
const onPurpose: Readonly<Record<string, readonly string[]>> = {
  // A preview names a holder by the username and else by the id.
  user_role_update: ["user_role_get.users.uiUserName"],
  // A tree is often sent as it was read, and its format must not get lost; the definition of what is read lacks its comments.
  property_rule_tree_replace: ["body.ruleFormat", "property_rule_tree_get.comments"],
  include_rule_tree_replace: ["body.ruleFormat", "include_rule_tree_get.comments"],
};

const reading = [...byTool].filter(([, { operation }]) => {
  const { guard, checks, resolves } = operation.spec;
  return guard ?? checks ?? resolves;
});

// A row for each operation: what its checks and guard read by name is its own code.
it("no operation looks for a member that today's API lacks", () =>
  holdsForEach(reading, async (tool, { operation }) => {
    world.reset();
    expect(await unknownNames(tool, operation, operation.spec.checks ?? [])).toEqual(onPurpose[tool] ?? []);
  }));

it("notes what a check of the documents looks for in vain", async () => {
  const { operation } = byTool.get("user_update") ?? {};
  if (!operation) throw new Error("There is no user_update.");
  expect(await unknownNames("user_update", operation, [keepsTfaAsItIs])).toEqual(["body.tfaEnabled"]);
});
