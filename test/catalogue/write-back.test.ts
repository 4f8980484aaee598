/** The law of writing back: what a read answers is taken by the write that replaces it, and is sent but for what is read-only. */
import { XMLParser } from "fast-xml-parser";
import { describe, expect, it } from "vitest";
import { demoCredentials } from "../../src/emulator/credentials.js";
import { createWorld } from "../../src/emulator/world.js";
import { mediaArguments, returnedSchemas } from "../../src/language/choice.js";
import type { AnyOperation } from "../../src/language/define.js";
import { guardOf, isRead, readerOf } from "../../src/language/effect.js";
import { mediaList } from "../../src/language/media.js";
import { listAt, memberAt, withMember } from "../../src/language/member.js";
import { declares, formsAt, formsOf, formsOfAll, isOpen } from "../../src/language/shape.js";
import type { WireRequest } from "../../src/language/wire.js";
import { z } from "../../src/language/z.js";
import { resolvedExample } from "../../src/pages/example.js";
import { argumentsSchema, validateArguments } from "../../src/schema/arguments.js";
import { authorizer } from "../../src/wire/authorize.js";
import { createClient } from "../../src/wire/index.js";
import { translationFor } from "../../src/wire/request.js";
import { type Args, callsIn } from "../lab/calls.js";
import { createEmulator } from "../lab/emulator.js";
import { holdsForEach, lawsOver } from "../lab/laws.js";
import { apis, operationsIn, servicesOfProject } from "../lab/project.js";
import forms from "./write-back.json" with { type: "json" };

/** A read, and the write that takes what it answers. */
interface Pair {
  readonly read: string;
  readonly write: string;
  /** Where the answer has what is written; the whole of it by default. */
  readonly from: readonly string[];
  /** Where the write's body has it; the whole of it by default. */
  readonly to: readonly string[];
  /** What the write has besides, which no answer has, or has only masked. */
  readonly besides: Args;
  /** What is written back to, where it is not what the write's example is about. */
  readonly named: Args;
  /** Lists whose items the answer shows as objects, and the write names by one of their members: that one is sent. */
  readonly namedBy: Readonly<Record<string, string>>;
  /** A number that a write has to raise. */
  readonly raised?: readonly string[];
  /** How the read is asked, beside the arguments of the write's example. */
  readonly asked: Args;
}

const services = await servicesOfProject();
const byName = new Map(operationsIn(services));

function operationOf(name: string): AnyOperation {
  const found = byName.get(name);
  if (!found) throw new Error(`There is no ${name}.`);
  return found;
}

/**
 * Pairs whose forms differ, or whose routes do. A serial is a stamp that has to grow; the secret of a key is what whoever
 * writes it back has to know; a property is moved from one group to another, which is nothing that is read.
 */
const declared = { ...forms.documents, ...forms[apis] } as unknown as Readonly<
  Record<string, Partial<Pair> | "another thing">
>;

const placeOf = (route: string): string => route.replace(/^\S+ |\?.*$/g, "").replaceAll(/\{\w+\}/g, "{}");
const reads = [...byName].filter(([, operation]) => isRead(operation) && operation.route.startsWith("GET "));

/** The read of the same address as a write that replaces what is there. */
const readRelated = ({ route, spec }: AnyOperation): string | undefined =>
  route.startsWith("PUT ") || guardOf({ spec })?.replaces !== undefined
    ? reads.find(([name, read]) => name === readerOf({ spec })?.by && placeOf(read.route) === placeOf(route))?.[0]
    : undefined;

/** All pairs of the catalogue: by their addresses, and those that are declared above. */
const pairs: readonly Pair[] = [...byName].flatMap(([write, operation]) => {
  const own = declared[write];
  const { effect, body } = operation.spec;
  if (isRead(operation) || effect === "create" || body === undefined || own === "another thing") return [];
  const read = own?.read ?? readRelated(operation);
  return read === undefined
    ? []
    : [{ from: [], to: [], besides: {}, asked: {}, named: {}, namedBy: {}, ...own, read, write }];
});

/** What has crossed the wire, as it was. */
interface Crossing {
  readonly request: WireRequest;
  readonly answer: Uint8Array;
  readonly type: string;
}

/** Calls in a fresh world, and what crosses their wire. */
function watched() {
  const crossings: Crossing[] = [];
  const world = createWorld({ frozenAt: Date.now() });
  const emulator = createEmulator({ world });
  const client = createClient({
    send: async (request) => {
      const response = await emulator.send(request);
      const chunks: Uint8Array[] = [];
      for await (const chunk of response.body) chunks.push(chunk);
      const answer = new Uint8Array(Buffer.concat(chunks));
      crossings.push({ request, answer, type: response.headers["content-type"] ?? "" });
      const body = (async function* () {
        yield answer;
      })();
      return { ...response, body };
    },
    target: { origin: `https://${demoCredentials.host}`, vendor: "akamai" },
    authorize: authorizer(undefined, demoCredentials),
    maxResponseBytes: 1_000_000,
  });
  return { crossings, calls: callsIn(world, { client }) };
}

