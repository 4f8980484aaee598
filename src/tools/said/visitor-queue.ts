/** What people say for the visitor queue. */
import type { Said } from "../../api/said.js";
import type { visitorQueue as service } from "../visitor-queue.js";

export const visitorQueue = {
  service: "visitor queue; waiting room; virtual line for shoppers; visitor prioritization",
  operations: {
    visitor_policies_list:
      "which waiting rooms do we have; all visitor queue policies; list of queues for shoppers; inventory of waiting rooms; queue policies",
    visitor_policy_create:
      "set up a waiting room for a ticket sale; new visitor queue; hold back visitors when the shop is overloaded; waiting room for a product drop or sale; protect the origin from a rush; limit how many shoppers enter; keep the shop alive on a sale day",
    visitor_policy_get:
      "show the settings of a waiting room; what share of visitors does the queue let in; rules of one queue version; open one visitor queue policy; percentage and rules of a waiting room version; look inside a queue",
    visitor_policy_update:
      "let more people in; change the percentage of visitors who pass the waiting room; edit a visitor queue; tighten or loosen the queue; let only so many percent through; open the gates wider; stricter queue; other percentage, rules or text for a waiting room; let waiting shoppers in faster",
    visitor_policy_versions_list:
      "version history of a waiting room; older versions of a visitor queue policy; revs of the waiting room rules; revisions of a waiting room",
    visitor_policy_clone:
      "copy a waiting room for another sale; duplicate a visitor queue policy version; reuse a waiting room as a starting point; duplicate for another shop",
    visitor_policy_activate:
      "turn on the waiting room; put the visitor queue live on staging or production; start queuing people now; switch queuing on for a site; release a waiting room; publish a queue version",
    visitor_activations_list:
      "where is the waiting room live; which visitor queue versions are active for which property; is queuing switched on for the shop; is the waiting room live; which waiting room runs where; past and current queue activations; is the queue on; be sure that nobody is kept waiting after the sale",
  },
} satisfies Said<typeof service>;
