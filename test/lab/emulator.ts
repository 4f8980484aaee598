/** The emulator of the tests: each of its answers to a declared call of today is held to the vendor's definition. */
import { readFileSync } from "node:fs";
import { misfitsOf } from "../../src/definitions/misfits.js";
import { createEmulator as create, type Emulator, type EmulatorOptions } from "../../src/emulator/index.js";
import { lazily } from "../../src/language/once-for.js";
import { z } from "../../src/language/z.js";
import { answersDiffering } from "../oracles/differing.js";

/** What the definition of a route says of its answers: by status the schemas of a body by its media type. */
type Answers = Readonly<Record<string, Readonly<Record<string, object>>>>;

const defined = lazily(
  () =>
    JSON.parse(readFileSync("test/oracles/answers.json", "utf8")) as {
      readonly $defs: readonly object[];
      readonly answers: Readonly<Record<string, Answers>>;
    },
);

/** The API of a route or a path, by the first word of the path. */
const apiOf = (text: string): string => text.split("/")[1] ?? "";

const routesOf = lazily(() => {
  const all = Object.entries(defined().answers)
    // A word of a path is never a key.
    .sort(([one], [other]) => one.split("{}").length - other.split("{}").length)
    .map(([route, answers]) => ({ route, answers, pattern: new RegExp(`^${route.replaceAll("{}", "[^/]+")}/?$`) }));
  const apis = new Set(all.map(({ route }) => apiOf(route)));
  return new Map([...apis].map((api) => [api, all.filter(({ route }) => apiOf(route) === api)]));
});

/** What the definition of a call says of its answers; undefined where no declared call of today is meant. */
export const definedFor = (method: string, path: string) =>
  routesOf()
    .get(apiOf(path))
    ?.find(({ pattern }) => pattern.test(`${method} ${path}`));

/** The schemas of all bodies by route, status and media type: compiled at once, as they have most parts in common. */
const bodies = lazily(() => {
  const { $defs, answers } = defined();
  const each = Object.entries(answers).flatMap(([route, own]) =>
    Object.entries(own).flatMap(([status, contents]) =>
      Object.entries(contents).map(([type, schema]) => [`${route} ${status} ${type}`, schema] as const),
    ),
  );
  const whole = { type: "object", properties: Object.fromEntries(each), $defs: { ...$defs } };
  return (z.fromJSONSchema(whole as never) as unknown as z.ZodObject).shape;
});

/** Where a body differs from what is defined for its status, each the place and why. */
function differences(at: string, contents: Answers[string] | undefined, type: string, text: string): readonly string[] {
  // Many definitions say nothing of refusals.
  if (contents === undefined || text === "") return [];
  const schema = bodies()[`${at} ${type in contents ? type : "*/*"}`] as z.ZodType | undefined;
  if (schema === undefined) return [`body is ${type}`];
  if (!type.endsWith("json")) return [];
  const misfits = misfitsOf(schema.safeParse(JSON.parse(text), { reportInput: true }).error?.issues ?? []);
  const placed = misfits.map(({ path, why }) => {
    const steps = path.map((step) => (typeof step === "number" ? "*" : String(step)));
    return `${steps.join(".")} ${why}`.trim();
  });
  return [...new Set(placed)];
}

/** The listed differences that were met. */
export const differencesMet = new Set<string>();

/** What was held, because most answers of a run are given again and again. */
const held = new Set<string>();

/** @throws Error for a difference that is not listed. */
function hold(at: string, contents: Answers[string] | undefined, type: string, text: string): void {
  const key = `${at} ${type} ${text}`;
  if (held.has(key)) return;
  const found = differences(at, contents, type, text);
  const listed = answersDiffering.filter((one) => one.at.test(at)).flatMap(({ differs }) => differs);
  for (const one of found) if (listed.includes(one)) differencesMet.add(one);
  const others = found.filter((one) => !listed.includes(one));
  if (others.length > 0)
    throw new Error(`"${at}": ${JSON.stringify(others)}, of which the answer is ${text.slice(0, 500)}`);
  held.add(key);
}

/**
 * Makes an emulator over a world, as the program does.
 * @throws Error, from `send`, where an answer differs from its definition and the difference is not listed.
 */
export function createEmulator(options: EmulatorOptions): Emulator {
  const emulator = create(options);
  return {
    ...emulator,
    async send(request) {
      const answer = await emulator.send(request);
      const known = request.method === "HEAD" ? undefined : definedFor(request.method, request.url.pathname);
      if (known === undefined) return answer;
      const bytes: Uint8Array[] = [];
      for await (const chunk of answer.body) bytes.push(chunk);
      const text = Buffer.concat(bytes).toString();
      // The members that a test adds to see them come back are in no definition.
      if (!text.includes("edgewiseUnheardOf"))
        hold(
          `${known.route} ${answer.status}`,
          known.answers[answer.status],
          answer.headers["content-type"]?.split(";")[0] ?? "",
          text,
        );
      return { ...answer, body: ReadableStream.from(bytes) };
    },
  };
}
