/** Secrets: what its name calls one is marked as one, what is marked is in no answer wherever it is shown, and no mask is ever sent. */
import { afterAll, expect, it } from "vitest";
import { wholeText } from "../../src/answers/parts.js";
import type { Outcome } from "../../src/calls/index.js";
import { createResults } from "../../src/calls/results.js";
import { workflow } from "../../src/calls/workflow.js";
import { createRouter, findRoute } from "../../src/emulator/router.js";
import { serviceEntries } from "../../src/emulator/services/index.js";
import { createWorld } from "../../src/emulator/world.js";
import { returnedSchemas } from "../../src/language/choice.js";
import type { Arguments } from "../../src/language/conduct.js";
import type { AnyOperation } from "../../src/language/define.js";
import { effectOf, isRead, readerOf } from "../../src/language/effect.js";
import { isSecret } from "../../src/language/marks.js";
import { mediaList, schemaOfParam } from "../../src/language/media.js";
import { isRecord } from "../../src/language/member.js";
import type { Send } from "../../src/language/wire.js";
import { z } from "../../src/language/z.js";
import { type AccountResults, noResultStore } from "../../src/rows/result-store.js";
import { createQueries } from "../../src/rows/sql/index.js";
import { argumentsSchema } from "../../src/schema/arguments.js";
import { secretFiles } from "../../src/secrets/files.js";
import { secretTextsIn, shownOnceIn } from "../../src/secrets/masking.js";
import { allServices } from "../../src/tools/index.js";
import { allWorkflows } from "../../src/workflows/index.js";
import { examples, tools } from "../adversary/targets.js";
import { callsIn } from "../lab/calls.js";
import { inDepth } from "../lab/depth.js";
import { onEmulator } from "../lab/emulated.js";
import { createEmulator } from "../lab/emulator.js";
import { formsIn } from "../lab/forms.js";
import { holdsForEach } from "../lab/laws.js";
import { caller } from "../lab/made-up.js";
import { mechanismsOf, sampled } from "../lab/mechanisms.js";
import { resultStoredIn } from "../lab/options.js";
import { operationsIn } from "../lab/project.js";
import { promise } from "../lab/rules.js";
import { secretDirectory } from "../lab/secret-files.js";
import { exceptionsTo } from "../lab/tables.js";

const services = await allServices();
const operations = operationsIn(services);
const byName = new Map(operations);
const workflows = await allWorkflows();

/** Members whose name suggests a secret that they are not, and why. */
const known = exceptionsTo("no secret").map(([name]) => name);

interface Member {
  readonly name: string;
  readonly schema: z.ZodType;
  readonly of: z.ZodObject;
}

/** Every named member of a schema, at any depth. */
const membersOf = (schema: z.ZodType): Member[] =>
  [...formsIn(schema)].flatMap((form) =>
    form instanceof z.ZodObject
      ? Object.entries<z.ZodType>(form.shape).map(([name, member]) => ({ name, schema: member, of: form }))
      : [],
  );

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
  await holdsForEach(schemas, (_, own) => expect(unmarked(own).filter((name) => !known.includes(name))).toEqual([]));
  const names = new Set(operations.flatMap(([, operation]) => unmarked(schemasOf(operation))));
  expect([...names].sort()).toEqual([...known].sort());
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

it("no note shows a secret", () =>
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

/** The names of members whose values are secret by their schema, found by what is reported of a value of theirs. */
const secretNames = (schema: z.ZodType): string[] =>
  membersOf(schema)
    .filter(({ name, of }) => secretTextsIn([of], { [name]: "x" }).length > 0)
    .map(({ name }) => name);
const secretsOf = (operation: AnyOperation): string[] => [
  ...new Set(
    [
      argumentsSchema(operation),
      ...mediaList(operation.spec.body).map(({ schema }) => schema),
      ...returnedSchemas(operation),
    ].flatMap(secretNames),
  ),
];
const names = [...new Set(operations.flatMap(([, one]) => secretsOf(one)))];
const answering = new Set(
  operations.map(([, one]) => one).filter((one) => returnedSchemas(one).flatMap(secretNames).length > 0),
);

// As long as what an upstream makes up, and in no text of the emulator.
const secretText = "Zq7-never-to-be-shown";
let isRude = false;

/** What the emulator answers, with a secret under each of the names in every object that has members of other kinds. */
function withSecrets(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withSecrets);
  if (!isRecord(value)) return value;
  const members = Object.entries(value).map(([name, member]) => [name, withSecrets(member)] as const);
  const hasScalar = Object.values(value).some((member) => typeof member !== "object");
  return {
    ...Object.fromEntries(members),
    ...(hasScalar ? Object.fromEntries(names.map((name) => [name, secretText])) : {}),
  };
}

/** The same of a text in JSON or XML, where each element that has others gets them. */
function rude(text: string): string {
  if (!text.startsWith("<")) return JSON.stringify(withSecrets(JSON.parse(text)));
  const elements = names.map((name) => `<${name}>${secretText}</${name}>`).join("");
  return text.replaceAll(/(?<=<\/[^>]+>\s*)<\/[^>]+>/g, `${elements}$&`);
}

