/** The catalogue against the operations table and others, written from the documents: the first oracle that the declarations do not feed. */
import { expect, it } from "vitest";
import { operationRows } from "../../src/commands/operations.js";
import { createWorld } from "../../src/emulator/world.js";
import { contractArgument, listerOf } from "../../src/language/defaults.js";
import type { AnyOperation } from "../../src/language/define.js";
import { effectOf } from "../../src/language/effect.js";
import type { FieldProblem } from "../../src/language/failure.js";
import { mediaList, schemaOfParam } from "../../src/language/media.js";
import { wrappedSchema } from "../../src/language/shape.js";
import { z } from "../../src/language/z.js";
import { resolvedExample } from "../../src/pages/example.js";
import { argumentsSchema, validateArguments } from "../../src/schema/arguments.js";
import { matchesTemplate } from "../../src/tools/alerts-v2/template-check.js";
import { allServices } from "../../src/tools/index.js";
import { callsIn } from "../lab/calls.js";
import { checkFully, refusalOf } from "../lab/checked.js";
import { rowsOf, tableOf } from "../lab/tables.js";
import conduct from "./conduct.json" with { type: "json" };
import { guardedBesides, operationTable, type Row, routeOf, rowOf } from "./operation-table.js";

const declared = operationRows(await allServices("documents"));

it("the catalogue is the operations table, row for row", () => {
  const sorted = (all: readonly Row[]) =>
    all.map((row) => [routeOf(row), row.document, row.service, row.effect].join(" ")).sort();
  // As many as the documents have; an operation that is added has a row of its own.
  expect(operationTable.length).toBeGreaterThanOrEqual(385);
  expect(sorted(declared)).toEqual(sorted(operationTable));
});

it("guards are on destructive rows and on what is named with a reason", () => {
  for (const { tool, guard, effect } of declared)
    expect([tool, guard !== null]).toEqual([tool, effect === "destructive" || tool in guardedBesides]);
});

const operations = (await allServices("documents")).flatMap(
  (service) => Object.entries(service.operations) as [tool: string, operation: AnyOperation][],
);
const byTool = new Map(operations);
const operationOf = (tool: string): AnyOperation => byTool.get(tool) ?? expect.fail(tool);

it("declares the documents' query names, required ones and list styles", () => {
  for (const row of declared) {
    const styles = operationOf(row.tool).spec.query as
      | Readonly<Record<string, { readonly style?: string }>>
      | undefined;
    const written = row.query.map(({ name, required }) => {
      const { style } = styles?.[name] ?? {};
      return `${name}${required ? "*" : ""}${style === undefined ? "" : `:${style}`}`;
    });
    expect([row.tool, written.join(" ")]).toEqual([row.tool, rowOf(row).query]);
  }
});

const bare = (schema: z.ZodType): z.ZodType =>
  schema instanceof z.ZodOptional || schema instanceof z.ZodNullable || schema instanceof z.ZodDefault
    ? bare(schema.unwrap() as z.ZodType)
    : schema;
const membersOf = (schema: z.ZodType | undefined): Readonly<Record<string, z.ZodType>> => {
  const whole = schema && bare(schema);
  const kind = whole instanceof z.ZodPipe && whole.in instanceof z.ZodTransform ? whole.out : whole;
  return kind instanceof z.ZodObject ? (kind.shape as Record<string, z.ZodType>) : {};
};

it("body members and required ones are declared as in the documents", () => {
  const wordsOf = (cell: string) =>
    [...cell.matchAll(/([^\s()]+)(?:\(([^)]*)\))?/g)].map(([, word = "", inner]) => ({ word, inner }));
  // What is only taken back as it was read, and not sent, has a law of its own.
  const compare = (tool: string, schema: z.ZodType | undefined, cell: string) => {
    const expected = wordsOf(cell);
    const words = Object.entries(membersOf(schema))
      .filter(([name, one]) => one.meta()?.readOnly !== true || expected.some(({ word }) => word === name))
      .map(([name, one]) => (one.safeParse(undefined).success ? name : `${name}*`));
    expect([tool, words.sort()]).toEqual([tool, expected.map(({ word }) => word).sort()]);
    for (const { word, inner } of expected)
      if (inner !== undefined) compare(`${tool} ${word}`, membersOf(schema)[word.replace("*", "")], inner);
  };
  for (const row of declared) compare(row.tool, mediaList(operationOf(row.tool).spec.body)[0]?.schema, rowOf(row).body);
});

it("only statuses in the documents and public facts count as success", () => {
  for (const row of declared) {
    const statuses = Object.keys(operationOf(row.tool).spec.returns).join(" ");
    expect([row.tool, statuses]).toEqual([row.tool, rowOf(row).success.replaceAll("?", "")]);
  }
});

