/** The emulator's answers of today against the schemas of the vendor's definitions, one for each operation. */
import { expect, it } from "vitest";
import { misfitsIn } from "../../src/definitions/misfits.js";
import type { AnyOperation } from "../../src/language/define.js";
import { isRead } from "../../src/language/effect.js";
import { record, recorded } from "../catalogue/recorded.js";
import { holdsForEach } from "../lab/laws.js";
import { answerOf } from "../lab/outcome.js";
import { answersDiffering } from "./differing.js";
import { declared, facts } from "./facts.js";

/** The values of the arguments that the row of a route has, where its operation has several rows. */
const valuesIn = (row: string, { route }: AnyOperation): Readonly<Record<string, string>> => {
  const pattern = new RegExp(`^${route.replace(/\?.*/, "").replaceAll(/\{(\w+)\}/g, "(?<$1>[^/]+)")}$`);
  return Object.fromEntries(Object.entries(pattern.exec(row)?.groups ?? {}).filter(([, value]) => value !== "{}"));
};

it("every operation answers as its definition says", async () => {
  const calls = new Map((await recorded()).map((call) => [call.tool, call]));
  await holdsForEach(declared, async (_, route, operation, tool) => {
    const [definition, known] = facts.get(route) ?? [];
    const call = calls.get(tool);
    if (!call) throw new Error("It is not recorded.");
    const ofRow = isRead(operation) ? valuesIn(route, operation) : {};
    const isOther = Object.entries(ofRow).some(([name, value]) => call.args[name] !== value);
    const { outcome } = isOther ? await record(tool, { ...call.args, ...ofRow }, true) : call;
    const { status, body } = answerOf(outcome);
    expect(Object.keys(known?.returns ?? {})).toContain(String(status));
    const { shape } = known?.returns[status] ?? {};
    if (shape === undefined) return;
    const misfits = misfitsIn({ type: "object", properties: { body: definition?.shapes[shape] } } as never, { body });
    const found = misfits.map(({ path, why }) => `${path.join(".")} ${why}`);
    expect(found).toEqual(answersDiffering[tool] ?? []);
  });
});
