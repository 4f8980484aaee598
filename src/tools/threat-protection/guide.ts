/** The written part of the guide to threat protection. */
import type { Guide } from "../../language/guide.js";
import type { threatProtection as service } from "./index.js";

export const threatProtection = {
  purpose:
    "Use it to protect the people in offices from dangerous or unwanted domains. A configuration has sites, which are offices with their addresses; each site has a policy, which decides how lists of domains and categories are handled. Changes are not live until the configuration, or the custom list, is deployed. `threat_undeployed_changes_list` finds changes that are not deployed, `threat_list_item_find` the custom lists that contain an item.",
  objects: {
    config: "The configurations of the account, by id.",
    site: "An office with its public addresses and its policy.",
    policy: "How each list and category is handled: with a response or a honeypot.",
    list: "A custom list of domains or addresses.",
    "list item": "A domain or an address on a custom list.",
    "emergency list": "A short list that takes effect with the next deployment of the configuration.",
    honeypot: "A server to which dangerous requests are redirected.",
    deployment: "The rollout of a configuration's changes to the network.",
    "list deployment": "The rollout of one custom list to the network.",
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
