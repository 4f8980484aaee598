/** A prompt that puts a domain on an emergency list and deploys it: other entries stay, and the user approves each step. */
import { type Prompt, personDecides, personSaysGo } from "../../language/reading.js";

export const blockDomain: Prompt = {
  name: "domain_block",
  title: "Block a domain",
  description:
    "Blocks a domain for all sites of a threat-protection configuration and deploys the change: existing entries stay, and the user approves the list and the deployment.",
  arguments: [
    {
      name: "domain",
      description: "The domain to block",
      form: { pattern: "(?=.{1,253}$)[\\w-]+(\\.[\\w-]+)+", takes: "a domain such as malware.example.org" },
    },
  ],
  task: ({ domain = "" }) => `Block this domain for all sites of the threat-protection configuration: ${domain}`,
  steps: () => [
    "Call threat_configs_list. If there are several configurations, ask which one is meant.",
    `Call threat_undeployed_changes_list. Show what others have changed and not deployed, because it may go live with this change. ${personSaysGo}`,
    "Call threat_emergency_lists_list and find the list that denies. If the domain, or a parent domain, is already on a list, say so and stop.",
    `Call threat_emergency_list_replace with all entries of that list plus the domain, because omitted entries are removed. The preview has to show 1 added and nothing removed. ${personDecides}`,
    `Call threat_undeployed_changes_list again, and make the threat_deployment_launch call from its deployWith, with a comment that names this change. ${personDecides}`,
    "Call threat_deployments_list until the newest deployment is COMPLETED, which takes half a minute.",
    "Report that the domain is blocked, and since when; while the deployment is not COMPLETED, say that it is not live yet.",
  ],
};
