/** What the build changes in libraries: a change that finds nothing to change fails the build and says which one it was. */
import { build, type Plugin } from "esbuild";
import { expect, it } from "vitest";
import { lightResponses, zodOfItsOwn } from "../../scripts/plugins.js";

it.each([lightResponses, zodOfItsOwn])("$name is missed by name", async (plugin) => {
  const bundled = build({
    stdin: { contents: "export {}" },
    bundle: true,
    write: false,
    logLevel: "silent",
    plugins: [plugin],
  });
  await expect(bundled).rejects.toThrow(`${plugin.name} changed no file`);
});

it("a library of which only one part has moved is missed, too", async () => {
  const moved: Plugin = {
    name: "moved",
    setup: ({ onResolve }) => onResolve({ filter: /[\\/]src-[^\\/]+\.mjs$/ }, ({ path }) => ({ path, external: true })),
  };
  const bundled = build({
    stdin: { contents: 'import "@modelcontextprotocol/server"', resolveDir: "." },
    bundle: true,
    write: false,
    platform: "node",
    logLevel: "silent",
    plugins: [moved, lightResponses],
  });
  await expect(bundled).rejects.toThrow(/src-/);
});