const world = createWorld({ frozenAt: Date.now() });
const emulator = createEmulator({ world });
const serviceFor = createRouter(serviceEntries, world.vendor);
const sent: string[] = [];
const send: Send = async (request) => {
  if (!["GET", "HEAD"].includes(request.method)) sent.push(Buffer.from(request.body ?? []).toString());
  const response = await emulator.send(request);
  const parts: Uint8Array[] = [];
  for await (const part of response.body) parts.push(part);
  const bytes = Buffer.concat(parts);
  const { operation } = findRoute(await serviceFor(request.url, request.method), request.method, request.url).route;
  const isAsked = isRude && answering.has(operation);
  const body = isAsked && bytes.length > 0 ? Buffer.from(rude(bytes.toString())) : bytes;
  const { "content-length": _, ...headers } = response.headers;
  return { ...response, headers, body: ReadableStream.from([body]) };
};
const kept = new Map<string, unknown>();
const store: AccountResults = {
  ...noResultStore,
  get: async (_, handle) => (kept.has(handle) ? { content: kept.get(handle) } : undefined),
  keep: async (_, handle, whole) => {
    kept.set(handle, whole);
    return true;
  },
};
const options = {
  client: onEmulator(tools, send).client,
  secretFiles: secretFiles(secretDirectory()),
  callTimeoutMs: 60_000,
  results: createResults({
    store,
    queries: async () => createQueries({ worker: "none" }),
    secrets: [],
    maxTokens: 8_000,
  }),
};
const { calls } = callsIn(world, options);
afterAll(() => world.reset());

/** Everything that leaves with an outcome, and what is stored of it. */
async function surfaces(outcome: Outcome): Promise<string> {
  if (outcome.kind === "question") throw new Error("It asked.");
  const all = await Promise.all(
    [8_000, 200].map((maxTokens) =>
      resultStoredIn(store, outcome, { upstream: "the upstream", secrets: [], maxTokens }),
    ),
  );
  const wholes = [...kept.values(), ...(outcome.kind === "answer" ? [outcome.reply.body] : [])];
  const asRows = wholes.filter(isRecord).map((whole) => wholeText(whole, "csv"));
  return [
    JSON.stringify(outcome.kind === "answer" ? outcome.reply : outcome),
    ...all.map((one) => JSON.stringify(one)),
    JSON.stringify(wholes),
    ...asRows,
  ].join("\n");
}

it("the mask laws cover secrets in answers and in reads before changes", () => {
  expect(names.length).toBeGreaterThan(1);
  expect(answering.size).toBeGreaterThan(5);
  const unshown = operations.filter(([, one]) => {
    // What comes from a file is nothing that any answer has, and what is made anew is read as a list.
    if (effectOf(one) === "create") return false;
    const own = secretNames(argumentsSchema(one));
    const reader = byName.get(readerOf(one)?.by ?? "");
    return own.length > 0 && reader && own.some((name) => !returnedSchemas(reader).flatMap(secretNames).includes(name));
  });
  expect(unshown.map(([tool]) => tool)).toEqual([]);
});

const isAnswering = (tool: string): boolean => answering.has(byName.get(tool) as AnyOperation);
const reading = examples.filter(([tool]) => isAnswering(tool) || tools.get(tool)?.service === "workflows");
/** What comes of some work while the upstream adds secrets to all that it answers. */
async function rudely<T>(work: () => Promise<T>): Promise<T> {
  kept.clear();
  isRude = true;
  return work().finally(() => {
    isRude = false;
  });
}
it(promise("reads-mask-secrets", "what an upstream sends of secrets is shown by no read"), () =>
  holdsForEach(reading, async (tool, example) => {
    world.reset();
    await rudely(async () => {
      const first = await calls.call(tool, example as Arguments, caller);
      expect(await surfaces(first)).not.toContain(secretText);
      if (first.kind !== "preview") return;
      const second = await calls.call(tool, { ...example, confirm: first.plan.id }, caller);
      expect(await surfaces(second)).not.toContain(secretText);
    });
  }),
);

it("no secret is in what a workflow or a resource reads, which have masks", () =>
  holdsForEach(["log_configuration_get", "live_stream_get"], async (tool) => {
    const [, example = {}] = examples.find(([name]) => name === tool) ?? [];
    const read = workflow({
      title: "Made up",
      does: "Reads what is there.",
      input: z.strictObject({}),
      steps: ["Read it."],
      example: {},
      run: async (_, { invoke }) => ({ found: (await invoke(tool, example)).body }),
    });
    const { calls: own } = callsIn(world, { ...options, workflows: { made_up: async () => read } });
    const [outcome, resource] = await rudely(
      async () => [await own.call("made_up", {}, caller), await own.invoke(tool, example)] as const,
    );
    for (const said of [await surfaces(outcome), JSON.stringify(resource)]) {
      expect(said).toContain(`[secret, ${secretText.length} characters]`);
      expect(said).not.toContain(secretText);
    }
    expect(resource.notes.join()).toContain("a mask is refused in an argument");
  }));

const withBody = operations.filter(([, one]) => !isRead(one) && mediaList(one.spec.body).length > 0);
const changing = inDepth(
  withBody,
  sampled(withBody, ([, one]) => mechanismsOf(one)),
);

/** The arguments with something in the place of the first text of the body; undefined where it has none. */
function withFirstText(value: unknown, text: string): unknown {
  let isDone = false;
  const made: unknown = JSON.parse(JSON.stringify(value ?? null), (_, one) => {
    if (isDone || typeof one !== "string") return one;
    isDone = true;
    return text;
  });
  return isDone ? made : undefined;
}

it(promise("masks-refused", "a mask given back to a change is refused with advice and not sent"), () =>
  holdsForEach(changing, async (tool) => {
    const [, example = {}] = examples.find(([name]) => name === tool) ?? [];
    for (const mask of ["[secret, 12 characters]", "user:[secret]@shop.example"]) {
      const body = withFirstText(example["body"], mask);
      if (body === undefined) continue;
      sent.length = 0;
      const outcome = await calls.call(tool, { ...example, body }, caller);
      expect(outcome).toMatchObject({ kind: "failure", failure: { code: "invalid_input" } });
      expect(JSON.stringify(outcome)).toContain("the secret itself, which the user knows");
      expect(sent).toEqual([]);
    }
  }),
);
