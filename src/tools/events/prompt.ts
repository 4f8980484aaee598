/** A prompt for planning an event with high traffic in advance. */
import { type Prompt, personSaysGo } from "../../language/reading.js";

const instant = "20\\d\\d-\\d\\d-\\d\\dT\\d\\d:\\d\\d(:\\d\\d)?Z";
const form = { pattern: instant, takes: "an instant in UTC such as 2026-11-27T00:00:00Z" };

export const planEvent: Prompt = {
  name: "event_plan",
  title: "Plan an event",
  description:
    "Plans an event with high traffic: what else is planned and what expires in that period, then the event itself, which the user reviews before it is created.",
  arguments: [
    { name: "name", description: "The name of the event" },
    { name: "start", description: "When it begins", form },
    { name: "end", description: "When it ends", form },
  ],
  task: ({ name = "", start = "", end = "" }) => `Plan this event from ${start} to ${end}: ${name}`,
  steps: ({ name = "", start = "", end = "" }) => [
    `Call events_list with startRange ${start} and endRange ${end}. Report overlaps. If the event already exists, say so and stop.`,
    "Call expiry_report for the days until the end of the event. A certificate or a credential that expires before or during it comes first.",
    `Show the event as it would be created: body.name ${name}, body.start ${start}, body.end ${end}, and the expected audience. ${personSaysGo}`,
    "Call event_create with exactly that.",
    "Call event_get with its id. Report the event with its times in UTC and in the user's time zone, and what has to be renewed before it.",
  ],
};

/** The same with today's API, whose lists have other bounds. */
export const planEventToday: Prompt = {
  ...planEvent,
  steps: (args) =>
    planEvent.steps(args).map((step) => step.replace("startRange", "minEnd").replace("endRange", "maxStart")),
};
