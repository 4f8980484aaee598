/** What runs: this version of the program, on this version of Node. */
import { realpathSync } from "node:fs";
import manifest from "../../../package.json" with { type: "json" };
import { type Finding, ok } from "./finding.js";

/** Node and the program; an older Node than is needed does not come as far as this. */
export const program = (): readonly Finding[] => [
  ok(
    "Node",
    `${process.versions.node} on ${process.platform} ${process.arch}; ${manifest.engines.node.replace(">=", "")} or newer is needed.`,
  ),
  ok("Edgewise", `${manifest.version}, ${realpathSync(process.argv[1] ?? "")}`),
];
