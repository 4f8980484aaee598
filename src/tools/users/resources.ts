/** What can be read of user administration: what the fields of a user take. */
import type { DeclaredResource } from "../../language/reading.js";
import { lookupNames } from "./lookups.js";

export const userResources: readonly DeclaredResource[] = [
  {
    address: "user://lookups/{lookup}",
    name: "user-lookup",
    title: "Look-up of identities",
    description:
      "What a field of a user takes, such as countries, time zones and languages, or the rules for passwords.",
    content: {
      tool: "user_lookup_values_list",
      args: { audience: "user-admin" },
      values: { lookup: lookupNames },
    },
  },
  {
    address: "user://lookups/countries/{country}/states",
    name: "user-states",
    title: "States of a country",
    description: "A country's states; only USA and Canada have any.",
    content: {
      tool: "user_states_list",
      args: { audience: "user-admin" },
      values: { country: ["USA", "Canada"] },
    },
  },
];