/** The value of a body on the wire; what XML has as text stays text, and null is what a form does not have. */
function wireValue(bytes: Uint8Array, type: string): unknown {
  const text = new TextDecoder().decode(bytes);
  if (type.includes("form-urlencoded")) {
    const form = new URLSearchParams(text);
    const whole = form.get("query");
    return whole === null ? Object.fromEntries(form) : JSON.parse(whole);
  }
  if (!type.includes("xml")) return JSON.parse(text);
  const [, root] = Object.values(
    new XMLParser({ parseTagValue: false }).parse(`<?xml version="1.0"?>${text.replace(/^<\?.*?\?>/, "")}`),
  );
  return root;
}

const picked = (args: Args, names: readonly string[]): Args =>
  Object.fromEntries(Object.entries(args).filter(([name]) => names.includes(name)));

const queryOf = ({ spec }: AnyOperation): readonly string[] => Object.keys({ ...spec.path, ...spec.query });

/** Reads what a write replaces. */
async function readFor({ read, write, from, to, besides, asked, named, namedBy, raised }: Pair, version?: string) {
  const { crossings, calls } = watched();
  const { body: _, confirm: __, ...example } = resolvedExample(operationOf(write).spec.example, Date.now());
  const others = { ...example, ...named, ...(version === undefined ? {} : { version }) };
  const ask = (tool: string) =>
    calls.answer(tool, {
      ...picked(others, [...queryOf(operationOf(tool)), "version"]),
      ...(tool === read ? asked : {}),
    });
  const { lock } = operationOf(write).spec;
  const isHeader = lock !== undefined && !lock.field.startsWith("body.");
  const stamp = isHeader ? { [lock.field]: memberAt(await ask(lock.from), lock.at ?? "") } : {};
  const reply = await ask(read);
  const [answered] = crossings.slice(-1);
  const raise = (value: unknown) =>
    raised === undefined ? value : withMember(value, raised, Number(memberAt(value, raised)) + 1);
  const body = raise(memberAt(reply.body, from));
  const argsWith = (part: unknown): Args => ({
    ...others,
    ...stamp,
    body:
      to.length === 0
        ? Object.keys(besides).length === 0
          ? part
          : { ...(part as object), ...besides }
        : withMember({}, to.slice(0, 1), withMember({}, to.slice(1), { ...(part as object), ...besides })),
  });
  const withNames = (value: unknown) =>
    Object.entries(namedBy).reduce(
      (whole, [list, member]) =>
        withMember(
          whole,
          [list],
          listAt(whole, list).map((one) => memberAt(one, member)),
        ),
      value,
    );
  const words = translationFor(operationOf(write), { origin: "", vendor: "" });
  return {
    body,
    argsWith,
    /** What was answered on the wire, of the part that is written. */
    answered:
      answered && withNames(raise(words.toDocuments(memberAt(wireValue(answered.answer, answered.type), from)))),
    isText: mediaList(operationOf(write).spec.body).every(
      ({ codec, field }) => codec === "form" && field === undefined,
    ),
    /** Writes it back, and what that sends. */
    async sent(): Promise<unknown> {
      const before = crossings.length;
      const outcome = await calls.call(write, argsWith(body));
      const last =
        outcome.kind === "preview" ? await calls.call(write, { ...argsWith(body), confirm: outcome.plan.id }) : outcome;
      const made = crossings
        .slice(before)
        .find(({ request }) => request.body !== undefined && request.method === operationOf(write).route.split(" ")[0]);
      if (!made?.request.body) throw new Error(JSON.stringify(last).slice(0, 2_000));
      return words.toDocuments(memberAt(wireValue(made.request.body, made.request.headers["content-type"] ?? ""), to));
    },
  };
}

type Json = Readonly<Record<string, unknown>>;

/** The schemas of a member in JSON Schema, through references and alternatives. */
function schemasAt(root: Json, path: readonly string[]): readonly Json[] {
  const spread = (schema: Json): Json[] => {
    const reference = schema["$ref"];
    const target = typeof reference === "string" ? memberAt(root, reference.split("/").slice(1)) : undefined;
    const inner = ["anyOf", "oneOf", "allOf"].flatMap((word) => (schema[word] as Json[] | undefined) ?? []);
    return [schema, ...[...(target ? [target as Json] : []), ...inner].flatMap(spread)];
  };
  const step = (schemas: readonly Json[], key: string) =>
    schemas
      .flatMap((schema) => [memberAt(schema, ["properties", key]), /^\d+$/.test(key) ? schema["items"] : undefined])
      .filter((found) => typeof found === "object")
      .flatMap((found) => spread(found as Json));
  return path.reduce(step, spread(root));
}

interface Differences {
  readonly missing: readonly string[];
  readonly others: readonly string[];
}

