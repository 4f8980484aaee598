/** The program as a person types it: what is installed by its name, and a clone's by its file. */
import { join } from "node:path";
import { expect, it } from "vitest";
import { programWords } from "../../src/commands/paste-line.js";

it.each([
  ["/usr/local/bin/edgewise", ["edgewise"]],
  ["C:\\npm\\node_modules\\edgewise\\dist\\server.js", ["edgewise"]],
  ["/home/me/clone/dist/server.js", ["node", join("dist", "server.js")]],
  ["/opt/clone/dist/server.js", ["node", "/opt/clone/dist/server.js"]],
])("starts %s", (script, words) => {
  expect(programWords(script, "/home/me/clone")).toEqual(words);
});
