/** Purges what a property or a CP code delivers, found by its name: the CP codes are read and named before an approval. */
import type { Invoke } from "../calls/context.js";
import { composedChange } from "../calls/workflow.js";
import { listInWords } from "../language/words.js";
import { z } from "../language/z.js";
import { invalidInput } from "../schema/arguments.js";
import { factsOfRules } from "../site/rule-facts.js";
import { FoundVersions, RuleTree } from "../tools/properties/shapes.js";
import { contractGroups, cpCodesIn } from "./account-cpcodes.js";
import { inBatches, incompleteNotes, parseShape, startSteps } from "./steps.js";

const tool = "purge_content_submit";
const purge = "purge_submit";
type Network = "production" | "staging";

/** What is purged, in words, and its CP codes. */
interface Content {
  readonly what: string;
  readonly cpcodes: readonly string[];
}

/** The CP codes in the rules of the version that is active on a network. */
async function ofProperty(invoke: Invoke, propertyName: string, network: Network): Promise<Content> {
  const { body } = await invoke("property_version_find", { body: { propertyName } });
  const versions = parseShape("property_version_find", FoundVersions, body).versions.items;
  const active = versions.find((one) => one[`${network}Status`] === "ACTIVE");
  const names = [...new Set(versions.map((one) => one.propertyName))];
  if (!active)
    throw invalidInput(tool, [
      {
        field: "property",
        given: propertyName,
        takes: `the whole name of a property with a version active on ${network}; ${names.length === 0 ? "there is none of this name, and properties_find finds it by a part" : "no version of this one is"}`,
      },
    ]);
  const { propertyId, propertyVersion, contractId, groupId } = active;
  const at = { propertyId, propertyVersion, contractId, groupId, validateRules: false };
  const rules = parseShape("property_rule_tree_get", RuleTree, (await invoke("property_rule_tree_get", at)).body);
  const what = `the property ${propertyName} (version ${propertyVersion}, active on ${network})`;
  return { what, cpcodes: factsOfRules(rules.rules).cpcode };
}

/** The CP code with a name, from all contracts and groups. */
async function ofName(context: Parameters<typeof startSteps>[0], name: string): Promise<Content> {
  const steps = startSteps(context);
  const all = await inBatches((await contractGroups(steps)) ?? [], (place) => cpCodesIn(steps, place));
  const matches = new Map(
    all.flat().flatMap((one) => (one.cpcodeName.toLowerCase() === name.toLowerCase() ? [[one.cpcodeId, one]] : [])),
  );
  const [only] = matches.keys();
  const incomplete = incompleteNotes(steps, "CP codes may be missing").join(" ");
  if (only === undefined || matches.size > 1)
    throw invalidInput(tool, [
      {
        field: "cpcodeName",
        given: name,
        takes:
          `the whole name of one CP code; ${matches.size === 0 ? "there is none of this name" : `${matches.size} have it: ${listInWords([...matches.keys()], String)}`}. property_account_cpcodes_list lists them. ${incomplete}`.trim(),
      },
    ]);
  return { what: `the CP code named ${name}`, cpcodes: [only.replace(/^\D+/, "")] };
}

export const purgeContent = composedChange({
  title: "Content purge: a property or a CP code by name",
  does: "Purges everything under the CP codes of a property, or under a CP code, by its name.",
  input: z.strictObject({
    property: z.string().min(1).max(85).optional().describe("Whole name"),
    cpcodeName: z.string().min(1).max(200).optional(),
    action: z.enum(["invalidate", "delete"]).default("invalidate"),
    network: z.enum(["production", "staging"]),
  }),
  steps: [
    "For a property, find the version that is active on the network, and read the CP codes in its rules.",
    "For the name of a CP code, list the CP codes of all contracts and groups.",
    "Prepare one purge of these CP codes, and preview it.",
  ],
  example: { property: "www.shop.example", network: "staging" },
  isFrontLine: false,
  makes: purge,

  async compose({ property, cpcodeName, action, network }, context) {
    if ((property === undefined) === (cpcodeName === undefined))
      throw invalidInput(tool, [{ field: "property", takes: "a value in exactly one of property and cpcodeName" }]);
    const { what, cpcodes } =
      property === undefined
        ? await ofName(context, cpcodeName ?? "")
        : await ofProperty(context.invoke, property, network);
    if (cpcodes.length === 0)
      return { unchanged: `There is no CP code in the rules of ${what}: nothing can be purged.` };
    return {
      args: { action, kind: "cpcode", network, body: { objects: cpcodes.map(Number) } },
      notes: [
        `${what[0]?.toUpperCase()}${what.slice(1)} has CP code${cpcodes.length === 1 ? "" : "s"} ${listInWords(cpcodes, String)}.`,
      ],
      warnings: [
        "Other properties can use the same CP code, and are then purged, too: properties_find with cpcode finds them.",
      ],
    };
  },
});
