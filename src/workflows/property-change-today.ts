/** The rollout of a property change with today's diagnostics. */
import { propertyChangeBy } from "./property-change.js";
import { probesToday } from "./staging-trial-today.js";

export const propertyChangeToday = propertyChangeBy(
  probesToday,
  "look up its hostnames there by diagnostics, and name the calls that request them",
);
