/** A law over all operations: a number that is a time has an ISO time beside it, in the answer of an emulated call. */
import { expect, it } from "vitest";
import { successResult } from "../../src/answers/result.js";
import { createWorld } from "../../src/emulator/world.js";
import type { AnyOperation } from "../../src/language/define.js";
import { guardOf, isRead } from "../../src/language/effect.js";
import { resolvedExample } from "../../src/language/example.js";
import { secretFiles } from "../../src/secrets/files.js";
import { callsIn } from "../lab/calls.js";
import { servicesOfProject } from "../lab/project.js";
import { secretDirectory } from "../lab/secret-files.js";

const operations = (await servicesOfProject()).flatMap(({ operations }) => Object.entries<AnyOperation>(operations));
const presentation = { upstream: "the emulator", secrets: [], maxTokens: 1_000_000 };
const now = Date.now();

const cells = "the cells of a table, which the text has under the columns' names as ISO times";
const logLine = "a field of a log line, which the API gives as text under headings of its own";
const undocumented = "in the answer to an activation, of which the documents show nothing";
const activated = { createDate: undocumented, policyCreateDate: undocumented, policyLastModifiedDate: undocumented };

/** By tool the members that have no ISO time beside them, each with the reason. */
const known: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  media_data_get: { rows: cells },
  media_viewer_data_get: { rows: cells },
  diag_url_debug_get: { "Epoch Time": logLine },
  diag_url_debug_result: { "Epoch Time": logLine },
  visitor_policy_activate: activated,
  saasaccess_policy_activate: activated,
};

/** The numbers of a value that are within five years of now, as milliseconds or as seconds, by the name of their member. */
function timesIn(value: unknown, name = ""): [string, number][] {
  if (Array.isArray(value)) return value.flatMap((item) => timesIn(item, name));
  if (typeof value === "object" && value !== null)
    return Object.entries(value).flatMap(([key, member]) => timesIn(member, key));
  // The serial of a zone is a date in digits, which looks like a number of seconds some years ahead.
  const number = name === "serial" ? Number.NaN : Number(value);
  const isTime = [1, 1_000].some((unitMs) => Math.abs(number * unitMs - now) < 5 * 365 * 86_400_000);
  return isTime && (typeof value === "number" || typeof value === "string") ? [[name, number]] : [];
}

const options = { secretFiles: secretFiles(secretDirectory()) };
// What only reads needs no world of its own.
const shared = callsIn(createWorld({ frozenAt: now }), options);

it.each(operations)("%s", async (tool, operation) => {
  const { spec } = operation;
  const { call, approved } = isRead(operation) ? shared : callsIn(createWorld({ frozenAt: now }), options);
  const args = resolvedExample(spec.example, now);
  const outcome = await (guardOf({ spec }) === undefined ? call(tool, args) : approved(tool, args));
  if (outcome.kind !== "answer") throw new Error(JSON.stringify(outcome).slice(0, 1_500));
  const { structuredContent } = successResult(outcome.reply, presentation, outcome.declared);
  const shown = Object.keys((structuredContent["times"] ?? {}) as object);
  const bare = timesIn(structuredContent["data"]).filter(([, number]) => !shown.includes(String(number)));
  expect([...new Set(bare.map(([name]) => name))].sort()).toEqual(Object.keys(known[tool] ?? {}).sort());
});

it("takes for a time what is within five years of now in either unit, as a number or as text", () => {
  const seconds = Math.round(now / 1_000);
  const value = { at: now, inside: [{ start: String(seconds) }], serial: seconds, size: 1_024, name: "x", none: null };
  expect(timesIn(value)).toEqual([
    ["at", now],
    ["start", seconds],
  ]);
});
