/** A prompt that guides a domain onto an emergency list and live: nothing else lost, and each step approved by a person. */
import { type Prompt, personDecides, personSaysGo } from "../../language/reading.js";

export const blockDomain: Prompt = {
  name: "domain_block",
  title: "Block a domain",
  description:
    "Blocks a domain for all sites of a threat-protection configuration and makes that live: the entries that are there stay, and a person approves the list and the deployment.",
  arguments: [
    {
      name: "domain",
      description: "The domain to block",
      form: { pattern: "(?=.{1,253}$)[\\w-]+(\\.[\\w-]+)+", takes: "a domain such as malware.example.org" },
    },
  ],
  task: ({ domain = "" }) => `Block this domain for all sites of the threat-protection configuration: ${domain}`,
  steps: () => [
    "Call threat_configs_list. Where there are several configurations, ask which is meant.",
    `Call threat_undeployed_changes_list. Show what others have changed and not deployed, because it may go live with this change. ${personSaysGo}`,
    "Call threat_emergency_lists_list and find the list that denies. If the domain, or one above it, is on a list already, say so and stop.",
    `Call threat_emergency_list_replace with all entries of that list and the domain as one more, because what is left out is removed. The preview has to say 1 added and nothing removed. ${personDecides}`,
    `Call threat_undeployed_changes_list again, and make the call of threat_deployment_launch in its deployWith whose comment names this change. ${personDecides}`,
    "Call threat_deployments_list until the newest deployment is COMPLETED, which takes half a minute.",
    "Report that the domain is blocked, and since when; while the deployment is not COMPLETED, say that it is not live yet.",
  ],
};