/** The documents' enumerations, by field, and by tool where two fields of one name differ. */
const enumerations = Object.fromEntries(tableOf("oracles/enumerations.tsv")) as Readonly<Record<string, string>>;

it("declares the documents' enumerations, value by value", () => {
  const met = new Set<string>();
  for (const [tool, operation] of operations) {
    const { body: _body, format: _format, ...rest } = argumentsSchema(operation).shape as Record<string, z.ZodType>;
    const members = mediaList(operation.spec.body).flatMap((medium) => Object.entries(membersOf(medium.schema)));
    for (const [field, schema] of [...Object.entries(rest), ...members]) {
      const kind = bare(wrappedSchema(bare(schema)) ?? schema);
      if (!(kind instanceof z.ZodEnum)) continue;
      const key = enumerations[field] === undefined ? `${tool} ${field}` : field;
      met.add(key);
      expect([tool, field, kind.options.join(" ")]).toEqual([tool, field, enumerations[key]]);
    }
  }
  expect([...met].sort()).toEqual(Object.keys(enumerations).sort());
});

it("answers accept null where the sources have it", () => {
  const accepts = (tool: string, body: unknown) => {
    const [media] = mediaList(operationOf(tool).spec.returns[200]);
    return media?.schema.safeParse(body).success;
  };
  const anomaly = { start: "2026-05-20T10:00:00Z", firingId: "1" };
  for (const end of [{}, { end: null }, { end: "2026-05-20T11:00:00Z" }]) {
    const line = { definitionId: "a@1", points: [], anomalies: [{ ...anomaly, ...end }] };
    expect([end, accepts("alert_sparklines_list", { data: [line] })]).toEqual([end, true]);
  }
  const definition = { definitionId: "s@1", origin: "STATIC", domain: null, fields: { maintSchedule: null } };
  const details = { definitionId: "s@1", sparkline: null, alerts: [], definition };
  expect(accepts("alert_summary_detail_get", details)).toBe(true);
  const head = { name: "n", service: "s", startTime: anomaly.start, fieldMap: {} };
  const firing = { firingId: "1", definitionId: "s@1", ...head, endTime: null };
  expect(accepts("alert_active_firings_list", { data: [firing] })).toBe(true);
  const choice = { name: "n", objectId: "1", type: "t", fields: { timezone: null } };
  expect(accepts("alert_access_controls_list", { data: [choice] })).toBe(true);
});

/** What an operation declares beyond its schema, by tool; written from the documents and the public facts. */
const declaredBy = (member: "lock" | "guard" | "shows" | "means"): Readonly<Record<string, unknown>> =>
  Object.fromEntries(
    operations.flatMap(([tool, { spec }]) => {
      const value: unknown = spec[member];
      return value === undefined ? [] : [[tool, value]];
    }),
  );

// A lock that no source has would be refused by the API, so that those are all.
it("locks are those of the sources: versions, tokens and stamps", () => {
  expect(declaredBy("lock")).toEqual(conduct.lock);
});

it("guards and shown members are declared where the sources have them", () => {
  expect(declaredBy("guard")).toMatchObject(conduct.guard);
  expect(declaredBy("shows")).toMatchObject(conduct.shows);
});

it("demands the stamp where the sources do: of a site, a policy and a list", () => {
  for (const thing of ["site", "policy", "list"])
    for (const tool of [`threat_${thing}_update`, `threat_${thing}_delete`]) {
      const { ifMatch } = argumentsSchema(operationOf(tool)).shape;
      expect([tool, ifMatch?.safeParse(undefined).success]).toEqual([tool, false]);
    }
});

it("checks the fields of every definition that is sent by their template", () => {
  const checking = operations.filter(([, { spec }]) => spec.checks?.includes(matchesTemplate)).map(([tool]) => tool);
  expect(checking).toEqual(["alert_definition_create", "alert_definition_replace"]);
});

it.each(tableOf("oracles/advice.tsv"))(
  "sends whoever gets of %s a %s on to %s",
  (tool = "", status = "", next = "") => {
    expect((declaredBy("means")[tool] as Record<string, string>)[status]).toContain(next);
  },
);

it("values that belong together are taken together, and others alone", () => {
  const places = { contractId: "C-1FRYVV3", reportingGroupId: "11111", productId: "M-SITE-7" };
  for (const isTaken of [true, false])
    for (const [tool, args] of rowsOf<[string, object]>("oracles/together.tsv", isTaken ? "accepted" : "refused")) {
      const operation = operationOf(tool);
      const own = Object.entries(places).filter(([name]) => Object.hasOwn(argumentsSchema(operation).shape, name));
      const refusal = refusalOf(() => checkFully(tool, operation, { ...Object.fromEntries(own), ...args }));
      expect([tool, args, refusal === undefined]).toEqual([tool, args, isTaken]);
    }
});

