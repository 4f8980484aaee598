/** The emulator's answers of today against the vendor's definitions; test/lab/emulator.ts holds every answer to them. */
import { expect, it } from "vitest";
import type { AnyOperation } from "../../src/language/define.js";
import { isRead } from "../../src/language/effect.js";
import { record, recorded } from "../catalogue/recorded.js";
import { asToday } from "../emulator/as-today.js";
import { definedFor, differencesMet } from "../lab/emulator.js";
import { holdsForEach } from "../lab/laws.js";
import { answerOf } from "../lab/outcome.js";
import { startRaw } from "../lab/raw.js";
import { tableOf } from "../lab/tables.js";
import { answersDiffering } from "./differing.js";
import { declared } from "./facts.js";

/** The values of the arguments that the row of a route has, where its operation has several rows. */
const valuesIn = (row: string, { route }: AnyOperation): Readonly<Record<string, string>> => {
  const pattern = new RegExp(`^${route.replace(/\?.*/, "").replaceAll(/\{(\w+)\}/g, "(?<$1>[^/]+)")}$`);
  return Object.fromEntries(Object.entries(pattern.exec(row)?.groups ?? {}).filter(([, value]) => value !== "{}"));
};

/** Requests whose answers differ from the definition where those of the examples do not. */
const telling = tableOf("oracles/telling.tsv");

it("every operation answers as its definition says", async () => {
  const calls = new Map((await recorded()).map((call) => [call.tool, call]));
  await holdsForEach(declared, async (_, route, operation, tool) => {
    const call = calls.get(tool);
    if (!call) throw new Error("It is not recorded.");
    const ofRow = isRead(operation) ? valuesIn(route, operation) : {};
    const isOther = Object.entries(ofRow).some(([name, value]) => call.args[name] !== value);
    const { outcome } = isOther ? await record(tool, { ...call.args, ...ofRow }, true) : call;
    const [method = "", path = ""] = route.split(" ");
    const statuses = Object.keys(definedFor(method, path.replaceAll("{}", "x").replace(/\?.*/, ""))?.answers ?? {});
    // The client follows a redirect, and what it finds there is the answer of another operation.
    if (!statuses.includes("302")) expect(statuses).toContain(String(answerOf(outcome).status));
  });
});

it("lists no difference that is not met", async () => {
  const raw = asToday(startRaw());
  for (const [method = "", target = "", body] of telling)
    await (body === undefined ? raw.get(target) : raw.send(method, target, JSON.parse(body)));
  const listed = answersDiffering.flatMap(({ differs }) => differs);
  expect(listed.filter((one) => !differencesMet.has(one))).toEqual([]);
});
