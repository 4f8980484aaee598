/** The written part of the guide to threat protection. */
import type { Guide } from "../../language/guide.js";
import type { threatProtection as service } from "./index.js";

export const threatProtection = {
  purpose:
    "Use it to keep the people in offices from dangerous or unwanted domains. A configuration has sites, the offices by their addresses; each site has a policy, which says what happens with the lists of domains and the categories. What is written is not live: a deployment takes it live, of the configuration or of one custom list. `threat_undeployed_changes_list` finds what is written and not deployed, `threat_list_item_find` on which custom lists an item is.",
  objects: {
    config: "The configurations of the account, by id.",
    site: "An office with its public addresses and its policy.",
    policy: "What is done about each list and category, by a response or a honeypot.",
    list: "A custom list of domains or addresses.",
    "list item": "What a custom list holds.",
    "emergency list": "A short list that is live with the next deployment of the configuration.",
    honeypot: "A server to which dangerous requests are led.",
    deployment: "The way of changes to the network.",
    "list deployment": "The way of one custom list to the network.",
  },
  lives: [
    {
      of: "a deployment of a configuration",
      shown: { by: "threat_deployment_get", at: "status" },
      moves: [
        { to: "PENDING", by: "threat_deployment_launch" },
        { from: "PENDING", to: "RUNNING", when: "it begins" },
        { from: "RUNNING", to: "COMPLETED", when: "it is live" },
      ],
    },
    {
      of: "a deployment of a custom list",
      shown: { by: "threat_list_deployment_get", at: "status" },
      moves: [
        { to: "PENDING", by: "threat_list_deployment_launch" },
        { from: "PENDING", to: "RUNNING", when: "it begins" },
        { from: "RUNNING", to: "COMPLETED", when: "it is live" },
      ],
    },
  ],
  limits: ["threat-deployment-times", "threat-emergency-limit", "threat-list-quota"],
} satisfies Guide<typeof service>;
