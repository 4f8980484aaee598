/** A law over all replacements: what a preview shows as removed is gone afterwards, and nothing that the API keeps. */
import { isDeepStrictEqual } from "node:util";
import { expect, it } from "vitest";
import type { AnyOperation } from "../../src/api/define.js";
import { describedBy } from "../../src/api/effect.js";
import { resolvedExample } from "../../src/api/example.js";
import { isRecord, memberAt } from "../../src/api/member.js";
import { createWorld } from "../../src/emulator/world.js";
import { allServices } from "../../src/tools/index.js";
import { type Args, callsIn } from "../calls/in-world.js";

const now = Date.UTC(2026, 4, 20, 12);
const operations = (await allServices()).flatMap(({ operations }) => Object.entries<AnyOperation>(operations));
const byName = new Map(operations);
/** Replacements that a call by itself previews. */
const replacements = operations.filter(([, operation]) => {
  const { replaces, write } = describedBy(operation);
  return operation.spec.guard !== undefined && replaces !== undefined && write !== "merge";
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

it.each(replacements)("%s removes what its preview shows as removed", async (name, operation) => {
  const calls = callsIn(createWorld({ frozenAt: now }));
  const { confirm: _, ...args } = resolvedExample(operation.spec.example, now) as Args;
  const reader = byName.get(operation.spec.shownBy ?? "");
  const known = Object.keys({ ...reader?.spec.path, ...reader?.spec.query });
  const shared = Object.fromEntries(Object.entries(args).filter(([key]) => known.includes(key)));
  const place = (describedBy(operation).replaces ?? "").split(".").slice(1);
  const read = async () => memberAt((await calls.answer(operation.spec.shownBy ?? "", shared)).body, place);
  // A zone that is new has no state yet.
  const before = (await calls.call(operation.spec.shownBy ?? "", shared)).kind === "answer" ? await read() : undefined;
  const outcome = await calls.call(name, args);
  if (outcome.kind !== "preview") throw new Error(`${name}: ${JSON.stringify(outcome)}`);
  const lines = outcome.preview.lines.flatMap((line) => /^ {2}- ([\w.-]+): (?!null$)/.exec(line)?.[1] ?? []);
  if (lines.length === 0) return;
  expect(await calls.call(name, { ...args, confirm: outcome.plan.id })).toMatchObject({ kind: "answer" });
  const after = await read();
  const kept = lines.filter(
    (path) => isRecord(after) && isDeepStrictEqual(memberAt(after, path), memberAt(before, path)),
  );
  expect(kept).toEqual((defaults[name] ?? []).filter((path) => kept.includes(path)));
});
