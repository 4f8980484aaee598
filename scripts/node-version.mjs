/**
 * Refuses a Node that is too old for the project. It is loaded before anything that such a Node cannot read, and keeps to
 * what old ones know.
 */
import { readFileSync } from "node:fs";

const { engines } = JSON.parse(readFileSync(new URL("../package.json", import.meta.url), "utf8"));
const needed = engines.node.replace(">=", "");
const found = process.version.slice(1);
const [major, minor] = found.split(".").map(Number);
const [neededMajor, neededMinor] = needed.split(".").map(Number);
if (major < neededMajor || (major === neededMajor && minor < neededMinor)) {
  console.error(`This is Node ${found}, and Edgewise needs ${needed} or newer.`);
  console.error("Install a newer Node, or put the directory of one first in PATH.");
  process.exit(1);
}
