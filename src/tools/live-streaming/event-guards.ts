/** What a person has to know before the recordings of an event are scheduled for deletion or deleted. */
import { type Arguments, type Guard, only } from "../../language/conduct.js";
import { shown } from "../../language/failure.js";
import { memberAt } from "../../language/member.js";
import { told } from "../../language/words.js";
import { streamName } from "./naming.js";
import { eventMs, inWords, isAmbiguous } from "./times.js";

/** The stream, for its name. */
export const besideEvent = { stream: { by: "live_stream_get", args: only("domain", "streamId") } } as const;

const parts = ["primary", "backup"] as const;
type Part = (typeof parts)[number];
const timeAt = (value: unknown, part: Part, name: string): number | undefined =>
  eventMs(memberAt(value, [`${part}-event`, name]));

/** The parts of which a call says when they are deleted; null for one that would be kept. */
const deletionsIn = (args: Arguments): readonly (readonly [Part, number | null])[] =>
  parts.flatMap((part) =>
    memberAt(args, ["body", `${part}-event`, "delete-time"]) === undefined
      ? []
      : [[part, timeAt(args["body"], part, "delete-time") ?? null] as const],
  );

/** The recordings that an event has now. */
const recordedIn = (present: unknown): readonly Part[] =>
  parts.filter((part) => timeAt(present, part, "archive-start-time") !== undefined);
/** Whether an event is being broadcast. */
export const isOnAir = (present: unknown): boolean =>
  parts.some(
    (part) => timeAt(present, part, "on-air-time") !== undefined && timeAt(present, part, "off-air-time") === undefined,
  );
const target = (args: Arguments): string => `${String(args["eventName"])} of stream ${String(args["streamId"])}`;

export const eventChange: Guard = {
  kind: "delete",
  thing: "recordings of an event",
  replaces: "body",
  write: "merge",
  undo: "rewrite",
  target,
  says: (args) => {
    const which = deletionsIn(args).map(([part, ms]) =>
      ms === null ? `KEEP the ${part} recording` : `DELETE the ${part} recording on ${inWords(ms)}`,
    );
    return `${which.join(" and ")}: event ${shown(args["eventName"])} of stream ${streamName(args, undefined)}`;
  },
  warns: (args, present) =>
    deletionsIn(args).flatMap(([part, ms]) => {
      const recorded = timeAt(present, part, "archive-start-time");
      const ended = timeAt(present, part, "archive-end-time");
      if (present !== undefined && recorded === undefined) return [`The event has no ${part} recording now.`];
      if (ms === null) return [];
      const isEarly = recorded !== undefined && (ended === undefined || ms < ended);
      return told(
        isEarly && `The ${part} recording would be deleted before it has ended.`,
        isAmbiguous(ms) &&
          `Public clients disagree whether the month or the day comes first in this time; it is sent month first. Read the event afterwards with live_event_get.`,
      );
    }),
};

export const eventDeletion: Guard = {
  kind: "delete",
  thing: "event",
  undo: { never: "The recordings of an event that is deleted do not come back." },
  target,
  says: (args, present, { stream }) => {
    const recorded = recordedIn(present);
    const lost = recorded.length === 0 ? "without a recording" : `with its ${recorded.join(" and ")} recording`;
    return `DELETE event ${shown(args["eventName"])} of stream ${streamName(args, stream)} ${lost}`;
  },
  warns: (_, present) => (isOnAir(present) ? ["The event is on air now."] : []),
};
