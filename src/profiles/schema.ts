/** What a file of profiles takes: its members and their values, with errors in words. */
import { profileName } from "../api/profile.js";
import { usualVendorWords } from "../api/vendor-words.js";
import { z } from "../api/z.js";
import { isZone, zoneText } from "../api/zone.js";
import { tiers } from "../guard/tier.js";

const text = (takes: string) => z.string(takes).min(1, takes);
const object = "an object";

/** A word as the vendor has it: it stands in media types, paths and names of members. */
const word = z.string("a word").regex(/^[A-Za-z][A-Za-z0-9-]*$/, "a word of letters, digits and -");

/** Where a credential comes from. One object holds the members of all three kinds, so that a misspelt one is named. */
export const credentialSchema = z.strictObject(
  {
    edgerc: text("the path of an .edgerc file").optional().describe("Path of an .edgerc file; ~/.edgerc when left out"),
    section: text("the name of a section").optional().describe("Section of that file"),
    host: text("a host").optional().describe("The four values of an API client, instead of a section"),
    clientToken: text("a client token").optional().describe("The second of them"),
    clientSecret: text("a client secret").optional().describe("The third"),
    accessToken: text("an access token").optional().describe("The fourth"),
    command: z
      .array(text("a word"), "a list of words")
      .min(1, "a program and its arguments")
      .optional()
      .describe("A program and its arguments, run without a shell: it prints a section of an .edgerc, or JSON"),
  },
  object,
);

/** The members of one profile. */
export const profileSchema = z.strictObject(
  {
    credential: credentialSchema
      .optional()
      .describe("Where its credential comes from; the section of its own name when left out"),
    accountSwitchKey: text("an account switch key").optional().describe("Account that its calls act on"),
    baseUrl: text("the URL of an origin").optional().describe("URL to call instead of the credential's host"),
    vendor: word.optional().describe("Word for <vendor> in media types and paths"),
    vendorWords: z
      .strictObject({ "free-ca": word.optional(), vendorRuleId: word.optional() } satisfies Record<
        keyof typeof usualVendorWords,
        z.ZodType
      >)
      .refine((words) => {
        const all = Object.values({ ...usualVendorWords, ...words });
        return new Set(all).size === all.length;
      }, "different terms for different words")
      .optional()
      .describe("Vendor terms for the words of the documents"),
    timeZone: z.string(zoneText).refine(isZone, zoneText).optional().describe("Time zone of calls that name none"),
    contractId: text("the id of a contract")
      .optional()
      .describe("Contract of calls that need one and name none, without ctr_"),
    groupId: text("the id of a group in quotes")
      .regex(/^(grp_)?\d+$/, "the digits of a group's id, in quotes")
      .optional()
      .describe("Group of calls that need one and name none, without grp_"),
    highestTier: z
      .enum(tiers, `one of ${tiers.join(", ")}`)
      .optional()
      .describe(`The gravest that its calls may be: ${tiers.join(", ")}`),
  },
  object,
);

/** The file, but for the members of its profiles, each of which is checked by itself. */
export const fileSchema = z.strictObject(
  {
    defaultProfile: text("the name of a profile").optional().describe("Profile of calls that name none"),
    profiles: z
      .record(z.string(), z.unknown(), object)
      .refine(
        (all) => Object.keys(all).every((name) => profileName.test(name)),
        "profiles whose names are of letters, digits, _, . and -",
      )
      .refine((all) => Object.keys(all).length > 0, "at least one profile")
      .describe("The profiles by their names"),
  },
  object,
);
