/** What a rule tree says of a site as a whole: its origins, CP codes and includes. */
import type { TreeRule } from "../tools/properties/shapes.js";

export interface RuleFacts {
  readonly cpcode: readonly string[];
  readonly origin: readonly string[];
  readonly include: readonly string[];
}

/** The facts of a rule tree, each value once. */
export function factsOfRules(top: TreeRule): RuleFacts {
  const [cpcode, origin, include] = [new Set<string>(), new Set<string>(), new Set<string>()];
  const rules = [top];
  for (const { behaviors = [], children = [] } of rules) {
    for (const { name, options = {} } of behaviors) {
      const { value, hostname, id } = options as { value?: { id?: unknown }; hostname?: unknown; id?: unknown };
      if (name === "cpCode" && value?.id !== undefined) cpcode.add(String(value.id));
      if (name === "origin" && typeof hostname === "string") origin.add(hostname);
      if (name === "include" && typeof id === "string") include.add(id);
    }
    rules.push(...children);
  }
  return { cpcode: [...cpcode], origin: [...origin], include: [...include] };
}
