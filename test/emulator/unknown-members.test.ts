/** A law over the emulated API: a member that no source names is kept with the object that it was written in, and is read back. */
import { expect, it } from "vitest";
import type { AnyOperation } from "../../src/language/define.js";
import { guardOf, guardOrDefault, isRead, readerOf } from "../../src/language/effect.js";
import { memberAt, withMember } from "../../src/language/member.js";
import { resolvedExample } from "../../src/pages/example.js";
import { argumentsSchema, validateArguments } from "../../src/schema/arguments.js";
import { placesIn } from "../catalogue/open-places.js";
import { callsAt } from "../lab/calls.js";
import { holdsForEach } from "../lab/laws.js";
import { servicesOfProject } from "../lab/project.js";
import { now } from "../lab/raw.js";

type Arguments = Record<string, unknown>;
const test = callsAt(now);
const operations = new Map(
  (await servicesOfProject()).flatMap((service) => Object.entries<AnyOperation>(service.operations)),
);

const writes = [...operations].flatMap(([tool, operation]) => {
  // Where the body is the object that is read, or a part of it; a request to run, clone or launch something is not kept.
  const replaced = guardOrDefault(operation).replaces?.split(".") ?? [];
  if (replaced[0] !== "body" || isRead(operation)) return [];
  const example = resolvedExample(operation.spec.example, now) as Arguments;
  const { medium } = validateArguments(tool, operation, example, now);
  if (!medium) return [];
  const places = placesIn(medium.schema, example["body"]).filter(
    ({ kind, path }) => kind === "open" && replaced.slice(1).every((step, at) => path[at] === step),
  );
  return places.map(({ path }) => [tool, ["body", ...path].join("."), ["body", ...path], operation, example] as const);
});

it("every write keeps members that no source names", () =>
  holdsForEach(writes, async (tool, _, path, operation, example) => {
    test.startAt(now);
    const name = "edgewiseUnheardOf";
    const args = withMember(example, [...path, name], "as it is given") as Arguments;
    const { calls } = test;
    const made = guardOf(operation) ? await calls.approved(tool, args) : await calls.call(tool, args);
    if (made.kind !== "answer") throw new Error(JSON.stringify(made).slice(0, 500));
    const shown = readerOf(operation);
    const reader = shown && operations.get(shown.by);
    const all = { ...args, ...shown?.args(args) };
    const shape = reader ? argumentsSchema(reader).shape : {};
    const asked = Object.fromEntries(Object.entries(all).filter(([key]) => Object.hasOwn(shape, key)));
    const read = shown && (await calls.call(shown.by, asked as Arguments));
    const seen = [made.reply.body, read?.kind === "answer" ? read.reply.body : memberAt(read, "kind")];
    expect(JSON.stringify(seen)).toContain(`"${name}":"as it is given"`);
  }));
