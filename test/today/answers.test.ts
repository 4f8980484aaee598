/** The emulator's answers of today against the schemas of the vendor's definitions, one for each operation. */
import { beforeEach, expect, it } from "vitest";
import { misfitsIn } from "../../src/definitions/misfits.js";
import { createWorld } from "../../src/emulator/world.js";
import type { AnyOperation } from "../../src/language/define.js";
import { guardOf, isRead } from "../../src/language/effect.js";
import { resolvedExample } from "../../src/language/example.js";
import { secretFiles } from "../../src/secrets/files.js";
import { callsIn } from "../lab/calls.js";
import { secretDirectory } from "../lab/secret-files.js";
import { answersDiffering } from "./differing.js";
import { declared, facts } from "./facts.js";

const world = createWorld();
const { approved, answer } = callsIn(world, { secretFiles: secretFiles(secretDirectory()), callTimeoutMs: 60_000 });
beforeEach(() => world.reset());

/** The values of the arguments that the row of a route has, where its operation has several rows. */
const valuesIn = (row: string, { route }: AnyOperation): Readonly<Record<string, string>> => {
  const pattern = new RegExp(`^${route.replace(/\?.*/, "").replaceAll(/\{(\w+)\}/g, "(?<$1>[^/]+)")}$`);
  return Object.fromEntries(Object.entries(pattern.exec(row)?.groups ?? {}).filter(([, value]) => value !== "{}"));
};

it.each(declared)("%s answers as its definition says", async (_, route, operation, tool) => {
  const [definition, known] = facts.get(route) ?? [];
  const example = resolvedExample(operation.spec.example, Date.now());
  const args = isRead(operation) ? { ...example, ...valuesIn(route, operation) } : example;
  const outcome = guardOf(operation) ? await approved(tool, args) : { kind: "answer", reply: await answer(tool, args) };
  if (outcome.kind !== "answer" || !("reply" in outcome)) throw new Error(JSON.stringify(outcome).slice(0, 2_000));
  const { status, body } = outcome.reply;
  expect(Object.keys(known?.returns ?? {})).toContain(String(status));
  const { shape } = known?.returns[status] ?? {};
  if (shape === undefined) return;
  const misfits = misfitsIn({ type: "object", properties: { body: definition?.shapes[shape] } } as never, { body });
  const found = misfits.map(({ path, why }) => `${path.join(".")} ${why}`);
  expect(found).toEqual(answersDiffering[tool] ?? []);
});
