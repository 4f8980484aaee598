/** The look-ups of user administration: the same lists for administrators and for users, under separate paths. */
import { chosenBy, json, op, writtenOut } from "../../language/define.js";
import type { DeclaredResource } from "../../language/reading.js";
import { z } from "../../language/z.js";
import { members } from "../fields.js";

const audience = writtenOut(
  z.enum(["user-admin", "user-profile"]).describe("For administrators, or for one's own profile"),
);
const words = json(z.array(z.string()));

/** Each look-up with its response. */
const lookups = {
  "password-policy": json(
    z.looseObject({
      pwclass: z.string(),
      ...members(z.int(), "minLength", "minLetters", "minDigits", "caseDif", "minNonAlpha", "maxRepeating", "minReuse"),
      rotateFrequency: z.int().optional(),
    }),
  ),
  "contact-types": words,
  countries: words,
  "timeout-policies": json(z.array(z.looseObject({ name: z.string(), value: z.int().describe("Seconds") }))),
  "supported-languages": words,
  timezones: json(
    z.array(
      z.looseObject({
        ...members(z.string(), "timezone", "description"),
        ...members(z.string().optional(), "offset", "posix"),
      }),
    ),
  ),
  "notification-products": words,
} as const;
const lookupNames = Object.keys(lookups) as [keyof typeof lookups, ...(keyof typeof lookups)[]];

export const lookupOperations = {
  user_lookup_values_list: op("GET /identity-management/v2/{audience}/common/{lookup}", {
    does: "Lists the values that a user's field takes, or reads the password rules.",
    path: { audience, lookup: writtenOut(z.enum(lookupNames)) },
    returns: { 200: chosenBy("lookup", lookups) },
    rules: ["user-lookups-alike"],
    example: { audience: "user-admin", lookup: "timeout-policies" },
  }),
  user_states_list: op("GET /identity-management/v2/{audience}/common/countries/{country}/states", {
    does: "Lists a country's states; only USA and Canada have any.",
    path: { audience, country: z.string().min(1).describe("Such as USA") },
    returns: { 200: words },
    rules: ["user-states"],
    means: { 404: "There is no such country: user_lookup_values_list with countries lists the names." },
    example: { audience: "user-admin", country: "Canada" },
  }),
};

export const userResources: readonly DeclaredResource[] = [
  {
    address: "user://lookups/{lookup}",
    name: "user-lookup",
    title: "User look-up",
    description:
      "The values that a user's field takes, such as countries, time zones and languages, or the password rules.",
    content: { tool: "user_lookup_values_list", args: { audience: "user-admin" }, values: { lookup: lookupNames } },
  },
  {
    address: "user://lookups/countries/{country}/states",
    name: "user-states",
    title: "States of a country",
    description: "A country's states; only USA and Canada have any.",
    content: { tool: "user_states_list", args: { audience: "user-admin" }, values: { country: ["USA", "Canada"] } },
  },
];
