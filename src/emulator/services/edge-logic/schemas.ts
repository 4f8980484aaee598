/** The JSON Schemas that the emulated edge logic publishes of its requests, made from the declared ones. */
import type { AnyOperation } from "../../../language/define.js";
import { mediaList } from "../../../language/media.js";
import { z } from "../../../language/z.js";
import { edgeLogic } from "../../../tools/edge-logic/index.js";
import { Rule } from "../../../tools/edge-logic/match-rules.js";
import { applications } from "./applications.js";

const root = "/cloudlets/api/v2";
const bodyOf = (operation: AnyOperation): z.ZodType => mediaList(operation.spec.body)[0]?.schema ?? z.unknown();
const { edgelogic_policy_create, edgelogic_policy_update } = edgeLogic.operations;
const { edgelogic_policy_version_create, edgelogic_policy_version_update } = edgeLogic.operations;

interface Published {
  readonly name: string;
  readonly title: string;
  readonly description: string;
  readonly schema: z.ZodType;
}

const ofPolicies: readonly Published[] = [
  {
    name: "create-policy.json",
    title: "CREATE POLICY",
    description: `of the body of POST ${root}/policies`,
    schema: bodyOf(edgelogic_policy_create),
  },
  {
    name: "update-policy.json",
    title: "UPDATE POLICY",
    description: `of the body of PUT ${root}/policies/{policyId}`,
    schema: bodyOf(edgelogic_policy_update),
  },
  {
    name: "clone-policy.json",
    title: "CLONE POLICY",
    description: `of the body of POST ${root}/policies?clonePolicyId=`,
    schema: bodyOf(edgelogic_policy_create),
  },
];

/** The schemas of one application: of its rules, and of versions. */
function ofApplication(code: string): readonly Published[] {
  const type = `${code.toLowerCase()}MatchRule`;
  const rule = Rule.options.find((option) => option.shape.type.value === type);
  const versions = `${root}/policies/{policyId}/versions`;
  return [
    ...(rule
      ? [
          {
            name: `match_rule-${code}-1.0.json`,
            title: `${code} MATCH RULE`,
            description: `of the body of POST and PUT ${versions}/{version}/rules`,
            schema: rule,
          },
        ]
      : []),
    {
      name: `create-nimbus_policy_version-${code}-1.0.json`,
      title: "CREATE/CLONE POLICY VERSION",
      description: `of the body of POST ${versions}`,
      schema: bodyOf(edgelogic_policy_version_create),
    },
    {
      name: `update-nimbus_policy_version-${code}-1.0.json`,
      title: "UPDATE POLICY VERSION",
      description: `of the body of PUT ${versions}/{version}`,
      schema: bodyOf(edgelogic_policy_version_update),
    },
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
