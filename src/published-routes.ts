/** The tools whose calls take the route of public facts, as the configuration names them. */
import { Failure, shown } from "./api/failure.js";
import { didYouMean } from "./api/nearest.js";
import type { Tools } from "./calls/index.js";
import { operation } from "./tools/index.js";

const refused = (what: string, next: string): Failure => new Failure("bad_configuration", what, { next });

/**
 * Reads the setting `published-routes`.
 * @param text Names of tools, separated by commas; undefined for none.
 * @throws Failure `bad_configuration` for a name that is no tool, or a tool that has one route only.
 */
export async function publishedRoutesOf(text: string | undefined, tools: Tools): Promise<ReadonlySet<string>> {
  const names = (text?.split(",") ?? []).map((name) => name.trim());
  for (const name of names) {
    const found = tools.get(name);
    if (!found)
      throw refused(
        `--published-routes names ${shown(name)}, which is no tool${didYouMean(name, tools.keys())}.`,
        "Correct the name, or leave it out; tools are separated by commas.",
      );
    const declared = await operation(found.service, name);
    if (declared?.spec.published === undefined)
      throw refused(
        `--published-routes names ${name}, which has one route only.`,
        "Leave it out: the setting is for tools whose hints name it.",
      );
  }
  return new Set(names);
}
