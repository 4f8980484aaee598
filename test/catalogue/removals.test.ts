/** Laws over all replacements: a preview shows as removed what is gone afterwards, and says that nothing changes only where nothing else is sent. */
import { isDeepStrictEqual } from "node:util";
import { expect, it } from "vitest";
import { createWorld } from "../../src/emulator/world.js";
import { describe } from "../../src/guard/preview.js";
import type { AnyOperation } from "../../src/language/define.js";
import { differenceLines } from "../../src/language/difference-lines.js";
import { guardOf, guardOrDefault, readerOf } from "../../src/language/effect.js";
import { isRecord, memberAt, withMember } from "../../src/language/member.js";
import { resolvedExample } from "../../src/pages/example.js";
import { argumentsSchema } from "../../src/schema/arguments.js";
import { type Args, callsIn } from "../lab/calls.js";
import { checkedWith } from "../lab/checked.js";
import { holdsForEach } from "../lab/laws.js";
import { apis, operationsIn, servicesOfProject } from "../lab/project.js";
import { exceptionsTo } from "../lab/tables.js";

const now = Date.UTC(2026, 4, 20, 12);
const operations = operationsIn(await servicesOfProject());
const byName = new Map(operations);
/** Replacements that a call by itself previews. */
const replacements = operations.filter(([, operation]) => {
  const { replaces, write } = guardOrDefault(operation);
  return guardOf(operation) !== undefined && replaces !== undefined && write !== "merge";
});

/** What the API fills in for a member that is left out: its own default, which the example's state has by chance. */
const defaults = new Map([...exceptionsTo("default"), ...(apis === "today" ? exceptionsTo("default of today") : [])]);

type Calls = ReturnType<typeof callsIn>;

/** Arguments that leave out something that is there, where the example leaves out nothing. */
const removing: Readonly<Record<string, (calls: Calls, example: Args) => Promise<Args>>> = {
  cert_change_schedule_update: async (calls, example) => {
    const body = { notBefore: "2026-05-21T00:00:00Z", notAfter: "2026-05-29T00:00:00Z" };
    await calls.approved("cert_change_schedule_update", { ...example, body });
    return example;
  },
  dns_zone_write: async (calls) => {
    const { body } = await calls.answer("dns_zone_get", { zone: "example.com" });
    const { token, zone } = body as { token: string; zone: { soa: { serial: number } } };
    const soa = { ...zone.soa, serial: zone.soa.serial + 1 };
    return { zone: "example.com", body: { token, zone: { ...zone, txt: [], soa } } };
  },
  dns_zone_config_replace: async (calls, example) => {
    const body = { ...(example["body"] as Args), endCustomerId: "4711" };
    await calls.approved("dns_zone_config_replace", { ...example, body });
    return example;
  },
  live_stream_update: async (_, example) => {
    const { "dvr-settings": __, ...body } = example["body"] as Args;
    return { ...example, body };
  },
  sharedpolicy_update: async (calls, example) => {
    await calls.approved("sharedpolicy_update", example);
    const { description: _, ...body } = example["body"] as Args;
    return { ...example, body };
  },
};

/** How the state is read as a whole, where the read shows an outline of it by default. */
const outlined = { outline: false };
const asked: Readonly<Record<string, Args>> = {
  property_rule_tree_replace: outlined,
  include_rule_tree_replace: outlined,
};

/** The items of all lists in a value. */
const itemsIn = (value: unknown): readonly unknown[] => {
  if (Array.isArray(value)) return value;
  return isRecord(value) ? Object.values(value).flatMap(itemsIn) : [];
};
/** A line of a preview about a member that is removed; null is as good as none. */
const aboutMember = /^ {2}- ([\w.-]+): (?!null$)/;

