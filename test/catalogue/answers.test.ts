/** Laws over the answers to all examples: they are as declared, are shown whole, leave no name half, and each change is sent once. */
import { readdirSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { resultOf } from "../../src/answers/outcome.js";
import { rowPageOf } from "../../src/answers/parts.js";
import {
  failureResult,
  type Presentation,
  successResult,
  type ToolResult,
  workflowResult,
} from "../../src/answers/result.js";
import { createWorld } from "../../src/emulator/world.js";
import { isRead } from "../../src/language/effect.js";
import { Failure, quoteValue } from "../../src/language/failure.js";
import { mediaList } from "../../src/language/media.js";
import { isRecord, withMember } from "../../src/language/member.js";
import { batchTool } from "../../src/language/server-tools.js";
import { unwrapSchema } from "../../src/language/shape.js";
import { z } from "../../src/language/z.js";
import type { KeepResult } from "../../src/rows/result-store.js";
import { rowFormats } from "../../src/rows/row-text.js";
import { validateArguments } from "../../src/schema/arguments.js";
import { secretFiles } from "../../src/secrets/files.js";
import { type Args, callsIn } from "../lab/calls.js";
import { inDepth } from "../lab/depth.js";
import { holdsForEach } from "../lab/laws.js";
import { lostOf } from "../lab/lost-cells.js";
import { mechanismsOf, sampled } from "../lab/mechanisms.js";
import { answerOf } from "../lab/outcome.js";
import { apis } from "../lab/project.js";
import { promise } from "../lab/rules.js";
import { secretDirectory } from "../lab/secret-files.js";
import { exceptionsTo } from "../lab/tables.js";
import { recorded, recordedAt, recordedWorkflows } from "./recorded.js";

const inDocuments = apis === "documents";

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

/** By tool the members that have no ISO time beside them, each with the reason. */
const bareTimes = new Map(exceptionsTo("bare time"));

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
    expect([...new Set(bare.map(([name]) => name))].sort().join()).toBe(bareTimes.get(tool) ?? "");
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

/** The paths of the members that a schema has no place for; an object without members of its own is free. */
function undeclared(value: unknown, schema: z.ZodType, at = ""): string[] {
  const kind = unwrapSchema(schema);
  if (Array.isArray(value))
    return kind instanceof z.ZodArray
      ? value.flatMap((item) => undeclared(item, kind.element as z.ZodType, `${at}[]`))
      : [];
  if (typeof value !== "object" || value === null || !(kind instanceof z.ZodObject)) return [];
  const shape = kind.shape as Readonly<Record<string, z.ZodType>>;
  if (Object.keys(shape).length === 0) return [];
  return Object.entries(value).flatMap(([name, inner]) =>
    shape[name] ? undeclared(inner, shape[name], `${at}.${name}`) : [`${at}.${name}`],
  );
}

// Today's declarations name the members that matter, and their answers are held to the vendor's schemas in test/oracles.
it.runIf(inDocuments)("every member of an example's answer is declared", async () =>
  holdsForEach(await recorded(), ({ tool, args, replies, operation }) => {
    const reply = replies.findLast((one) => one.tool === tool)?.reply;
    // Of media that an argument chooses, the chosen ones alone describe the answer.
    const { answers } = validateArguments(tool, operation, args, recordedAt);
    const declared = answers.byStatus[reply?.status ?? 0] ?? [];
    // A JSON Schema is described by its own language.
    const media = declared.filter(({ type, codec }) => codec !== "empty" && type !== "application/schema+json");
    expect([...new Set(media.flatMap(({ schema }) => undeclared(reply?.body, schema)))]).toEqual([]);
  }),
);

// The least that a call may ask for.
const least: Presentation = { upstream: "the upstream", secrets: [], maxTokens: 200 };
const handle = "HANDLEhandleHANDLEhand";
const keep: KeepResult = () => handle;

/**
 * The value with each text that is a single word, and neither a number nor a time, replaced by one as long as a long
 * address, each a different one.
 */
function lengthened(value: unknown): unknown {
  let count = 0;
  const walk = (one: unknown): unknown => {
    if (typeof one === "string" && /^\S*[^\s\d.:+TZ-]\S*$/.test(one)) {
      count += 1;
      // A tilde, which no base64 has: a key that is made anew in each run would look like a part of a name at times.
      return `~${count}/${"part-/".repeat(30 + (count % 3))}end${count}`;
    }
    if (Array.isArray(one)) return one.map(walk);
    return isRecord(one) ? Object.fromEntries(Object.entries(one).map(([name, member]) => [name, walk(member)])) : one;
  };
  return walk(value);
}

const textsOf = ({ content, structuredContent }: ToolResult): string[] => [
  ...content.flatMap((one) => (one.type === "text" ? [one.text] : [])),
  JSON.stringify(structuredContent),
];

/** The names in a text that are cut. */
const broken = (text: string): string[] =>
  [...text.matchAll(/~(\d+)\/(?:part-\/)*\w*/g)]
    .filter(([name, at]) => !name.endsWith(`/end${at}`))
    .map(([name]) => name);

function holds(result: ToolResult): void {
  for (const text of textsOf(result)) {
    expect(broken(text)).toEqual([]);
    // A result that is cut says where the whole is stored.
    if (/\[cut by edgewise/.test(text) && result.isError !== true) expect(text).toContain(`result://${handle}`);
  }
}

/** Their examples name a plan or a result that no call has made. */
const ofOthers: readonly string[] = ["change_restore", "plan_get", "result_get", "result_query", "result_view"];

it.runIf(inDocuments)("names stay whole within the smallest budget, in every answer", async () => {
  const calls = await recorded();
  // What is cut where follows from the mechanisms of an answer, and workflows have forms of their own.
  const few = inDepth(
    calls,
    sampled(calls, ({ operation }) => mechanismsOf(operation)),
  );
  await holdsForEach([...few, ...(await recordedWorkflows())], ({ tool, preview, outcome }) => {
    if (preview) for (const text of textsOf(resultOf(preview, least, keep))) expect(text).toContain(preview.plan.id);
    if (outcome.kind === "workflow")
      holds(workflowResult(lengthened(outcome.result) as Readonly<Record<string, unknown>>, least, keep));
    if (outcome.kind === "failure" && !ofOthers.includes(tool)) throw outcome.failure;
    if (outcome.kind !== "answer") return;
    const body = lengthened(outcome.reply.body);
    holds(successResult({ ...outcome.reply, body }, least, outcome.declared, keep));
    for (const format of body === undefined ? [] : rowFormats) {
      const options = { format, offset: 0, limit: 100, maxTokens: 100, clean: <T>(value: T): T => value };
      expect(broken(JSON.stringify(rowPageOf(body, outcome.declared.shows, options).content))).toEqual([]);
    }
    holds(failureResult(new Failure("rejected", "It was refused.", { next: "Correct it.", upstream: body }), least));
  });
});

it("names stay whole inside texts, and under members named as paths", () => {
  const name = lengthened("x") as string;
  for (let length = 0; length < 600; length += 35) {
    const body = {
      said: `${"It was so. ".repeat(length)} ${name} and more of it`,
      raw: `{"a":"${"x,".repeat(2_000 + length)}","url":"${name}","b":"${"y,".repeat(2_000)}"}`,
      configPath: `/${"a b/".repeat(length % 500)}c d`,
    };
    for (const maxTokens of [200, 300, 1_500]) {
      const result = successResult({ status: 200, body, notes: [] }, { ...least, maxTokens }, {}, keep);
      holds(result);
      const { configPath } = result.structuredContent["data"] as Record<string, string>;
      if (configPath !== undefined && configPath !== body.configPath)
        expect(configPath).toMatch(/^\[cut by edgewise: 0 of/);
    }
  }
});

it(promise("secret-names-whole", "every secret file is named whole, of one or many made at once"), async () => {
  const { args = {} } = (await recorded()).find(({ tool }) => tool === "user_create") ?? {};
  for (const count of [1, 12]) {
    // Deep enough that its path does not fit into eighty characters.
    const secrets = join(secretDirectory(), "a".repeat(60), "where secrets are kept", "b".repeat(60));
    const { approved } = callsIn(createWorld({ frozenAt: Date.now() }), { secretFiles: secretFiles(secrets) });
    const all = Array.from({ length: count }, (_, at) =>
      withMember(args, ["body", "email"], `somebody-${at}@shop.example`),
    );
    const [first = {}] = all as [Args];
    const outcome = await (count === 1
      ? approved("user_create", first)
      : approved(batchTool, { tool: "user_create", arguments: all }));
    if (outcome.kind === "question") throw new Error("It asked.");
    const files = readdirSync(secrets, { recursive: true, withFileTypes: true }).filter((one) => one.isFile());
    const paths = files.map((one) => join(one.parentPath, one.name));
    const said = textsOf(resultOf(outcome, least, keep)).map(
      (text) => paths.filter((path) => text.includes(path)).length,
    );
    expect(said).toEqual([count, count]);
  }
});

it("names stay whole in errors, and long sentences do not", () => {
  for (const name of [`/config/${"a/".repeat(200)}`, `https://shop.example/${"b".repeat(300)}`, "c".repeat(400)])
    expect(quoteValue(name)).toBe(JSON.stringify(name));
  expect(quoteValue("long sentences ".repeat(30)).length).toBeLessThan(110);
});
