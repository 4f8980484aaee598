/** The rollout of a property change with today's diagnostics. */
import { rollingOut } from "./property-change.js";
import { probesToday } from "./staging-trial-today.js";

export const propertyChangeToday = rollingOut(
  probesToday,
  "look up its hostnames there by diagnostics, and name the calls that request them",
);
