/** Secrets for tests: a file holds its own name, on the disk or as if it were there. */
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { AnyOperation } from "../../src/language/define.js";
import type { ValidatedArguments } from "../../src/schema/arguments.js";
import { withFileSecrets } from "../../src/secrets/files.js";
import { folder } from "./files.js";

/** Arguments as a request is built from them, with the name of each file in the place of what it holds. */
export async function filled(operation: AnyOperation, checked: ValidatedArguments): Promise<ValidatedArguments> {
  const found = await withFileSecrets(operation, checked.body, async (argument) => String(checked.values[argument]));
  if ("problems" in found) throw new Error(JSON.stringify(found.problems));
  return { ...checked, body: found.body };
}

/**
 * A secret directory with the files that the examples name.
 * @param tokenNames The clients over HTTP that have them, too, each in its own directory.
 */
export function secretDirectory(...tokenNames: readonly string[]): string {
  const root = folder();
  for (const dir of [root, ...tokenNames.map((name) => join(root, name))]) {
    mkdirSync(dir, { recursive: true, mode: 0o700 });
    for (const name of ["current-password-1", "new-password-1"])
      writeFileSync(join(dir, name), `${name}\n`, { mode: 0o600 });
  }
  return root;
}