type Values = [tool: string, field: string, taken: readonly unknown[], refused: readonly unknown[]];
const item = { type: "LIST_TYPE_DOMAIN", value: "a.example" };

it.each<Values>([
  ...tableOf("oracles/values.tsv").map(([tool = "", field = "", taken = "", refused = ""]): Values => {
    const [yes, no] = [taken, refused].map((cell) => JSON.parse(cell) as readonly unknown[]);
    return [tool, field, yes ?? [], no ?? []];
  }),
  ["portalalert_find", "body.cpCodes", [undefined, "12345,12346"], [["12345"]]],
  ["diag_location_logs_list", "endTime", [undefined, "2026-05-20T12:00:00Z"], ["now"]],
  ["purge_submit", "body.objects", [["12345"], [12345], Array(10_000).fill("/a")], [[], Array(10_001).fill("/a")]],
  ["edgelogic_origin_version_create", "body.dataCenters", [undefined], [[], [{ originId: "a" }], "all"]],
  ["live_version_activate", "environment", ["Production", "Staging"], ["production", "", undefined]],
  ["threat_emergency_list_replace", "body.items", [[], Array(1_000).fill(item)], [Array(1_001).fill(item)]],
])("%s accepts and refuses the listed values of %s", (tool, field, accepted, refused) => {
  const operation = operationOf(tool);
  const now = Date.UTC(2026, 4, 20);
  const isAccepted = (value: unknown): boolean => {
    const args = structuredClone(resolvedExample(operation.spec.example, now)) as Record<string, unknown>;
    const name = field.replace("body.", "");
    if (name === field) args[name] = value;
    else (args["body"] as Record<string, unknown>)[name] = value;
    return refusalOf(() => validateArguments(tool, operation, args, now)) === undefined;
  };
  for (const value of accepted) expect([value, isAccepted(value)]).toEqual([value, true]);
  for (const value of refused) expect([value, isAccepted(value)]).toEqual([value, false]);
});

/** The fields that a call is refused for when it leaves one argument of its example out. */
function refusedWithout(tool: string, operation: AnyOperation, name: string): readonly FieldProblem[] {
  const { [name]: _, ...rest } = resolvedExample(operation.spec.example, Date.now());
  return refusalOf(() => checkFully(tool, operation, rest))?.detail.fields ?? [];
}

const marked = operations.flatMap(([tool, operation]) =>
  Object.entries({ ...operation.spec.path, ...operation.spec.query }).flatMap(([name, param]) => {
    const lister = listerOf(schemaOfParam(param));
    return lister === undefined ? [] : [[tool, name, lister] as const];
  }),
);

it("a missing contract or group is refused with the read that lists it", () => {
  expect(marked.length).toBeGreaterThan(20);
  for (const [tool, name, lister] of marked) {
    const listing = byTool.get(lister);
    expect([tool, lister, listing && effectOf(listing)]).toEqual([tool, lister, "read"]);
    const [problem] = refusedWithout(tool, operationOf(tool), name).filter(({ field }) => field === name);
    expect([tool, problem?.takes]).toEqual([
      tool,
      expect.stringMatching(new RegExp(`; it is required, and ${lister} lists its values$`)),
    ]);
  }
});

it("no contract or group is required without a read that lists it", () => {
  expect(listerOf(contractArgument(z.string(), "a_list"))).toBe("a_list");
  const unmarked = operations.flatMap(([tool, { spec }]) =>
    Object.entries(spec.query ?? {})
      .map(([name, param]) => [name, schemaOfParam(param)] as const)
      .filter(([name, schema]) => /^(contract|group)Id$/.test(name) && !schema.safeParse(undefined).success)
      .filter(([, schema]) => listerOf(schema) === undefined)
      .map(([name]) => `${tool} ${name}`),
  );
  expect(unmarked).toEqual([]);
});

it("a list lacking contract and group is unsent, and names their read", async () => {
  const world = createWorld();
  const { refused, audited } = callsIn(world);
  expect(await refused("properties_list", {})).toEqual({
    code: "invalid_input",
    message: expect.stringMatching(/^properties_list cannot use these arguments: contractId: /),
    fields: ["contractId", "groupId"].map((name) =>
      expect.stringMatching(new RegExp(`^${name}: .*; it is required, and property_groups_list lists its values$`)),
    ),
  });
  expect(audited.join()).not.toContain('"requests":1');
});
