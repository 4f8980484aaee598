/**
 * The emulator of imported operations: their rules are unknown, so it answers with samples of their definitions, and
 * remembers writes: what was PUT comes back, what was deleted is gone, what was added is listed.
 */
import { type CompiledOperation, type Definition, type Shape, successesOf } from "../definitions/definition.js";
import type { DefinitionSummary, ImportedTool, OperationLibrary } from "../definitions/library.js";
import { sampleValue } from "../definitions/sample.js";
import { isRecord } from "../language/member.js";
import type { Service } from "../language/service.js";
import { notFound, usualErrorFormat } from "./reply.js";
import type { ServiceEntry } from "./router.js";
import type { EmulatedService } from "./service.js";
import type { ReadCall } from "./wire.js";
import type { World } from "./world.js";

/** What was written, by path. */
interface Shelf {
  readonly written: Map<string, unknown>;
  readonly added: Map<string, unknown[]>;
  readonly deleted: Set<string>;
}

const shelfOf = (world: World, id: string): Shelf =>
  world.state(`imported ${id}`, () => ({ written: new Map(), added: new Map(), deleted: new Set() }));

/** The path of a call with the values of its keys. */
const placeOf = ({ route }: CompiledOperation, path: ReadCall["path"]): string =>
  route.slice(route.indexOf("/")).replaceAll(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(String(path[name])));

/** The status of an answer, and its shape; undefined if it has no body. */
function answerOf(
  compiled: CompiledOperation,
  { shapes }: Definition,
): { readonly status: number; readonly shape?: Shape } {
  const [[status, media] = ["200", null]] = successesOf(compiled);
  const shape = media?.shape === undefined ? undefined : shapes[media.shape];
  return { status: Number(status), ...(media && shape ? { shape } : {}) };
}

/** The list in an answer: itself, or its first member that is a list. */
function withItems(body: unknown, added: readonly unknown[]): unknown {
  if (added.length === 0) return body;
  if (Array.isArray(body)) return [...body, ...added];
  if (!isRecord(body)) return body;
  const list = Object.entries(body).find(([, value]) => Array.isArray(value));
  return list ? { ...body, [list[0]]: [...(list[1] as unknown[]), ...added] } : body;
}

/** The members of a sample that a body names, with the body's values. */
const overlayBody = (sample: unknown, body: unknown): unknown =>
  isRecord(sample) && isRecord(body) ? { ...sample, ...body } : (body ?? sample);

/** A value without the members that a closed object of its shape does not have. */
function fitShape(value: unknown, { additionalProperties, properties = {}, items }: Shape): unknown {
  if (Array.isArray(value)) return items ? value.map((item) => fitShape(item, items)) : value;
  if (!isRecord(value)) return value;
  const known = Object.entries(value).filter(
    ([name]) => additionalProperties !== false || Object.hasOwn(properties, name),
  );
  return Object.fromEntries(
    known.map(([name, one]) => [name, properties[name] ? fitShape(one, properties[name]) : one]),
  );
}

/** Whether a path, or one that it is in, was deleted. */
const isDeleted = ({ deleted }: Shelf, place: string): boolean =>
  [...deleted].some((one) => place === one || place.startsWith(`${one}/`));

/** A call of an imported operation, with what is known for its answer. */
interface SampledCall {
  readonly shelf: Shelf;
  readonly place: string;
  readonly body: unknown;
  /** A sample of the answer; undefined if it has no body. */
  readonly sample: unknown;
}

/** What was read or written at a path. */
const readAnswer = ({ shelf, place, sample }: SampledCall): unknown => {
  const read = shelf.written.has(place) ? overlayBody(sample, shelf.written.get(place)) : sample;
  return withItems(read, shelf.added.get(place) ?? []);
};

/** What each method writes, and its answer. */
const writeAnswers: Readonly<Record<string, (call: SampledCall) => unknown>> = {
  DELETE: ({ shelf, place, sample }) => {
    shelf.deleted.add(place);
    shelf.written.delete(place);
    return sample;
  },
  PUT: ({ shelf, place, body, sample }) => {
    shelf.deleted.delete(place);
    shelf.written.set(place, body);
    return sample && overlayBody(sample, body);
  },
  PATCH: ({ shelf, place, body, sample }) => {
    shelf.written.set(place, overlayBody(shelf.written.get(place), body));
    return sample && overlayBody(sample, body);
  },
  POST: ({ shelf, place, body, sample }) => {
    const newBody = overlayBody(sample, body);
    shelf.added.set(place, [...(shelf.added.get(place) ?? []), newBody]);
    return sample && newBody;
  },
};

/** What the emulator does for an imported operation. */
function behaviourOf(tool: ImportedTool) {
  const [method = ""] = tool.route.split(" ");
  const answer = (tool.effect === "read" ? undefined : writeAnswers[method]) ?? readAnswer;
  return ({ path, body }: ReadCall, world: World) => {
    const { compiled, definition } = tool.facts();
    const shelf = shelfOf(world, definition.id);
    const place = placeOf(compiled, path);
    if (method !== "PUT" && isDeleted(shelf, place)) throw notFound("It was deleted, or never existed");
    const { status, shape } = answerOf(compiled, definition);
    const sampling = { noise: world.noise, nowMs: world.startedAtMs, known: path };
    const whole = answer({ shelf, place, body, sample: shape && sampleValue(shape, sampling, [place]) });
    return { status, body: shape ? fitShape(whole, shape) : whole };
  };
}

/** The beginnings of an API's paths. */
const rootsOf = ({ base, operations }: DefinitionSummary): string[] => {
  const paths = Object.values(operations).map((route) => route.slice(route.indexOf("/")));
  return base === "" ? [...new Set(paths.map((path) => `/${path.split("/")[1]}`))] : [`${base}/`];
};

async function emulatedApi(library: OperationLibrary, summary: DefinitionSummary): Promise<EmulatedService> {
  const tools = Object.keys(summary.operations).flatMap((name) => library.find(name) ?? []);
  const operations = await Promise.all(tools.map(async (tool) => [tool.name, await tool.operation()] as const));
  const service: Service = {
    id: summary.id,
    name: summary.id,
    document: "A",
    title: summary.title,
    about: summary.title,
    standing: { state: "unknown" },
    rules: {},
    operations: Object.fromEntries(operations),
  };
  const behaviours = Object.fromEntries(tools.map((tool) => [tool.name, behaviourOf(tool)]));
  return { service, behaviours, errorFormat: usualErrorFormat };
}

/** The imported APIs, for the router of the emulator. */
export const importedEntries = (library: OperationLibrary): readonly ServiceEntry[] =>
  library.summaries().map((summary) => ({ roots: rootsOf(summary), load: () => emulatedApi(library, summary) }));
