/** A prompt that guides a domain onto an emergency list and live: nothing else lost, and each step approved by a person. */
import type { Prompt } from "../../api/reading.js";

export const blockDomain: Prompt = {
  name: "domain_block",
  title: "Block a domain",
  description:
    "Blocks a domain for all sites of a threat-protection configuration and makes that live: the entries that are there stay, and a person approves the list and the deployment.",
  arguments: [{ name: "domain", description: "The domain to block", isRequired: true }],
  text: ({ domain = "" }) =>
    [
      `Block this domain for all sites of the threat-protection configuration: ${domain}`,
      "",
      "Go step by step, and stop to ask when anything is unclear.",
      "1. Call threat_configs_list. Where there are several configurations, ask which is meant.",
      "2. Call threat_undeployed_changes_list. Show what others have changed and not deployed: it may go live with this change, so ask before you go on.",
      "3. Call threat_emergency_lists_list and find the list that denies. If the domain, or one above it, is on a list already, say so and stop.",
      "4. Call threat_emergency_list_replace with all entries of that list and the domain as one more, because what is left out is removed. Show the preview: it has to say 1 added and nothing removed.",
      "5. Wait for the person's yes. Then make the same call with confirm set to the plan id.",
      "6. Call threat_undeployed_changes_list and take the call of threat_deployment_launch from deployWith, with wait true. Show its preview, wait for the yes, and confirm it in the same way.",
      "7. Report that the domain is blocked once the deployment is COMPLETED; say so if it is not yet, with the call that shows how far it is.",
    ].join("\n"),
};
