/** How a person at this shell starts this program, for lines to paste. */
import { basename, isAbsolute, relative } from "node:path";

/**
 * @param script The file that Node was given.
 * @returns The words in front of a command: `edgewise` where it is installed, and Node with the file where it is not.
 */
export function programWords(script = process.argv[1] ?? "", directory = process.cwd()): readonly string[] {
  if (basename(script) === "edgewise" || script.split(/[\\/]/).includes("node_modules")) return ["edgewise"];
  const path = relative(directory, script);
  return ["node", path.startsWith("..") || isAbsolute(path) ? script : path];
}
