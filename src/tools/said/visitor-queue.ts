/** What people say for the visitor queue. */
import type { Said } from "../../api/said.js";
import type { visitorQueue as service } from "../visitor-queue.js";

export const visitorQueue = {
  service: "visitor queue; waiting room; virtual line for shoppers; visitor prioritization",
  operations: {
    visitor_policies_list: "which waiting rooms do we have; all visitor queue policies; list of queues for shoppers",
    visitor_policy_create:
      "set up a waiting room for a ticket sale; new visitor queue; hold back visitors when the shop is overloaded",
    visitor_policy_get:
      "show the settings of a waiting room; what share of visitors does the queue let in; rules of one queue version",
    visitor_policy_update:
      "let more people in; change the percentage of visitors who pass the waiting room; edit a visitor queue; tighten or loosen the queue",
    visitor_policy_versions_list: "version history of a waiting room; older versions of a visitor queue policy",
    visitor_policy_clone: "copy a waiting room for another sale; duplicate a visitor queue policy version",
    visitor_policy_activate:
      "turn on the waiting room; put the visitor queue live on staging or production; start queuing people now",
    visitor_activations_list:
      "where is the waiting room live; which visitor queue versions are active for which property; is queuing switched on for the shop",
  },
} satisfies Said<typeof service>;
