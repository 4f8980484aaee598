/** A law over all operations: a number that is a time has an ISO time beside it, in the answer of an emulated call. */
import { mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it } from "vitest";
import { successResult } from "../../src/answers/result.js";
import type { AnyOperation } from "../../src/api/define.js";
import { isRead } from "../../src/api/effect.js";
import { resolvedExample } from "../../src/api/example.js";
import { secretFiles } from "../../src/calls/secret-files.js";
import { createWorld } from "../../src/emulator/world.js";
import { allServices } from "../../src/tools/index.js";
import { callsIn } from "./in-world.js";

const operations = (await allServices()).flatMap(({ operations }) => Object.entries<AnyOperation>(operations));
const presentation = { upstream: "the emulator", secrets: [], maxTokens: 1_000_000 };
const now = Date.now();

/** Members that are no times, or whose times are shown otherwise. */
const known: Readonly<Record<string, string>> = {
  serial: "the serial of a zone, which looks like a number of seconds",
  rows: "the cells of a table, which the text has under the columns' names as ISO times",
  "Epoch Time": "a field of a log line, which the API gives as text under headings of its own",
  createDate: "in the answer to an activation, of which the documents show nothing",
  policyCreateDate: "the same",
  policyLastModifiedDate: "the same",
};
const undocumented = ["visitor_policy_activate", "saasaccess_policy_activate"];

/** The numbers of a value that are within five years of now, as milliseconds or as seconds, by the name of their member. */
function timesIn(value: unknown, name = ""): [string, number][] {
  if (Array.isArray(value)) return value.flatMap((item) => timesIn(item, name));
  if (typeof value === "object" && value !== null)
    return Object.entries(value).flatMap(([key, member]) => timesIn(member, key));
  const number = Number(value);
  const isTime = [1, 1_000].some((unitMs) => Math.abs(number * unitMs - now) < 5 * 365 * 86_400_000);
  return isTime && (typeof value === "number" || typeof value === "string") ? [[name, number]] : [];
}

const options = { secretFiles: secretFiles(mkdtempSync(join(tmpdir(), "edgewise-times-"))) };
// What only reads needs no world of its own.
const shared = callsIn(createWorld({ frozenAt: now }), options);

it.each(operations)("%s", async (tool, operation) => {
  const { spec } = operation;
  const { call, approved } = isRead(operation) ? shared : callsIn(createWorld({ frozenAt: now }), options);
  const args = resolvedExample(spec.example, now);
  const outcome = spec.guard === undefined ? await call(tool, args) : await approved(tool, args).catch(() => undefined);
  if (outcome?.kind !== "answer") return;
  const { structuredContent } = successResult(outcome.reply, presentation, outcome.declared);
  const shown = Object.keys((structuredContent["times"] ?? {}) as object);
  const bare = timesIn(structuredContent["data"]).filter(([, number]) => !shown.includes(String(number)));
  const names = bare.map(([name]) => name);
  expect(names.filter((name) => !Object.hasOwn(known, name))).toEqual([]);
  if (names.some((name) => name.endsWith("Date"))) expect(undocumented).toContain(tool);
});
