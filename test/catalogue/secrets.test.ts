/** Laws over the catalogue: what its name calls a secret is marked as one, and no secret stands where it would be shown. */
import { expect, it } from "vitest";
import { argumentsSchema } from "../../src/arguments/index.js";
import { returnedSchemas } from "../../src/language/choice.js";
import type { AnyOperation } from "../../src/language/define.js";
import { schemaOfParam } from "../../src/language/media.js";
import { z } from "../../src/language/z.js";
import { isSecret } from "../../src/schema/marks.js";
import { contentsOf, formsOf } from "../../src/schema/shape.js";
import { shownOnceIn } from "../../src/secrets/masking.js";
import { allServices } from "../../src/tools/index.js";
import { allWorkflows } from "../../src/workflows/index.js";
import { holdsForEach } from "../lab/laws.js";
import { operationsIn } from "../lab/project.js";
import { promise } from "../lab/rules.js";

const services = await allServices();
const operations = operationsIn(services);
const workflows = await allWorkflows();

/** Members whose name suggests a secret that they are not, and why. */
const known: Readonly<Record<string, string>> = {
  accessToken: "is masked where it is read, and where it comes back with what was read it is not sent",
  serviceConsumerToken: "is masked where it is read, and where it comes back with what was read it is not sent",
  clientToken: "names a credential, as a user name does; it signs nothing without the client secret",
  passwordExpiryDate: "says when a password ends, and nothing of it",
  passwordExpiry: "switches mail about passwords that end on or off",
  resetPassword: "says whether a user's password may be reset",
  currentPasswordFile: "names the file that holds the password",
  newPasswordFile: "names the file that holds the password",
  token:
    "the version stamp of a DNS zone, which everybody who reads the zone sees; the name of a domain challenge, which is published",
};

interface Member {
  readonly name: string;
  readonly schema: z.ZodType;
}

/** Every named member of a schema, at any depth. */
function membersOf(schema: z.ZodType): Member[] {
  const found: Member[] = [];
  const seen = new Set<z.ZodType>();
  const visit = (at: z.ZodType) => {
    if (seen.has(at)) return;
    seen.add(at);
    for (const form of formsOf(at)) {
      if (form instanceof z.ZodObject)
        for (const [name, member] of Object.entries(form.shape)) found.push({ name, schema: member as z.ZodType });
      contentsOf(form).forEach(visit);
    }
  };
  visit(schema);
  return found;
}

/** The members of a schema's objects that the API shows once, found as an answer's are. */
const shownOnceNames = (schema: z.ZodType): string[] =>
  membersOf(schema)
    .map(({ name }) => name)
    .filter((name) => shownOnceIn([schema], { [name]: "x" }).length > 0);
/** A response that has one member, at a path. */
const withOne = (path: string): unknown =>
  path.split(".").reduceRight<unknown>((inner, key) => (key === "0" ? [inner] : { [key]: inner }), "x");
const schemasOf = (operation: AnyOperation): z.ZodType[] => [argumentsSchema(operation), ...returnedSchemas(operation)];
const unmarked = (schemas: readonly z.ZodType[]): string[] =>
  schemas
    .flatMap(membersOf)
    .filter(({ name, schema }) => /secret|password|token$/i.test(name) && !isSecret(schema))
    .map(({ name }) => name);

it(promise("secrets-are-marked", "what a name calls a secret is marked, or is known to be none"), async () => {
  const schemas: (readonly [tool: string, own: readonly z.ZodType[]])[] = [
    ...operations.map(([tool, operation]) => [tool, schemasOf(operation)] as const),
    ...workflows.map(([tool, { input }]) => [tool, [input]] as const),
  ];
  const isKnown = (name: string) => Object.hasOwn(known, name);
  await holdsForEach(schemas, (_, own) => expect(unmarked(own).filter((name) => !isKnown(name))).toEqual([]));
  const names = new Set(operations.flatMap(([, operation]) => unmarked(schemasOf(operation))));
  expect([...names].sort()).toEqual(Object.keys(known).sort());
});

it("finds members at any depth and in any form", () => {
  const inner = z.union([z.array(z.strictObject({ newPassword: z.string().optional() })), z.null()]);
  const schema = z.looseObject({ list: z.record(z.string(), inner).optional() });
  expect(unmarked([schema])).toEqual(["newPassword"]);
});

it("no secret is in an address, which previews and logs show", () =>
  holdsForEach(operations, (_, { spec }) => {
    const placed = Object.entries({ ...spec.path, ...spec.query }).map(([name, param]) => [name, schemaOfParam(param)]);
    for (const [name, schema] of placed as [string, z.ZodType][]) {
      expect([name, isSecret(schema)]).toEqual([name, false]);
      expect(membersOf(schema).filter((member) => isSecret(member.schema))).toEqual([]);
    }
  }));

it("no note tells of a secret", () =>
  holdsForEach(operations, (_, operation) => {
    const secrets = schemasOf(operation)
      .flatMap(membersOf)
      .filter(({ schema }) => isSecret(schema))
      .map(({ name }) => name);
    const quoted = (operation.spec.memberNotes ?? []).flatMap(({ says }) => [...says.matchAll(/\{([\w.]+)\}/g)]);
    for (const [, path = ""] of quoted) for (const key of path.split(".")) expect(secrets).not.toContain(key);
  }));

it("what an operation shows once goes to a file, and never into a result", () =>
  holdsForEach(operations, (_, operation) => {
    const once = returnedSchemas(operation).flatMap((schema) => shownOnceNames(schema));
    for (const name of once) expect(operation.spec.secretTo?.members ?? []).toContain(name);
    for (const path of operation.spec.secretTo?.members ?? [])
      expect([path, shownOnceIn(returnedSchemas(operation), withOne(path)).length]).toEqual([path, 1]);
  }));
