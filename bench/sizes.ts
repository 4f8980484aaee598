/** What a user downloads: the sizes of the npm package and of the MCP bundle, without the optional engines. */
import { execFileSync } from "node:child_process";
import { mkdtempSync, readdirSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

/** The sizes of both in bytes, made from the program that is built. */
export function packedBytes(): { readonly npm: number; readonly bundle: number } {
  const scratch = mkdtempSync(join(tmpdir(), "edgewise-sizes-"));
  // Neither builds the program again.
  execFileSync("npm", ["pack", "--ignore-scripts", "--silent", "--pack-destination", scratch]);
  execFileSync(process.execPath, ["scripts/run.mjs", "scripts/bundle.ts", scratch], { stdio: "ignore" });
  const sizeOf = (ending: string): number => {
    const name = readdirSync(scratch).find((file) => file.endsWith(ending));
    if (name === undefined) throw new Error(`nothing that ends in ${ending} was packed`);
    return statSync(join(scratch, name)).size;
  };
  const sizes = { npm: sizeOf(".tgz"), bundle: sizeOf(".mcpb") };
  rmSync(scratch, { recursive: true });
  return sizes;
}
