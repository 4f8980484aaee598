/** The match rules of shared policies: those of edge logic as today's API takes them, and the rules of waiting rooms. */
import { openObject } from "../../language/open-object.js";
import { z } from "../../language/z.js";
import { asRead, repeated } from "../../schema/read-only.js";
import { Match as FormerMatch, Rule as FormerRule, rulesOfEachType } from "../edge-logic/match-rules.js";

const [redirect, rewrite, audience, phased, , prioritization, , control] = FormerRule.options;

/** Today's API answers null where a match does not look at addresses. */
const Match = FormerMatch.extend({ checkIPs: z.string().nullable().optional() }).meta({ id: "SharedMatch" });

/** What all rules have: an id under today's name, and a flag that is no text. */
const { matchesAlways, name, start, end } = redirect.shape;
const common = asRead(
  {
    ...{ name, start, end, matchesAlways },
    matches: z.array(Match).nullable().optional(),
    disabled: z.boolean().optional(),
    akaRuleId: repeated(z.string().optional().describe("As it was read")),
  },
  "id",
);
/** Today's API answers null where a rule has no origin, and some rules without any settings. */
const forwardSettings = rewrite.shape.forwardSettings.extend({ originId: z.string().nullable().optional() });
const today = { vendorRuleId: true } as const;

/** The types of rules that a shared policy takes; each belongs to one application. */
export const SharedRule = z
  .discriminatedUnion("type", [
    redirect.omit(today).extend(common),
    rewrite.omit(today).extend({ ...common, forwardSettings }),
    audience.omit(today).extend({ ...common, forwardSettings: forwardSettings.optional() }),
    phased.omit(today).extend({
      ...common,
      forwardSettings: phased.shape.forwardSettings.extend(forwardSettings.shape).optional(),
    }),
    prioritization.omit(today).extend(common),
    control.omit(today).extend(common),
    openObject({
      type: z.literal("vwrMatchRule"),
      ...common,
      action: z.literal("FIFO"),
      useIncomingQueryString: z.boolean().optional(),
    }),
  ])
  .meta({
    id: "SharedRule",
    examples: [
      ...rulesOfEachType.filter(({ type }) => !/^(alb|vp)/.test(type)),
      { type: "vwrMatchRule", matches: [{ matchType: "path", matchValue: "/checkout" }], action: "FIFO" },
    ],
  });
