/** What the build changes in the libraries that it bundles; each change fails the build where it finds nothing to change. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { Plugin, PluginBuild } from "esbuild";

/** A plugin each of whose `onLoad` must change a file, because the next version of a library may have moved it. */
const matching = (
  name: string,
  setup: (build: Pick<PluginBuild, "onLoad" | "onResolve" | "resolve">) => void,
): Plugin => ({
  name,
  setup(build) {
    const idle = new Set<RegExp>();
    setup({
      ...build,
      onLoad(options, load) {
        idle.add(options.filter);
        build.onLoad(options, async (file) => {
          const changed = await load(file);
          if (changed) idle.delete(options.filter);
          return changed;
        });
      },
    });
    build.onEnd(() => ({
      errors: [...idle].map((filter) => ({
        text: `${name} changed no file that matches ${filter}; find where the library has it now`,
      })),
    }));
  },
});

/**
 * The SDK checks elicited answers with a library that is a third of its size. The server sets that check aside by the SDK's own
 * option, also in the tests; here the library is not loaded either, which takes a fifth of a session's start.
 */
export const withoutAnswerValidator = matching("without-answer-validator", ({ onLoad }) => {
  const validator =
    "class Validator { getValidator() { return (value) => ({ valid: true, data: value, errorMessage: undefined }); } }";
  for (const filter of [
    /@modelcontextprotocol[\\/]server[\\/]dist[\\/]ajvProvider-[^\\/]+\.mjs$/,
    /@modelcontextprotocol[\\/]client[\\/]dist[\\/]ajvProvider-[^\\/]+\.mjs$/,
  ])
    onLoad({ filter }, ({ path }) => {
      const names = /export \{([^}]*)\}/.exec(readFileSync(path, "utf8"))?.[1] ?? "";
      const exported = names.split(",").map((name) => name.trim().split(" as ").at(-1) ?? "");
      return { contents: `${validator}\nexport { ${exported.map((name) => `Validator as ${name}`).join(", ")} };` };
    });
});

/** A file with other texts in the place of some of its own; undefined where one of those is not in it. */
function replaced(path: string, changes: readonly (readonly [own: string, by: string])[]): string | undefined {
  const text = readFileSync(path, "utf8");
  if (!changes.every(([own]) => text.includes(own))) return undefined;
  return changes.reduce((changed, [own, by]) => changed.replaceAll(own, by), text);
}

/**
 * The SDK answers over HTTP with `Response.json`, and making and reading its stream takes a sixth of the time of a call;
 * here it answers with a text. It also closes the server of a request before it has noticed that the request is done, and
 * so aborts what is over, with an error whose stack takes another twentieth; here it closes a moment later, and makes the
 * error only where something is left to abort. And it finds out what a message is not by having zod describe why; here the
 * member that each kind of answer must have, and a notification cannot have, is looked for first.
 */
export const lightResponses = matching("light-responses", ({ onLoad }) => {
  onLoad({ filter: /@modelcontextprotocol[\\/]server[\\/]dist[\\/]mcp-[^\\/]+\.mjs$/ }, ({ path }) => {
    const contents = replaced(path, [
      ["this.settleResponse(Response.json(", "this.settleResponse(JsonResponse.json("],
      ["queueMicrotask(() => void this.close())", "setImmediate(() => void this.close())"],
    ]);
    const from = JSON.stringify(join(process.cwd(), "src/mcp/http/bridge.ts"));
    return contents === undefined ? undefined : { contents: `import { JsonResponse } from ${from};\n${contents}` };
  });
  onLoad({ filter: /@modelcontextprotocol[\\/]server[\\/]dist[\\/]src-[^\\/]+\.mjs$/ }, ({ path }) => {
    const error = 'const error = new SdkError(SdkErrorCode.ConnectionClosed, "Connection closed");';
    const isDone = "responseHandlers.size + requestHandlerAbortControllers.size === 0";
    const without = (kind: string, member: string, sign: "=" | "!"): readonly [string, string] => {
      const check = `(value) => JSONRPC${kind}Schema.safeParse(value).success;`;
      return [check, check.replace("JSONRPC", `value?.${member} ${sign}== undefined && JSONRPC`)];
    };
    const contents = replaced(path, [
      without("ResultResponse", "result", "!"),
      without("ErrorResponse", "error", "!"),
      without("Notification", "id", "="),
      [error, `if (${isDone}) { this._transport = undefined; this.onclose?.(); return; }\n${error}`],
    ]);
    return contents === undefined ? undefined : { contents };
  });
});

/**
 * The declarations use all of zod, the SDK only a part of it. With separate copies the SDK loads only its part, which
 * makes the start faster. The copy of the declarations leaves out 49 of zod's 50 locales, because the project writes its own
 * error messages; nothing of the SDK's refers to any.
 */
export const zodOfItsOwn = matching("zod-of-its-own", (plugin) => {
  const suffix = "?declarations";
  const pluginData = { isOurs: true };
  plugin.onResolve({ filter: /./ }, async ({ path, importer, resolveDir, kind, pluginData: from }) => {
    const isOwnImport = path === "zod" && importer.endsWith(join("src", "language", "z.ts"));
    if (from === "resolving" || !(isOwnImport || (from?.isOurs && path.startsWith(".")))) return undefined;
    const resolved = await plugin.resolve(path, { importer, resolveDir, kind, pluginData: "resolving" });
    return { path: resolved.path, suffix, pluginData, sideEffects: resolved.sideEffects };
  });
  plugin.onLoad({ filter: /[\\/]zod[\\/].*\.js$/ }, ({ path, suffix: found }) => {
    if (found !== suffix) return undefined;
    const isLocales = /zod[\\/]v4[\\/]locales[\\/]index\.js$/.test(path);
    return {
      contents: isLocales ? 'export { default as en } from "./en.js";' : readFileSync(path, "utf8"),
      pluginData,
    };
  });
});
