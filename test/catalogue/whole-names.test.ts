/** Paths, ids, handles and addresses leave whole in every answer of the catalogue, however little of it may be shown. */
import { readdirSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { resultOf } from "../../src/answers/outcome.js";
import { partOf } from "../../src/answers/parts.js";
import {
  failureResult,
  type Presentation,
  successResult,
  type ToolResult,
  workflowResult,
} from "../../src/answers/result.js";
import { createWorld } from "../../src/emulator/world.js";
import { Failure, shown } from "../../src/language/failure.js";
import { isRecord, withMember } from "../../src/language/member.js";
import { batchTool } from "../../src/language/own-tools.js";
import type { Keep } from "../../src/results/store.js";
import { rowFormats } from "../../src/rows/row-text.js";
import { secretFiles } from "../../src/secrets/files.js";
import { type Args, callsIn } from "../lab/calls.js";
import { inDepth } from "../lab/depth.js";
import { holdsForEach } from "../lab/laws.js";
import { mechanismsOf, sampled } from "../lab/mechanisms.js";
import { promise } from "../lab/rules.js";
import { secretDirectory } from "../lab/secret-files.js";
import { recorded, recordedWorkflows } from "./recorded.js";

// The least that a call may ask for.
const least: Presentation = { upstream: "the upstream", secrets: [], maxTokens: 200 };
const handle = "HANDLEhandleHANDLEhand";
const keep: Keep = () => handle;

/** The same value with each text that is one word, and neither number nor time, as long as a long address, and another one each time. */
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

/** The names in a text of which only a part is there. */
const broken = (text: string): string[] =>
  [...text.matchAll(/~(\d+)\/(?:part-\/)*\w*/g)]
    .filter(([name, at]) => !name.endsWith(`/end${at}`))
    .map(([name]) => name);

function holds(result: ToolResult): void {
  for (const text of textsOf(result)) {
    expect(broken(text)).toEqual([]);
    // Whoever is shown less is told where the whole is.
    if (/\[cut by edgewise/.test(text) && result.isError !== true) expect(text).toContain(`result://${handle}`);
  }
}

/** Their examples name a plan or a result that no call has made. */
const ofOthers: readonly string[] = ["change_restore", "plan_get", "result_get", "result_query", "result_view"];

it("names leave whole within the smallest budget, in every answer", async () => {
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
      expect(broken(JSON.stringify(partOf(body, outcome.declared.shows, options).content))).toEqual([]);
    }
    holds(failureResult(new Failure("rejected", "It was refused.", { next: "Correct it.", upstream: body }), least));
  });
});

it("names leave whole inside texts, and under members named as paths", () => {
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

it("names leave whole in errors, and long sentences do not", () => {
  for (const name of [`/config/${"a/".repeat(200)}`, `https://shop.example/${"b".repeat(300)}`, "c".repeat(400)])
    expect(shown(name)).toBe(JSON.stringify(name));
  expect(shown("long sentences ".repeat(30)).length).toBeLessThan(110);
});
