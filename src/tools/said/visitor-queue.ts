/** What people say for the visitor queue. */
import type { Said } from "../../api/said.js";
import type { visitorQueue as service } from "../visitor-queue.js";

export const visitorQueue = {
  service: "visitor queue; waiting room; virtual line for shoppers; visitor prioritization",
  operations: {
    visitor_policies_list:
      "which waiting rooms do we have; all visitor queue policies; list of queues for shoppers; inventory of waiting rooms; queue policies; list waiting rooms, visitor queue, visitor waiting room policies; which queues exist; all VWR policies; which queues for shoppers do we have; waiting rooms that we have; lines for busy days; queue policies with ids; which sites have a queue",
    visitor_policy_create:
      "set up a waiting room for a ticket sale; new visitor queue; hold back visitors when the shop is overloaded; waiting room for a product drop or sale; protect the origin from a rush; limit how many shoppers enter; keep the shop alive on a sale day; new waiting room policy; create a visitor queue; waiting page for a ticket sale; virtual queue for a drop; overload protection; throttle visitors; make people wait in line; tickets go on sale, keep the crowd from killing us; make shoppers line up; put people in line when it's busy; protect the shop from overload; new waiting room; hold back the crowd; ticket sale queue",
    visitor_policy_get:
      "show the settings of a waiting room; what share of visitors does the queue let in; rules of one queue version; open one visitor queue policy; percentage and rules of a waiting room version; look inside a queue; one waiting room's rules, percentage, settings; read visitor policy version; how many visitors are let through; what is the queue's share; how wide is the door of the waiting room; what does the queue do at present; what does the waiting room do; share let in; rules of one queue version; when does it begin and end",
    visitor_policy_update:
      "let more people in; change the percentage of visitors who pass the waiting room; edit a visitor queue; tighten or loosen the queue; let only so many percent through; open the gates wider; stricter queue; other percentage, rules or text for a waiting room; let waiting shoppers in faster; let more, fewer visitors through; change percent of the waiting room; edit a waiting room; adjust queue rules; loosen, tighten; open, close the door; let folks in faster; open the door wider; slow the crowd down; new text for people in line; admit more shoppers; hold back more shoppers; let in fewer or more; other pass-through percentage; longer waiting room; edit match rules of a queue; change end time",
    visitor_policy_versions_list:
      "version history of a waiting room; older versions of a visitor queue policy; revs of the waiting room rules; revisions of a waiting room; waiting room's versions, revisions, history; list versions of a visitor policy; earlier queue rules; which revs does the waiting room have; revisions of a waiting room; older settings of a queue; history of one queue policy",
    visitor_policy_clone:
      "copy a waiting room for another sale; duplicate a visitor queue policy version; reuse a waiting room as a starting point; duplicate for another shop; copy, clone, duplicate a waiting room; same waiting room for another sale, shop; based on an existing one; same waiting room again for the next drop; waiting room like the last one; duplicate a queue; reuse an old queue under another name",
    visitor_policy_activate:
      "turn on the waiting room; put the visitor queue live on staging or production; start queuing people now; switch queuing on for a site; release a waiting room; publish a queue version; turn on, switch on, activate, start the waiting room; enable queue for a property; waiting room live; deploy visitor policy to staging or production; open the waiting room; get the line going; waiting room must be up before the sale; open the waiting room; turn queueing on; put the queue live; push a queue version to staging or production; revert to an earlier queue",
    visitor_activations_list:
      "where is the waiting room live; which visitor queue versions are active for which property; is queuing switched on for the shop; is the waiting room live; which waiting room runs where; past and current queue activations; is the queue on; be sure that nobody is kept waiting after the sale; where are waiting room policies in force, active, live; activations of visitor policies; which property has a waiting room on; waiting room state by network; is queueing active; is anybody being held in a queue; which shops have the waiting room up; which queue is on for which site; since when is the waiting room running; past activations of queues; is anybody being held in line",
  },
} satisfies Said<typeof service>;
