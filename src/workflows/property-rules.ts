/** Changes a rule tree by a JSON Patch (RFC 6902), without the caller reading or resending the tree. */
import { isDeepStrictEqual } from "node:util";
import type { Composition } from "../calls/context.js";
import { composedChange } from "../calls/workflow.js";
import { Failure, quoteValue } from "../language/failure.js";
import { fieldOf } from "../language/member.js";
import { introduction } from "../language/reading.js";
import { listInWords } from "../language/words.js";
import { z } from "../language/z.js";
import { invalidInput } from "../schema/arguments.js";
import { applyPatch, JsonPatch, patchInWords } from "../schema/json-patch.js";
import { EntityTag } from "../tools/fields.js";
import { treeComments } from "../tools/properties/content.js";
import { PropertyId, PropertyVersion, place } from "../tools/properties/ids.js";
import { TopRule } from "../tools/properties/shapes.js";
import { parseShape } from "./steps.js";

const tool = "property_rule_tree_update";
const reads = "property_rule_tree_get";
const writes = "property_rule_tree_replace";
/** The root of a patch's paths: the response of the read, of which only the rules are written. */
const inRules = /^\/rules(\/|$)/;

/** The parts of the response that a patch needs; the resulting tree is validated as a whole. */
const Present = z.looseObject({ etag: z.string(), rules: z.looseObject({ name: z.string() }) });

export const ruleTreeUpdate = composedChange({
  title: "Properties: change a rule tree",
  does: "Changes parts of a version's rule tree by a JSON Patch (RFC 6902), with an outline's pointers; the rest stays unchanged.",
  input: z.strictObject({
    propertyId: PropertyId,
    propertyVersion: PropertyVersion,
    ...place,
    patch: JsonPatch.describe("Paths such as /rules/children/0/behaviors/-; test what you rely on"),
    ifMatch: EntityTag.optional().describe("Refused if the etag has changed"),
    comments: treeComments,
  }),
  steps: [
    "Read the whole rule tree and its etag.",
    "Apply the patch to a copy of it; nothing is changed unless all of it fits.",
    "Validate the result as a rule tree.",
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
          given: quoteValue(operation[member]),
          takes: "a location in the tree, which begins with /rules",
        })),
    );
    if (outside.length > 0) throw invalidInput(tool, outside);
    const { body } = await invoke(reads, { ...at, validateRules: false });
    const { etag, rules: present } = parseShape(reads, Present, body);
    const stamp = `"${etag}"`;
    if (ifMatch !== undefined && ifMatch !== stamp && ifMatch !== "*")
      throw new Failure(
        "conflict",
        `The rule tree has changed: its etag is ${quoteValue(etag)} now, and ${ifMatch} was given.`,
        {
          why: "Someone has changed the rules or the hostnames of this version in the meantime.",
          next: `Read the outline again with ${reads}, review the parts that the patch changes, and call again with the new etag.`,
        },
      );
    // The response is patched as it was read, not as its schema parsed it, so that no field is lost.
    const result = applyPatch({ rules: (body as { rules: unknown }).rules }, patch, "patch");
    if ("problem" in result) throw invalidInput(tool, [result.problem]);
    const { rules } = result.value as { rules: unknown };
    const fits = TopRule.safeParse(rules);
    if (!fits.success) {
      const problems = fits.error.issues.slice(0, 5).map(({ path, message }) => ({
        field: "patch",
        takes: `operations that result in a rule tree; ${fieldOf(["rules", ...path])} would not fit: ${message}`,
      }));
      throw invalidInput(tool, problems);
    }
    if (comments === undefined && isDeepStrictEqual(rules, (body as { rules: unknown }).rules))
      return { unchanged: `The rule tree ${quoteValue(present.name)} is already up to date.` };
    return {
      args: { ...at, ifMatch: stamp, body: { rules, ...(comments === undefined ? {} : { comments }) } },
      says: `CHANGE the rules of version ${at.propertyVersion} of property ${at.propertyId}, which is live on no network until it is activated: ${listInWords(patch, patchInWords) || "only its comments"}; the rest of the rules stays unchanged`,
      notes: patch.map(patchInWords),
    };
  },
});
