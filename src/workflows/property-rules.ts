/** A rule tree changed by a JSON Patch, without the caller reading or resending the tree. */
import { isDeepStrictEqual } from "node:util";
import { invalidInput } from "../arguments/index.js";
import type { Composition } from "../calls/context.js";
import { change } from "../calls/workflow.js";
import { Failure, shown } from "../language/failure.js";
import { fieldOf } from "../language/member.js";
import { introduction } from "../language/reading.js";
import { listed } from "../language/words.js";
import { z } from "../language/z.js";
import { EntityTag } from "../tools/fields.js";
import { PropertyId, PropertyVersion, place } from "../tools/properties/ids.js";
import { TopRule } from "../tools/properties/shapes.js";
import { JsonPatch, patched } from "./json-patch.js";
import { inShape } from "./steps.js";

const tool = "property_rule_tree_update";
const reads = "property_rule_tree_get";
const writes = "property_rule_tree_replace";
/** The place in which the paths of a patch begin: the answer of the read, of which the rules alone are written. */
const inRules = /^\/rules(\/|$)/;

/** What a patch needs of the answer; the tree that it leaves is checked as a whole. */
const Present = z.looseObject({ etag: z.string(), rules: z.looseObject({ name: z.string() }) });

/** Says how one operation of a patch changes the tree. */
function inWords({ op, path, from, value }: JsonPatch[number]): string {
  if (op === "add") return `add ${shown(value)} at ${path}`;
  if (op === "replace") return `replace ${path} by ${shown(value)}`;
  if (op === "test") return `go on only where ${path} is ${shown(value)}`;
  return from === undefined ? `${op} ${path}` : `${op} ${from} to ${path}`;
}

export const ruleTreeUpdate = change({
  title: "Properties: change a rule tree",
  does: "Changes parts of a version's rule tree by a JSON Patch (RFC 6902), with an outline's pointers; the rest stays as it is.",
  input: z.strictObject({
    propertyId: PropertyId,
    propertyVersion: PropertyVersion,
    ...place,
    patch: JsonPatch.describe("Paths such as /rules/children/0/behaviors/-; test what you rely on"),
    ifMatch: EntityTag.optional().describe("Refused if the etag is another now"),
    comments: z.string().max(5_000).optional(),
  }),
  steps: [
    "Read the whole rule tree and its etag.",
    "Apply the patch to a copy of it; nothing is changed unless all of it fits.",
    "Check that the result is a rule tree.",
    "Preview the difference, and when it is approved write the tree with the etag that was read.",
  ],
  example: {
    propertyId: "prp_175780",
    propertyVersion: 3,
    patch: [{ op: "replace", path: "/rules/behaviors/2/options/ttl", value: "2h" }],
  },
  introduction: introduction`${tool} changes parts of a rule tree, which ${reads} outlines.`,
  makes: writes,

  async compose(
    { patch, ifMatch, comments, ...at },
    { invoke },
  ): Promise<Composition | { readonly unchanged: string }> {
    const outside = patch.flatMap((operation, index) =>
      (["path", "from"] as const)
        .filter((member) => operation[member] !== undefined && !inRules.test(operation[member]))
        .map((member) => ({
          field: `patch[${index}].${member}`,
          given: shown(operation[member]),
          takes: "a place in the tree, which begins with /rules",
        })),
    );
    if (outside.length > 0) throw invalidInput(tool, outside);
    const { body } = await invoke(reads, { ...at, validateRules: false });
    const { etag, rules: present } = inShape(reads, Present, body);
    const stamp = `"${etag}"`;
    if (ifMatch !== undefined && ifMatch !== stamp && ifMatch !== "*")
      throw new Failure(
        "conflict",
        `The rule tree has changed: its etag is ${shown(etag)} now, and ${ifMatch} was given.`,
        {
          why: "Somebody has written the rules or the hostnames of this version meanwhile.",
          next: `Read the outline again with ${reads}, look at the parts that the patch changes, and call again with the new etag.`,
        },
      );
    // What was read is patched, not what its schema made of it, so that no member is lost.
    const result = patched({ rules: (body as { rules: unknown }).rules }, patch, "patch");
    if ("problem" in result) throw invalidInput(tool, [result.problem]);
    const { rules } = result.value as { rules: unknown };
    const fits = TopRule.safeParse(rules);
    if (!fits.success) {
      const problems = fits.error.issues.slice(0, 5).map(({ path, message }) => ({
        field: "patch",
        takes: `operations that leave a rule tree; ${fieldOf(["rules", ...path])} would not fit: ${message}`,
      }));
      throw invalidInput(tool, problems);
    }
    if (comments === undefined && isDeepStrictEqual(rules, (body as { rules: unknown }).rules))
      return { unchanged: `The rule tree ${shown(present.name)} is as the patch would leave it.` };
    return {
      args: { ...at, ifMatch: stamp, body: { rules, ...(comments === undefined ? {} : { comments }) } },
      says: `CHANGE the rules of version ${at.propertyVersion} of property ${at.propertyId}, which is live on no network until it is activated: ${listed(patch, inWords) || "only its comments"}; the rest of the rules stays as it is`,
      notes: patch.map(inWords),
    };
  },
});
