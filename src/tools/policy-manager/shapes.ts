/** What the visitor queue and SaaS access share: the envelope, the policy in it, and the matches of a rule. */
import { json } from "../../language/define.js";
import { closedObject } from "../../language/open-object.js";
import { withReadOnlyMembers } from "../../language/read-only.js";
import { z } from "../../language/z.js";
import { EpochMs, EpochSeconds, members } from "../fields.js";

const text = z.string();
/** Why the object around a command takes no other members: the payload is named after the command. */
const otherCommands = "a member of another name could be another command";
/** A command: its name, and its payload under the same name. */
export const commandBody = <C extends string, S extends z.ZodType>(name: C, payload: S) =>
  closedObject(otherCommands, {
    policyManagerRequest: closedObject(otherCommands, { command: z.literal(name).default(name), [name]: payload } as {
      command: z.ZodDefault<z.ZodLiteral<C>>;
    } & Record<C, S>),
  });
/** The payload is the member `response`; any code but 0 is a failure with its own message (document B). */
export const envelope = { at: "responseCode", unless: 0, message: "englishMessage" } as const;
export const enveloped = <S extends z.ZodType>(response: S) =>
  json(
    z.looseObject({
      responseCode: z.int(),
      response,
      i18nCode: z.int().optional(),
      englishMessage: text.nullable().optional(),
    }),
  );

/** What the responses with policies share; each repeats the description of its application. */
export const policyAnswer = <S extends z.ZodType>(response: S) =>
  ({ returns: { 200: enveloped(response) }, shows: { aside: { cloudletConfig: "cloudletId" } } }) as const;

const StoredMatch = z.looseObject({
  matchType: text,
  ...members(text.optional(), "matchOperator", "matchValue"),
  ...members(z.boolean().optional(), "caseSensitive", "negate"),
});
const StoredRule = z.looseObject({
  type: text,
  id: z.int().nullable().optional(),
  name: text.nullable().optional(),
  ...members(EpochSeconds.optional(), "start", "end"),
  matches: z.array(StoredMatch).nullable().optional(),
});
const CloudletConfig = z.looseObject({
  id: z.int(),
  ...members(text, "key", "name"),
  ...members(text.optional(), "featureKey", "engProduct", "policyFileNamePrefix", "openAPIContextRoot"),
  isInternal: z.boolean().optional(),
  ...members(text.optional(), "stagingLocation", "productionLocation", "logsLocation"),
});
const number = z.int().optional();
const described = {
  description: text.nullable().optional(),
  policyName: text.optional(),
  policyDescription: text.nullable().optional(),
};
const policyOf = <S extends z.ZodType>(rule: S) =>
  z.looseObject({
    id: z.int(),
    policyId: number,
    ...members(text.optional(), "createdBy", "acgId"),
    version: number,
    immutable: z.boolean().optional(),
    ...members(number, "activatedProduction", "activatedStaging", "activatedTest", "assetId", "cloudletId"),
    cloudletConfig: CloudletConfig.optional(),
    ...members(text.optional(), "policyCreatedBy", "policyLastModifiedBy"),
    ...described,
    ...members(EpochMs.optional(), "createDate", "policyCreateDate", "policyLastModifiedDate"),
    matchRules: z.array(rule).nullable().optional(),
  });
export const QueuePolicy = policyOf(
  StoredRule.extend({
    matchURL: text.nullable().optional(),
    passThroughPercent: z.number().optional(),
    useIncomingQueryString: z.boolean().optional(),
  }),
);
// A rule without matches would apply to every visitor, so the null of a response may not be sent back.
export const AccessPolicy = policyOf(StoredRule.extend({ matches: z.array(StoredMatch).optional() }));

/** The members of an update other than its rules: those that it changes, and those that may be sent back as read. */
export const updateMembers = withReadOnlyMembers(
  { overwriteRules: z.boolean().describe("true: matchRules replaces the rules"), ...described },
  AccessPolicy,
);

/** Where policies are active: a bare list, according to public facts (B, 5). */
export const Activations = z.array(
  z.looseObject({
    name: text,
    ...members(z.int(), "fileId", "assetId"),
    policies: z.array(
      z.looseObject({
        policyName: text,
        versions: z.array(z.looseObject({ version: text, policyVersionId: z.int() })),
      }),
    ),
  }),
);

/** The members of every rule. */
export const ruleMembers = {
  id: z.int().nullable().optional(),
  name: text.nullable().optional(),
  ...members(EpochSeconds.optional(), "start", "end"),
};
export const matchMembers = {
  matchOperator: text.optional().describe("Such as contains"),
  ...members(z.boolean().optional(), "caseSensitive", "negate"),
};
