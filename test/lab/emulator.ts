/** The emulator of the tests: each of its answers to a declared call of today is held to the vendor's definition. */
import { readFileSync } from "node:fs";
import { misfitsOf } from "../../src/definitions/misfits.js";
import { createEmulator as create, type Emulator, type EmulatorOptions } from "../../src/emulator/index.js";
import { lazily } from "../../src/language/once-for.js";
import { z } from "../../src/language/z.js";
import { answersDiffering } from "../oracles/differing.js";

/** What the definition of a route says of its answers: by status the schemas of a body by its media type. */
type Answers = Readonly<Record<string, Readonly<Record<string, object>>>>;

const defined = lazily(() => {
  const { $defs, answers } = JSON.parse(readFileSync("test/oracles/answers.json", "utf8")) as {
    readonly $defs: readonly object[];
    readonly answers: Readonly<Record<string, Answers>>;
  };
  const routes = Object.entries(answers)
    // A word of a path is never a key.
    .sort(([one], [other]) => one.split("{}").length - other.split("{}").length)
    .map(([route, one]) => ({ route, answers: one, pattern: new RegExp(`^${route.replaceAll("{}", "[^/]+")}/?$`) }));
  const bodies = routes.flatMap(({ route, answers: own }) =>
    Object.entries(own).flatMap(([status, contents]) =>
      Object.entries(contents).map(([type, schema]) => [`${route} ${status} ${type}`, schema] as const),
    ),
  );
  // All at once, because what several have in common is compiled once.
  const whole = { type: "object", properties: Object.fromEntries(bodies), $defs: { ...$defs } };
  return { routes, bodies: z.fromJSONSchema(whole as never) as unknown as z.ZodObject };
});

/** What the definition of a call says of its answers; undefined where no declared call of today is meant. */
export const definedFor = (method: string, path: string) =>
  defined().routes.find(({ pattern }) => pattern.test(`${method} ${path}`));

/** Where a body differs from what is defined for its status, each the place and why. */
function differences(at: string, contents: Answers[string] | undefined, type: string, text: string): readonly string[] {
  // Many definitions say nothing of refusals.
  if (contents === undefined || text === "") return [];
  const schema = defined().bodies.shape[`${at} ${type in contents ? type : "*/*"}`] as z.ZodType | undefined;
  if (schema === undefined) return [`body is ${type}`];
  if (!type.endsWith("json")) return [];
  const misfits = misfitsOf(schema.safeParse(JSON.parse(text), { reportInput: true }).error?.issues ?? []);
  const placed = misfits.map(({ path, why }) => [...path.map((step) => (typeof step === "number" ? "*" : step)), why]);
  return [...new Set(placed.map((steps) => `${steps.slice(0, -1).join(".")} ${String(steps.at(-1))}`.trim()))];
}

/** The listed differences that were met. */
export const differencesMet = new Set<string>();

/** @throws Error for a difference that is not listed. */
function hold(at: string, contents: Answers[string] | undefined, type: string, text: string): void {
  const found = differences(at, contents, type, text);
  const listed = answersDiffering.filter((one) => one.at.test(at)).flatMap(({ differs }) => differs);
  for (const one of found) if (listed.includes(one)) differencesMet.add(one);
  const others = found.filter((one) => !listed.includes(one));
  if (others.length > 0)
    throw new Error(`"${at}": ${JSON.stringify(others)}, of which the answer is ${text.slice(0, 500)}`);
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
      // What a test writes to see it come back whole is in no definition.
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
