/** A prompt that guides a property change through staging to production. */
import { type Prompt, personDecides } from "../../language/reading.js";
import { propertyIds } from "./resources.js";

export const goLive: Prompt = {
  name: "property_go_live",
  title: "Put a property change live",
  description:
    "Takes a property's newest version to staging, checks it there and takes it to production; the user approves each activation.",
  arguments: [
    {
      name: "propertyId",
      description: "The property",
      form: { pattern: "(prp_)?\\d{1,15}", takes: "a property id such as prp_175780" },
      values: propertyIds,
    },
    {
      name: "notifyEmail",
      description: "Who is notified when an activation is done",
      form: { pattern: "[^\\s@]+@[^\\s@]+\\.[^\\s@]+", takes: "an email address" },
    },
  ],
  task: ({ propertyId = "" }) => `Put the newest version of property ${propertyId} live.`,
  steps: ({ propertyId = "", notifyEmail = "" }) => {
    const args = `propertyId ${propertyId} and notifyEmails ["${notifyEmail}"]`;
    return [
      `Call property_versions_list with propertyId ${propertyId}. Report which version is newest, who wrote it and its note. If the newest one is already active on production, there is nothing to do: say so and stop.`,
      `Call property_change_run with ${args}. It prepares the activation on staging, with the difference in words. Errors stop it; only the user may accept a warning. ${personDecides}`,
      "Call property_activations_list until the activation on STAGING is ACTIVE, which takes minutes.",
      `Call property_change_run with ${args} again. It tests the hostnames on staging and prepares the activation on production. Say plainly what could not be tested. ${personDecides}`,
      "Call property_activations_list until the activation on PRODUCTION is ACTIVE.",
      "Report which version is live, since when, and which version it replaced: to roll back, activate that one again.",
    ];
  },
};
