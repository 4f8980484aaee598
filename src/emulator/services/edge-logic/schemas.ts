/** The JSON Schemas that the emulated edge logic publishes of its requests, made from the declared ones. */
import type { AnyOperation } from "../../../language/define.js";
import { mediaList } from "../../../language/media.js";
import { z } from "../../../language/z.js";
import { edgeLogic } from "../../../tools/edge-logic/index.js";
import { Rule } from "../../../tools/edge-logic/match-rules.js";
import { applications, root } from "./applications.js";

const bodyOf = (operation: AnyOperation): z.ZodType => mediaList(operation.spec.body)[0]?.schema ?? z.unknown();
const creation = bodyOf(edgeLogic.operations.edgelogic_policy_create);
const update = bodyOf(edgeLogic.operations.edgelogic_policy_update);
const versionCreation = bodyOf(edgeLogic.operations.edgelogic_policy_version_create);
const versionUpdate = bodyOf(edgeLogic.operations.edgelogic_policy_version_update);

const published = (name: string, title: string, of: string, schema: z.ZodType) => ({
  name: `${name}.json`,
  title,
  description: `of the body of ${of}`,
  schema,
});
type Published = ReturnType<typeof published>;

const policyPath = `${root}/policies`;
const versionPath = `${policyPath}/{policyId}/versions`;

const ofPolicies: readonly Published[] = [
  published("create-policy", "CREATE POLICY", `POST ${policyPath}`, creation),
  published("update-policy", "UPDATE POLICY", `PUT ${policyPath}/{policyId}`, update),
  published("clone-policy", "CLONE POLICY", `POST ${policyPath}?clonePolicyId=`, creation),
];

/** The schemas of one application: of its rules, and of versions. */
function ofApplication(code: string): readonly Published[] {
  const type = `${code.toLowerCase()}MatchRule`;
  const rule = Rule.options.find((option) => option.shape.type.value === type);
  const rulePath = `POST and PUT ${versionPath}/{version}/rules`;
  const versions = `nimbus_policy_version-${code}-1.0`;
  return [
    ...(rule ? [published(`match_rule-${code}-1.0`, `${code} MATCH RULE`, rulePath, rule)] : []),
    published(`create-${versions}`, "CREATE/CLONE POLICY VERSION", `POST ${versionPath}`, versionCreation),
    published(`update-${versions}`, "UPDATE POLICY VERSION", `PUT ${versionPath}/{version}`, versionUpdate),
  ];
}

/** The schemas of one application with the general ones, or all there are. */
export const schemasOf = (code: string | undefined): readonly Published[] => [
  ...applications
    .filter(({ cloudletCode }) => code === undefined || cloudletCode === code)
    .flatMap(({ cloudletCode }) => ofApplication(cloudletCode)),
  ...ofPolicies,
];

export const schemaEntry = ({ name, title, description }: Published) => ({
  title,
  version: "1.0",
  location: `${root}/schemas/${name}`,
  description,
  additionalDescription: null,
});

export const schemaBody = (published: Published) => ({
  ...z.toJSONSchema(published.schema, { target: "draft-4", io: "input", unrepresentable: "any" }),
  ...schemaEntry(published),
});
