/** What a policy file takes: its keys and values, with errors in words. */
import { z } from "../api/z.js";
import { networks, tiers } from "../guard/tier.js";
import { type Window, windowOf, windowText } from "./window.js";

const oneOf = <const V extends readonly [string, ...string[]]>(values: V) =>
  z.enum(values, `one of ${values.join(", ")}`);

/** A list with at least one item: an empty one would match nothing, which is more likely a mistake. */
const listOf = <S extends z.ZodType>(item: S) => z.array(item, "a list").min(1, "a list of at least one item");

/** The names that decisions without a rule of the file have. */
const reserved = ["read-only", "default", "egress"];
const id = z
  .string("an id")
  .regex(/^[a-z0-9][a-z0-9_-]{0,63}$/, "an id of lower-case letters, digits, - and _, such as no-purge-on-friday")
  .refine((name) => !reserved.includes(name), `an id other than ${reserved.join(", ")}, which are taken`);

const pattern = z
  .string("a pattern in quotes")
  .min(1, "a pattern, in which * stands for any text and ? for one character");

const window = z.string(windowText).transform((text, context): Window => {
  const found = windowOf(text);
  if (found !== undefined) return found;
  context.addIssue({ code: "custom", message: windowText });
  return z.NEVER;
});

const unique = (list: readonly { readonly id: string }[]): boolean =>
  new Set(list.map((one) => one.id)).size === list.length;
const mapping = "keys with values";

const rule = z
  .strictObject(
    {
      id,
      effect: oneOf(["allow", "deny", "approve"]),
      because: z.string("a sentence").min(1, "a sentence").max(300, "at most 300 characters").optional(),
      tools: listOf(pattern).optional(),
      services: listOf(z.string("the name of a service")).optional(),
      tiers: listOf(oneOf(tiers)).optional(),
      profiles: listOf(pattern).optional(),
      networks: listOf(oneOf(networks)).optional(),
      objects: listOf(pattern).optional(),
      during: listOf(window).optional(),
    },
    mapping,
  )
  .refine(({ effect, tiers: wanted }) => effect !== "approve" || !wanted?.includes("read"), {
    path: ["tiers"],
    message: "no read where the effect is approve: a read is allowed or denied",
  });

const quota = z
  .strictObject(
    {
      id,
      tools: listOf(pattern),
      counts: oneOf(["objects", "calls", "requests"]),
      per: oneOf(["hour", "day", "parallel"]),
      max: z.int("a whole number").min(1, "at least 1; a rule with the effect deny forbids a call altogether"),
    },
    mapping,
  )
  .refine(({ counts, per }) => counts !== "requests" || per !== "parallel", {
    path: ["per"],
    message: "hour or day where requests are counted: a call makes its requests one after the other",
  });

/** The file as a whole. */
export const policySchema = z.strictObject(
  {
    version: z.literal(1, "1, the only version there is"),
    rules: z.array(rule, "a list").refine(unique, "rules whose ids differ").default([]),
    quotas: z.array(quota, "a list").refine(unique, "quotas whose ids differ").default([]),
    egress: z
      .strictObject(
        // An empty list has a meaning here: nothing may be sent to anyone.
        { emails: z.array(pattern, "a list").optional(), hosts: z.array(pattern, "a list").optional() },
        mapping,
      )
      .default({}),
  },
  mapping,
);
