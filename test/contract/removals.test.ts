/** A law over all replacements: what a preview shows as removed is gone afterwards, and nothing that the API keeps. */
import { isDeepStrictEqual } from "node:util";
import { expect, it } from "vitest";
import { createWorld } from "../../src/emulator/world.js";
import type { AnyOperation } from "../../src/language/define.js";
import { describedBy, guardOf, readerOf } from "../../src/language/effect.js";
import { resolvedExample } from "../../src/language/example.js";
import { isRecord, memberAt } from "../../src/language/member.js";
import { allServices } from "../../src/tools/index.js";
import { type Args, callsIn } from "../calls/in-world.js";

const now = Date.UTC(2026, 4, 20, 12);
const operations = (await allServices()).flatMap(({ operations }) => Object.entries<AnyOperation>(operations));
const byName = new Map(operations);
/** Replacements that a call by itself previews. */
const replacements = operations.filter(([, operation]) => {
  const { replaces, write } = describedBy(operation);
  return guardOf(operation) !== undefined && replaces !== undefined && write !== "merge";
});

/** What the API fills in for a member that is left out: its own default, which the example's state has by chance. */
const defaults: Readonly<Record<string, readonly string[]>> = {
  alert_definition_replace: ["emailHtmlFormat", "network", "paramName", "alertLowerBound", "isSum"],
  cert_enrollment_update: [
    "networkConfiguration.mustHaveCiphers",
    "networkConfiguration.preferredCiphers",
    "certificateChainType",
    "enableMultiStackedCertificates",
  ],
};

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
  live_stream_update: async (_, example) => {
    const { "dvr-settings": __, ...body } = example["body"] as Args;
    return { ...example, body };
  },
};

/** The items of all lists in a value. */
const itemsIn = (value: unknown): readonly unknown[] => {
  if (Array.isArray(value)) return value;
  return isRecord(value) ? Object.values(value).flatMap(itemsIn) : [];
};
/** A line of a preview about a member that is removed; null is as good as none. */
const aboutMember = /^ {2}- ([\w.-]+): (?!null$)/;

it.each(replacements)("%s removes what its preview shows as removed", async (name, operation) => {
  const calls = callsIn(createWorld({ frozenAt: now }));
  const { confirm: _, ...example } = resolvedExample(operation.spec.example, now) as Args;
  const args = (await removing[name]?.(calls, example)) ?? example;
  const reader = byName.get(readerOf(operation)?.by ?? "");
  const known = Object.keys({ ...reader?.spec.path, ...reader?.spec.query });
  const shared = Object.fromEntries(Object.entries(args).filter(([key]) => known.includes(key)));
  const place = (describedBy(operation).replaces ?? "").split(".").slice(1);
  const read = async () => memberAt((await calls.answer(readerOf(operation)?.by ?? "", shared)).body, place);
  const before = await read();
  const outcome = await calls.call(name, args);
  if (outcome.kind !== "preview") throw new Error(`${name}: ${JSON.stringify(outcome)}`);
  const removed = outcome.preview.lines.filter((line) => /^ {2}- (?!.*: null$)/.test(line));
  const members = removed.flatMap((line) => aboutMember.exec(line)?.[1] ?? []);
  expect([name, removed.length > 0]).toEqual([name, true]);
  expect(await calls.call(name, { ...args, confirm: outcome.plan.id })).toMatchObject({ kind: "answer" });
  const after = await read();
  const gone = itemsIn(before).filter((item) => !itemsIn(after).some((other) => isDeepStrictEqual(item, other)));
  if (members.length < removed.length) expect(gone).toHaveLength(removed.length - members.length);
  const kept = members.filter(
    (path) => isRecord(after) && isDeepStrictEqual(memberAt(after, path), memberAt(before, path)),
  );
  expect(kept).toEqual(defaults[name] ?? []);
});
