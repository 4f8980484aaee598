/** Laws over the answers to all examples: they are as declared, are shown whole, and each change is sent once. */
import { expect, it } from "vitest";
import { successResult } from "../../src/answers/result.js";
import { isRead } from "../../src/language/effect.js";
import { mediaList } from "../../src/language/media.js";
import { holdsForEach } from "../lab/laws.js";
import { lostOf } from "../lab/lost-cells.js";
import { answerOf } from "../lab/outcome.js";
import { recorded, recordedAt } from "./recorded.js";

it("every example: a declared status, and a body of its schema", async () =>
  holdsForEach(await recorded(), ({ outcome, operation: { spec } }) => {
    const { status, body, notes } = answerOf(outcome);
    const declared = mediaList(spec.returns[status]);
    expect(declared.length).toBeGreaterThan(0);
    const shapes = [...declared.map(({ schema }) => schema), ...(spec.view ? [spec.view.schema] : [])];
    // A secret went to a file; its mask, which no schema takes, has its length.
    const whole = JSON.stringify(body)?.replaceAll(/\[secret, (\d+) characters\]/g, (_, length) => "x".repeat(length));
    expect(shapes.some((schema) => schema.safeParse(whole && JSON.parse(whole)).success)).toBe(true);
    expect(notes.filter((note) => note.includes("declare"))).toEqual([]);
  }));

it("every call sends its request once, after approval if it needs one", async () =>
  holdsForEach(await recorded(), ({ tool, replies, preview }) => {
    const own = replies.filter((one) => one.tool === tool);
    expect(own.map(({ isOfPreview }) => isOfPreview)).toEqual([preview === undefined]);
  }));

const cells = "the cells of a table, which the text has under the columns' names as ISO times";
const logLine = "a field of a log line, which the API gives as text under headings of its own";
const undocumented = "in the answer to an activation, of which the documents show nothing";
const activated = { createDate: undocumented, policyCreateDate: undocumented, policyLastModifiedDate: undocumented };

/** By tool the members that have no ISO time beside them, each with the reason. */
const bareTimes: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  media_data_get: { rows: cells },
  media_viewer_data_get: { rows: cells },
  diag_url_debug_get: { "Epoch Time": logLine },
  diag_url_debug_result: { "Epoch Time": logLine },
  visitor_policy_activate: activated,
  saasaccess_policy_activate: activated,
};

/** The numbers of a value within five years of the record, as milliseconds or seconds, by the name of their member. */
function timesIn(value: unknown, name = ""): [string, number][] {
  if (Array.isArray(value)) return value.flatMap((item) => timesIn(item, name));
  if (typeof value === "object" && value !== null)
    return Object.entries(value).flatMap(([key, member]) => timesIn(member, key));
  // The serial of a zone is a date in digits, which looks like a number of seconds some years ahead.
  const number = name === "serial" ? Number.NaN : Number(value);
  const isTime = [1, 1_000].some((unitMs) => Math.abs(number * unitMs - recordedAt) < 5 * 365 * 86_400_000);
  return isTime && (typeof value === "number" || typeof value === "string") ? [[name, number]] : [];
}

it("every number that is a time has an ISO time beside it", async () =>
  holdsForEach(await recorded(), ({ tool, outcome, operation }) => {
    const presentation = { upstream: "the emulator", secrets: [], maxTokens: 1_000_000 };
    const { structuredContent } = successResult(answerOf(outcome), presentation, operation.spec);
    const shown = Object.keys((structuredContent["times"] ?? {}) as object);
    const bare = timesIn(structuredContent["data"]).filter(([, number]) => !shown.includes(String(number)));
    expect([...new Set(bare.map(([name]) => name))].sort()).toEqual(Object.keys(bareTimes[tool] ?? {}).sort());
  }));

it("every read: its CSV has each value, or names it as left out", async () => {
  const reads = (await recorded()).filter(({ operation }) => isRead(operation));
  const bodies = reads.map(({ tool, replies, operation }) => {
    const last = replies.findLast((one) => one.tool === tool);
    return [tool, last?.reply.body, operation] as const;
  });
  const full = bodies.filter(([, body]) => body !== undefined);
  await holdsForEach(full, (_, body, { spec }) => expect(lostOf(body, spec.shows ?? {})).toEqual([]));
});