function differences(answer: unknown, sent: unknown, path: readonly string[] = []): Differences {
  const at = path.join(".");
  if (typeof answer !== "object" || answer === null || typeof sent !== "object" || sent === null)
    return { missing: [], others: Object.is(answer, sent) ? [] : [`${at}: ${answer} as ${sent}`] };
  const keys = [...new Set([...Object.keys(answer), ...Object.keys(sent)])];
  const inner = keys.map((key): Differences => {
    const here = [...path, key];
    if (!Object.hasOwn(sent, key)) return { missing: [here.join(".")], others: [] };
    if (!Object.hasOwn(answer, key)) return { missing: [], others: [`${here.join(".")}: added`] };
    return differences(memberAt(answer, [key]), memberAt(sent, [key]), here);
  });
  return { missing: inner.flatMap(({ missing }) => missing), others: inner.flatMap(({ others }) => others) };
}

const jsonSchemaOf = (name: string) =>
  z.toJSONSchema(argumentsSchema(operationOf(name)), { io: "input", unrepresentable: "any" }) as Json;

/** What the schema of an answer has, and that of the write has not: members by name, and null where it can stand. */
function refusedBy(
  written: readonly z.ZodType[],
  answered: readonly z.ZodType[],
  path: readonly string[] = [],
  seen = new Set<unknown>(),
): string[] {
  if (seen.has(answered) || written.some(isOpen)) return [];
  seen.add(answered);
  const takes = (schemas: readonly z.ZodType[], value: unknown) => schemas.some((one) => one.safeParse(value).success);
  const at = path.join(".");
  const nulls = takes(answered, null) && !takes(written, null) ? [`${at} as null`] : [];
  const names = new Set(answered.flatMap((form) => (form instanceof z.ZodObject ? Object.keys(form.shape) : [])));
  const members = [...names].flatMap((name) =>
    written.some((form) => declares(form, name))
      ? refusedBy(formsAt(written, name), formsAt(answered, name), [...path, name], seen)
      : [[...path, name].join(".")],
  );
  const items = answered.some((form) => form instanceof z.ZodArray)
    ? refusedBy(formsAt(written, 0), formsAt(answered, 0), [...path, "[]"], seen)
    : [];
  return [...nulls, ...members, ...items];
}

/** Where a value can be null by its schemas. */
function nullableIn(forms: readonly z.ZodType[], value: unknown, path: readonly PropertyKey[] = []): PropertyKey[][] {
  const own =
    path.length > 0 && !forms.some(isOpen) && forms.some((one) => one.safeParse(null).success) ? [[...path]] : [];
  if (typeof value !== "object" || value === null) return own;
  const members = Array.isArray(value) ? [...value.entries()].slice(0, 1) : Object.entries(value);
  return [...own, ...members.flatMap(([key, member]) => nullableIn(formsAt(forms, key), member, [...path, key]))];
}

const cases = pairs.flatMap((pair) => {
  const versions = Object.keys(mediaArguments(operationOf(pair.write))).includes("version")
    ? Array.from({ length: 11 }, (_, at) => `v${at + 1}`)
    : [undefined];
  return versions.map(
    (version) => [`${pair.write}${version === undefined ? "" : ` in ${version}`}`, pair, version] as const,
  );
});

it("every write declares all that its read shows", () =>
  holdsForEach(pairs, ({ read, write, from, to, namedBy }) => {
    const written = ["body", ...to].reduce(formsAt, formsOf(argumentsSchema(operationOf(write))));
    const answered = from.reduce(formsAt, formsOfAll(returnedSchemas(operationOf(read))));
    const isOfNamed = (at: string) => Object.keys(namedBy).some((list) => at.startsWith(`${list}.[].`));
    expect(refusedBy(written, answered).filter((at) => !isOfNamed(at))).toEqual([]);
  }));

describe("every write of what was read", () =>
  lawsOver(cases, (law, _, pair, version) => {
    const schema = jsonSchemaOf(pair.write);
    const isReadOnly = (path: readonly string[]) =>
      path.some((__, at) =>
        schemasAt(schema, ["body", ...pair.to, ...path.slice(0, at + 1)]).some((one) => one["readOnly"] === true),
      );

    law("every write of what was read sends all but its read-only members", async () => {
      const { answered, sent, isText } = await readFor(pair, version);
      // A form has text for everything.
      const expected = isText
        ? JSON.parse(JSON.stringify(answered), (__, one) => (typeof one === "number" ? `${one}` : one))
        : answered;
      const { missing, others } = differences(expected, await sent());
      const isRelated = (text: string) => Object.keys(pair.besides).some((name) => text === `${name}: added`);
      expect(missing.filter((path) => !isReadOnly(path.split(".")))).toEqual([]);
      expect(others.filter((text) => !isRelated(text))).toEqual([]);
    });

    law("takes null where the answer can have it, and sends it", async () => {
      const { body, argsWith } = await readFor(pair, version);
      const forms = pair.from.reduce(formsAt, formsOfAll(returnedSchemas(operationOf(pair.read))));
      for (const path of nullableIn(forms, body)) {
        const { body: sent } = validateArguments(
          pair.write,
          operationOf(pair.write),
          argsWith(withMember(body, path, null)),
        );
        const there = memberAt(sent, [...pair.to, ...path]);
        expect([path, isReadOnly(path.map(String)) ? null : there]).toEqual([path, null]);
      }
    });
  }));
