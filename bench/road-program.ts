/** Makes of the sources one program in which every function says that it was called, for the count of the road. */
import { readFileSync } from "node:fs";
import { relative, resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { build, type Plugin, transform } from "esbuild";
import { parseAst } from "vitest/node";

/** A node of a syntax tree, as far as all of them are alike. */
interface Node {
  readonly type: string;
  readonly start: number;
  readonly end: number;
  readonly [member: string]: unknown;
}

interface Func {
  readonly node: Node;
  /** Empty where it has none. */
  readonly name: string;
}

const functionTypes = ["FunctionDeclaration", "FunctionExpression", "ArrowFunctionExpression"];
const isNode = (value: unknown): value is Node =>
  typeof value === "object" && value !== null && typeof (value as Node).type === "string";
const nameOf = (value: unknown): string => (isNode(value) ? String(value["name"] ?? value["value"] ?? "") : "");

/** What gives its name to a function that has none of its own, and the member in which it has that function. */
const givesName: Readonly<Record<string, readonly [name: string, func: string]>> = {
  VariableDeclarator: ["id", "init"],
  AssignmentExpression: ["left", "right"],
  AssignmentPattern: ["left", "right"],
  Property: ["key", "value"],
  PropertyDefinition: ["key", "value"],
  MethodDefinition: ["key", "value"],
};

/** The functions of a tree, each with the name that the language gives it. */
function functionsIn(node: Node, given = ""): Func[] {
  const own = functionTypes.includes(node.type) ? [{ node, name: nameOf(node["id"]) || given }] : [];
  const [name = "", func = ""] = givesName[node.type] ?? [];
  const named = node[func];
  const children = Object.values(node).flat().filter(isNode);
  return [...own, ...children.flatMap((child) => functionsIn(child, child === named ? nameOf(node[name]) : ""))];
}

/** What is written at the beginning and at the end of a function's body, with the places of both. */
function changesTo({ node }: Func, code: string, place: string): (readonly [at: number, text: string])[] {
  const body = node["body"] as Node;
  const async = node["async"] === true ? "async " : "";
  if (node["generator"] === true)
    return [
      [body.start + 1, `return yield* __road.enterInTurns(${place}, (${async}function* () {`],
      [body.end - 1, "}).apply(this, arguments));"],
    ];
  if (body.type === "BlockStatement")
    return [
      [body.start + 1, `return __road.enter(${place}, ${async}() => {`],
      [body.end - 1, "});"],
    ];
  // From the arrow on, because the parentheses around an expression are not part of it.
  return [
    [code.lastIndexOf("=>", body.start) + 2, ` __road.enter(${place}, ${async}() => (`],
    [node.end, "))"],
  ];
}

/** A module whose functions run by `enter`. */
function instrumented(file: string, code: string): string {
  const functions = functionsIn(parseAst(code) as unknown as Node);
  const changes = functions.flatMap((func, index) => changesTo(func, code, `__places[${index}]`));
  const ends = changes.sort(([a], [b]) => a - b);
  const parts = ends.map(([at, text], index) => code.slice(ends[index - 1]?.[0] ?? 0, at) + text);
  const names = JSON.stringify(functions.map(({ name }) => name));
  return [
    `import * as __road from ${JSON.stringify(resolve("bench", "road-trace.ts"))};`,
    `const __places = __road.placesOf(${JSON.stringify(file)}, ${names});`,
    parts.join("") + code.slice(ends.at(-1)?.[0] ?? 0),
  ].join("\n");
}

/** The emulator is no part of the road: what calls it, and what it calls, does so for itself. */
const instrumenting: Plugin = {
  name: "instrumenting",
  setup({ onLoad, onResolve }) {
    onLoad({ filter: /[\\/]src[\\/].*\.ts$/ }, async ({ path }) => {
      const file = relative(resolve("src"), path).replaceAll("\\", "/");
      if (file.startsWith("..") || file.startsWith("emulator/")) return undefined;
      const { code } = await transform(readFileSync(path, "utf8"), { loader: "ts", target: "node20" });
      return { contents: instrumented(file, code), loader: "js" };
    });
    onResolve({ filter: /^undici$/ }, () => ({ path: resolve("bench", "road-upstream.ts") }));
  },
};

/** Loads the program with the calls that are traced. */
export async function loadCalls(): Promise<typeof import("./road-calls.js")> {
  const outfile = resolve(".cache", "bench", `road-${process.pid}.mjs`);
  await build({
    entryPoints: ["bench/road-calls.ts"],
    outfile,
    bundle: true,
    packages: "external",
    platform: "node",
    format: "esm",
    target: "node20",
    logLevel: "warning",
    plugins: [instrumenting],
  });
  return import(pathToFileURL(outfile).href);
}