it("every replacement removes what its preview shows as removed", () =>
  holdsForEach(replacements, async (name, operation) => {
    const calls = callsIn(createWorld({ frozenAt: now }));
    const { confirm: _, ...example } = resolvedExample(operation.spec.example, now) as Args;
    const args = (await removing[name]?.(calls, example)) ?? example;
    const reader = byName.get(readerOf(operation)?.by ?? "");
    const known = Object.keys({ ...reader?.spec.path, ...reader?.spec.query });
    const own = Object.fromEntries(Object.entries(args).filter(([key]) => known.includes(key)));
    const shared = { ...own, ...asked[name] };
    const place = (guardOrDefault(operation).replaces ?? "").split(".").slice(1);
    const read = async () => memberAt((await calls.answer(readerOf(operation)?.by ?? "", shared)).body, place);
    const before = await read();
    const outcome = await calls.call(name, args);
    if (outcome.kind !== "preview") throw new Error(`${name}: ${JSON.stringify(outcome)}`);
    const removed = outcome.preview.lines.filter((line) => /^ {2}- (?!.*: null$)/.test(line));
    const members = removed.flatMap((line) => aboutMember.exec(line)?.[1] ?? []);
    expect([name, removed.length > 0]).toEqual([name, true]);
    expect(await calls.call(name, { ...args, confirm: outcome.plan.id })).toMatchObject({ kind: "answer" });
    const after = await read();
    if (asked[name]) {
      // A rule tree is nested: what two reads of it lack has the paths that the preview has.
      const lines = differenceLines(before, after, guardOrDefault(operation).review);
      const lost = lines.filter(({ verb }) => verb === "removed").map(({ text }) => `  ${text}`);
      expect(removed).toEqual(lost);
      return;
    }
    const gone = itemsIn(before).filter((item) => !itemsIn(after).some((other) => isDeepStrictEqual(item, other)));
    if (members.length < removed.length) expect(gone).toHaveLength(removed.length - members.length);
    const kept = members.filter(
      (path) => isRecord(after) && isDeepStrictEqual(memberAt(after, path), memberAt(before, path)),
    );
    expect(kept.join()).toBe(defaults.get(name) ?? "");
  }));

// They steer the call itself, or find the object, as they do when the state is read.
const neutral = new Set([
  "confirm",
  "wait",
  "allPages",
  "format",
  "override",
  "contractId",
  "groupId",
  "validateRules",
]);
const request = { method: "PUT", url: new URL("https://h.example/"), headers: {} } as never;
const described = operations.filter(([, one]) => guardOrDefault(one).replaces !== undefined);
const summaryOf = (tool: string, operation: AnyOperation, values: object, body: unknown) => {
  const asked = { contractId: "c", groupId: "g", validateRules: false };
  const args = checkedWith({ values: values as never, body: memberAt(values, "body") });
  return describe(tool, operation, args, request, "a", { body, schemas: [], asked }).facts.summary;
};
/** The arguments of a call that are neither in its path nor in the replaced value nor a stamp. */
function othersOf(operation: AnyOperation): string[] {
  const { path = {}, lock, example } = operation.spec;
  const { replaces = "" } = guardOrDefault(operation);
  const own = Object.keys(argumentsSchema(operation).shape).filter((name) => name !== "body" && !neutral.has(name));
  const body = memberAt(example, "body");
  const inBody = replaces === "body" || !isRecord(body) ? [] : [...Object.keys(body), "comments"];
  return [...own.filter((name) => !Object.hasOwn(path, name)), ...inBody.map((name) => `body.${name}`)].filter(
    (name) => name !== replaces && ![lock?.field, lock?.at].includes(name),
  );
}

it("a preview says that nothing changes only if nothing else is sent", () =>
  holdsForEach(described, (tool, operation) => {
    const { example } = operation.spec;
    const place = (guardOrDefault(operation).replaces ?? "").split(".");
    const value = memberAt(example, place);
    const state = place.length > 1 ? withMember({}, place.slice(1), value) : value;
    for (const name of othersOf(operation)) {
      const altered = withMember(example, name.split("."), "another") as object;
      expect(summaryOf(tool, operation, altered, state), name).not.toContain("nothing changes");
      const [last = ""] = name.split(".").slice(-1);
      const shown = { ...(state as object), [last]: "former" };
      expect(summaryOf(tool, operation, altered, shown), name).not.toContain("nothing changes");
    }
  }));
