/** The box against the vendor's definitions: what the compiler loses of them is listed by kind, with how often and why. */
import { expect, it } from "vitest";
import { paragraphsOf } from "../lab/tables.js";
import { asWritten, facts } from "./facts.js";
import { factsOfRequest, type Request, requests } from "./requests.js";

/** What the box does not have of a definition, and what it has besides. */
function* differences(route: string, request: Request): Generator<string> {
  const known = facts.get(route);
  const ours = new Set(known ? factsOfRequest(asWritten(...known)) : []);
  const theirs = new Set(factsOfRequest(request));
  for (const fact of theirs) if (!ours.has(fact)) yield `${route} ${fact.replace("\t", " lacks ")}`;
  for (const fact of ours) if (!theirs.has(fact)) yield `${route} ${fact.replace("\t", " adds ")}`;
}

it("each route of the definitions is in the box, but for the losses listed", () => {
  const lines = paragraphsOf("oracles/box-differing.txt").flatMap((one) => one.lines.map((line) => line.split("\t")));
  const kinds = lines.map(([, pattern = ""]) => [pattern, new RegExp(pattern)] as const);
  const met: Record<string, number> = {};
  for (const [route, request] of Object.entries(requests))
    for (const one of differences(route, request)) {
      const [kind] = kinds.find(([, pattern]) => pattern.test(one)) ?? [one];
      met[kind] = (met[kind] ?? 0) + 1;
    }
  expect(met).toEqual(Object.fromEntries(lines.map(([count, pattern]) => [pattern, Number(count)])));
});
