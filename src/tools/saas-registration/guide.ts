/** The written part of the guide to SaaS registration. */
import type { Guide } from "../../language/guide.js";
import type { saasRegistration as service } from "./index.js";

export const saasRegistration = {
  purpose:
    "Use it to tell the vendor which SaaS applications a contract delivers to which customers, so that traffic is counted for each of them. Register the application and the customer first; a pair joins the two.",
  objects: {
    application: "An application, identified by your `providerApplicationId` and by the service's `surrogateId`.",
    customer: "One of your customers, identified by your `providerCustomerId`.",
    pair: "One application for one customer.",
  },
  lives: [
    {
      of: "a pair",
      moves: [
        { to: "registered", by: "saas_pair_create" },
        { from: "registered", to: "registered", by: "saas_pair_update" },
        { from: "registered", by: "saas_pair_delete" },
      ],
    },
  ],
} satisfies Guide<typeof service>;
