/** Law over the catalogue: a guard for where data is sent asks while the policy does not list every destination, and only then. */
import { expect, it } from "vitest";
import type { CallsOptions } from "../../src/calls/index.js";
import type { Arguments } from "../../src/language/conduct.js";
import type { AnyOperation } from "../../src/language/define.js";
import { type Destination, destinationsIn } from "../../src/language/destination.js";
import { guardOf, isAboutDestinations } from "../../src/language/effect.js";
import { withMember } from "../../src/language/member.js";
import { batchTool } from "../../src/language/server-tools.js";
import { resolvedExample } from "../../src/pages/example.js";
import type { Policy, PolicyRule } from "../../src/policy/file.js";
import { noPolicy } from "../../src/policy/index.js";
import { argumentsSchema } from "../../src/schema/arguments.js";
import { begin, planOf } from "../adversary/model.js";
import { holdsForEach } from "../lab/laws.js";
import { mechanismsOf, sampled } from "../lab/mechanisms.js";
import { servicesOfProject } from "../lab/project.js";
import { promise } from "../lab/rules.js";

const services = await servicesOfProject();
const operations = services.flatMap((service) => Object.entries<AnyOperation>(service.operations));
const about = operations.filter(([, operation]) => isAboutDestinations(operation));

const everywhere = { emails: ["*"], hosts: ["*"] };
const limitedTo = (egress: Policy["egress"], ...rules: PolicyRule[]): Partial<CallsOptions> => ({
  policy: { ...noPolicy, egress, rules },
});

const destinationsOf = (operation: AnyOperation, args: Arguments): Destination[] =>
  destinationsIn(argumentsSchema(operation), args);

/** What comes of a call without an approval, and whether anything was changed by it. */
async function called(tool: string, args: Arguments, options?: Partial<CallsOptions>) {
  const { desks, recorder } = begin(options);
  const outcome = await desks[0].call(tool, args);
  return { kind: outcome.kind, changes: (await recorder.changes()).length };
}
const asked = { kind: "preview", changes: 0 };
const made = { kind: "answer", changes: 1 };
const refused = { kind: "failure", changes: 0 };

it("destinations are guarded in creations, changes and resumes", () => {
  expect(new Set(about.map(([, operation]) => guardOf(operation)?.kind))).toEqual(
    new Set(["create", "overwrite", "resume"]),
  );
});

const exampleOf = ({ spec }: AnyOperation) => resolvedExample(spec.example, Date.now()) as Arguments;
const kindsOf = (operation: AnyOperation) =>
  new Set(destinationsOf(operation, exampleOf(operation)).map(({ kind }) => kind));
/** One operation for every way of being guarded for what it sends to. */
const sample = sampled(about, ([, operation]) =>
  mechanismsOf(operation)
    .filter((word) => /^(guard kind |sendsTo)/.test(word))
    .concat([...kindsOf(operation)]),
);

it(promise("unlisted-destination-waits", "a call waits for an approval until every destination is listed"), () =>
  // Each schema marks its own destinations.
  holdsForEach(about, async (tool, operation) => {
    const args = exampleOf(operation);
    expect(await called(tool, args)).toEqual(asked);
    for (const missing of kindsOf(operation)) {
      const { [`${missing}s` as const]: _, ...lists } = everywhere;
      expect([missing, await called(tool, args, limitedTo(lists))]).toEqual([missing, asked]);
    }
    expect(await called(tool, args, limitedTo({ emails: [], hosts: [] }))).toEqual(refused);
    expect(await called(tool, args, limitedTo(everywhere))).toEqual(made);
  }),
);

it("a batch to listed destinations needs no approval", () =>
  holdsForEach(sample, async (tool, operation) => {
    const batch = { tool, arguments: [exampleOf(operation)] };
    expect(await called(batchTool, batch, limitedTo(everywhere))).toEqual({ ...made, kind: "workflow" });
    expect(await called(batchTool, batch)).toEqual(asked);
  }));

it("a rule or the operator can ask for an approval of listed ones", () =>
  holdsForEach(sample, async (tool, operation) => {
    const args = exampleOf(operation);
    const rule: PolicyRule = { id: "seen-first", effect: "approve", tools: [tool] };
    expect(await called(tool, args, limitedTo(everywhere, rule))).toEqual(asked);
    expect(await called(tool, args, { ...limitedTo(everywhere), approval: "human" })).toEqual(asked);
  }));

it("a call that sends data to nobody needs no approval", () =>
  holdsForEach(sample, async (tool, operation) => {
    const args = exampleOf(operation);
    // A list goes as a whole.
    const silent = destinationsOf(operation, args).reduce(
      (rest, { field }) => withMember(rest, (field.split("[")[0] ?? "").split("."), undefined) as Arguments,
      args,
    );
    if (operation.spec.sendsTo !== undefined || !argumentsSchema(operation).safeParse(silent).success) return;
    // The template of the alert in the example asks for an address.
    const expected = tool === "alert_definition_create" ? refused : made;
    for (const options of [{}, { approval: "human" } as const])
      expect(await called(tool, silent, options)).toEqual(expected);
    const { desks } = begin();
    const needless = await desks[0].call(tool, { ...silent, confirm: planOf(await desks[0].call(tool, args)) });
    expect(needless).toMatchObject({ kind: "failure", failure: { code: "invalid_input" } });
  }));
