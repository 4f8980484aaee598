/** The written part of the guide to network lists. */
import type { Guide } from "../../language/guide.js";
import type { networkLists as service } from "./index.js";

export const networkLists = {
  purpose:
    "Use it to decide which addresses or countries a firewall blocks or admits. A network list has elements of one type; what happens to visitors on it is set in the configuration that refers to it. A change to a list has no effect on visitors until `netlist_activate` brings the newest version to a network: try it on `STAGING`, then activate it on `PRODUCTION`. To add elements, use `netlist_element_create`, which needs no version; `netlist_replace` writes the whole list and removes what it leaves out. Lists of domains that a resolver blocks are threat lists, which are a separate service.",
  objects: {
    netlist: "Elements of one type under a name; `syncPoint` is its version, which grows with each change.",
    element: "An IP address or a CIDR block, or a country code in a list of type GEO.",
    activation: "The act of bringing the newest version to `STAGING` or `PRODUCTION`; it takes minutes.",
    version: "The elements as they were when the list was activated.",
    subscription: "Mail about changes to a list; the API does not show who gets it.",
  },
  lives: [
    {
      of: "a list on a network",
      shown: { by: "netlist_activation_status", at: "activationStatus" },
      moves: [
        { to: "INACTIVE", by: "netlist_create" },
        { from: "INACTIVE", to: "PENDING_ACTIVATION", by: "netlist_activate" },
        { from: "PENDING_ACTIVATION", to: "ACTIVE", when: "the network has the version" },
        { from: "ACTIVE", to: "MODIFIED", by: "netlist_replace", when: "or its elements are changed in another way" },
        { from: "MODIFIED", to: "PENDING_ACTIVATION", by: "netlist_activate" },
        { from: "INACTIVE", by: "netlist_delete" },
      ],
    },
  ],
  limits: ["netlist-element-type", "netlist-activated-versions", "netlist-contract-group", "netlist_detail_update"],
} satisfies Guide<typeof service>;
