/** The match rules of policies: the input for each application, and rules in responses. */
import { openObject } from "../../language/open-object.js";
import { repeated, withReadOnlyMembers } from "../../language/read-only.js";
import { z } from "../../language/z.js";
import { EpochSeconds, members } from "../fields.js";

const range = openObject({ type: z.literal("range"), value: z.tuple([z.int(), z.int()]) });
const simple = openObject({ type: z.literal("simple"), value: z.array(z.string()).min(1) });
const object = openObject({
  type: z.literal("object"),
  name: z.string(),
  ...members(z.boolean().optional(), "nameCaseSensitive", "nameHasWildcard"),
  options: z.looseObject({ value: z.array(z.string()).optional() }).optional(),
});
// With a separate name, the page of a tool has it once and not in each type of rule.
export const Match = openObject({
  matchType: z.string().min(1),
  matchOperator: z.enum(["contains", "exists", "equals"]).optional(),
  matchValue: z.string().optional().describe("Separated by spaces"),
  ...members(z.boolean().optional(), "negate", "caseSensitive"),
  checkIPs: z.string().optional(),
  objectMatchValue: z
    .discriminatedUnion("type", [range, simple, object])
    .meta({
      examples: [
        { type: "range", value: [1, 25] },
        { type: "simple", value: ["DE", "JP"] },
        { type: "object", name: "campaign", options: { value: ["spring"] } },
      ],
    })
    .nullable()
    .optional(),
}).meta({ id: "Match" });

const common = withReadOnlyMembers(
  {
    name: z.string().nullable().optional(),
    ...members(EpochSeconds.optional(), "start", "end"),
    matches: z.array(Match).nullable().optional(),
    matchesAlways: z.boolean().optional(),
    // The published samples have the flag as text.
    disabled: z.union([z.boolean(), z.enum(["true", "false"])]).optional(),
    // A rule that is sent with its id keeps it.
    vendorRuleId: repeated(z.string().optional().describe("As it was read")),
    akaRuleId: repeated(z.string().optional().describe("As it was read")),
  },
  "id",
  "location",
);
const url = { matchURL: z.string().nullable().optional() };
const incomingQuery = { useIncomingQueryString: z.boolean().optional() };
const forwardSettings = openObject({
  originId: z.string().min(1).optional(),
  pathAndQS: z.string().optional(),
  ...incomingQuery,
});
const forwarding = { ...common, ...url, forwardSettings };
const limiting = {
  ...common,
  ...url,
  passThroughPercent: z.number().min(-1).max(100).describe("Percent; -1: all"),
  ...incomingQuery,
};

export const rulesOfEachType = [
  { type: "erMatchRule", matchURL: "/old", redirectURL: "/new", statusCode: 301, useRelativeUrl: "none" },
  { type: "frMatchRule", matchURL: "/search", forwardSettings: { originId: "search", pathAndQS: "/find" } },
  { type: "asMatchRule", matchURL: "/spring", forwardSettings: { originId: "campaign", useIncomingQueryString: true } },
  { type: "cdMatchRule", matchURL: "/checkout", forwardSettings: { originId: "newCheckout", percent: 10 } },
  { type: "albMatchRule", matchURL: "/shop", forwardSettings: { originId: "shopBalancer" } },
  { type: "apMatchRule", matchURL: "/api", passThroughPercent: -1, useIncomingQueryString: true },
  { type: "vpMatchRule", matchURL: "/sale", passThroughPercent: 50 },
  {
    type: "igMatchRule",
    matches: [{ matchType: "clientip", matchOperator: "contains", matchValue: "192.0.2.0/24" }],
    allowDeny: "deny",
  },
];

/** The writable types, described by public facts, each with its required fields (public facts B, 4). */
export const Rule = z
  .discriminatedUnion("type", [
    openObject({
      type: z.literal("erMatchRule"),
      ...common,
      ...url,
      redirectURL: z.string().min(1),
      statusCode: z.literal([301, 302, 303, 307, 308]),
      ...incomingQuery,
      useIncomingSchemeAndHost: z.boolean().optional(),
      useRelativeUrl: z.enum(["none", "copy_scheme_hostname", "relative_url"]).optional(),
    }),
    openObject({ type: z.literal("frMatchRule"), ...forwarding }),
    openObject({ type: z.literal("asMatchRule"), ...forwarding }),
    openObject({
      type: z.literal("cdMatchRule"),
      ...common,
      ...url,
      forwardSettings: forwardSettings.extend({ percent: z.int().min(1).max(100).optional() }),
    }),
    openObject({ type: z.literal("albMatchRule"), ...forwarding }),
    openObject({ type: z.literal("apMatchRule"), ...limiting }),
    openObject({ type: z.literal("vpMatchRule"), ...limiting }),
    openObject({ type: z.literal("igMatchRule"), ...common, allowDeny: z.enum(["allow", "deny", "denybranded"]) }),
  ])
  .meta({ id: "Rule", examples: rulesOfEachType });

/** A rule in a response, with further fields of its type. */
export const StoredRule = z.looseObject({
  type: z.string(),
  ...members(z.string().optional(), "vendorRuleId", "location"),
  name: z.string().nullable().optional(),
  ...members(EpochSeconds.optional(), "start", "end"),
  id: z.int().nullable().optional(),
  matchURL: z.string().nullable().optional(),
  matches: z
    .array(z.looseObject({ matchType: z.string() }))
    .nullable()
    .optional(),
  matchesAlways: z.boolean().optional(),
  disabled: z.union([z.boolean(), z.string()]).optional(),
  redirectURL: z.string().optional(),
  statusCode: z.int().optional(),
  ...members(z.boolean().optional(), "useIncomingQueryString", "useIncomingSchemeAndHost"),
  useRelativeUrl: z.string().optional(),
  forwardSettings: z.looseObject({}).optional(),
  passThroughPercent: z.number().optional(),
  allowDeny: z.string().optional(),
});
