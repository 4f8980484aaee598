/** The box against the vendor's definitions: what the compiler loses of them is listed by kind, with how often and why. */
import { expect, it } from "vitest";
import { paragraphsOf } from "../lab/tables.js";
import { asWritten, facts } from "./facts.js";
import { factsOfRequest, type Request, requests } from "./requests.js";

type Content = Request["returns"][string];

/** What is of any medium is sent and read as JSON; without a schema it is nothing. */
const asJson = (content: Content): Content =>
  Object.fromEntries(
    Object.entries(content).flatMap(([type, schema]) =>
      type !== "*/*" ? [[type, schema]] : Object.keys(schema).length === 0 ? [] : [["application/json", schema]],
    ),
  );

/** A request, and its answers, with media that have a type. */
const typed = ({ parameters, body, returns }: Request): Request => ({
  parameters,
  body: body && { ...body, content: asJson(body.content) },
  returns: Object.fromEntries(Object.entries(returns).map(([status, content]) => [status, asJson(content)])),
});

/** What the box does not have of a definition, and what it has besides. */
function* differences(route: string, request: Request): Generator<string> {
  const known = facts.get(route);
  const ours = new Set(known ? factsOfRequest(asWritten(...known)) : []);
  const theirs = new Set(factsOfRequest(typed(request)));
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
