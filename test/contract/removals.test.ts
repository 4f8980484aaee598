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

/** Replacements whose examples leave out nothing that is there: their previews show nothing as removed. */
const removingNothing = [
  "cert_change_schedule_update",
  "dns_zone_write",
  "user_blocked_properties_replace",
  "threat_emergency_list_replace",
  "live_stream_update",
];

it.each(replacements)("%s removes what its preview shows as removed", async (name, operation) => {
  const calls = callsIn(createWorld({ frozenAt: now }));
  const { confirm: _, ...args } = resolvedExample(operation.spec.example, now) as Args;
  const reader = byName.get(readerOf(operation)?.by ?? "");
  const known = Object.keys({ ...reader?.spec.path, ...reader?.spec.query });
  const shared = Object.fromEntries(Object.entries(args).filter(([key]) => known.includes(key)));
  const place = (describedBy(operation).replaces ?? "").split(".").slice(1);
  const read = async () => memberAt((await calls.answer(readerOf(operation)?.by ?? "", shared)).body, place);
  // A zone that is new has no state yet.
  const before = (await calls.call(readerOf(operation)?.by ?? "", shared)).kind === "answer" ? await read() : undefined;
  const outcome = await calls.call(name, args);
  if (outcome.kind !== "preview") throw new Error(`${name}: ${JSON.stringify(outcome)}`);
  const lines = outcome.preview.lines.flatMap((line) => /^ {2}- ([\w.-]+): (?!null$)/.exec(line)?.[1] ?? []);
  expect([name, lines.length === 0]).toEqual([name, removingNothing.includes(name)]);
  expect(await calls.call(name, { ...args, confirm: outcome.plan.id })).toMatchObject({ kind: "answer" });
  const after = await read();
  const kept = lines.filter(
    (path) => isRecord(after) && isDeepStrictEqual(memberAt(after, path), memberAt(before, path)),
  );
  expect(kept).toEqual(defaults[name] ?? []);
});
