/** What the build changes in libraries: a change that finds nothing to change fails the build and says which one it was. */
import { build } from "esbuild";
import { expect, it } from "vitest";
import { lightResponses, withoutAnswerValidator, withoutLocales, zodOfItsOwn } from "../../scripts/plugins.js";

it.each([lightResponses, withoutAnswerValidator, withoutLocales, zodOfItsOwn])(
  "$name is missed by name",
  async (plugin) => {
    const bundled = build({
      stdin: { contents: "export {}" },
      bundle: true,
      write: false,
      logLevel: "silent",
      plugins: [plugin],
    });
    await expect(bundled).rejects.toThrow(`${plugin.name} changed no file`);
  },
);

it("a library of which only one part has moved is missed, too", async () => {
  const bundled = build({
    stdin: { contents: 'import "@modelcontextprotocol/server"', resolveDir: "." },
    bundle: true,
    write: false,
    platform: "node",
    logLevel: "silent",
    plugins: [withoutAnswerValidator],
  });
  await expect(bundled).rejects.toThrow(/client/);
});
