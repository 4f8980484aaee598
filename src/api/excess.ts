/** The bounds of all arguments: what is too deep, too long or too many for anything recursive to look at. */
import type { FieldProblem } from "./failure.js";
import { joined } from "./member.js";

const limits = { depth: 32, nodes: 200_000, text: 256 * 1024, items: 10_000 };

/** Refuses what is too deep, too long or too many before anything recursive looks at it. */
export function findExcess(root: unknown): FieldProblem | undefined {
  const stack: { readonly value: unknown; readonly field: string; readonly depth: number }[] = [
    { value: root, field: "", depth: 0 },
  ];
  let nodes = 0;
  for (let entry = stack.pop(); entry; entry = stack.pop()) {
    const { value, field, depth } = entry;
    nodes += 1;
    if (nodes > limits.nodes) return { field: "arguments", takes: `at most ${limits.nodes} values in all` };
    if (typeof value === "string" && value.length > limits.text)
      return { field, given: `${value.length} characters`, takes: `at most ${limits.text} characters` };
    if (typeof value === "string" && !value.isWellFormed())
      return { field, given: "text with half a character", takes: "well-formed Unicode text" };
    if (typeof value !== "object" || value === null) continue;
    if (depth >= limits.depth) return { field, given: "a deeper value", takes: `at most ${limits.depth} levels` };
    if (Array.isArray(value) && value.length > limits.items)
      return { field, given: `${value.length} items`, takes: `at most ${limits.items} items` };
    // A checked copy would lose this member without a word, because it is not one like the others.
    if (Object.hasOwn(value, "__proto__"))
      return { field: joined(field, "__proto__"), takes: "nothing: no member has this name" };
    for (const [key, inner] of Object.entries(value))
      stack.push({ value: inner, field: joined(field, Array.isArray(value) ? Number(key) : key), depth: depth + 1 });
  }
  return undefined;
}
